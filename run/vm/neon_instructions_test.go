package vm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/kernel"
)

// TestNEONInstructions counts how many instructions of the machine an operation of 32 threads takes, on processors with NEON
// alone and on those that have what can be asked for: what can be said of speed where arm64 is emulated. With -v it prints the table of
// docs/performance.md. No operation may take more than it does.
func TestNEONInstructions(t *testing.T) {
	for _, c := range []struct {
		text       string
		base, most int
	}{
		{"add.u32 %rI, %rJ, %rI;", 8, 8}, {"fma.rn.f32 %fI, %fJ, %fI, %fI;", 24, 24}, {"add.rz.f32 %fI, %fJ, %fI;", 24, 24},
		{"div.rn.f32 %fI, %fJ, %fI;", 24, 24}, {"add.f16x2 %rI, %rJ, %rI;", 88, 24}, {"fma.rn.f16x2 %rI, %rJ, %rI, %rI;", 232, 24},
		{"div.s32 %rI, %rJ, %rI;", 144, 144}, {"rem.u32 %rI, %rJ, %rI;", 176, 176}, {"div.u64 %dI, %dJ, %dI;", 160, 160}, {"mul.hi.u64 %dI, %dJ, %dI;", 128, 128},
		{"add.bf16x2 %rI, %rJ, %rI;", 168, 168}, {"fma.rn.bf16x2 %rI, %rJ, %rI, %rI;", 776, 776}, {"ex2.approx.f32 %fI, %fI;", 608, 608},
	} {
		var counts [2]int
		for n, base := range []bool{true, false} {
			counts[n] = (codeOf(t, c.text, 16, base) - codeOf(t, c.text, 8, base)) / 8
		}
		if testing.Verbose() {
			fmt.Printf("| `%s` | %d | %d |\n", strings.Fields(c.text)[0], counts[0], counts[1])
		}
		if counts[0] > c.base || counts[1] > c.most {
			t.Errorf("%s takes %d and %d instructions, want at most %d and %d", c.text, counts[0], counts[1], c.base, c.most)
		}
	}
}

// codeOf returns how many instructions a kernel takes that has one of the text so many times, on two values in turns.
func codeOf(t *testing.T, instruction string, times int, base bool) int {
	t.Helper()
	var body strings.Builder
	for n := range times {
		line := strings.ReplaceAll(instruction, "I", fmt.Sprint(n%2))
		body.WriteString(strings.ReplaceAll(line, "J", fmt.Sprint(1-n%2)) + "\n")
	}
	f := neonFunctions(t, "k", `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in) {
	.reg .b32 %r<2>; .reg .b64 %d<3>; .reg .f32 %f<2>; .reg .b32 %i;
	ld.param.u64 %d2, [in]; mov.u32 %i, %tid.x; mul.wide.u32 %d0, %i, 32; add.u64 %d2, %d2, %d0;
	ld.global.v2.u32 {%r0, %r1}, [%d2]; ld.global.v2.f32 {%f0, %f1}, [%d2+8]; ld.global.v2.u64 {%d0, %d1}, [%d2+16];
	`+body.String()+`
	st.global.v2.u32 [%d2], {%r0, %r1}; st.global.v2.f32 [%d2+8], {%f0, %f1}; st.global.v2.u64 [%d2+16], {%d0, %d1}; ret; }`)[0]
	c, err := kernel.Compile(f, kernel.Homes(f), arm64.Options{DotProduct: !base, Halves: !base, Atomics: !base})
	if err != nil {
		t.Fatal(err)
	}
	return len(c.Bytes) / 4
}
