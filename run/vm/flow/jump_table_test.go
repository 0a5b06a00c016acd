package flow

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

const jumpTableKernel = vmtest.Header + `
.visible .entry test(.param .u64 out, .param .u32 limit) {
	.reg .b32 %r<4>; .reg .b64 %d<3>;
	ld.param.u64 %d0, [out];
	ld.param.u32 %r2, [limit];
	mov.u32 %r0, %tid.x;
	rem.u32 %r1, %r0, %r2;
TABLE: .branchtargets CASE<3>, LAST, CASE0;
	brx.idx %r1, TABLE;
CASE0:
	mov.u32 %r3, 100;
	bra JOIN;
CASE1:
	mov.u32 %r3, 101;
CASE2:
	add.u32 %r3, %r3, 7;
	bra JOIN;
LAST:
	activemask.b32 %r3;
JOIN:
	mul.wide.u32 %d1, %r0, 4;
	add.u64 %d1, %d1, %d0;
	activemask.b32 %r1;
	shl.b32 %r1, %r1, 8;
	add.u32 %r3, %r3, %r1;
	st.global.u32 [%d1], %r3;
	ret;
}`

func TestIndexedBranch(t *testing.T) {
	m := vmtest.Load(t, jumpTableKernel)
	out, _ := m.Memory().Alloc("out", 32*4)
	stats := &vm.Stats{}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 32}, Stats: stats}, out, 5)
	const lanes = 1<<3 | 1<<8 | 1<<13 | 1<<18 | 1<<23 | 1<<28
	for i := range 32 {
		want := [...]uint32{100, 108, 7, lanes, 100}[i%5] + 0xffffff00
		if got := uint32(vmtest.Get(out.Bytes(), i, 32)); got != want {
			t.Errorf("thread %d: got %#x, want %#x", i, got, want)
		}
	}
	// The threads of two places of the list that name one label go there together.
	if stats.Branches != 3 || stats.Divergent != 1 {
		t.Errorf("%d branches, %d divergent; want 3 and 1", stats.Branches, stats.Divergent)
	}
	err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}}, out, 7)
	if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Line != 12 || fault.Thread.X != 5 || !strings.Contains(fault.Detail, "the index is 5, and the list has 5 labels") {
		t.Errorf("an index outside the list: %v", err)
	}
}
