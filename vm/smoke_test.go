package vm_test

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/vop-ptx/vop/vm"
)

func TestSmoke(t *testing.T) {
	m := load(t, header+`
.visible .entry scale(.param .u64 out, .param .u32 n) {
	.reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra DONE;
	mul.wide.u32 %rd2, %r5, 4;
	add.s64 %rd3, %rd1, %rd2;
	mul.lo.s32 %r5, %r5, 3;
	st.global.u32 [%rd3], %r5;
DONE:
	ret;
}`)
	k := kernel(t, m, "scale")
	b, _ := m.Memory().Alloc("out", 4000)
	launch(t, k, vm.Grid{Grid: vm.Dim{X: 8}, Block: vm.Dim{X: 128}}, b, 1000)
	for i := range 1000 {
		if got := binary.LittleEndian.Uint32(b.Bytes()[4*i:]); got != uint32(3*i) {
			t.Fatalf("%d: %d", i, got)
		}
	}
}

func TestMotion(t *testing.T) {
	text, _ := os.ReadFile("../examples/motion/motion.ptx")
	m := load(t, string(text))
	kernel(t, m, "motion")
}
