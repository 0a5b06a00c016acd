package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/array"
	"github.com/vop-ptx/vop/run/simt"
)

// TestInstructionsOfNEON counts the instructions that four words take in the loops of the ten forms, with loads, stores and
// the loop itself: what can be said of speed where arm64 is emulated. No form may take more than it does. With -v it prints
// the table of docs/performance.md.
func TestInstructionsOfNEON(t *testing.T) {
	most := map[string][2]float64{ // with FEAT_DotProd, and without
		"vabsdiff4.u32.u32.u32.add": {4.5, 5.5}, "vadd4.s32.s32.s32.sat": {3, 3}, "vmax4.s32.s32.s32": {3, 3}, "vset4.u32.u32.eq": {4, 4},
		"vmin.s32.s32.s32.max": {4.5, 4.5}, "vshl.u32.u32.u32.clamp.add": {5.5, 5.5}, "vadd2.s32.s32.s32.sat": {3, 3},
		"vavrg4.u32.u32.u32": {3, 3}, "vmad.u32.u32.u32": {5.5, 5.5}, "vsub4.u32.u32.u32": {3, 3},
	}
	print := func(format string, args ...any) {
		if testing.Verbose() {
			fmt.Printf(format, args...)
		}
	}
	print("| form | with FEAT_DotProd | without | words a turn |\n|---|--:|--:|--:|\n")
	for _, m := range measuredForms {
		name, _, _ := strings.Cut(m.spelling, " ")
		f := simt.OfProgram(lower.Form(m.form, word.NEON))
		var counts [2]float64
		words := 0
		for n, dot := range []bool{true, false} {
			code, err := array.Compile(f, arm64.Options{DotProduct: dot})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			words = code.Words
			counts[n] = float64(code.Turn*arm64.Lanes) / float64(code.Words)
			if limit, ok := most[name]; !ok || counts[n] > limit[n] {
				t.Errorf("%s takes %v instructions, want at most %v", name, counts[n], limit[n])
			}
		}
		print("| `%s` | %.2f | %.2f | %d |\n", name, counts[0], counts[1], words)
	}
}
