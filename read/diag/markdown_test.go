package diag

import (
	"os"
	"strings"
	"testing"
)

// TestManual holds docs/diagnostics.md against the registry.
func TestManual(t *testing.T) {
	written, err := os.ReadFile("../../docs/diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != Manual() {
		t.Error("docs/diagnostics.md is not up to date: go generate ./read/diag")
	}
	for _, code := range Codes() {
		if strings.Count(Manual(), "\n### "+string(code)+"\n") != 1 {
			t.Errorf("%s has no section of its own", code)
		}
	}
}
