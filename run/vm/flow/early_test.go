package flow

import (
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// Threads that leave early, some of a warp, are not waited for at a barrier, even if their way to the end is
// a branch.
func TestEarlyReturnBeforeBarrier(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry test(.param .u64 out) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d<3>;
	.shared .align 4 .b32 s[64];
	mov.u32 %r0, %tid.x;
	setp.gt.u32 %p, %r0, 40;
	@%p bra END;
	mul.wide.u32 %d0, %r0, 4;
	cvt.u32.u64 %r1, %d0;
	mov.u32 %r2, s;
	add.u32 %r1, %r1, %r2;
	st.shared.u32 [%r1], %r0;
	bar.sync 0;
	ld.shared.u32 %r2, [s+160];
	ld.param.u64 %d1, [out];
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], %r2;
END:
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 64*4)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 64}}, out)
	for i := range 64 {
		want := uint64(40)
		if i > 40 {
			want = 0
		}
		if got := vmtest.Get(out.Bytes(), i, 32); got != want {
			t.Errorf("thread %d: got %d, want %d", i, got, want)
		}
	}
}

// Threads of one warp take a lock in turn, each spinning until it has it: from sm_70 on that works.
func TestLockWithinWarp(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry test(.param .u64 out) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
	ld.param.u64 %d, [out];
AGAIN:
	atom.global.cas.b32 %r0, [%d], 0, 1;
	setp.ne.u32 %p, %r0, 0;
	@%p bra AGAIN;
	ld.volatile.global.u32 %r1, [%d+4];
	add.u32 %r1, %r1, 1;
	st.volatile.global.u32 [%d+4], %r1;
	membar.gl;
	atom.global.exch.b32 %r2, [%d], 0;
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 8)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 40}}, out)
	if got := vmtest.Get(out.Bytes(), 1, 32); got != 40 {
		t.Errorf("got %d, want 40", got)
	}
}
