package sem_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// scalarForms yields every scalar form: 83104 of them.
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

// TestDifferencesAreThere: what [sem.Differences] shows is a difference, and its
// rule is a cause of it.
func TestDifferencesAreThere(t *testing.T) {
	rules := map[string]int{}
	n, every := 0, long.Of(1, 5)
	for f := range scalarForms {
		if n++; n%every != 0 {
			continue
		}
		for _, d := range sem.Differences(f) {
			if d.ISA == d.SM86 || d.ISA != sem.Eval(f, d.A, d.B, d.C) || d.SM86 != sem.EvalAs(sem.SM86, f, d.A, d.B, d.C) {
				t.Fatalf("%v: not a difference: %+v", f, d)
			}
			if !has(sem.Causes(f, d.A, d.B, d.C), d.Rule.Name) {
				t.Fatalf("%v: %s is no cause of %+v", f, d.Rule.Name, d)
			}
			rules[d.Rule.Name]++
		}
	}
	for _, r := range sem.Rules() {
		if rules[r.Name] == 0 {
			t.Errorf("%s makes no form differ", r.Name)
		}
		t.Logf("%s: %d forms", r.Name, rules[r.Name])
	}
}

func has(rules []sem.Rule, name string) bool {
	return slices.ContainsFunc(rules, func(r sem.Rule) bool { return r.Name == name })
}

// TestDifferencesAreComplete: where two readings differ there is a cause, and
// [sem.Differences] knows that it can be one in this form.
func TestDifferencesAreComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	triples := long.Of(40, 3)
	for f := range scalarForms {
		var known []sem.Difference
		for range triples {
			a, b, c := conform.Operands(rng, f)
			if sem.Eval(f, a, b, c) == sem.EvalAs(sem.SM86, f, a, b, c) {
				if causes := sem.Causes(f, a, b, c); len(causes) > 0 {
					t.Fatalf("%v a=%08x b=%08x c=%08x: equal, because of %s", f, a, b, c, causes[0].Name)
				}
				continue
			}
			causes := sem.Causes(f, a, b, c)
			if len(causes) == 0 {
				t.Fatalf("%v a=%08x b=%08x c=%08x: the readings differ for no cause", f, a, b, c)
			}
			if known == nil {
				known = sem.Differences(f)
			}
			for _, cause := range causes {
				if !slices.ContainsFunc(known, func(d sem.Difference) bool { return d.Rule.Name == cause.Name }) {
					t.Fatalf("%v a=%08x b=%08x c=%08x: %s is a cause, but not among the form's", f, a, b, c, cause.Name)
				}
			}
		}
	}
}

// TestDifferencesGiven: the same where one or two operands are constants.
func TestDifferencesGiven(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 7))
	for range long.Of(20_000, 5000) {
		f := isa.SampleOp(isa.Op(1+rng.IntN(int(isa.Vset))), rng)
		a, b, c := conform.Operands(rng, f)
		var known sem.Known
		constants := 1 + rng.IntN(6)
		if constants&1 != 0 {
			known.A = &a
		}
		if constants&2 != 0 {
			known.B = &b
		}
		if constants&4 != 0 {
			known.C = &c
		}
		listed := sem.DifferencesGiven(f, known)
		for _, d := range listed {
			if known.A != nil && d.A != a || known.B != nil && d.B != b || known.C != nil && d.C != c {
				t.Fatalf("%v: %+v does not have the constants", f, d)
			}
			if !has(sem.Causes(f, d.A, d.B, d.C), d.Rule.Name) {
				t.Fatalf("%v: %s is no cause of %+v", f, d.Rule.Name, d)
			}
		}
		for range 50 {
			x, y, z := conform.Operands(rng, f)
			if known.A != nil {
				x = a
			}
			if known.B != nil {
				y = b
			}
			if known.C != nil {
				z = c
			}
			for _, cause := range sem.Causes(f, x, y, z) {
				if !slices.ContainsFunc(listed, func(d sem.Difference) bool { return d.Rule.Name == cause.Name }) {
					t.Fatalf("%v with constants %03b a=%08x b=%08x c=%08x: %s is a cause, but not listed", f, constants, x, y, z, cause.Name)
				}
			}
		}
	}
}

// TestDifferencesOfOneRegister: the same where two or three operands are one register.
func TestDifferencesOfOneRegister(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 7))
	for range 20_000 {
		f := isa.SampleOp(isa.Op(1+rng.IntN(int(isa.Vset))), rng)
		known := []sem.Known{{SameAB: true}, {SameAC: true}, {SameBC: true}, {SameAB: true, SameAC: true, SameBC: true}}[rng.IntN(4)]
		same := func(a, b, c uint32) (uint32, uint32, uint32) {
			if known.SameAB {
				b = a
			}
			if known.SameAC {
				c = a
			} else if known.SameBC {
				c = b
			}
			return a, b, c
		}
		listed := sem.DifferencesGiven(f, known)
		for _, d := range listed {
			if a, b, c := same(d.A, d.B, d.C); f.ReadsC() && c != d.C || a != d.A || b != d.B {
				t.Fatalf("%v: %+v does not agree with %+v", f, d, known)
			}
		}
		for range 50 {
			a, b, c := same(conform.Operands(rng, f))
			for _, cause := range sem.Causes(f, a, b, c) {
				if !slices.ContainsFunc(listed, func(d sem.Difference) bool { return d.Rule.Name == cause.Name }) {
					t.Fatalf("%v with %+v a=%08x b=%08x c=%08x: %s is a cause, but not listed", f, known, a, b, c, cause.Name)
				}
			}
		}
	}
}
