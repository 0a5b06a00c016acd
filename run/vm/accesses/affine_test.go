package accesses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// affineKernel reads from in and writes to out, apart and side by side, unless an index is outside of in.
const affineKernel = vmtest.Header + `
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 first) {
	.reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<3>;
	ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; ld.param.u32 %%r1, [first];
	mov.u32 %%r2, %%tid.x; mov.u32 %%r3, %%tid.y; mad.lo.u32 %%r2, %%r3, 3, %%r2; mov.u32 %%r3, %%tid.z; mad.lo.u32 %%r2, %%r3, 7, %%r2;
	mad.lo.u32 %%r3, %%r2, %[1]d, %%r1; mul.lo.u32 %%r3, %%r3, %[2]d; cvt.%[6]s64.%[6]s32 %%rd3, %%r3; add.s64 %%rd3, %%rd1, %%rd3;
	setp.lt.s32 %%p1, %%r3, 0; setp.gt.s32 %%p2, %%r3, 1024-%[2]d; or.pred %%p1, %%p1, %%p2; @%%p1 bra END;
	ld.global.%[3]s %[4]s, [%%rd3];
	mul.lo.u32 %%r4, %%r2, 3*%[2]d; cvt.u64.u32 %%rd4, %%r4; add.s64 %%rd4, %%rd2, %%rd4;
	st.global.%[5]s [%%rd4], %[4]s; st.global.%[5]s [%%rd4+%[2]d], %[4]s;
	mul.lo.u32 %%r4, %%r2, %[2]d; cvt.u64.u32 %%rd4, %%r4; add.s64 %%rd4, %%rd2, %%rd4;
	st.global.%[5]s [%%rd4+16384], %[4]s;
END:	ret;
}`

// TestAffineAccesses reads and writes where the lanes' addresses are affine: at steps of many kinds, elements of all
// sizes, blocks of many shapes, so that they begin and end everywhere in the buffer, and beyond.
func TestAffineAccesses(t *testing.T) {
	t.Run("cached", testAffineAccesses)
	t.Run("streamed", func(t *testing.T) {
		defer vmtest.WithMachineCode(native.Options{Stream: 1})()
		testAffineAccesses(t)
	})
}

func testAffineAccesses(t *testing.T) {
	t.Helper()
	var ways []vmtest.Way
	for _, l := range vmtest.MachineLevels(t) {
		ways = append(ways, vmtest.Way{Level: l, Workers: 1})
	}
	in := make([]byte, 1024)
	for i := range in {
		in[i] = byte(i*i>>3 ^ 5*i)
	}
	n := 0
	for _, block := range []vm.Dim{{X: 32}, {X: 64}, {X: 40}, {X: 16, Y: 4}, {X: 8, Y: 8}, {X: 4, Y: 4, Z: 4}, {X: 2, Y: 32}, {X: 5, Y: 7}, {X: 1, Y: 33}, {X: 32, Y: 2}, {X: 16, Y: 2, Z: 2}} {
		for _, scale := range []int{0, 1, 2, 3, 4, 8, 12, 16, -4} {
			for typ, size := range map[string]int{"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4, "u64": 8} {
				for _, signs := range []string{"s", "u"} {
					if n++; n%long.Of(4, 47) != 0 {
						continue
					}
					register, stored := "%r5", fmt.Sprintf("b%d", 8*size)
					if size == 8 {
						register = "%rd5"
					}
					text := strings.ReplaceAll(fmt.Sprintf(affineKernel, scale, size, typ, register, stored, signs), "cvt.us64.us32", "cvt.u64.u32")
					text = strings.ReplaceAll(text, "cvt.ss64.ss32", "cvt.s64.s32")
					for _, first := range []int{0, 1, 5, 100, 1000 / size, -3} {
						c := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: block}, Args: []any{in, make([]byte, 1<<15), uint32(first)}}
						if err := c.Differ(ways); err != nil {
							t.Fatalf("blocks of %v, scale %d, %s, first %d: %v\n%s", block, scale, typ, first, err, text)
						}
					}
				}
			}
		}
	}
}
