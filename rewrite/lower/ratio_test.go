package lower_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
)

var (
	ratioForms  = flag.Int("ratio.forms", 3000, "how many random forms TestRatio measures")
	ratioSeed   = flag.Uint64("ratio.seed", 1, "what TestRatio draws from")
	ratioTarget = flag.String("ratio.target", "sm_80", "the target that TestRatio lowers for")
	ratioWorst  = flag.Int("ratio.worst", 0, "how many forms TestRatio lists, those that save least first")
	ratioOnly   = flag.String("ratio.only", "", "the instruction that TestRatio draws, if not all")
)

// ratios are the lowered instructions of each instruction by ptxas' own, as logarithms.
type ratios map[string][]float64

func (r ratios) add(family string, lowered int, ptxas float64) {
	x := math.Log(float64(max(lowered, 1)) / ptxas)
	r[family], r["all"] = append(r[family], x), append(r["all"], x)
}

// mean returns the geometric mean of a family.
func (r ratios) mean(family string) float64 {
	sum := 0.0
	for _, x := range r[family] {
		sum += x
	}
	return math.Exp(sum / float64(len(r[family])))
}

// family returns the instructions that docs/performance.md takes together.
func family(op isa.Op) string {
	switch kind := op.Kind(); {
	case kind == isa.Mad:
		return "vmad"
	case kind == isa.Shl || kind == isa.Shr:
		return "shifts"
	case kind == isa.Set && op.SIMD():
		return fmt.Sprintf("vset%d", op.Lanes())
	case kind == isa.Set:
		return "vset"
	case op.SIMD():
		return fmt.Sprintf("SIMD%d", op.Lanes())
	}
	return "scalar"
}

// ptxasOf returns how many machine instructions ptxas makes of a form: as many as of its class, and of a scalar
// form one more for each part with a sign that it selects. TestMeasuredRatio holds that to all that was measured.
func ptxasOf(f isa.Form) int {
	n := cost.Of(f)
	if f.Op.SIMD() {
		return n
	}
	if f.ASel != isa.Word && f.AType.Signed() {
		n++
	}
	if f.BSel != isa.Word && f.BType.Signed() {
		n++
	}
	return n
}

// ptxasOfLanes is ptxasOf, but for masks of two and three lanes, whose class is measured with one lane and with all: ptxas computes lanes one by one, so that
// those between take what is between.
func ptxasOfLanes(f isa.Form) float64 {
	one, lanes, all := float64(ptxasOf(f)), f.Mask.Count(), f.Op.Lanes()
	if !f.Op.SIMD() || lanes == 1 || lanes == all {
		return one
	}
	f.Mask = isa.FullMask(f.Op)
	return one + max(float64(cost.Of(f))-one, 0)*float64(lanes-1)/float64(all-1)
}

// ratioLimits are what docs/performance.md says of drawn forms for sm_80, by their classes.
var ratioLimits = map[string]float64{
	"all": 0.309, "SIMD2": 0.304, "SIMD4": 0.232, "scalar": 0.381, "shifts": 0.442, "vmad": 0.488, "vset": 0.342, "vset2": 0.276, "vset4": 0.227,
}

// TestRatio holds what lowering saves, by the estimate, to what docs/performance.md says of it. Its flags measure other
// forms, for which nothing is demanded.
func TestRatio(t *testing.T) {
	caps, err := lower.Target(*ratioTarget)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		form           isa.Form
		lowered, ptxas int
	}
	var lines []line
	r, parts, between := ratios{}, ratios{}, ratios{}
	for f := range isa.Sample(rand.New(rand.NewPCG(*ratioSeed, *ratioSeed))) {
		if *ratioOnly != "" && f.Op.String() != *ratioOnly {
			continue
		}
		if len(lines) == *ratioForms {
			break
		}
		l := line{f, caps.Machine(lower.Form(f, caps)).Instructions, cost.Of(f)}
		r.add(family(f.Op), l.lowered, float64(l.ptxas))
		parts.add(family(f.Op), l.lowered, float64(ptxasOf(f)))
		between.add(family(f.Op), l.lowered, ptxasOfLanes(f))
		lines = append(lines, l)
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range r {
			if !yield(name) {
				return
			}
		}
	}) {
		t.Logf("%-8s %5d forms: %.4f of the class, %.4f with selected parts, %.4f with masks of two and three lanes", name, len(r[name]), r.mean(name), parts.mean(name), between.mean(name))
	}
	if *ratioForms == 3000 && *ratioSeed == 1 && *ratioTarget == "sm_80" && *ratioOnly == "" {
		for name, most := range ratioLimits {
			if mean := r.mean(name); !(mean <= most) {
				t.Errorf("%s: %.4f, want at most %.3f", name, mean, most)
			}
		}
	}
	slices.SortStableFunc(lines, func(x, y line) int { return cmp.Compare(y.lowered*x.ptxas, x.lowered*y.ptxas) })
	for _, l := range lines[:min(*ratioWorst, len(lines))] {
		t.Logf("%2d / %2d %v\n%v", l.lowered, l.ptxas, l.form, lower.Form(l.form, caps))
	}
}

// immediate finds an operand that is a number.
var immediate = regexp.MustCompile(`, -?[0-9]`)

// TestMeasuredRatio: the instructions on which ptxas was measured first.
func TestMeasuredRatio(t *testing.T) {
	text, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "written by script/sasscount -->")
	rest, _, _ = strings.Cut(rest, "lowering: end")
	names := strings.NewReplacer("%r4", "d", "%r1", "a", "%r2", "b", "%r3", "c", ",", ", ")
	r, table := ratios{}, "first"
	for text := range strings.Lines(rest) {
		cells := strings.Split(text, "|")
		if len(cells) > 1 && strings.Contains(cells[1], "geometric") {
			table = "second"
		}
		if len(cells) < 4 || !strings.Contains(cells[1], "`v") {
			continue
		}
		instruction := names.Replace(strings.Trim(cells[1], " `"))
		f, err := conform.ParseForm(instruction)
		if err != nil || immediate.MatchString(instruction) {
			continue
		}
		var ptxas int
		fmt.Sscan(cells[2], &ptxas)
		if !f.Op.SIMD() && ptxasOf(f) != ptxas {
			t.Errorf("%s: ptxas made %d machine instructions, by its class and its parts %d", instruction, ptxas, ptxasOf(f))
		}
		n := lower.SM80.Machine(lower.Form(f, lower.SM80)).Instructions
		r.add(table, n, float64(ptxas))
		t.Logf("%2d / %2d %s", n, ptxas, instruction)
	}
	for table, most := range map[string]float64{"first": 0.283, "second": 0.265} {
		if mean := r.mean(table); !(mean <= most) {
			t.Errorf("%s table: %.4f, want at most %.3f", table, mean, most)
		}
		t.Logf("%s table, %d instructions: %.4f", table, len(r[table]), r.mean(table))
	}
}
