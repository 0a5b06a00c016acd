package prove

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/circuit"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestCircuits computes the circuits of forms and programs bit by bit, and compares with the program and the reference; the clauses must
// hold of what comes out.
func TestCircuits(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 1))
	forms := 400
	if long.Tests() {
		forms = 4000
	}
	n := 0
	for f := range isa.Sample(rng) {
		caps := lower.Targets()[n%len(lower.Targets())]
		p := lower.Form(f, caps)
		q := newQuery(f, p, Options{}, exactly)
		b := circuit.New()
		b.Bits(q.wrong)
		for range 3 {
			var x [3]uint32
			x[0], x[1], x[2] = conform.Operands(rng, f)
			inputs := map[int]bool{}
			for k, operand := range b.Operands {
				for at, v := range operand {
					inputs[v] = x[k]>>at&1 == 1
				}
			}
			values := b.Simulate(inputs)
			holds := func(literal int) bool { return values[max(literal, -literal)] == (literal > 0) }
			for _, clause := range b.Clauses {
				any := false
				for _, literal := range clause {
					any = any || holds(literal)
				}
				if !any {
					t.Fatalf("%v for %s, %08x: the clause %v does not hold", f, caps.Name, x, clause)
				}
			}
			e := term.With(x[0], x[1], x[2])
			for _, side := range q.wrong.Args {
				got := uint32(0)
				for at, literal := range b.Bits(side) {
					if holds(literal) {
						got |= 1 << at
					}
				}
				if want := uint32(e.Value(side).Uint64()); got != want {
					t.Fatalf("%v for %s, %08x: the circuit gives %08x, the term %08x", f, caps.Name, x, got, want)
				}
			}
		}
		if n++; n == forms {
			break
		}
	}
}

// certified are forms whose proofs are certified, of every kind of instruction.
var certified = []string{
	"vadd.s32.s32.s32.sat.min d, a, b, c", "vsub.u32.s32.u32.sat d, a.h1, b.b2", "vabsdiff.s32.u32.s32 d.h0, a.b1, b.h1, c",
	"vmin.s32.u32.s32 d, a, b.h0", "vmax.u32.u32.u32.add d, a.b3, b, c", "vset.s32.u32.lt d, a, b", "vshl.u32.u32.u32.sat.clamp d, a.b1, b",
	"vshr.s32.s32.u32.wrap.add d, a, b.b1, c", "vmad.s32.s32.s32.shr7 d, a.b0, b.b1, c", "vmad.s32.s32.s32.po.sat d, a, b, c", "vmad.u32.s32.u32.sat.shr15 d, -a, b, c", "vadd2.s32.u32.s32.sat d, a.h13, b.h02, c",
	"vavrg2.s32.s32.u32 d, a, b, c", "vset2.s32.u32.ge d.h1, a, b.h33, c", "vadd4.s32.s32.s32.sat d, a.b7531, b, c", "vsub4.u32.u32.u32 d.b20, a, b, c",
	"vavrg4.s32.s32.s32 d, a, b, c", "vabsdiff4.u32.u32.u32.add d, a, b, c", "vmin4.s32.u32.s32 d, a, b.b4455, c", "vmax4.u32.s32.s32.sat d.b210, a, b, c",
	"vset4.s32.u32.le d, a, b, c",
}

// certifyOrSkip is Certify, or skips the test.
func certifyOrSkip(t *testing.T, f isa.Form, p *word.Program, o Options) (*Certificate, *Counterexample) {
	t.Helper()
	c, counterexample, err := Certify(t.Context(), f, p, o)
	switch {
	case errors.Is(err, ErrNoCaDiCaL):
		t.Skip(err)
	case err != nil:
		t.Fatalf("%v: %v\n%v", f, err, p)
	}
	return c, counterexample
}

// TestCertificates proves forms without z3, and checks the proofs.
func TestCertificates(t *testing.T) {
	targets := []word.Caps{lower.SM80}
	if long.Tests() {
		targets = lower.Targets()
	}
	for _, text := range certified {
		f := parsed(t, text)
		seen := map[string]bool{} // programs: targets have many in common
		for _, caps := range targets {
			p := lower.Form(f, caps)
			if seen[p.String()] {
				continue
			}
			seen[p.String()] = true
			c, counterexample := certifyOrSkip(t, f, p, Options{})
			if counterexample != nil {
				t.Errorf("%v for %s: %v", f, caps.Name, counterexample)
				continue
			}
			t.Logf("%v for %s: %v", f, caps.Name, c)
		}
	}
}

