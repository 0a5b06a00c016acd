package prove

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/sem"
)

var longFlag = flag.Bool("prove.long", false, "prove one form of every class for every target: minutes")

// solver returns a running z3, or skips the test.
func solver(t *testing.T) *Solver {
	t.Helper()
	s, err := FindSolver("")
	if err != nil {
		t.Skip("needs z3 on PATH:", err)
	}
	t.Cleanup(s.Close)
	return s
}

// parsed returns the form of an instruction with operands d, a, b, c.
func parsed(t *testing.T, text string) isa.Form {
	t.Helper()
	f, err := conform.ParseForm(text + ";")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSample proves the lowerings of forms drawn at random, for every target and
// under both readings.
func TestSample(t *testing.T) {
	s := solver(t)
	forms := long.Of(20, 3)
	for _, reading := range isa.Readings() {
		rng := rand.New(rand.NewPCG(8, uint64(reading)))
		tasks := func(yield func(Task) bool) {
			n := 0
			for f := range isa.Sample(rng) {
				if n++; n > forms || !yield(Task{Form: f, Targets: lower.Targets()}) {
					return
				}
			}
		}
		expectProofs(t, tasks, Options{Solver: s, Reading: reading}, forms*len(lower.Targets()))
	}
}

// TestClasses proves one form of every class.
func TestClasses(t *testing.T) {
	if !*longFlag {
		t.Skip("takes minutes: ask with -prove.long")
	}
	s := solver(t)
	n := 0
	tasks := func(yield func(Task) bool) {
		for f := range Classes() {
			n++
			if !yield(Task{Form: f, Targets: lower.Targets()}) {
				return
			}
		}
	}
	expectProofs(t, tasks, Options{Solver: s}, -1)
	t.Log(n, "forms")
}

// expectProofs demands that everything is proved; want is the number of results, if known.
func expectProofs(t *testing.T, tasks func(func(Task) bool), o Options, want int) {
	t.Helper()
	by := map[Method]int{}
	n := 0
	for r := range All(context.Background(), tasks, o, 2) {
		n++
		if r.Verdict != Proved {
			t.Errorf("%s: %v", r.Target, r)
		}
		if r.Same == "" {
			by[r.Method]++
		}
	}
	if want >= 0 && n != want {
		t.Errorf("%d results, want %d", n, want)
	}
	t.Log(o.Reading, n, "programs:", by)
}

// planted are wrong lowerings, one for each way to decide.
var planted = []struct {
	name   string
	form   string
	caps   word.Caps
	method Method
	damage func(p *word.Program)
}{
	{"a byte from the wrong place", "vadd4.u32.u32.u32 d, a, b, c", word.AVX512, Exhaustive, func(p *word.Program) {
		rotated := emit(p, word.Inst{Op: word.Perm, Arg: [3]word.Value{p.Result, p.Result}, Imm: 0x2103})
		p.Result = rotated
	}},
	{"one pair of 65,536", "vmax4.u32.u32.u32 d, a, b, c", word.AVX512, Exhaustive, func(p *word.Program) {
		// Where the greater byte is 0xfe exactly, 0xff is given.
		is := emit(p, word.Inst{Op: word.CmpEq8, Arg: [3]word.Value{p.Result, constant(p, 0xfefefefe)}})
		one := emit(p, word.Inst{Op: word.And, Arg: [3]word.Value{is, constant(p, 0x01010101)}})
		p.Result = emit(p, word.Inst{Op: word.Or, Arg: [3]word.Value{p.Result, one}})
	}},
	{"a term too much", "vadd4.u32.u32.u32.add d, a, b, c", lower.SM80, Sums, func(p *word.Program) {
		for n := range p.Insts {
			if i := &p.Insts[n]; i.Op == word.DotU8 && i.Imm == 0x01010101 {
				i.Imm = 0x02010101
				return
			}
		}
	}},
	{"a lane that is not in the mask", "vabsdiff4.u32.u32.s32.add d.b210, a, b, c", lower.SM80, Sums, func(p *word.Program) {
		for n := range p.Insts {
			if i := &p.Insts[n]; i.Op == word.PermS {
				i.Imm ^= 0xc000 // the sign of byte 3 in place of a 0
				return
			}
		}
	}},
	{"one triple of 2^96", "vadd.s32.s32.s32.sat.min d, a, b, c", lower.SM80, SMT, func(p *word.Program) {
		condition := constant(p, 0xffffffff)
		for n, x := range []uint32{0x12345678, 0x9abcdef0, 0x13579bdf} {
			is := emit(p, word.Inst{Op: word.CmpEq, Arg: [3]word.Value{input(p, n), constant(p, x)}})
			condition = emit(p, word.Inst{Op: word.And, Arg: [3]word.Value{condition, is}})
		}
		p.Result = emit(p, word.Inst{Op: word.Xor, Arg: [3]word.Value{p.Result, condition}})
	}},
	{"a product shifted too far", "vmad.s32.s32.s32.shr15 d, a.b0, b.b1, c", word.C, SMT, func(p *word.Program) {
		p.Result = emit(p, word.Inst{Op: word.ShrS, Arg: [3]word.Value{p.Result, constant(p, 1)}})
	}},
}

func emit(p *word.Program, i word.Inst) word.Value {
	p.Insts = append(p.Insts, i)
	return word.Value(len(p.Insts) - 1)
}

func constant(p *word.Program, x uint32) word.Value {
	return emit(p, word.Inst{Op: word.Const, Imm: uint64(x)})
}

func input(p *word.Program, n int) word.Value {
	return emit(p, word.Inst{Op: word.Input, Imm: uint64(n)})
}

// TestPlantedLoweringsAreRefuted plants mistakes and demands a counterexample that is one.
func TestPlantedLoweringsAreRefuted(t *testing.T) {
	s := solver(t)
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			f := parsed(t, c.form)
			right := lower.Form(f, c.caps)
			p := &word.Program{Insts: append([]word.Inst(nil), right.Insts...), Result: right.Result}
			c.damage(p)
			if p.String() == right.String() {
				t.Fatalf("nothing was damaged:\n%v", p)
			}
			r := Form(context.Background(), f, p, Options{Solver: s})
			if r.Verdict != Refuted {
				t.Fatalf("%v\n%v", r, p)
			}
			x := r.Counterexample
			if got, want := p.Eval(x.A, x.B, x.C), sem.Eval(f, x.A, x.B, x.C); got == want || got != x.Got || want != x.Want {
				t.Errorf("%v is no counterexample: the program gives %08x, sem %08x", x, got, want)
			}
			if r := Form(context.Background(), f, right, Options{Solver: s}); r.Verdict != Proved || r.Method != c.method {
				t.Errorf("without the damage: %v, want a proof by %v", r, c.method)
			}
		})
	}
}

