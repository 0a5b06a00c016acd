package conform_test

import (
	"compress/gzip"
	"os"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// open reads a compressed vector file of testdata.
func open(t testing.TB, name string) []conform.Vector {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := conform.Read(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return vectors
}

// report fails the test on mismatches, a few of them in full.
func report(t *testing.T, r sem.Reading, vectors []conform.Vector) {
	t.Helper()
	reference := func(f isa.Form, a, b, c uint32) uint32 { return sem.EvalAs(r, f, a, b, c) }
	wrong := slices.Collect(conform.Check(reference, r, slices.Values(vectors)))
	for i, m := range wrong {
		if i == 10 {
			break
		}
		t.Error(m)
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d vectors are wrong", len(wrong), len(vectors))
	}
}

// TestOracle holds the reference against the values of an independent evaluator
// of the pseudo-code, and of the machine code for sm_86 (testdata/README.md).
func TestOracle(t *testing.T) {
	vectors := open(t, "oracle.tsv.gz")
	if len(vectors) != 18936 {
		t.Fatalf("%d vectors, want 18936", len(vectors))
	}
	for _, r := range sem.Readings() {
		t.Run(r.String(), func(t *testing.T) { report(t, r, vectors) })
	}
}
