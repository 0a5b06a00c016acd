package prove

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
)

// scaledHalves yields vmad of two halves with a scale: those whose factors may be raised.
func scaledHalves(yield func(isa.Form) bool) {
	types := []isa.Type{isa.U32, isa.S32}
	f := isa.Form{Op: isa.Vmad, ASel: isa.H0, BSel: isa.H1}
	for _, f.Scale = range []isa.Scale{isa.Shr7, isa.Shr15} {
		for _, f.AType = range types {
			for _, f.BType = range types {
				for _, f.PlusOne = range []bool{false, true} {
					if !yield(f) {
						return
					}
				}
			}
		}
	}
}

// TestRaisedHalves: what is assumed of the products of raised halves holds, and decides the programs that have them.
func TestRaisedHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	o := Options{Solver: solver(t), Timeout: time.Minute}
	raised := 0
	for f := range scaledHalves {
		q := &query{multiply: raising}
		q.signed = q.signedFactors(f)
		q.manual(f)
		for range 50 {
			a, b, c := conform.Operands(rng, f)
			e := term.With(a, b, c)
			for _, assumed := range q.asserted {
				if e.Value(assumed).Sign() == 0 {
					t.Fatalf("%v, a=%08x b=%08x c=%08x: %v does not hold", f, a, b, c, assumed)
				}
			}
		}
		p := lower.Form(f, lower.SM80)
		if lower.SM80.Machine(p).Instructions > 4 {
			continue
		}
		raised++
		if r := Form(t.Context(), f, p, o); r.Verdict != Proved {
			t.Errorf("%v: %v\n%v", f, r, p)
		}
	}
	if raised != 4 {
		t.Errorf("%d programs of raised halves, want those of .shr15 with factors of one type", raised)
	}
}
