package conform_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

func TestClasses(t *testing.T) {
	classes := conform.Classes()
	perOp := map[isa.Op]int{}
	seen := map[isa.Form]bool{}
	var sel [2][7]int
	for _, f := range classes {
		if !f.Valid() {
			t.Fatalf("%+v is no form", f)
		}
		if seen[f] {
			t.Errorf("%v comes twice", f)
		}
		seen[f] = true
		perOp[f.Op]++
		sel[0][f.ASel]++
		sel[1][f.BSel]++
	}
	// 8 types x .sat x (nothing, three second operations, byte, lower and upper half).
	for op, want := range map[isa.Op]int{isa.Vadd: 112, isa.Vshl: 112, isa.Vset: 168, isa.Vadd2: 48, isa.Vavrg4: 48, isa.Vset4: 96} {
		if perOp[op] != want {
			t.Errorf("%d classes of %v, want %d", perOp[op], op, want)
		}
	}
	if len(perOp) != len(isa.Ops()) {
		t.Errorf("classes of %d instructions", len(perOp))
	}
	for i := range sel {
		for part, n := range sel[i] {
			if n < 20 {
				t.Errorf("selector %v of operand %d occurs %d times", isa.Part(part), i, n)
			}
		}
	}
	t.Logf("%d classes", len(classes))
}

func TestReal(t *testing.T) {
	forms := conform.Real()
	if len(forms) < 100 {
		t.Errorf("%d forms", len(forms))
	}
	seen := map[isa.Form]bool{}
	for _, f := range forms {
		if seen[f] {
			t.Errorf("%v comes twice", f)
		}
		seen[f] = true
	}
}

func TestPickIsDeterministicAndPicksDifferentOperands(t *testing.T) {
	for _, f := range conform.Real()[:20] {
		vectors := conform.Pick(f, 20, 7)
		if !reflect.DeepEqual(vectors, conform.Pick(f, 20, 7)) {
			t.Fatalf("%v: the same seed gives other vectors", f)
		}
		if reflect.DeepEqual(vectors, conform.Pick(f, 20, 8)) {
			t.Errorf("%v: another seed gives the same vectors", f)
		}
		seen := map[[3]uint32]bool{}
		for _, v := range vectors {
			seen[[3]uint32{v.A, v.B, v.C}] = true
			if v.Vector != conform.Of(f, v.A, v.B, v.C) {
				t.Fatalf("%v: a value is not the reference's", v)
			}
		}
		if len(seen) != 20 {
			t.Errorf("%v: %d different triples of 20", f, len(seen))
		}
	}
}

// TestClassesSeparateEveryRulingAndCause: each ruling about values, and each cause.
func TestClassesSeparateEveryRulingAndCause(t *testing.T) {
	count := map[string]int{}
	n := 0
	for _, v := range classVectors() {
		n++
		for _, name := range v.Separates {
			count[name]++
		}
		differs := v.Want[sem.ISA] != v.Want[sem.SM86]
		tagged := slices.ContainsFunc(v.Separates, func(name string) bool { return name[0] == 'Q' })
		if differs != tagged {
			t.Errorf("%v: the readings differ: %v, its tags: %v", v.Vector, differs, v.Separates)
		}
	}
	for _, name := range strings.Fields("R1 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 Q1 Q3 Q4 Q5 Q6 Q7 Q8 Q9 Q10 Q11") {
		if count[name] < 5 {
			t.Errorf("%s is separated by %d vectors", name, count[name])
		}
		delete(count, name)
	}
	if len(count) > 0 {
		t.Errorf("tags that are no ruling: %v", count)
	}
	t.Logf("%d vectors", n)
}

// TestClassesTellEveryMistake: whatever mistake an implementation makes, in scalar instructions, vmad,
// of two lanes or four, some vector of its class tells; whatever reading it follows.
func TestClassesTellEveryMistake(t *testing.T) {
	type where struct {
		mistake mistake.Mistake
		lanes   int
		mad     bool
	}
	possible, told := map[where]string{}, map[where]bool{}
	rng := rand.New(rand.NewPCG(1, 2))
	vectors := classVectors()
	for _, f := range conform.Classes() {
		concerning := mistake.Concerning(f)
		try := func(v conform.Vector, tells map[where]bool) {
			for _, m := range concerning {
				set := mistake.Of(m)
				if mistake.Eval(&set, v.Form, v.A, v.B, v.C) != v.Want[sem.ISA] {
					at := where{m, f.Op.Lanes(), f.Op == isa.Vmad}
					if tells != nil {
						tells[at] = true
					}
					possible[at] = v.Form.String()
				}
			}
		}
		for range 10 {
			a, b, c := conform.Operands(rng, f)
			try(conform.Of(f, a, b, c), nil)
		}
		for ; len(vectors) > 0 && vectors[0].Form == f; vectors = vectors[1:] {
			try(vectors[0].Vector, told)
		}
	}
	for at, form := range possible {
		if !told[at] {
			t.Errorf("%v of %d lanes is not told, as in %s", at.mistake, at.lanes, form)
		}
	}
	all := map[mistake.Mistake]bool{}
	for at := range told {
		all[at.mistake] = true
	}
	for _, m := range mistake.All() {
		if !all[m] {
			t.Errorf("no vector tells %v", m)
		}
	}
	t.Logf("%d mistakes in %d places", len(all), len(told))
}
