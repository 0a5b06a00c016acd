package prove

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// A program with c put back computes the same where c is the register that it was.
func TestAnyCIsTheRepeatedOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 80))
	changed := 0
	for f, facts := range FactClasses(Classes()) {
		if !facts.SameAC && !facts.SameBC || rng.IntN(20) != 0 {
			continue
		}
		p := lower.FormWith(f, lower.SM80, facts)
		general, left := withAnyC(p, facts)
		if err := general.Check(); err != nil {
			t.Fatalf("%s: %v\n%v", facts.Spell(f), err, general)
		}
		if left != (lower.Facts{SameAB: facts.SameAB}) {
			t.Fatalf("%s: %v is left of the facts", facts.Spell(f), left)
		}
		if general != p {
			changed++
		}
		for range 4 {
			a, b, _ := conform.Operands(rng, f)
			if facts.SameAB {
				b = a
			}
			c := b
			if facts.SameAC {
				c = a
			}
			if got, want := general.Eval(a, b, c), p.Eval(a, b, c); got != want {
				t.Fatalf("%s, a=%08x b=%08x: %08x, want %08x\n%v", facts.Spell(f), a, b, got, want, general)
			}
		}
	}
	if changed < 100 {
		t.Errorf("c was put back into %d programs alone", changed)
	}
}

// What z3 does not decide in a minute as one question: sums of lanes and a word that is one of the operands.
func TestSumsWithRepeatedOperands(t *testing.T) {
	o := Options{Solver: solver(t), Timeout: 20 * time.Second}
	any := func(op isa.Op, a, b isa.Type, second isa.Second) isa.Form {
		f := isa.Form{Op: op, DType: isa.U32, AType: a, BType: b, Second: second, Mask: isa.FullMask(op)}
		f.ALane, f.BLane = isa.DefaultLanes(op)
		return f
	}
	for _, f := range []isa.Form{
		any(isa.Vadd4, isa.U32, isa.U32, isa.SecondAdd),
		any(isa.Vsub4, isa.S32, isa.U32, isa.SecondAdd),
		any(isa.Vavrg4, isa.S32, isa.S32, isa.SecondAdd),
		any(isa.Vmax4, isa.U32, isa.S32, isa.SecondAdd),
	} {
		for _, o.Facts = range []lower.Facts{{SameAB: true}, {SameAC: true}, {SameBC: true}, {SameAB: true, SameAC: true, SameBC: true}} {
			p := lower.FormWith(f, lower.SM80, o.Facts)
			if r := Form(t.Context(), f, p, o); r.Verdict != Proved || r.Method == SMT {
				t.Errorf("%s: %v by %v (%s)\n%v", o.Facts.Spell(f), r.Verdict, r.Method, r.Why, p)
			}
			wrong := *p
			wrong.Insts = append(wrong.Insts[:len(wrong.Insts):len(wrong.Insts)], word.Inst{Op: word.Const, Imm: 1}, word.Inst{Op: word.Add, Arg: [3]word.Value{p.Result, word.Value(len(p.Insts))}})
			wrong.Result = word.Value(len(p.Insts) + 1)
			if r := Form(t.Context(), f, &wrong, o); r.Verdict == Proved {
				t.Errorf("%s: one too many is proved\n%v", o.Facts.Spell(f), wrong)
			}
		}
	}
}
