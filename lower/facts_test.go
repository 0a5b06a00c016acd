package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
	"github.com/vop-ptx/vop/sem"
)

// randomFacts draws what might be known, and operands that agree with it.
func randomFacts(rng *rand.Rand) (facts lower.Facts, operands func() [3]uint32) {
	for n := range facts.Known {
		if rng.IntN(3) == 0 {
			facts.Known[n] = lower.Constant(operand(rng))
		}
	}
	facts.SameAB = rng.IntN(4) == 0 && !facts.Known[0].Is && !facts.Known[1].Is
	facts.SameAC = rng.IntN(4) == 0 && !facts.Known[0].Is && !facts.Known[2].Is
	facts.SameBC = rng.IntN(4) == 0 && !facts.Known[1].Is && !facts.Known[2].Is
	return facts, func() [3]uint32 {
		var v [3]uint32
		for n := range v {
			v[n] = operand(rng)
			if facts.Known[n].Is {
				v[n] = facts.Known[n].Value
			}
		}
		// Equality is transitive: two of the three make the third.
		switch {
		case facts.SameAB && facts.SameAC, facts.SameAB && facts.SameBC, facts.SameAC && facts.SameBC:
			v[1], v[2] = v[0], v[0]
		case facts.SameAB:
			v[1] = v[0]
		case facts.SameAC:
			v[2] = v[0]
		case facts.SameBC:
			v[2] = v[1]
		}
		return v
	}
}

// TestFactsKeepValues compares programs made with facts with the reference, on operands
// that agree with the facts. Facts never make a program longer than without.
func TestFactsKeepValues(t *testing.T) {
	for _, caps := range []lower.Caps{lower.Portable, lower.AVX2, lower.AVX512, lower.SM80} {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(8, 8))
			forms := 6000
			for f := range isa.Sample(rng) {
				facts, operands := randomFacts(rng)
				p := lower.FormWith(f, caps, facts)
				for n, known := range facts.Known {
					if known.Is && p.Reads(n) {
						t.Errorf("%v with %+v reads operand %d\n%v", f, facts, n, p)
					}
				}
				for range 12 {
					v := operands()
					if got, want := p.Eval(v[0], v[1], v[2]), sem.Eval(f, v[0], v[1], v[2]); got != want {
						t.Fatalf("%v with %+v: %08x is %08x, want %08x\n%v", f, facts, v, got, want, p)
					}
				}
				if forms--; forms == 0 {
					return
				}
			}
		})
	}
}

// TestFactsShorten lists what facts are for.
func TestFactsShorten(t *testing.T) {
	simd := func(op isa.Op, f isa.Form) isa.Form {
		f.Op, f.Mask = op, isa.FullMask(op)
		f.ALane, f.BLane = isa.DefaultLanes(op)
		return f
	}
	c0 := lower.Facts{}
	c0.Known[2] = lower.Constant(0)
	for _, test := range []struct {
		form  isa.Form
		facts lower.Facts
		cost  int
	}{
		{simd(isa.Vabsdiff4, isa.Form{}), lower.Facts{SameAB: true}, 0},                                           // 0
		{simd(isa.Vmax4, isa.Form{DType: isa.S32, AType: isa.S32, BType: isa.S32}), lower.Facts{SameAB: true}, 0}, // a
		{simd(isa.Vset4, isa.Form{Cmp: isa.Ge}), lower.Facts{SameAB: true}, 0},                                    // 01010101
		{isa.Form{Op: isa.Vadd, Second: isa.SecondAdd}, c0, 1},
		{isa.Form{Op: isa.Vadd, DSel: isa.B0}, c0, 2},
		{isa.Form{Op: isa.Vshl, Mode: isa.Clamp, Second: isa.SecondAdd}, lower.Facts{Known: [3]lower.Known{1: lower.Constant(40)}}, 0}, // c
		{isa.Form{Op: isa.Vshl, Mode: isa.Wrap, Second: isa.SecondAdd}, lower.Facts{Known: [3]lower.Known{1: lower.Constant(40)}}, 2},
		{isa.Form{Op: isa.Vmad, ASel: isa.B0}, lower.Facts{Known: [3]lower.Known{1: lower.Constant(0)}}, 0}, // c
		{isa.Form{Op: isa.Vmad}, lower.Facts{Known: [3]lower.Known{1: lower.Constant(1)}}, 1},
		{isa.Form{Op: isa.Vmin, Second: isa.SecondMax}, lower.Facts{SameAC: true}, 0}, // a
	} {
		p := lower.FormWith(test.form, lower.SM80, test.facts)
		if p.Cost() != test.cost {
			t.Errorf("%v with %+v takes %d operations, want %d\n%v", test.form, test.facts, p.Cost(), test.cost, p)
		}
	}
}
