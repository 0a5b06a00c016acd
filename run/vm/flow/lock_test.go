package flow

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// lockKernel counts the threads that have had a lock.
const lockKernel = `
.visible .entry lock(.param .u64 counter, .param .u64 out) {
	.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;
	ld.param.u64 %rd1, [counter]; ld.param.u64 %rd2, [out]; mov.u32 %r4, %tid.x; and.b32 %r4, %r4, 31;
	mov.u32 %r5, 0;
TURN: // the lanes of a warp take turns, as they must before sm_70
	setp.ne.u32 %p0, %r4, %r5; @%p0 bra NEXT;
TRY:	atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TRY;
	ld.volatile.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd2], %r2;
	atom.global.exch.b32 %r1, [%rd1], 0;
NEXT:	add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 32; @%p0 bra TURN;
	ret;
}`

// TestAtomicResults looks whether every thread gets another ticket, and whether a lock made of
// cas and exch lets one in at a time.
func TestAtomicResults(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry tickets(.param .u64 counter, .param .u64 out) {
	.reg .b32 %r<4>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [counter]; ld.param.u64 %rd2, [out];
	atom.global.add.u32 %r1, [%rd1], 1;
	mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd2, %rd3; mov.u32 %r2, 1; atom.add.u32 %r3, [%rd3], %r2;
	ret;
}
`+lockKernel)
	counter, _ := m.Memory().Alloc("counter", 4)
	out, _ := m.Memory().Alloc("out", 4*600)
	vmtest.Launch(t, vmtest.Kernel(t, m, "tickets"), vm.Grid{Grid: vm.Dim{X: 6}, Block: vm.Dim{X: 100}}, counter, out)
	for i, n := range vmtest.Words(out) {
		if n != 1 {
			t.Fatalf("ticket %d was given %d times", i, n)
		}
	}
	clear(counter.Bytes())
	clear(out.Bytes())
	vmtest.Launch(t, vmtest.Kernel(t, m, "lock"), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 32}}, counter, out)
	if got := binary.LittleEndian.Uint32(out.Bytes()); got != 128 {
		t.Errorf("%d threads were counted under the lock, want 128", got)
	}
}

// TestLockWithShortTurns lets warps lose their turns everywhere in a loop in which lanes wait for a lock, so that lanes of
// a warp are in different turns of it: what is the same for all otherwise is not then.
func TestLockWithShortTurns(t *testing.T) {
	for _, turn := range []int{0, 1, 7, 20, 50, 133} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			defer vmtest.WithMachineCode(native.Options{Turn: turn})()
			m := vmtest.Load(t, vmtest.Header+lockKernel)
			counter, _ := m.Memory().Alloc("counter", 4)
			out, _ := m.Memory().Alloc("out", 4)
			for range 4 {
				clear(counter.Bytes())
				clear(out.Bytes())
				vmtest.Launch(t, vmtest.Kernel(t, m, "lock"), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 64}}, counter, out)
				if got := binary.LittleEndian.Uint32(out.Bytes()); got != 256 {
					t.Fatalf("%d threads were counted under the lock, want 256", got)
				}
			}
		})
	}
}
