package lower_test

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
	"github.com/vop-ptx/vop/sem"
)

// TestNeverWorse: no scalar form takes more machine instructions than ptxas makes of its class, and no other form that
// stands for a class. Where the readings differ ptxas computes something else, so that the program
// of its own reading is held to it.
func TestNeverWorse(t *testing.T) {
	every := 1
	if !long.Tests() {
		every = 13
	}
	n, failures := 0, 0
	check := func(f isa.Form) {
		ptxas := cost.Of(f)
		for _, reading := range []isa.Reading{isa.Manual, isa.SM86} {
			p := lower.FormAs(reading, f, lower.SM80, lower.Facts{})
			count := lower.SM80.Machine(p).Instructions
			if count <= ptxas || reading == isa.Manual && len(sem.Differences(f)) > 0 {
				continue
			}
			if failures++; failures < 10 {
				t.Errorf("%v by the reading %v: %d machine instructions, ptxas makes %d\n%v", f, reading, count, ptxas, p)
			}
		}
	}
	for f := range scalarForms {
		if n++; n%every == 0 {
			check(f)
		}
	}
	classes := cost.Classes()
	for _, f := range classes {
		check(f)
	}
	if n < 80_000 || len(classes) < 1900 {
		t.Errorf("only %d forms, %d classes", n, len(classes))
	}
}
