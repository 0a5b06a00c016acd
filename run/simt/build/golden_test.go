package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// TestGolden builds small kernels, testdata/*.ptx, and compares what they are printed as with the .simt
// beside each. A kernel whose name ends in .literal.ptx is built literally.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) < 10 {
		t.Fatalf("there are only %d kernels (%v)", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ptx")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := simttest.Load(string(text), build.Options{Reading: isa.Manual, Literal: strings.HasSuffix(name, ".literal")})
			if err != nil {
				t.Fatal(err)
			}
			if p.Lacking > 0 {
				t.Fatalf("%d functions cannot be built", p.Lacking)
			}
			if _, err := checkAndPrint(p); err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for i, f := range p.Functions {
				if i > 0 {
					got.WriteByte('\n')
				}
				if err := listing.Print(&got, f, sourceOf(p, f)); err != nil {
					t.Fatal(err)
				}
			}
			golden := filepath.Join("testdata", name+".simt")
			if *build.Rewrite {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("the code is another one (go test -run Golden -update writes it):\n%s", diff)
			}
		})
	}
}

// source returns the text of a function's instructions.
func sourceOf(p *simttest.Program, f *simt.Function) func(at int) string {
	return func(at int) string {
		tree := f.Decl.Body[at].Tree
		return p.Module.Source.Text[tree.Span().Start:tree.Span().End]
	}
}
