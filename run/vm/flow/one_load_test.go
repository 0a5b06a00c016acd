package flow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// counted has CTA 0 count as fast as it can, until CTA 1 has looked at the count by some loads, each
// of which is an instruction of its own.
const counted = vmtest.Header + `
.visible .entry k(.param .u64 count, .param .u64 out) {
	.reg .b32 %%i, %%x, %%y, %%end; .reg .b64 %%count, %%out, %%at, %%own; .reg .pred %%p;
	ld.param.u64 %%count, [count]; ld.param.u64 %%out, [out]; mov.u32 %%i, %%ctaid.x;
	setp.ne.u32 %%p, %%i, 0; @%%p bra LOOK;
	mov.u32 %%i, %%tid.x; setp.ne.u32 %%p, %%i, 0; @%%p bra OUT;
COUNT:
	red.global.add.u32 [%%count], 1;
	ld.relaxed.gpu.global.u32 %%x, [%%count+64]; setp.eq.u32 %%p, %%x, 0; @%%p bra COUNT;
	ret;
LOOK:
	ld.global.u32 %%x, [%%count+32]; mov.u32 %%i, %%tid.x; mul.lo.u32 %%x, %%x, %%i; mad.wide.u32 %%own, %%x, 4, %%count; // 0 times the thread's number
	mul.wide.u32 %%at, %%i, 4; add.u64 %%out, %%out, %%at;
STARTED:
	ld.relaxed.gpu.global.u32 %%end, [%%count]; setp.eq.u32 %%p, %%end, 0; @%%p bra STARTED;
%s
	bar.sync 0;
	st.relaxed.gpu.global.u32 [%%count+64], 1;
OUT:
	ret;
}`

// TestOneLoadIsOneForAllLanes has the lanes of a warp load a word that another CTA changes. A load by
// steps read it once for each lane, which found different numbers; machine code takes what is loaded
// from one address for the same in all lanes, and went on with whatever had been in that register:
// a barrier of the grid let warps through that others had not come to.
func TestOneLoadIsOneForAllLanes(t *testing.T) {
	const loads, lanes = 40, 64
	kinds := []string{
		"ld.relaxed.gpu.global.u32 %x, [%count]", "ld.volatile.global.u32 %x, [%count]", "ld.relaxed.gpu.global.v2.u32 {%x, %y}, [%count]",
		"ld.acquire.sys.u32 %x, [%count]", "ld.relaxed.gpu.global.u32 %x, [%own]",
	}
	if !race.Enabled { // which takes an access that is not strong for a race, and is right
		kinds = append(kinds, "ld.global.u32 %x, [%count]", "ld.global.cv.u32 %x, [%count]", "ld.global.v2.u32 {%x, %y}, [%count]", "ld.global.u32 %x, [%own]")
	}
	for _, kind := range kinds {
		var code strings.Builder
		for n := range loads {
			fmt.Fprintf(&code, "%s; sub.u32 %%y, %%x, %%end; st.global.u32 [%%out+%d], %%x; st.global.u32 [%%out+%d], %%y;\n",
				kind, 8*n*lanes, 8*n*lanes+4*lanes)
		}
		for _, l := range level.Levels() {
			t.Run(fmt.Sprintf("%v, %s", l, kind), func(t *testing.T) {
				m := vmtest.LoadOn(t, l, fmt.Sprintf(counted, code.String()))
				count, _ := m.Memory().Alloc("count", 68)
				out, _ := m.Memory().Alloc("out", 8*loads*lanes)
				vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: lanes}, Workers: 2}, count, out)
				last, words := vmtest.Words(count)[0], vmtest.Words(out)
				for warp := range lanes / 32 {
					var before [32]uint32
					for n := range loads {
						x, y := words[2*n*lanes+32*warp:][:32], words[(2*n+1)*lanes+32*warp:][:32]
						for lane := range x {
							switch {
							case x[lane] < before[lane], x[lane] > last, y[lane] >= x[lane], x[lane]-y[lane] != x[0]-y[0]:
								t.Fatalf("warp %d, load %d, lane %d: %d and %d, %d before, %d at last", warp, n, lane, x[lane], y[lane], before[lane], last)
							case x[lane] != x[0] && strings.Contains(kind, ".global") && strings.Contains(kind, "%count"): // known to be one address
								t.Fatalf("warp %d, load %d, lane %d: %d, lane 0 has %d", warp, n, lane, x[lane], x[0])
							}
						}
						copy(before[:], x)
					}
				}
			})
		}
	}
}
