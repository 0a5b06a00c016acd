package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/search"
)

const boundsFile = "../../../rewrite/search/bounds.tsv"

// TestDocument holds the table of docs/performance.md to the searched bounds and to what the
// lowering makes now: go run ./internal/cmd/shortest -document docs/performance.md -bounds rewrite/search/bounds.tsv.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "performance.md")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, bounds, err := open(options{bounds: boundsFile})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeDocument(name, bounds); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(name); string(now) != string(text) {
		t.Error("docs/performance.md is not what internal/cmd/shortest writes")
	}
	if n := strings.Count(string(text), "| `v"); n < 200 {
		t.Errorf("%d lines of tables", n)
	}
}

// TestFilesKeepWhatTheyHold: an entry that is set leaves the others as they were.
func TestFilesKeepWhatTheyHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "found.txt")
	f := search.Cores()[0]
	g := search.Cores()[1]
	for n, target := range []string{"sm_70", "sm_80"} {
		found, _, err := open(options{found: name})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.entries) != n {
			t.Errorf("%d entries, want %d", len(found.entries), n)
		}
		found.set(target, f, "v1 = add a, b\nd = v1\n")
		if err := found.write(); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(name)
	if want := "\nsm_70 " + f.String() + "\nv1 = add a, b\nd = v1\n\nsm_80 " + f.String() + "\nv1 = add a, b\nd = v1\n"; !strings.HasSuffix(string(text), want) {
		t.Errorf("%s\nwant at its end%s", text, want)
	}
	if f.String() == g.String() {
		t.Error("two cores are one")
	}
}

// TestWrongOptions: no scalar program gets into the file of SIMD programs, and one in none is not searched.
func TestWrongOptions(t *testing.T) {
	for _, o := range []options{{every: 0}, {every: 1, scalars: true, found: "found.txt"}, {every: 1, others: true, found: "found.txt"}, {every: 1, scalars: true, others: true}} {
		if err := run(t.Context(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
