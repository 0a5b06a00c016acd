package prove

import (
	"testing"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// TestFactClasses counts what is known of the operands of the classes, and proves some of it.
func TestFactClasses(t *testing.T) {
	constant := map[uint32]int{}
	same, n := 0, 0
	for f, facts := range FactClasses(Classes()) {
		for operand, k := range facts.Known {
			if k.Is {
				constant[k.Value]++
				if f.Op.SIMD() {
					t.Fatalf("%s: SIMD instructions take no immediates", facts.Spell(f))
				}
				if operand == 2 && !f.ReadsC() {
					t.Fatalf("%s has no c", facts.Spell(f))
				}
			}
		}
		if facts.SameAB || facts.SameAC || facts.SameBC {
			same++
		}
		n++
	}
	if len(constant) != len(constants) || same < 18_000 {
		t.Errorf("%d tasks with %d constants and %d repeated registers", n, len(constant), same)
	}
	s := solver(t)
	few := 0
	for f, facts := range FactClasses(Classes()) {
		if few++; few%6000 != 0 || f.Op.Kind() == isa.Mad {
			continue
		}
		o := Options{Solver: s, Timeout: time.Minute, Facts: facts}
		if r := Form(t.Context(), f, lower.FormWith(f, lower.SM80, facts), o); r.Verdict != Proved {
			t.Error(r)
		}
	}
}
