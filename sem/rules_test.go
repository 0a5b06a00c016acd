package sem_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TestRules: each rule is told in full and is a cause in the form that it names.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range sem.Rules() {
		if seen[r.Name] {
			t.Errorf("%s appears twice", r.Name)
		}
		seen[r.Name] = true
		for _, text := range []string{r.Title, r.Manual, r.Compiled, r.Instead, r.Form, r.Code} {
			if text == "" {
				t.Errorf("%s: a text is missing", r.Name)
			}
		}
		f, err := conform.ParseForm(r.Form)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		if !slices.ContainsFunc(sem.Differences(f), func(d sem.Difference) bool { return d.Rule.Name == r.Name }) {
			t.Errorf("%s does not concern %s", r.Name, r.Form)
		}
	}
}

// TestNoRuleForSIMD: the readings of SIMD forms are one.
func TestNoRuleForSIMD(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 20_000 {
		f := isa.SampleOp(simdOps[rng.IntN(len(simdOps))], rng)
		a, b, c := conform.Operands(rng, f)
		if sem.Eval(f, a, b, c) != sem.EvalAs(sem.SM86, f, a, b, c) || sem.Differences(f) != nil || sem.Causes(f, a, b, c) != nil {
			t.Fatalf("%v has two readings", f)
		}
	}
}

// ways are those ways round a rule that [sem.Rule.Instead] gives in terms of video
// instructions: another form, and plain operations on what it writes. The form is
// not valid where the advice refers to another rule.
var ways = map[string]func(f isa.Form, c uint32) (instead isa.Form, finish func(t uint32) uint32){
	"Q1": func(f isa.Form, c uint32) (isa.Form, func(uint32) uint32) {
		if f.Sat {
			return isa.Form{}, nil // Q3, Q8
		}
		f.DSel = isa.Word
		return f, func(t uint32) uint32 { return t<<16 | c&0xffff } // prmt.b32 d, t, c, 0x1054
	},
	"Q3": clampAfterwards,
	"Q7": func(f isa.Form, c uint32) (isa.Form, func(uint32) uint32) {
		smaller := f.Second == isa.SecondMin
		f.Second = isa.NoSecond
		return f, func(t uint32) uint32 {
			if smaller {
				return min(t, c)
			}
			return max(t, c)
		}
	},
	"Q8": clampAfterwards,
}

// clampAfterwards saturates to 32 bits, and does the rest with max.s32, min.s32 and bfi.b32.
func clampAfterwards(f isa.Form, c uint32) (isa.Form, func(uint32) uint32) {
	bits, at := f.DSel.Bits(), f.DSel.Shift()
	low, high := int32(0), int32(1)<<bits-1
	if f.DType.Signed() {
		low, high = -1<<(bits-1), 1<<(bits-1)-1
	}
	f.DSel, f.DType = isa.Word, isa.S32
	return f, func(t uint32) uint32 {
		mask := uint32(1<<bits-1) << at
		return uint32(max(low, min(int32(t), high)))<<at&mask | c&^mask
	}
}

// TestInstead: those ways have one reading, and give the value of the manual.
func TestInstead(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	tried := map[string]int{}
	for range 40_000 {
		f := isa.SampleOp(scalarOps[rng.IntN(len(scalarOps))], rng)
		a, b, c := conform.Operands(rng, f)
		for _, cause := range sem.Causes(f, a, b, c) {
			way := ways[cause.Name]
			if way == nil {
				continue
			}
			g, finish := way(f, c)
			if !g.Valid() {
				continue
			}
			tried[cause.Name]++
			d := sem.Eval(g, a, b, c)
			if d != sem.EvalAs(sem.SM86, g, a, b, c) {
				t.Fatalf("%s: %v in place of %v has two readings", cause.Name, g, f)
			}
			if got, want := finish(d), sem.Eval(f, a, b, c); got != want {
				t.Fatalf("%s: %v in place of %v gives %08x on a=%08x b=%08x c=%08x, want %08x", cause.Name, g, f, got, a, b, c, want)
			}
		}
	}
	for name := range ways {
		if tried[name] < 20 {
			t.Errorf("%s was tried %d times", name, tried[name])
		}
	}
}

// TestSaturatedSecondIsSafe: with dtype s32, .sat makes the readings of .min and
// .max agree, as the advice for Q9 says.
func TestSaturatedSecondIsSafe(t *testing.T) {
	for f := range scalarForms {
		if f.DType.Signed() && f.Sat && f.Second != isa.NoSecond && len(sem.Differences(f)) > 0 {
			t.Fatalf("%v has two readings", f)
		}
	}
}

// TestRulingsPage holds the values on docs/rulings.md, and that it tells every rule.
func TestRulingsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int{}
	forms := map[string]bool{}
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		if len(cells) >= 3 {
			forms[cells[0]+" "+cells[1]] = true
		}
		if len(cells) != 7 {
			continue
		}
		var words [5]uint32
		hex := true
		for i := range words {
			word, err := strconv.ParseUint(cells[2+i], 16, 32)
			if i < 4 && (err != nil || len(cells[2+i]) != 8) {
				hex = false
			}
			words[i] = uint32(word)
		}
		if !hex {
			continue
		}
		f, err := conform.ParseForm(cells[1])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		a, b, c := words[0], words[1], words[2]
		if got := sem.Eval(f, a, b, c); got != words[3] {
			t.Errorf("%s\nisa gives %08x", line, got)
		}
		if strings.HasPrefix(cells[0], "Q") {
			if got := sem.EvalAs(sem.SM86, f, a, b, c); got != words[4] {
				t.Errorf("%s\nsm_86 gives %08x", line, got)
			}
			if !has(sem.Causes(f, a, b, c), cells[0]) {
				t.Errorf("%s\n%s is no cause of this", line, cells[0])
			}
		}
		values[cells[0]]++
	}
	for _, r := range sem.Rules() {
		if values[r.Name] == 0 {
			t.Errorf("no values for %s", r.Name)
		}
		if !forms[r.Name+" "+r.Form] {
			t.Errorf("%s is not shown to be read from %s", r.Name, r.Form)
		}
	}
}