// TestSumsOfTermsThatReadC: a program whose terms depend on c was proven with c = 0 only.
func TestSumsOfTermsThatReadC(t *testing.T) {
	s := solver(t)
	f := parsed(t, "vadd4.u32.u32.u32.add d.b0, a, b, c")
	p := &word.Program{}
	a, b, c := input(p, 0), input(p, 1), input(p, 2)
	byteMask := constant(p, 0xff)
	op := func(op word.Op, x, y word.Value) word.Value {
		return emit(p, word.Inst{Op: op, Arg: [3]word.Value{x, y}})
	}
	high := op(word.And, c, constant(p, 0x80000000))
	x, y := op(word.And, a, byteMask), op(word.Or, op(word.And, b, byteMask), high)
	p.Result = op(word.Add, c, op(word.Add, x, y))
	if r := Form(context.Background(), f, p, Options{Solver: s}); r.Verdict != Refuted {
		t.Fatal(r)
	}
}

// TestReadingsAreNotMixedUp: where the readings differ, the lowering of one is refuted
// under the other.
func TestReadingsAreNotMixedUp(t *testing.T) {
	s := solver(t)
	for _, text := range []string{
		"vadd.s32.s32.s32 d.h1, a, b, c", "vsub.s32.s32.s32.sat d.b1, a, b, c", "vadd.u32.u32.u32.sat d, a, b",
		"vmin.u32.s32.s32.max d, a, b, c", "vmad.u32.u32.u32.shr7 d, a, b, c", "vset.s32.u32.eq.max d, a, b, c",
		"vshr.u32.u32.u32.sat.clamp d.b2, a, b, c", "vsub.s32.u32.u32.max d, a, b, c", "vshl.u32.u32.u32.clamp.max d, a, b, c",
		"vmad.u32.u32.u32.shr7 d, a.h0, b, c",
	} {
		f := parsed(t, text)
		for _, of := range isa.Readings() {
			p := lower.FormAs(of, f, lower.SM86, lower.Facts{})
			for _, under := range isa.Readings() {
				want := Refuted
				if of == under {
					want = Proved
				}
				if r := Form(context.Background(), f, p, Options{Solver: s, Reading: under}); r.Verdict != want {
					t.Errorf("lowered as %v, under %v: %v, want %v", of, under, r, want)
				}
			}
		}
	}
}

