// Package simttest builds kernels for tests of what is done with them, and holds what they become against files.
package simttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
)

// Build builds the first function of a text, whose parameters stand one behind the other, 8 bytes each.
func Build(t *testing.T, text string) *simt.Function {
	t.Helper()
	tree, found := syntax.Parse(source.New("test.ptx", text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		t.Fatalf("%v", d)
	}
	decl := m.Functions[0]
	place := func(v *check.Variable) (uint64, bool) {
		for n, p := range decl.Params {
			if p == v {
				return uint64(8 * n), true
			}
		}
		return 0, false
	}
	f, missing := build.Function(decl, &build.Options{Module: m, Reading: isa.Manual, Caps: word.Portable, Place: place})
	if len(missing) > 0 {
		t.Fatalf("%v", missing)
	}
	return f
}

// Golden demands that a function is right, and prints as testdata/NAME.simt says; if update is true it writes that file before.
func Golden(t *testing.T, f *simt.Function, name string, update bool) {
	t.Helper()
	if err := listing.Check(f); err != nil {
		t.Fatal(err)
	}
	if err := f.LoopsClosed(); err != nil {
		t.Fatal(err)
	}
	got := listing.String(f)
	file := filepath.Join("testdata", name+".simt")
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant, as %s says:\n%s", got, file, want)
	}
}
