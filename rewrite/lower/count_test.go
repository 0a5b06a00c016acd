package lower_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// columns are the targets of which operations are counted: of those that are the same
// as another, the first.
var columns = []word.Caps{word.Portable, word.AVX2, word.AVX512, word.NEON, lower.SM70, lower.SM80, lower.SM90}

// counted are the forms counted one by one: those of real code, and those whose code by
// ptxas is known.
var counted = strings.Fields(`
vadd.u32.u32.u32 vadd.s32.s32.s32.sat vadd.u32.s32.s32.sat.min vadd.u32.u32.u32.add vadd.s32.u32.s32.sat.add
vsub.s32.s32.s32.sat vsub.u32.u32.u32.add vabsdiff.u32.u32.u32.add vabsdiff.s32.s32.s32 vabsdiff.u32.s32.u32.sat
vmin.s32.s32.s32.max vmax.s32.s32.s32.min vmax.u32.u32.u32.max vmin.s32.u32.s32 vshl.u32.u32.u32.clamp.add
vshl.u32.u32.u32.wrap.add vshl.s32.s32.u32.sat.clamp vshr.u32.u32.u32.clamp.add vmad.u32.u32.u32 vmad.u32.u32.u32.po
vmad.s32.s32.s32.sat vmad.u32.u32.u32.shr7 vmad.s32.u32.s32.sat.shr15 vset.u32.u32.lt vset.s32.s32.lt.add vset.s32.u32.ge
vadd2.u32.u32.u32 vadd2.s32.s32.s32.sat vadd2.u32.u32.u32.add vsub2.u32.u32.u32 vsub2.u32.u32.u32.sat vavrg2.u32.u32.u32
vavrg2.s32.s32.s32 vabsdiff2.u32.u32.u32 vabsdiff2.u32.u32.u32.add vabsdiff2.s32.s32.s32 vmin2.s32.s32.s32
vmax2.u32.u32.u32 vset2.u32.u32.eq vset2.s32.s32.gt
vadd4.u32.u32.u32 vadd4.u32.u32.u32.sat vadd4.s32.s32.s32.sat vadd4.u32.u32.u32.add vadd4.u32.u32.s32.sat
vsub4.u32.u32.u32.sat vsub4.s32.s32.s32.sat vsub4.s32.s32.s32.add vavrg4.u32.u32.u32 vavrg4.s32.s32.s32
vabsdiff4.u32.u32.u32 vabsdiff4.u32.u32.u32.add vabsdiff4.s32.s32.s32.add vabsdiff4.s32.u32.s32.sat vmin4.u32.u32.u32
vmin4.s32.u32.s32 vmax4.s32.s32.s32 vmax4.s32.s32.s32.add vset4.u32.u32.eq vset4.u32.u32.gt.add vset4.s32.s32.lt vset4.u32.s32.le
`)

// formOf returns the form with a mnemonic and no selectors.
func formOf(t *testing.T, mnemonic string) isa.Form {
	t.Helper()
	op, modifiers, _ := strings.Cut(mnemonic, ".")
	w := isa.Written{Op: isa.ParseOp(op), Operands: make([]isa.Argument, 4)}
	for m := range strings.SplitSeq(modifiers, ".") {
		w.Modifiers = append(w.Modifiers, "."+m)
	}
	var f isa.Form
	if ok, problems := isa.Match(&w, &f); !ok {
		t.Fatalf("%s: %v", mnemonic, problems)
	}
	return f
}

// TestCounts holds the number of operations of every counted form against
// testdata/counts.txt, so that no change makes a program longer unseen.
func TestCounts(t *testing.T) {
	var s strings.Builder
	line := func(counts []string, name string) {
		for _, c := range counts {
			fmt.Fprintf(&s, "%9s", c)
		}
		fmt.Fprintf(&s, "  %s\n", name)
	}
	var names, averages []string
	for _, caps := range columns {
		names = append(names, caps.Name)
		averages = append(averages, fmt.Sprintf("%.2f", average(caps)))
	}
	s.WriteString("# Operations of the programs that Form makes; go test -update writes this file.\n")
	line(names, "")
	for _, mnemonic := range counted {
		f := formOf(t, mnemonic)
		var counts []string
		for _, caps := range columns {
			counts = append(counts, fmt.Sprint(lower.Form(f, caps).Cost()))
		}
		line(counts, mnemonic)
	}
	line(averages, "average of 2000 forms of the whole table, selectors and masks included")

	const golden = "testdata/counts.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(s.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), s.String()); diff != "" {
		t.Errorf("counts differ from %s (-want +got); go test -update accepts them:\n%s", golden, diff)
	}
}

// average is the mean number of operations over sampled forms.
func average(caps word.Caps) float64 {
	rng := rand.New(rand.NewPCG(2, 7))
	const forms = 2000
	total, n := 0, 0
	for f := range isa.Sample(rng) {
		total += lower.Form(f, caps).Cost()
		if n++; n == forms {
			break
		}
	}
	return float64(total) / forms
}
