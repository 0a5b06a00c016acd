package house

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// heavy are packages that the command does without: they would be a tenth of it, and a quarter of the time to build it.
var heavy = []string{"net/http", "crypto/tls", "crypto/x509"}

// TestCommandIsLight holds that no library brings heavy packages into the command.
func TestCommandIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../cmd/vop").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if slices.Contains(heavy, name) {
			t.Errorf("cmd/vop needs %s: go mod why -m says through which module", name)
		}
	}
}
