package lower_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
)

var (
	ratioForms  = flag.Int("ratio.forms", 700, "how many random forms TestRatio measures")
	ratioSeed   = flag.Uint64("ratio.seed", 1, "what TestRatio draws from")
	ratioTarget = flag.String("ratio.target", "sm_80", "the target that TestRatio lowers for")
	ratioWorst  = flag.Int("ratio.worst", 0, "how many forms TestRatio lists, those that save least first")
	ratioOnly   = flag.String("ratio.only", "", "the instruction that TestRatio draws, if not all")
)

// ratios are the lowered instructions of each instruction by ptxas' own, as logarithms.
type ratios map[string][]float64

func (r ratios) add(family string, lowered, ptxas int) {
	x := math.Log(float64(max(lowered, 1)) / float64(ptxas))
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

// TestRatio holds what lowering saves, by the estimate, to what docs/performance.md says of it.
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
	r := ratios{}
	for f := range isa.Sample(rand.New(rand.NewPCG(*ratioSeed, *ratioSeed))) {
		if *ratioOnly != "" && f.Op.String() != *ratioOnly {
			continue
		}
		if len(lines) == *ratioForms {
			break
		}
		l := line{f, caps.Machine(lower.Form(f, caps)).Instructions, cost.Of(f)}
		r.add(family(f.Op), l.lowered, l.ptxas)
		lines = append(lines, l)
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range r {
			if !yield(name) {
				return
			}
		}
	}) {
		t.Logf("%-8s %5d forms: %.4f", name, len(r[name]), r.mean(name))
	}
	slices.SortStableFunc(lines, func(x, y line) int { return cmp.Compare(y.lowered*x.ptxas, x.lowered*y.ptxas) })
	for _, l := range lines[:min(*ratioWorst, len(lines))] {
		t.Logf("%2d / %2d %v\n%v", l.lowered, l.ptxas, l.form, lower.Form(l.form, caps))
	}
}

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
		if err != nil {
			continue // with a constant
		}
		var ptxas int
		fmt.Sscan(cells[2], &ptxas)
		n := lower.SM80.Machine(lower.Form(f, lower.SM80)).Instructions
		r.add(table, n, ptxas)
		t.Logf("%2d / %2d %s", n, ptxas, instruction)
	}
	for _, table := range []string{"first", "second"} {
		t.Logf("%s table, %d instructions: %.4f", table, len(r[table]), r.mean(table))
	}
}
