package vm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// bulkObserved is a kernel in which thread t < 3 copies 16 * t bytes to shared memory, and thread 5 puts 7 bytes of 16 back, at 256.
const bulkObserved = `.version 8.6
.target sm_100
.address_size 64
.visible .entry test(.param .u64 p)
{
	.reg .b64 %q<3>; .reg .b32 %r<4>; .reg .pred %p<2>; .shared .align 16 .b8 s[64]; .shared .align 8 .b64 b;
	ld.param.u64 %q0, [p]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; setp.lt.u32 %p0, %r0, 3; setp.eq.u32 %p1, %r0, 5;
	@%p1 mbarrier.init.shared.b64 [b], 1; bar.warp.sync -1;
	@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [%q0], %r1, [b];
	bar.warp.sync -1;
	@%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%q0+256], [s], 16, 0x7f;
	ret;
}
`

// TestStatsOfBulkCopies: each 16 bytes of a copy count as a request of all threads that copy as many, and each byte where some are left out.
func TestStatsOfBulkCopies(t *testing.T) {
	m := vmtest.Load(t, bulkObserved)
	buffer, _ := m.Memory().Alloc("buffer", 1024)
	grid := vm.Grid{Block: vm.Dim{X: 32}, Stats: &vm.Stats{}, Watch: &vm.Watch{Address: buffer.Address() + 262, Size: 4}}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), grid, buffer)
	want := map[string]vm.Traffic{
		"global": {Space: "global", Loads: vm.Requests{Requests: 2, Bytes: 16 + 32}, Stores: vm.Requests{Requests: 7, Bytes: 7}, Sectors: 2 + 7},
		"shared": {Space: "shared", Loads: vm.Requests{Requests: 7, Bytes: 7}, Stores: vm.Requests{Requests: 3, Bytes: 16 + 32 + 8}, Atomics: vm.Requests{Requests: 1, Bytes: 24}, Passes: 7 + 3 + 1},
	}
	for _, got := range grid.Stats.Memory {
		if w, ok := want[got.Space]; ok {
			if d := cmp.Diff(w, got); d != "" {
				t.Error(d)
			}
			delete(want, got.Space)
		}
	}
	if len(want) > 0 {
		t.Errorf("nothing is counted of %v", want)
	}
	if w := grid.Watch; w.Count != 1 || w.Last.Thread != (vm.Dim{X: 5}) || w.Last.Line != 11 {
		t.Errorf("%d writes, the last one by %v at line %d", w.Count, w.Last.Thread, w.Last.Line)
	}
}
