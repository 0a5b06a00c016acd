package corpus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/sass"
	"github.com/vop-ptx/vop/internal/sass/listing"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

var kernelsFlag = flag.Int("kernels", 0, "number of kernels of each context that TestPtxas executes for each target and level")

var everyFlag = flag.Int("every", 0, "TestForms executes one in so many of the scalar forms")

// want is what the code of a module must compute.
type want struct {
	what    string
	reading isa.Reading
	text    string
}

// modules are the ways in which ptxas is given kernels: lowered, under both readings, and with their video
// instructions, which it expands by the second reading (docs/rulings.md).
func modules(t *testing.T, target string, kernels []Kernel) []want {
	plain := Module("7.8", target, kernels)
	return []want{
		{"lowered", isa.Manual, lowered(t, plain, isa.Manual)},
		{"lowered as sm_86", isa.SM86, lowered(t, plain, isa.SM86)},
		{"with video instructions", isa.SM86, plain},
	}
}

// hold executes the listing of a module and holds what its kernels store to what they are to compute. What is
// not known of the machine code is told once for each thing.
func hold(t *testing.T, rng *rand.Rand, w want, target, text string, kernels []Kernel) (executed int) {
	t.Helper()
	code, err := listing.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", w.what, err)
	}
	sm, _ := isa.ParseTarget(target)
	byName := map[string]*listing.Kernel{}
	for i := range code {
		byName[code[i].Name] = &code[i]
	}
	unknown, wrong := map[string]string{}, 0
	for _, k := range kernels {
		c := byName[k.Name]
		if c == nil {
			t.Fatalf("%s: there is no code of %s", w.what, k.Name)
		}
		compute := func(a, b, c uint32) (uint32, uint32) { return k.Want(w.reading, a, b, c) }
		differs, err := k.Differs(context.Background(), c, sm, compute, k.Operands(rng, 64))
		switch {
		case err != nil:
			reason := errors.Unwrap(err)
			if reason == nil {
				reason = err
			}
			if unknown[reason.Error()] == "" {
				unknown[reason.Error()] = err.Error()
			}
		case differs != "":
			if wrong++; wrong <= 3 {
				t.Errorf("%s, %s:\n%s%s", target, w.what, differs, codeOf(c))
			}
		default:
			executed++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(unknown)) {
		t.Errorf("%s, %s: %s", target, w.what, unknown[reason])
	}
	if wrong > 3 {
		t.Errorf("%s, %s: %d kernels of %d compute something else", target, w.what, wrong, len(kernels))
	}
	return executed
}

// codeOf returns the text of a kernel's machine code.
func codeOf(k *listing.Kernel) string {
	var s strings.Builder
	for _, in := range k.Code {
		fmt.Fprintf(&s, "  %04x %v %s\n", in.Address, in.Guard != nil, in.Text)
	}
	return s.String()
}

// TestStandIn executes the corpus as machine code, written instruction for instruction, since ptxas is mostly absent.
func TestStandIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for i, target := range []string{"sm_75", "sm_80", "sm_90"} {
		kernels := drawAll(uint64(10+i), long.Of(200, 30))
		for _, w := range modules(t, target, kernels)[:2] {
			if n := hold(t, rng, w, target, standIn(t, rng, target, w.text), kernels); n < len(kernels) {
				t.Errorf("%s, %s: %d kernels of %d executed", target, w.what, n, len(kernels))
			}
		}
	}
}

// TestDiffers plants a mistake in each kernel's machine code, an or in place of the exclusive or that makes the
// fourth register: the kernels that read it must be seen to compute something else, and an instruction that is not
// known must be told.
func TestDiffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	kernels := drawAll(20, 20)
	w := modules(t, "sm_80", kernels)[0]
	text := standIn(t, rng, "sm_80", w.text)
	const section = "\t.section\t.text."
	parts := strings.Split(text, section)
	for i, part := range parts[1:] {
		before, after, _ := strings.Cut(part, "0x3c, !PT")
		table := "0xfc, !PT"
		if !strings.Contains(part, "0x3c, !PT") || strings.Contains(before, "0x66, !PT") {
			before, after, _ = strings.Cut(part, "0x66, !PT")
			table = "0xee, !PT"
		}
		parts[i+1] = before + table + after
	}
	code, err := listing.Parse(strings.Join(parts, section))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i, k := range kernels {
		compute := func(a, b, c uint32) (uint32, uint32) { return k.Want(isa.Manual, a, b, c) }
		differs, err := k.Differs(context.Background(), &code[i], 80, compute, k.Operands(rng, 64))
		if err != nil {
			t.Fatal(err)
		}
		if differs != "" {
			found++
		}
	}
	if found < len(kernels)*8/10 { // the others write it first
		t.Errorf("the mistake is found in %d kernels of %d", found, len(kernels))
	}
	unknown, err := listing.Parse(strings.Replace(text, "LDG.E ", "LDG.E.NEW ", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kernels[0].Differs(context.Background(), &unknown[0], 80, nil, nil); err == nil || !strings.Contains(err.Error(), "k0: line ") || !strings.Contains(err.Error(), "LDG with .NEW is not known: LDG.E.NEW ") {
		t.Errorf("an unknown modifier is told as %v", err)
	}
}

// needPtxas skips a test without ptxas and nvdisasm.
func needPtxas(t *testing.T) {
	t.Helper()
	if !sass.CanList() {
		t.Skip("ptxas and nvdisasm are not installed")
	}
}

// TestPtxas executes what ptxas makes of the corpus, optimised and not. A kernel that computes something else than
// the model is a mistake of ptxas, of the lowering, or of package machine, which TestExpectations and the tests of
// machine help to tell apart. An instruction that is not known is to be added to package machine.
func TestPtxas(t *testing.T) {
	needPtxas(t)
	n := *kernelsFlag
	if n == 0 {
		n = long.Of(1000, 40)
	}
	targets := long.Of([]string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}, []string{"sm_80", "sm_90"})
	for i, target := range targets {
		for j, level := range []string{"-O3", "-O0"} {
			t.Run(target+level, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(5, uint64(i)))
				for begin := 0; begin < n; begin += 40 {
					kernels := drawAll(uint64(100+10*begin+2*i+j), min(40, n-begin))
					for _, w := range modules(t, target, kernels) {
						text, err := sass.List(target, level, w.text)
						if err != nil {
							t.Fatal(err)
						}
						hold(t, rng, w, target, text, kernels)
					}
				}
			})
		}
	}
}

