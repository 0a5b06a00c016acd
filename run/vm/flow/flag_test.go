package flow

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// handedOn has each CTA wait for a flag of the one before, add 1 to what that has written, and
// set its own.
const handedOn = vmtest.Header + `
.visible .entry k(.param .u64 flags, .param .u64 sums) {
	.reg .b32 %%i, %%f, %%x; .reg .b64 %%flag, %%sum, %%at; .reg .pred %%p;
	ld.param.u64 %%flag, [flags]; ld.param.u64 %%sum, [sums]; mov.u32 %%i, %%ctaid.x;
	mul.wide.u32 %%at, %%i, %[2]d; add.u64 %%flag, %%flag, %%at; mul.wide.u32 %%at, %%i, 4; add.u64 %%sum, %%sum, %%at;
	mov.u32 %%x, 0; setp.eq.u32 %%p, %%i, 0; @%%p bra FIRST;
WAIT:
	ld.acquire.gpu.global.u%[1]d %%f, [%%flag+-%[2]d]; setp.ne.u32 %%p, %%f, 1; @%%p bra WAIT;
	ld.global.u32 %%x, [%%sum+-4];
FIRST:
	add.u32 %%x, %%x, 1; st.global.u32 [%%sum], %%x;
	mov.u32 %%f, 1; st.release.gpu.global.u%[1]d [%%flag], %%f;
	ret;
}`

// TestFlagsOfAllWidths has CTAs wait for each other by flags of one byte to four. Go's race
// detector took those of one and two for races, which are no atomic operations where it is on.
func TestFlagsOfAllWidths(t *testing.T) {
	const blocks = 64
	for _, l := range level.Levels() {
		for _, bits := range []int{8, 16, 32} {
			m := vmtest.LoadOn(t, l, fmt.Sprintf(handedOn, bits, bits/8))
			flags, _ := m.Memory().Alloc("flags", blocks*bits/8)
			sums, _ := m.Memory().Alloc("sums", 4*blocks)
			for range 5 {
				clear(flags.Bytes())
				clear(sums.Bytes())
				vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: 1}, Workers: 4}, flags, sums)
				for i, x := range vmtest.Words(sums) {
					if x != uint32(i+1) {
						t.Fatalf("%v, %d bits: CTA %d has %d, want %d", l, bits, i, x, i+1)
					}
				}
			}
		}
	}
}
