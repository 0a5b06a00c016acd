package diagnose_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/diagnose"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

var vectors = sync.OnceValue(func() (all []conform.Vector) {
	for v := range conform.Select(conform.Classes(), 8, 0) {
		all = append(all, v.Vector)
	}
	return all
})

// where is a part of the instructions: an implementation often has one function for each.
type where struct {
	name  string
	holds func(isa.Op) bool
}

var places = []where{
	{"scalar", func(op isa.Op) bool { return !op.SIMD() && op != isa.Vmad }},
	{"vmad", func(op isa.Op) bool { return op == isa.Vmad }},
	{"two lanes", func(op isa.Op) bool { return op.Lanes() == 2 }},
	{"four lanes", func(op isa.Op) bool { return op.Lanes() == 4 }},
}

// mutant is an implementation with one mistake in one part of the instructions.
type mutant struct {
	mistake mistake.Mistake
	where   where
}

// answers returns what implementations with the given mistakes answer.
func answers(r sem.Reading, mutants ...mutant) (all []diagnose.Answer, wrong int) {
	base := mistake.Set{}
	if r == sem.SM86 {
		base = mistake.Compiled()
	}
	for _, v := range vectors() {
		set := base
		for _, m := range mutants {
			if m.where.holds(v.Form.Op) {
				set = set.Toggled(m.mistake)
			}
		}
		got := v.Want[r]
		if set != base {
			got = mistake.Eval(&set, v.Form, v.A, v.B, v.C)
		}
		if got != v.Want[r] {
			wrong++
		}
		all = append(all, diagnose.Answer{Vector: v, Got: got})
	}
	return all, wrong
}

var allMutants = flag.Bool("mutants", false, "plant each mistake in each part of the instructions, which docs/conformance.md reports")

// plantedIn returns the parts of the instructions that a mistake is planted in: unless all are asked for, one in which it
// changes something, another for each mistake; and for sm_86 of a third of the mistakes only.
func plantedIn(r sem.Reading, i int, m mistake.Mistake) (in []where) {
	if *allMutants {
		return places
	}
	if r == sem.SM86 && i%3 != 0 || !long.Tests() && i%5 != 0 {
		return nil
	}
	for k := range places {
		if place := places[(i+k)%len(places)]; possible(r, mutant{m, place}) {
			return []where{place}
		}
	}
	return nil
}

// TestMutants: of all mistakes, planted in parts of the instructions where they change
// anything, all are caught and most are named rightly. docs/conformance.md has the figures.
func TestMutants(t *testing.T) {
	total := 0
	for _, r := range isa.Readings() {
		t.Run(r.String(), func(t *testing.T) {
			count, named := 0, 0
			for i, m := range mistake.All() {
				for _, place := range plantedIn(r, i, m) {
					planted := mutant{m, place}
					given, wrong := answers(r, planted)
					if !possible(r, planted) {
						if wrong > 0 {
							t.Errorf("%v in %s is caught though it is not possible", m, place.name)
						}
						continue
					}
					count++
					if wrong == 0 {
						t.Errorf("%v in %s is not caught", m, place.name)
						continue
					}
					d := diagnose.Of(r, given)
					if len(d.Causes) == 1 && d.Causes[0].Mistake == m && len(d.Causes[0].Explains) == wrong && d.Causes[0].Against == 0 {
						named++
						continue
					}
					var names []string
					for _, c := range d.Causes {
						names = append(names, c.Name())
					}
					t.Logf("%v in %s: %d wrong, named %v, %d not explained", m, place.name, wrong, names, len(d.Unexplained))
				}
			}
			t.Logf("%d mutants, all caught, %d named rightly", count, named)
			total += count
			if named*100 < count*90 {
				t.Errorf("%d of %d are named rightly", named, count)
			}
		})
	}
	if total < 200 && long.Tests() {
		t.Errorf("%d mutants, want 200", total)
	}
}

// possible reports whether a mutant changes anything, by evaluating many more operands than the vectors have.
func possible(r sem.Reading, m mutant) bool {
	base := mistake.Set{}
	if r == sem.SM86 {
		base = mistake.Compiled()
	}
	set := base.Toggled(m.mistake)
	rng := rand.New(rand.NewPCG(11, 12))
	for _, f := range conform.Classes() {
		if !m.where.holds(f.Op) || !slices.Contains(mistake.Concerning(f), m.mistake) {
			continue
		}
		for range 12 {
			a, b, c := conform.Operands(rng, f)
			if mistake.Eval(&set, f, a, b, c) != sem.EvalAs(r, f, a, b, c) {
				return true
			}
		}
		for _, d := range sem.Differences(f) {
			if mistake.Eval(&set, f, d.A, d.B, d.C) != sem.EvalAs(r, f, d.A, d.B, d.C) {
				return true
			}
		}
	}
	return false
}

