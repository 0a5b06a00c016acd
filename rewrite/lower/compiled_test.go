package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/sem"
)

// scalarForms yields every scalar form.
func scalarForms(yield func(isa.Form) bool) {
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for f := range isa.Forms(op) {
			if !yield(f) {
				return
			}
		}
	}
}

// TestCompiledEqualsSem compares the programs of all scalar forms under the reading
// sm_86 with the reference, for every target, also on the operands on which sem knows
// the readings to differ.
func TestCompiledEqualsSem(t *testing.T) {
	every := 1
	if !long.Tests() {
		every = 10
	}
	type example struct{ a, b, c, want uint32 }
	type tested struct {
		form     isa.Form
		examples []example
	}
	var all []tested // what they must be is the same for all targets
	rng := rand.New(rand.NewPCG(3, 86))
	n := 0
	for f := range scalarForms {
		if n++; n%every != 0 {
			continue
		}
		var examples []example
		add := func(a, b, c uint32) { examples = append(examples, example{a, b, c, sem.EvalAs(isa.SM86, f, a, b, c)}) }
		for range 6 {
			add(conform.Operands(rng, f))
		}
		for _, d := range sem.Differences(f) {
			add(d.A, d.B, d.C)
		}
		all = append(all, tested{f, examples})
	}
	for _, caps := range lower.Targets() {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			failures := 0
			for _, f := range all {
				p := lower.FormAs(isa.SM86, f.form, caps, lower.Facts{})
				if err := p.Check(); err != nil {
					t.Fatalf("%v: %v\n%v", f.form, err, p)
				}
				for _, e := range f.examples {
					if got := p.Eval(e.a, e.b, e.c); got != e.want && failures < 5 {
						t.Errorf("%v with a=%08x b=%08x c=%08x is %08x, want %08x\n%v", f.form, e.a, e.b, e.c, got, e.want, p)
						failures++
					}
				}
			}
		})
	}
}

// TestAgreedProgramsAreEqual demands that a form whose readings never differ has one
// program: the second reading costs nothing where there is none.
func TestAgreedProgramsAreEqual(t *testing.T) {
	targets := []word.Caps{word.C, word.AVX2, word.AVX512, lower.SM80}
	check := func(f isa.Form, caps word.Caps) {
		manual, compiled := lower.Form(f, caps), lower.FormAs(isa.SM86, f, caps, lower.Facts{})
		if manual.String() != compiled.String() {
			t.Errorf("%v for %s: by the manual\n%v\nas compiled\n%v", f, caps.Name, manual, compiled)
		}
	}
	agreed, drawn := 0, 0
	for f := range scalarForms {
		if drawn++; !long.Tests() && drawn%7 != 0 {
			continue
		}
		if len(sem.Differences(f)) == 0 {
			agreed++
			check(f, targets[agreed%len(targets)])
		}
	}
	if agreed == 0 {
		t.Error("there is no scalar form whose readings agree")
	}
	n := 0
	for f := range isa.Sample(rand.New(rand.NewPCG(3, 87))) {
		if !f.Op.SIMD() {
			continue
		}
		check(f, targets[n%len(targets)])
		if n++; n == 1000 {
			break
		}
	}
}

// TestCompiledWithFacts compares programs for constant operands and for operands in
// one register with the reference.
func TestCompiledWithFacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 88))
	for f := range scalarForms {
		if rng.IntN(10) > 0 {
			continue
		}
		x := [3]uint32{}
		x[0], x[1], x[2] = conform.Operands(rng, f)
		var facts lower.Facts
		for i := range x {
			if rng.IntN(2) == 0 {
				facts.Known[i] = lower.Constant(x[i])
			}
		}
		if facts.Known == [3]lower.Known{} {
			facts.SameAB = true
		}
		p := lower.FormAs(isa.SM86, f, lower.SM80, facts)
		for range triples {
			v := [3]uint32{}
			v[0], v[1], v[2] = conform.Operands(rng, f)
			for i, k := range facts.Known {
				if k.Is {
					v[i] = k.Value
				}
			}
			if facts.SameAB {
				v[1] = v[0]
			}
			if got, want := p.Eval(v[0], v[1], v[2]), sem.EvalAs(isa.SM86, f, v[0], v[1], v[2]); got != want {
				t.Fatalf("%v %+v with %08x is %08x, want %08x\n%v", f, facts, v, got, want, p)
			}
		}
	}
}
