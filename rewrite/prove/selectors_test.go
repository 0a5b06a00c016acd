package prove

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// TestEveryFormIsCovered: the tasks cover as many forms of each instruction as the table has.
func TestEveryFormIsCovered(t *testing.T) {
	covered := map[isa.Op]uint64{}
	tasks := 0
	for task := range EveryForm(lower.Targets()) {
		if !task.Form.Valid() {
			t.Fatalf("%+v is no form", task.Form)
		}
		covered[task.Form.Op] += task.Covers()
		tasks++
	}
	for _, op := range isa.Ops() {
		if covered[op] != isa.Count(op) {
			t.Errorf("%d forms of %v are covered, of %d", covered[op], op, isa.Count(op))
		}
	}
	if tasks > 100_000 {
		t.Errorf("%d tasks", tasks)
	}
}

// TestSelections: the lowering takes the lanes that the selectors say, for all of them.
func TestSelections(t *testing.T) {
	for op, want := range map[isa.Op]int{isa.Vadd2: 3 * 16, isa.Vadd4: 15 * 4096} {
		if n, err := Selections(op); err != nil || n != want {
			t.Errorf("%v: %d of %d selectors with masks: %v", op, n, want, err)
		}
	}
}

// TestSubstitution moves all words and adds all lanes, for every target.
func TestSubstitution(t *testing.T) {
	long.Only(t) // ten seconds a target
	for _, caps := range lower.Targets() {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			if n, err := Substitution(caps); err != nil || n < 17*17*17*17 {
				t.Errorf("%d words: %v", n, err)
			}
		})
	}
}

// TestFormsAreCores draws forms with selectors: the program of each is one of its cores with the selected bytes, and
// computes what the manual says.
func TestFormsAreCores(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	forms := 2000
	if long.Tests() {
		forms = 50_000
	}
	for n := 0; n < forms; n++ {
		op := isa.Ops()[rng.IntN(len(isa.Ops()))]
		if !op.SIMD() {
			continue
		}
		f := isa.SampleOp(op, rng)
		caps := lower.Targets()[rng.IntN(len(lower.Targets()))]
		p := lower.Form(f, caps)
		s := lower.SelectionOf(f, lower.Facts{})
		same := true
		for i := range s[0] {
			same = same && (s[0][i] == s[1][i] || !f.Mask.Has(i*8/op.LaneBits()))
		}
		found := false
		for _, core := range lower.Cores(f, caps, same) {
			found = found || notSubstituted(core, s, p) == nil
		}
		if !found {
			t.Fatalf("%v for %s is none of its cores with the bytes %v\n%v", f, caps.Name, s, p)
		}
		a, b, c := conform.Operands(rng, f)
		if got, want := p.Eval(a, b, c), sem.Eval(f, a, b, c); got != want {
			t.Fatalf("%v for %s: %08x %08x %08x is %08x, want %08x\n%v", f, caps.Name, a, b, c, got, want, p)
		}
	}
}

// TestWrongBytesAreSeen puts other bytes into cores: the checker must not take the one for the other, unless they
// compute the same.
func TestWrongBytesAreSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	refused := 0
	for n := 0; n < 3000; n++ {
		op := isa.Ops()[rng.IntN(len(isa.Ops()))]
		if !op.SIMD() {
			continue
		}
		f := isa.SampleOp(op, rng)
		caps := lower.Targets()[rng.IntN(len(lower.Targets()))]
		all := lower.Cores(f, caps, false)
		core := all[rng.IntN(len(all))]
		var s lower.Selection
		for k := range s {
			for i := range s[k] {
				s[k][i] = rng.IntN(8)
			}
		}
		wrong := s
		wrong[rng.IntN(2)][rng.IntN(4)] ^= 1 + rng.IntN(7)
		p := wrong.Substituted(core, caps)
		if notSubstituted(core, s, p) != nil {
			refused++
			continue
		}
		q := s.Substituted(core, caps)
		for range 50 {
			a, b, c := rng.Uint32(), rng.Uint32(), rng.Uint32()
			if p.Eval(a, b, c) != q.Eval(a, b, c) {
				t.Fatalf("%v for %s: the bytes %v are taken for %v\n%v%v", f, caps.Name, wrong, s, core, p)
			}
		}
	}
	if refused < 500 {
		t.Errorf("only %d wrong programs are refused", refused)
	}
}

