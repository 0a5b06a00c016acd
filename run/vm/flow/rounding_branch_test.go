package flow

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestBranchBehindRounding has a branch on which lanes disagree, and votes, right behind instructions that do not round to the
// nearest: code that sets the processor's mode and takes it back lost which lanes take the branch.
func TestBranchBehindRounding(t *testing.T) {
	const text = vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d<2>; .reg .pred %p, %q;
	ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 16; add.u64 %d0, %d0, %d1;
	cvt.rz.f32.u32 %f0, %r0; mov.f32 %f1, 0f3DCCCCCD; mul.rp.f32 %f2, %f0, %f1; setp.gt.f32 %p, %f2, 0f40000000;
	@%p bra LARGE;
	add.rm.f32 %f2, %f2, %f1; bra JOIN;
LARGE:	div.rz.f32 %f2, %f2, %f0;
JOIN:	st.global.f32 [%d0], %f2;
	fma.rp.f32 %f3, %f2, %f0, %f1; setp.lt.f32 %q, %f3, 0f40400000;
	vote.sync.ballot.b32 %r1, %q, -1; st.global.b32 [%d0+4], %r1; st.global.f32 [%d0+12], %f3;
	ret; }`
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: 64}}, Args: []any{make([]byte, 64*16)}}
	want, err := k.Same(vmtest.Ways())
	if err != nil {
		t.Fatal(err)
	}
	// Thread 30 divides 3.0000002 by 30, thread 10 does not divide.
	for thread, x := range map[int]float32{30: 0.1, 10: 1.1} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(want.Buffers[0][16*thread:])); math.Abs(float64(got-x)) > 1e-6 {
			t.Errorf("thread %d has %v, want some %v", thread, got, x)
		}
	}
}
