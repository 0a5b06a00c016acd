package prove

import (
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"
)

// TestAnswersAreRemembered asks of values twice, the second time without a solver that runs; what is new is not answered then.
func TestAnswersAreRemembered(t *testing.T) {
	s := solver(t)
	p := &word.Program{}
	a := input(p, 0)
	twice := emit(p, word.Inst{Op: word.Add, Arg: [3]word.Value{a, a}})
	shifted := emit(p, word.Inst{Op: word.Shl, Arg: [3]word.Value{a, constant(p, 1)}})
	ask := func(x, y word.Value) Equality { return Equal(t.Context(), p, x, y, Options{Solver: s}) }
	proved, refuted := ask(twice, shifted), ask(twice, a)
	if proved.Verdict != Proved || refuted.Verdict != Refuted {
		t.Fatalf("2a is a<<1: %v, and a: %v", proved, refuted)
	}
	s.Close()
	s.path = "no/such/z3"
	if again := ask(twice, shifted); again.Verdict != Proved {
		t.Error(again)
	}
	if again := ask(twice, a); again.String() != refuted.String() {
		t.Errorf("%v, want %v", again, refuted)
	}
	if other := ask(shifted, a); other.Verdict != Unknown {
		t.Errorf("nothing is known of it: %v", other)
	}
}