// TestCertificateOfFacts proves a program for what is known of its operands.
func TestCertificateOfFacts(t *testing.T) {
	f := parsed(t, "vadd.s32.s32.s32.sat.min d, a, b, c")
	for _, facts := range []lower.Facts{{SameAB: true}, {SameAC: true}, {Known: [3]lower.Known{1: lower.Constant(7)}}} {
		p := lower.FormWith(f, lower.SM80, facts)
		if _, counterexample := certifyOrSkip(t, f, p, Options{Facts: facts}); counterexample != nil {
			t.Errorf("%s: %v", facts.Spell(f), counterexample)
		}
		if _, counterexample := certifyOrSkip(t, f, p, Options{}); counterexample == nil {
			t.Errorf("%s: the program is right for all operands\n%v", facts.Spell(f), p)
		}
	}
}

// TestMutantsAreSolved changes an operation, an immediate or an argument of programs: either the formula has a
// solution, which is a counterexample, or the proof that it has none is right, and the mutant does compute the same on what is tried.
func TestMutantsAreSolved(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	wrong := 0
	for _, text := range certified {
		f := parsed(t, text)
		right := lower.Form(f, lower.SM80)
		for range long.Of(3, 2) {
			p := &word.Program{Insts: append([]word.Inst(nil), right.Insts...), Result: right.Result}
			mutate(p, rng)
			if p.Check() != nil {
				continue
			}
			_, counterexample := certifyOrSkip(t, f, p, Options{})
			if counterexample != nil {
				wrong++
				continue
			}
			for range 2000 {
				a, b, c := conform.Operands(rng, f)
				if x := compare(isa.Manual, f, p, a, b, c); x != nil {
					t.Fatalf("%v: it is certified, but %v\n%v", f, x, p)
				}
			}
		}
	}
	if wrong < 12 {
		t.Errorf("only %d mutants were refuted", wrong)
	}
}

// mutate changes one instruction.
func mutate(p *word.Program, rng *rand.Rand) {
	ops := word.Ops()
	i := &p.Insts[rng.IntN(len(p.Insts))]
	switch rng.IntN(3) {
	case 0:
		for {
			op := ops[rng.IntN(len(ops))]
			if op.Args() == i.Op.Args() && op.Wide() == i.Op.Wide() && op.TakesWide() == i.Op.TakesWide() && op.HasImm() == i.Op.HasImm() {
				i.Op = op
				return
			}
		}
	case 1:
		if i.Op.HasImm() {
			i.Imm ^= 1 << rng.IntN(8)
		}
	default:
		if n := i.Op.Args(); n > 0 {
			k := rng.IntN(n)
			i.Arg[k] = word.Value(rng.IntN(int(i.Arg[k]) + 1))
		}
	}
}

// TestUndecidedIsAskedOfCaDiCaL: z3 thinks for most of a minute about this question, and cadical a third of a second.
func TestUndecidedIsAskedOfCaDiCaL(t *testing.T) {
	if _, err := exec.LookPath("cadical"); err != nil {
		t.Skip(ErrNoCaDiCaL)
	}
	f := parsed(t, "vabsdiff.s32.u32.s32.add d, a, b, c")
	o := Options{Solver: solver(t), Timeout: 12 * time.Second, Facts: lower.Facts{Known: [3]lower.Known{lower.Constant(1 << 31)}}}
	p := lower.FormWith(f, lower.SM90, o.Facts)
	if r := Form(t.Context(), f, p, o); r.Verdict != Proved || r.Method != Certified {
		t.Errorf("%v, by %v", r, r.Method)
	}
	wrong := *p
	wrong.Result = emit(&wrong, word.Inst{Op: word.Add, Arg: [3]word.Value{p.Result, p.Result}})
	if r := Form(t.Context(), f, &wrong, o); r.Verdict != Refuted {
		t.Errorf("twice as much: %v", r)
	}
}