// TestForms executes what ptxas makes of scalar forms alone, each one in so many of all 83104, and holds it to the second
// reading: with -every 1 it is what docs/rulings.md says of each target.
func TestForms(t *testing.T) {
	needPtxas(t)
	every := *everyFlag
	if every == 0 {
		every = long.Of(20, 400)
	}
	var kernels []Kernel
	n := 0
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for f := range isa.Forms(op) {
			if n++; n%every == 0 {
				kernels = append(kernels, Alone(fmt.Sprintf("k%d", len(kernels)), f))
			}
		}
	}
	if n != 83104 {
		t.Errorf("there are %d scalar forms, want 83104", n)
	}
	for _, target := range long.Of([]string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}, []string{"sm_86"}) {
		rng := rand.New(rand.NewPCG(7, 1))
		for batch := range slices.Chunk(kernels, 250) {
			w := want{"forms alone", isa.SM86, Module("7.8", target, batch)}
			text, err := sass.List(target, "-O3", w.text)
			if err != nil {
				t.Fatal(err)
			}
			hold(t, rng, w, target, text, batch)
		}
	}
}

// value is a row of docs/rulings.md with values.
type value struct {
	rule    string
	form    isa.Form
	a, b, c uint32
	isa     uint32
}

// values reads the tables of docs/rulings.md.
func values(t *testing.T) (all []value) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 7 {
			continue
		}
		var words [4]uint32
		hex := true
		for i := range words {
			x, err := strconv.ParseUint(strings.TrimSpace(cells[2+i]), 16, 32)
			words[i], hex = uint32(x), hex && err == nil
		}
		if !hex {
			continue
		}
		f, err := conform.ParseForm(strings.Trim(strings.TrimSpace(cells[1]), "`"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, value{strings.TrimSpace(cells[0]), f, words[0], words[1], words[2], words[3]})
	}
	return all
}

// TestRulings holds the machine code of each instruction that docs/rulings.md gives values of to the second
// reading: of R1 to R12 and of Q1 to Q11, optimised and not. It is the evidence that the page asks for when a
// ruling is changed.
func TestRulings(t *testing.T) {
	all := values(t)
	if len(all) < 25 {
		t.Fatalf("%d rows of docs/rulings.md have values, want 25 at least", len(all))
	}
	var kernels []Kernel
	for i, v := range all {
		k := Alone(fmt.Sprintf("k%d", i), v.form)
		if got, _ := k.Want(isa.Manual, v.a, v.b, v.c); got != v.isa {
			t.Errorf("%s: a kernel of %s computes %08x, want %08x", v.rule, v.form, got, v.isa)
		}
		kernels = append(kernels, k)
	}
	needPtxas(t)
	for _, target := range []string{"sm_80", "sm_86", "sm_90"} {
		for _, level := range []string{"-O3", "-O0"} {
			text, err := sass.List(target, level, Module("7.8", target, kernels))
			if err != nil {
				t.Fatal(err)
			}
			code, err := listing.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range all {
				sm, _ := isa.ParseTarget(target)
				at := slices.IndexFunc(code, func(k listing.Kernel) bool { return k.Name == kernels[i].Name })
				got, err := Execute(context.Background(), &code[at], sm, [][3]uint32{{v.a, v.b, v.c}})
				if err != nil {
					t.Error(err)
				} else if want := sem.EvalAs(isa.SM86, v.form, v.a, v.b, v.c); got[0][0] != want {
					t.Errorf("%s, %s %s: %s of %08x %08x %08x gives %08x, want %08x\n%s",
						v.rule, target, level, v.form, v.a, v.b, v.c, got[0][0], want, codeOf(&code[at]))
				}
			}
		}
	}
}

// TestKnownMistake executes what ptxas makes of a negation before a saturating subtraction. 11.8 folds the one into the
// other wrongly when it optimises, which is why package lower does not write it (rewrite/lower/target.go). A ptxas that
// does not has another reason to be looked at: the log says so.
func TestKnownMistake(t *testing.T) {
	needPtxas(t)
	text := Module("7.8", "sm_80", []Kernel{{Name: "k"}})
	text = strings.Replace(text, "\tmov.u32 %t2, %r1;\n", "\tneg.s32 %r0, %r0;\n\tsub.sat.s32 %r0, %r0, %r1;\n\tmov.u32 %t2, %r1;\n", 1)
	for level, allowed := range map[string][]uint32{"-O0": {0xfffffffc}, "-O3": {0xfffffffc, 0x7fffffff}} {
		list, err := sass.List("sm_80", level, text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := listing.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Execute(context.Background(), &code[0], 80, [][3]uint32{{0xffffffff, 5, 0}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(allowed, got[0][0]) {
			t.Errorf("%s: -(-1) - 5 is %08x\n%s", level, got[0][0], codeOf(&code[0]))
		}
		t.Logf("%s: -(-1) - 5, saturated, is %08x", level, got[0][0])
	}
}
