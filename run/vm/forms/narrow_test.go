package forms

import (
	"encoding/binary"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// Numbers of 4 bits are made two by two in .b8 registers, of which mov makes words, as libraries of matrices do.
func TestFourBitNumbers(t *testing.T) {
	m := vmtest.Load(t, `.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out) {
	.reg .b64 %d; .reg .b8 %b<4>; .reg .b32 %r<6>; .reg .f32 %f<2>; .reg .b16 %h;
	ld.param.u64 %d, [out];
	cvt.rn.satfinite.e2m1x2.f32 %b0, 0f40C00000, 0f3F000000;	// 6, 0.5
	cvt.rn.satfinite.e2m1x2.f32 %b1, 0fC0900000, 0f7F800000;	// -4.5, infinity
	cvt.rn.satfinite.e2m1x2.f32 %b2, 0fFFC00000, 0f40A00000;	// a NaN, 5: a tie
	cvt.rn.satfinite.relu.e2m1x2.f32 %b3, 0fBF800000, 0f3FA00000;	// -1, 1.25: a tie
	mov.b32 %r0, {%b0, %b1, %b2, %b3};
	cvt.rn.f16x2.e2m1x2 %r1, %b1;
	cvt.rn.relu.f16x2.e2m1x2 %r2, %b1;
	cvt.rp.satfinite.ue8m0x2.f32 %h, 0f3FC00000, 0f7F7FFFFF;	// 1.5, the largest number
	cvt.u32.u16 %r3, %h;
	st.global.v4.u32 [%d], {%r0, %r1, %r2, %r3};
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 16)
	vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{}, out)
	for i, want := range []uint32{0x02_76_e7_71, 0xc4004600, 0x00004600, 0x80fe} {
		if got := binary.LittleEndian.Uint32(out.Bytes()[4*i:]); got != want {
			t.Errorf("word %d is %08x, want %08x", i, got, want)
		}
	}
}