// TestTurnedFormsAreTheSame: a form computes what the one with its parts at the bottom does of turned operands.
func TestTurnedFormsAreTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	turns := 0
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for range 4000 {
			f := isa.SampleOp(op, rng)
			for _, reading := range isa.Readings() {
				f0, by := turned(f, reading, lower.Facts{})
				if !f0.Valid() {
					t.Fatalf("%v is turned to %+v", f, f0)
				}
				a, b, c := conform.Operands(rng, f)
				turn := func(x uint32, n int) uint32 { return bits.RotateLeft32(x, -by[n]) }
				got := bits.RotateLeft32(sem.EvalAs(reading, f0, turn(a, 0), turn(b, 1), turn(c, 2)), by[2])
				if want := sem.EvalAs(reading, f, a, b, c); got != want {
					t.Fatalf("%v as %v: %08x %08x %08x is %08x, turned %08x", f, reading, a, b, c, want, got)
				}
				if f0 != f {
					turns++
				}
			}
		}
	}
	if turns < 1000 {
		t.Errorf("only %d forms were turned", turns)
	}
}

// TestQuestionsTellProgramsApart: programs that compute other things ask other questions.
func TestQuestionsTellProgramsApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	shared := 0
	type asker struct {
		f isa.Form
		p *word.Program
	}
	askers := map[string]asker{}
	for n := 0; n < 20_000; n++ {
		f := isa.SampleOp(isa.Vsub, rng)
		f.DType, f.AType, f.BType = isa.S32, isa.S32, isa.S32
		p := lower.Form(f, lower.SM80)
		text := question(f, p, Options{})
		other, known := askers[text]
		if !known {
			askers[text] = asker{f, p}
			continue
		}
		if other.f != f {
			shared++
		}
		f0, by := turned(f, isa.Manual, lower.Facts{})
		g0, other2 := turned(other.f, isa.Manual, lower.Facts{})
		if f0 != g0 {
			t.Fatalf("%v and %v ask one question", f, other.f)
		}
		a, b, c := rng.Uint32(), rng.Uint32(), rng.Uint32()
		run := func(p *word.Program, by [3]int) uint32 {
			return bits.RotateLeft32(p.Eval(bits.RotateLeft32(a, by[0]), bits.RotateLeft32(b, by[1]), bits.RotateLeft32(c, by[2])), -by[2])
		}
		if x, y := run(p, by), run(other.p, other2); x != y {
			t.Fatalf("%v and %v ask one question, but compute %08x and %08x of %08x %08x %08x\n%v%v", f, other.f, x, y, a, b, c, p, other.p)
		}
	}
	if shared < 100 {
		t.Errorf("only %d forms share a question", shared)
	}
	f := parsed(t, "vsub.s32.s32.s32 d, a.b0, b, c")
	if x := question(f, lower.Form(f, lower.SM80), Options{}); !strings.Contains(x, "sub is") {
		t.Errorf("the question does not say what its operations are:\n%s", x)
	}
}

// TestReadingsAgreeOnSIMD: what is proven of SIMD forms by the manual holds for the other reading.
func TestReadingsAgreeOnSIMD(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	for _, op := range isa.Ops() {
		if !op.SIMD() {
			continue
		}
		for range 2000 {
			f := isa.SampleOp(op, rng)
			a, b, c := conform.Operands(rng, f)
			if x, y := sem.EvalAs(isa.Manual, f, a, b, c), sem.EvalAs(isa.SM86, f, a, b, c); x != y {
				t.Fatalf("%v: %08x %08x %08x is %08x and %08x", f, a, b, c, x, y)
			}
		}
	}
}
