package flow

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// storesThenLoads has two CTAs that write one word each, in every round another one, and read the other's. Each round begins
// when both have come to it.
const storesThenLoads = vmtest.Header + `
.visible .entry k(.param .u64 words, .param .u64 seen, .param .u64 count, .param .u32 rounds) {
	.reg .b32 %%me, %%i, %%n, %%c, %%v, %%all, %%pitch; .reg .b64 %%mine, %%other, %%out, %%counter; .reg .pred %%p;
	ld.param.u64 %%mine, [words]; ld.param.u64 %%out, [seen]; ld.param.u64 %%counter, [count]; ld.param.u32 %%n, [rounds];
	mov.u32 %%me, %%ctaid.x; mov.u32 %%i, 0; mov.u32 %%all, 0;
	xor.b32 %%c, %%me, 1; mad.wide.u32 %%other, %%c, 128, %%mine; mad.wide.u32 %%mine, %%me, 128, %%mine;
	mul.lo.u32 %%pitch, %%n, 4; mad.wide.u32 %%out, %%me, %%pitch, %%out;
ROUND:
	atom.global.add.u32 %%c, [%%counter], 1;
	add.u32 %%all, %%all, 2;
WAIT:
	ld.volatile.global.u32 %%c, [%%counter]; setp.lt.u32 %%p, %%c, %%all; @%%p bra WAIT;
	%[1]s
	%[2]s
	%[3]s
	st.global.u32 [%%out], %%v; add.u64 %%out, %%out, 4;
	add.u64 %%mine, %%mine, 256; add.u64 %%other, %%other, 256;
	add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra ROUND;
	ret;
}`

// TestFenceOrdersStoreAndLoad: of two threads that each write, have a fence.sc or membar, and read what the other writes, one sees
// the other's. The processor reads before its own store can be seen, unless it is told not to.
func TestFenceOrdersStoreAndLoad(t *testing.T) {
	const rounds = 1000
	for _, l := range level.Levels() {
		for _, fence := range []string{"fence.sc.gpu;", "membar.gl;"} {
			text := fmt.Sprintf(storesThenLoads, "st.relaxed.gpu.global.u32 [%mine], 1;", fence, "ld.relaxed.gpu.global.u32 %v, [%other];")
			m := vmtest.LoadOn(t, l, text)
			shared, _ := m.Memory().Alloc("words", 256*rounds)
			seen, _ := m.Memory().Alloc("seen", 2*4*rounds)
			count, _ := m.Memory().Alloc("count", 4)
			grid := vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 1}, Workers: 2}
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), grid, shared, seen, count, uint32(rounds))
			neither, saw := 0, vmtest.Words(seen)
			for i := range rounds {
				if saw[i] == 0 && saw[rounds+i] == 0 {
					neither++
				}
			}
			if neither > 0 {
				t.Errorf("%v, %s: in %d of %d rounds neither has seen the other", l, fence, neither, rounds)
			}
		}
	}
}
