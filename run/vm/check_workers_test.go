//go:build !race

package vm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// Blocks that run at the same time are looked at for races, too. The kernel's races are ours as well: the race
// detector would report them.
func TestCheckManyWorkers(t *testing.T) {
	m := vmtest.Load(t, checkHeader+`
	mov.u32 %r1, %ctaid.x;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1+4], %r1;
	setp.eq.u32 %p0, %r1, 40;
	@%p0 st.global.u32 [%d0], 1;
	@!%p0 ld.global.u32 %r2, [%d0];
	ret;
}`)
	buffer, _ := m.Memory().Alloc("buffer", 4096)
	for _, workers := range []int{1, 4} {
		err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 100}, Block: vm.Dim{X: 64}, Workers: workers, Check: true}, buffer)
		found, ok := errors.AsType[*vm.CheckError](err)
		if !ok || len(found.Reports) == 0 {
			t.Fatalf("%d workers: got %v, want a race of blocks", workers, err)
		}
		for _, r := range found.Reports { // the later block is told of: it has read, or is number 40
			if r.Kind != vm.BlockRace || r.Line != 12 && r.Line != 13 || r.Line == 12 && r.Block.X != 40 || r.Line == 13 && r.Block.X < 40 {
				t.Errorf("%d workers: got %v", workers, r)
			}
		}
	}
}
