package mistake_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TestWithoutMistakesItIsTheReference: with no switch on it is the manual, with those of Compiled
// the reading sm_86, on every scalar form and on drawn ones.
func TestWithoutMistakesItIsTheReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	none, compiled := mistake.Set{}, mistake.Compiled()
	if compiled.Len() != len(sem.Rules()) {
		t.Fatalf("%d causes, want %d", compiled.Len(), len(sem.Rules()))
	}
	compare := func(f isa.Form) {
		a, b, c := conform.Operands(rng, f)
		if got, want := mistake.Eval(&none, f, a, b, c), sem.Eval(f, a, b, c); got != want {
			t.Fatalf("%v %08x %08x %08x: %08x, the manual %08x", f, a, b, c, got, want)
		}
		if got, want := mistake.Eval(&compiled, f, a, b, c), sem.EvalAs(sem.SM86, f, a, b, c); got != want {
			t.Fatalf("%v %08x %08x %08x: %08x, sm_86 %08x", f, a, b, c, got, want)
		}
	}
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for f := range isa.Forms(op) {
			compare(f)
			compare(f)
		}
	}
	n := 0
	for f := range isa.Sample(rng) {
		compare(f)
		if n++; n == 200_000 {
			break
		}
	}
}

// TestEachCauseAlone holds each of the causes alone against the differences that package sem finds.
func TestEachCauseAlone(t *testing.T) {
	byName := map[string]mistake.Mistake{}
	for _, m := range mistake.All() {
		if name := m.Info().Ruling; name != "" && name[0] == 'Q' {
			byName[name] = m
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[string]int{}
	for range 20_000 {
		f := isa.SampleOp(isa.Ops()[rng.IntN(9)], rng)
		for _, d := range sem.Differences(f) {
			causes := sem.Causes(f, d.A, d.B, d.C)
			if len(causes) != 1 {
				continue
			}
			only := mistake.Of(byName[d.Rule.Name])
			if got := mistake.Eval(&only, f, d.A, d.B, d.C); got != d.SM86 {
				// Another rule may apply to the form without making a difference alone; the set without the cause must then be the manual.
				without := mistake.Compiled().Toggled(byName[d.Rule.Name])
				if mistake.Eval(&without, f, d.A, d.B, d.C) == d.SM86 {
					t.Fatalf("%v %08x %08x %08x: %s alone gives %08x, want %08x", f, d.A, d.B, d.C, d.Rule.Name, got, d.SM86)
				}
			}
			seen[d.Rule.Name]++
		}
	}
	for name := range byName {
		if seen[name] == 0 {
			t.Errorf("%s was never seen", name)
		}
	}
}

// TestEveryMistakeIsOne: each changes something, and no two are the same.
func TestEveryMistakeIsOne(t *testing.T) {
	all := mistake.All()
	changes := make([]int, len(all))
	differ := make([][]bool, len(all))
	for i := range differ {
		differ[i] = make([]bool, len(all))
	}
	values := make([]uint32, len(all))
	for _, f := range conform.Classes() {
		concerning := mistake.Concerning(f)
		for _, v := range conform.Pick(f, 5, 9) {
			a, b, c := v.A, v.B, v.C
			want := v.Want[sem.ISA]
			for i, m := range all {
				set := mistake.Of(m)
				if values[i] = mistake.Eval(&set, f, a, b, c); values[i] != want {
					changes[i]++
					if !slices.Contains(concerning, m) {
						t.Fatalf("%s changes %v, which it is said not to concern", m, f)
					}
				}
			}
			for i := range all {
				for j := range i {
					if values[i] != values[j] {
						differ[i][j] = true
					}
				}
			}
		}
	}
	for i, m := range all {
		info := m.Info()
		if info.Name == "" || info.Title == "" {
			t.Fatalf("mistake %d has no name or title", m)
		}
		if again, ok := mistake.Parse(info.Name); !ok || again != m {
			t.Errorf("%s is read as %v", m, again)
		}
		if changes[i] == 0 {
			t.Errorf("%s changes nothing", m)
		}
		for j := range i {
			if !differ[i][j] {
				t.Errorf("%s and %s are the same", m, all[j])
			}
		}
	}
	t.Logf("%d mistakes", len(all))
}

func BenchmarkEval(b *testing.B) {
	f := isa.Form{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654}
	set := mistake.Of(mistake.MaskIgnored)
	for b.Loop() {
		mistake.Eval(&set, f, 1, 2, 3)
	}
}
