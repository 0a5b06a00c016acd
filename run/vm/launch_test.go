package vm_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// Blocks that end are counted: all of a launch that succeeds, and of one that fails those before.
func TestEnded(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry test(.param .u32 bad) {
	.reg .pred %p; .reg .b32 %r<2>;
	ld.param.u32 %r0, [bad];
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p, %r0, %r1;
	@%p trap;
	ret;
}`)
	for _, test := range []struct{ bad, workers, want int }{{100, 4, 50}, {20, 1, 20}, {0, 1, 0}} {
		var ended atomic.Int64
		grid := vm.Grid{Grid: vm.Dim{X: 50}, Block: vm.Dim{X: 32}, Workers: test.workers, Ended: &ended}
		err := vmtest.Kernel(t, m, "test").Launch(context.Background(), grid, test.bad)
		if fails := test.bad < 50; (err != nil) != fails {
			t.Errorf("trap in block %d: got error %v", test.bad, err)
		}
		if got := ended.Load(); got != int64(test.want) {
			t.Errorf("trap in block %d: %d blocks ended, want %d", test.bad, got, test.want)
		}
	}
}
