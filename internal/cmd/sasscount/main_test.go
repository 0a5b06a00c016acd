package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/sass"
)

func TestReplaceSection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "performance.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + beginMark + "old\n" + endMark + "after\n")
	if err := replaceSection(path, "new\n"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\n" + beginMark + "new\n" + endMark + "after\n"; string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
	write("no marks\n")
	if err := replaceSection(path, "new\n"); err == nil {
		t.Error("no error for a document without the marks")
	}
}

// TestNeverWorse measures instructions that real code holds most: none is more
// machine instructions than ptxas makes of it.
func TestNeverWorse(t *testing.T) {
	if !sass.Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	groups := strings.Split(strings.TrimSpace(formsText), "\n\n")
	instructions := strings.Split(groups[1], "\n")[:25]
	m, err := measure("sm_80", instructions)
	if err != nil {
		t.Fatal(err)
	}
	for i, instruction := range instructions {
		if m.after[i] > m.before[i] || m.after[i] == 0 {
			t.Errorf("%s: %d machine instructions, ptxas makes %d", instruction, m.after[i], m.before[i])
		}
	}
	if mean := m.mean(); mean > 0.4 {
		t.Errorf("the geometric mean of the ratio is %.3f, want at most 0.4", mean)
	}
}