// TestFacts proves programs for operands that are known, and refutes them without the facts.
func TestFacts(t *testing.T) {
	s := solver(t)
	for _, c := range []struct {
		form  string
		facts lower.Facts
	}{
		{"vadd4.s32.s32.s32.sat d, a, b, c", lower.Facts{Known: [3]lower.Known{1: lower.Constant(0x01010101)}}},
		{"vsub4.u32.u32.u32 d, a, b, c", lower.Facts{SameAB: true}},
		{"vmad.s32.s32.s32.sat d, a, b, c", lower.Facts{Known: [3]lower.Known{0: lower.Constant(3), 2: lower.Constant(0)}}},
		{"vmin.s32.s32.s32.max d, a, b, c", lower.Facts{SameBC: true}},
	} {
		f := parsed(t, c.form)
		p := lower.FormWith(f, lower.SM80, c.facts)
		if r := Form(context.Background(), f, p, Options{Solver: s, Facts: c.facts}); r.Verdict != Proved {
			t.Error(r)
		}
		if r := Form(context.Background(), f, p, Options{Solver: s}); r.Verdict != Refuted {
			t.Errorf("without its facts: %v", r)
		}
	}
}

// TestTasksHaveFacts: of an instruction with constants the general form was proven, so that
// the loss of .po where a factor is 1 was not seen.
func TestTasksHaveFacts(t *testing.T) {
	s := solver(t)
	f := parsed(t, "vmad.s32.s32.s32.po.sat d, a, b, c")
	one := lower.Facts{Known: [3]lower.Known{1: lower.Constant(1)}}
	lost := f
	lost.PlusOne = false
	if r := Form(context.Background(), f, lower.FormWith(lost, lower.SM80, one), Options{Solver: s, Facts: one}); r.Verdict != Refuted {
		t.Errorf("without .po: %v", r)
	}
	tasks := []Task{
		{Form: f, Facts: one, Targets: lower.Targets()},
		{Form: f, Facts: lower.Facts{Known: [3]lower.Known{1: lower.Constant(0xffffffff)}, SameAC: true}, Targets: lower.Targets()},
		{Form: f, Targets: []word.Caps{lower.SM80}},
		{Form: parsed(t, "vmad.u32.u32.s32.po.sat d, a, b, c"), Facts: lower.Facts{Known: [3]lower.Known{1: lower.Constant(0xffffffff)}}, Targets: []word.Caps{lower.SM80}},
	}
	texts := map[string]int{}
	for r := range All(context.Background(), slices.Values(tasks), Options{Solver: s}, 2) {
		if r.Verdict != Proved {
			t.Errorf("%s: %v", r.Target, r)
		}
		text, _, _ := strings.Cut(r.String(), ":")
		texts[text]++
	}
	want := map[string]int{
		"vmad.s32.s32.s32.po.sat d, a, 1, c;":  len(lower.Targets()),
		"vmad.s32.s32.s32.po.sat d, a, -1, a;": len(lower.Targets()),
		"vmad.s32.s32.s32.po.sat d, a, b, c;":  1,
		"vmad.u32.u32.s32.po.sat d, a, -1, c;": 1, // z3 did not decide it
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// TestProductsByConstants has forms of which z3 did not find in a minute that two products by the same constant are alike, of 72 and of 64 bits.
func TestProductsByConstants(t *testing.T) {
	s := solver(t)
	for _, c := range []struct {
		form    string
		operand int
		k       uint32
	}{
		{"vmad.u32.u32.u32 d, a.h0, -b, c", 0, 0xffffffff},
		{"vmad.u32.u32.u32 d, -a, b.h0, c", 1, 0x12345678},
		{"vmad.u32.u32.u32.shr7 d, a, b, -c", 0, 0xffffffff},
		{"vmad.u32.u32.u32.shr7 d, -a, b, c", 1, 0x12345678},
		{"vmad.u32.u32.u32.shr7 d, -a.b0, b, c", 0, 0x7fffffff},
		{"vmad.u32.u32.u32.shr15 d, -a, b.b1, c", 1, 0xffffffff},
		{"vmad.s32.u32.u32.shr7 d, a, b, c", 0, 0xffffffff},          // with c as a product by 1
		{"vmad.u32.u32.u32.sat.shr15 d, a, b.h0, -c", 0, 0x12345678}, // whose result never is too large
	} {
		f, facts := parsed(t, c.form), lower.Facts{}
		facts.Known[c.operand] = lower.Constant(c.k)
		if r := Form(context.Background(), f, lower.FormWith(f, lower.SM80, facts), Options{Solver: s, Facts: facts, Timeout: 20 * time.Second}); r.Verdict != Proved {
			t.Error(r)
		}
	}
}

// TestSampleWithConstants proves the lowerings of scalar instructions with constants and
// registers that come twice, drawn at random.
func TestSampleWithConstants(t *testing.T) {
	s := solver(t)
	rng := rand.New(rand.NewPCG(9, 1))
	words := conform.EdgeWords()
	for _, reading := range isa.Readings() {
		var tasks []Task
		for _, op := range isa.Ops() {
			if op.SIMD() {
				continue
			}
			var facts lower.Facts
			for n := range facts.Known {
				if rng.IntN(2) == 0 {
					facts.Known[n] = lower.Constant(words[rng.IntN(len(words))])
				}
			}
			facts.SameAC = rng.IntN(2) == 0 && !facts.Known[0].Is && !facts.Known[2].Is
			tasks = append(tasks, Task{Form: isa.SampleOp(op, rng), Facts: facts, Targets: lower.Targets()})
		}
		expectProofs(t, slices.Values(tasks), Options{Solver: s, Reading: reading}, len(tasks)*len(lower.Targets()))
	}
}

// TestQueryIsWhatIsAsked runs the written query as a file of its own.
func TestQueryIsWhatIsAsked(t *testing.T) {
	solver(t)
	for _, text := range []string{"vadd4.s32.s32.s32.sat d, a, b, c", "vmad.s32.u32.s32.sat.shr15 d, a, -b, c", "vset.s32.s32.lt.min d, a, b.h1, c"} {
		f := parsed(t, text)
		command := exec.Command("z3", "-in", "-smt2")
		command.Stdin = strings.NewReader(Query(f, lower.Form(f, lower.SM80), Options{}))
		if out, err := command.CombinedOutput(); err != nil || string(out) != "unsat\n" {
			t.Errorf("%v: z3 says %q (%v)", f, out, err)
		}
	}
}

// TestWithoutSolver: bytes are tried without one, everything else is unknown.
func TestWithoutSolver(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := FindSolver(""); !errors.Is(err, ErrNoSolver) {
		t.Errorf("no z3 on PATH: %v", err)
	}
	if _, err := FindSolver("no/such/z3"); err == nil || !strings.Contains(err.Error(), "no/such/z3") {
		t.Errorf("no z3 at a path: %v", err)
	}
	for text, want := range map[string]Verdict{"vmin4.u32.u32.u32 d, a, b, c": Proved, "vadd.s32.s32.s32.sat d, a, b": Unknown} {
		f := parsed(t, text)
		if r := Form(context.Background(), f, lower.Form(f, word.AVX2), Options{}); r.Verdict != want {
			t.Errorf("%v, want %v", r, want)
		}
	}
}

// TestGivingUp: a question too hard for its time is unknown, and the solver can be asked again;
// so it is if the context ends.
func TestGivingUp(t *testing.T) {
	s := solver(t)
	f := parsed(t, "vsub4.u32.u32.u32.add d.b210, a, b, c")
	hard := lower.Form(f, word.Portable)
	r := Form(context.Background(), f, hard, Options{Solver: s, onlySMT: true, Timeout: 50 * time.Millisecond})
	if r.Verdict != Unknown || !strings.Contains(r.Why, "did not decide") {
		t.Error(r)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	r = Form(ctx, f, hard, Options{Solver: s, onlySMT: true})
	if r.Verdict != Unknown || !strings.Contains(r.Why, context.DeadlineExceeded.Error()) {
		t.Error(r)
	}
	if r := Form(context.Background(), f, hard, Options{Solver: s}); r.Verdict != Proved {
		t.Error(r)
	}
}

// TestBadPrograms are told from wrong ones.
func TestBadPrograms(t *testing.T) {
	f := parsed(t, "vadd.s32.s32.s32 d, a, b")
	r := Form(context.Background(), f, &word.Program{Result: 1}, Options{})
	if r.Verdict != Unknown || r.Why == "" {
		t.Error(r)
	}
}
