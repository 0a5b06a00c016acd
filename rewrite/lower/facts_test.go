package lower_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
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

var formsFlag = flag.Int("forms", 1000, "number of forms that TestFactsKeepValues draws for each target")

// disagreement compares a program made with facts with the reference, on operands that
// agree with the facts. It returns the operands and values that differ, if any.
func disagreement(r isa.Reading, f isa.Form, p *word.Program, operands func() [3]uint32) string {
	for range 12 {
		v := operands()
		if got, want := p.Eval(v[0], v[1], v[2]), sem.EvalAs(r, f, v[0], v[1], v[2]); got != want {
			return fmt.Sprintf("%08x is %08x, want %08x", v, got, want)
		}
	}
	return ""
}

// TestFactsKeepValues compares programs made with facts with the reference, for every
// target and under both readings. What is known is not read.
func TestFactsKeepValues(t *testing.T) {
	for _, caps := range append(lower.Targets(), olderPTX()...) {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(8, 8))
			forms := *formsFlag
			if long.Tests() {
				forms = max(forms, 3000)
			}
			for f := range isa.Sample(rng) {
				facts, operands := randomFacts(rng)
				reading := isa.Readings()[rng.IntN(2)]
				p := lower.FormAs(reading, f, caps, facts)
				for n, known := range facts.Known {
					if known.Is && p.Reads(n) {
						t.Errorf("%v with %+v reads operand %d\n%v", f, facts, n, p)
					}
				}
				if found := disagreement(reading, f, p, operands); found != "" {
					t.Fatalf("%v as %v with %+v: %s\n%v", f, reading, facts, found, p)
				}
				if forms--; forms == 0 {
					return
				}
			}
		})
	}
}

// olderPTX are PTX targets that no named one stands for: each lacks operations in its own way.
func olderPTX() (all []word.Caps) {
	for _, at := range []struct{ sm, major, minor int }{{20, 2, 0}, {50, 4, 3}, {61, 5, 0}, {72, 6, 5}, {75, 6, 3}, {90, 7, 8}} {
		caps := lower.PTX(at.sm, isa.Version{Major: at.major, Minor: at.minor})
		caps.Name += fmt.Sprintf(" PTX %d.%d", at.major, at.minor)
		all = append(all, caps)
	}
	return all
}

// TestMadKeepsItsModifiersWithConstants goes through every combination of vmad's types,
// signs, .po, .sat and scale, with factors that leave nothing of the multiplication and
// others: .po was lost where a factor is 1.
func TestMadKeepsItsModifiersWithConstants(t *testing.T) {
	constants := []uint32{0, 1, 2, 0xff, 0x80, 0x7fff, 0x7fffffff, 0x80000000, 0xffffffff, 0x01010101, 0x00010001}
	for _, caps := range []word.Caps{word.Portable, word.AVX512, lower.SM70, lower.SM80} {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(9, 8))
			for f := range isa.Forms(isa.Vmad) {
				if f.ASel != isa.Word || f.BSel != isa.Word {
					continue
				}
				for n, k := range constants {
					g := f
					if n%2 == 1 { // parts of the other factor
						g.ASel = isa.B0 + isa.Part(rng.IntN(4))
					}
					for known := range 3 {
						facts := lower.Facts{SameAC: known == 1 && n%3 == 0, SameBC: known == 0 && n%3 == 0}
						facts.Known[known] = lower.Constant(k)
						operands := func() [3]uint32 {
							v := [3]uint32{operand(rng), operand(rng), operand(rng)}
							v[known] = k
							if facts.SameAC || facts.SameBC {
								v[2] = v[1-known]
							}
							return v
						}
						for _, reading := range isa.Readings() {
							p := lower.FormAs(reading, g, caps, facts)
							if found := disagreement(reading, g, p, operands); found != "" {
								t.Fatalf("%v as %v with %+v: %s\n%v", g, reading, facts, found, p)
							}
						}
					}
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