// TestThreeMistakesAtOnce draws implementations with three mistakes, each in some part.
func TestThreeMistakesAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	all := mistake.All()
	planted, found := 0, 0
	rounds := 12
	if *allMutants {
		rounds = 40
	}
	for range rounds {
		var three []mutant
		for len(three) < 3 {
			m := mutant{all[rng.IntN(len(all))], places[rng.IntN(len(places))]}
			if possible(sem.ISA, m) {
				three = append(three, m)
			}
		}
		given, _ := answers(sem.ISA, three...)
		d := diagnose.Of(sem.ISA, given)
		for _, m := range three {
			planted++
			if slices.ContainsFunc(d.Causes[:min(len(d.Causes), 5)], func(c diagnose.Cause) bool { return c.Mistake == m.mistake }) {
				found++
			}
		}
	}
	t.Logf("%d of %d mistakes are named among the first five causes", found, planted)
	if found*100 < planted*80 {
		t.Errorf("%d of %d mistakes are named", found, planted)
	}
}

// TestAnswersOfTheOtherReading: an implementation of sm_86 that is asked for isa has the causes by name, and the reverse.
func TestAnswersOfTheOtherReading(t *testing.T) {
	for _, r := range isa.Readings() {
		var given []diagnose.Answer
		for _, v := range vectors() {
			given = append(given, diagnose.Answer{Vector: v, Got: v.Want[1-r]})
		}
		d := diagnose.Of(r, given)
		if d.Wrong == 0 || len(d.Unexplained) > 0 || len(d.Causes) != len(sem.Rules()) {
			t.Errorf("%v: %d of %d are not explained, by %d causes", r, len(d.Unexplained), d.Wrong, len(d.Causes))
		}
		named := map[string]bool{}
		for _, c := range d.Causes {
			named[c.Ruling()] = true
			if c.Undone != (r == sem.SM86) {
				t.Errorf("%v: %s, undone: %v", r, c.Name(), c.Undone)
			}
		}
		for _, rule := range sem.Rules() {
			if !named[rule.Name] {
				t.Errorf("%v: %s is not named", r, rule.Name)
			}
		}
	}
}

// TestRandomAnswersAreNotExplained: what has no cause is not given one.
func TestRandomAnswersAreNotExplained(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var given []diagnose.Answer
	for _, v := range vectors() {
		a := diagnose.Answer{Vector: v, Got: v.Want[sem.ISA]}
		if v.Form.Op == isa.Vavrg4 {
			a.Got = rng.Uint32()
		}
		given = append(given, a)
	}
	d := diagnose.Of(sem.ISA, given)
	if d.Wrong < 300 || len(d.Unexplained) < d.Wrong*95/100 {
		t.Errorf("%d of %d wrong answers are not explained; causes %v", len(d.Unexplained), d.Wrong, d.Causes)
	}
}

// TestMistakesOfOneWhoFollowsTheOtherReading: a library that follows the manual, with two mistakes of its own in the shifts and
// without selectors, is asked for sm_86. The causes that it does not have used to be taken out of the search before its
// mistakes were found: answers were left over, and mistakes named that it has not made.
func TestMistakesOfOneWhoFollowsTheOtherReading(t *testing.T) {
	own := []mistake.Mistake{mistake.IntermediateUnbounded, mistake.SecondCUnsigned}
	plain := map[isa.Form]bool{}
	for _, f := range conform.Plain() {
		plain[f] = true
	}
	var given []diagnose.Answer
	for _, v := range vectors() {
		if !plain[v.Form] {
			continue
		}
		set := mistake.Set{}
		if v.Form.Op == isa.Vshl || v.Form.Op == isa.Vshr {
			set = mistake.Of(own...)
		}
		given = append(given, diagnose.Answer{Vector: v, Got: mistake.Eval(&set, v.Form, v.A, v.B, v.C)})
	}
	d := diagnose.Of(sem.SM86, given)
	if d.Wrong == 0 || len(d.Unexplained) > 0 {
		t.Errorf("%d of %d wrong answers are not explained", len(d.Unexplained), d.Wrong)
	}
	for _, m := range own {
		if !slices.ContainsFunc(d.Causes, func(c diagnose.Cause) bool { return c.Mistake == m && !c.Undone }) {
			t.Errorf("%v is not named", m)
		}
	}
	strangers := 0
	var names []string
	for _, c := range d.Causes {
		names = append(names, c.Name())
		if !c.Undone && !slices.Contains(own, c.Mistake) {
			strangers += len(c.Explains)
		}
	}
	if strangers > 1 {
		t.Errorf("%d answers are explained by mistakes that nobody has made: %q", strangers, names)
	}
}
