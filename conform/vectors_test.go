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

// TestVectors holds the reference against the files described in testdata/README.md.
func TestVectors(t *testing.T) {
	for _, file := range []struct {
		name          string
		count, differ int
	}{
		{"oracle.tsv.gz", 18936, 781},
		{"compiled.tsv.gz", 31910, 5640},
	} {
		vectors := open(t, file.name)
		if len(vectors) != file.count {
			t.Errorf("%s: %d vectors, want %d", file.name, len(vectors), file.count)
		}
		for _, r := range isa.Readings() {
			t.Run(file.name+"/"+r.String(), func(t *testing.T) {
				reference := func(f isa.Form, a, b, c uint32) uint32 { return sem.EvalAs(r, f, a, b, c) }
				wrong := slices.Collect(conform.Check(reference, r, slices.Values(vectors)))
				for _, m := range wrong[:min(len(wrong), 10)] {
					t.Error(m)
				}
				if len(wrong) > 0 {
					t.Errorf("%d of %d vectors are wrong", len(wrong), len(vectors))
				}
			})
		}
		t.Run(file.name+"/causes", func(t *testing.T) { explained(t, vectors, file.differ) })
	}
}

// explained fails the test unless the rules have a cause for each row in which
// the two columns differ, and for no other.
func explained(t *testing.T, vectors []conform.Vector, want int) {
	differ := 0
	for _, v := range vectors {
		causes := sem.Causes(v.Form, v.A, v.B, v.C)
		differs := v.Want[sem.ISA] != v.Want[sem.SM86]
		if differs {
			differ++
		}
		if differs != (len(causes) > 0) {
			t.Errorf("%v a=%08x b=%08x c=%08x: %08x and %08x, with %d causes", v.Form, v.A, v.B, v.C, v.Want[sem.ISA], v.Want[sem.SM86], len(causes))
		}
	}
	if differ != want {
		t.Errorf("the readings differ in %d rows, want %d", differ, want)
	}
}

// TestRulesPredictWhatIsThere: the machine code of a form differs from the manual
// if, and only if, the rules say that it can.
func TestRulesPredictWhatIsThere(t *testing.T) {
	differs := map[isa.Form]bool{}
	for _, v := range open(t, "compiled.tsv.gz") {
		differs[v.Form] = differs[v.Form] || v.Want[sem.ISA] != v.Want[sem.SM86]
	}
	predicted := 0
	for f, does := range differs {
		can := len(sem.Differences(f)) > 0
		if does != can {
			t.Errorf("%v: differs in the vectors: %v, by the rules: %v", f, does, can)
		}
		if can {
			predicted++
		}
	}
	if predicted < 1500 || predicted > len(differs)/2 {
		t.Errorf("%d of %d forms can differ", predicted, len(differs))
	}
}
