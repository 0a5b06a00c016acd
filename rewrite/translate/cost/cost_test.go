package cost

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/sass"
	"github.com/vop-ptx/vop/isa"
)

// TestEveryForm demands a count for each form, within what was measured.
func TestEveryForm(t *testing.T) {
	n := 0
	for f := range isa.Sample(rand.New(rand.NewPCG(1, 2))) {
		if n++; n > 20_000 {
			break
		}
		if c := Of(f); c < 1 || c > 60 {
			t.Errorf("%v costs %d", f, c)
		}
	}
}

func TestClasses(t *testing.T) {
	classes := Classes()
	if len(classes) != len(table()) {
		t.Errorf("%d classes, and %d lines in the table", len(classes), len(table()))
	}
	for _, f := range classes {
		if !f.Valid() {
			t.Errorf("%+v is no form", f)
		}
		if representative(f) != f {
			t.Errorf("%v stands for %v, not for itself", f, representative(f))
		}
	}
}

// TestMeasured measures a few classes again.
func TestMeasured(t *testing.T) {
	if !sass.Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	classes := Classes()
	var forms []isa.Form
	var snippets []string
	for range 10 {
		f := classes[rng.IntN(len(classes))]
		forms = append(forms, f)
		snippets = append(snippets, f.Spell("%r4", "%r1", "%r2", "%r3"))
	}
	counts, err := sass.Count("sm_80", sass.Module("sm_80", snippets))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range forms {
		if Of(f) != counts[i] {
			t.Errorf("%v costs %d, the table says %d; script/sasscount writes it", f, counts[i], Of(f))
		}
	}
}
