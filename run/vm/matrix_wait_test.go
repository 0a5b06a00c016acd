package vm_test

import (
	"encoding/binary"
	"testing"
)

// TestMatricesWaitForLanes: an instruction on matrices is executed by all lanes of a warp, also where they come out of a loop one
// after the other, and the loop looks like one that waits for somebody: it loads what others may store.
func TestMatricesWaitForLanes(t *testing.T) {
	const text = matrixHeader + `.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %p; .reg .b32 %i, %n, %v; .reg .b64 %in, %out;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %tid.x; mad.wide.u32 %out, %i, 4, %out; mul.lo.u32 %n, %i, 66;
LOOP:
	setp.eq.u32 %p, %n, 0; @%p bra BEHIND;
	ld.acquire.gpu.global.u32 %v, [%in]; sub.u32 %n, %n, 1; bra LOOP;
BEHIND:
	mad.lo.u32 %v, %i, 0x10000, %i;
	movmatrix.sync.aligned.m8n8.trans.b16 %v, %v;
	st.global.u32 [%out], %v; ret; }`
	want := make([]byte, 4*32)
	for lane := range 32 {
		row, column := lane/4, lane%4*2
		binary.LittleEndian.PutUint16(want[4*lane:], uint16(4*column+row/2))
		binary.LittleEndian.PutUint16(want[4*lane+2:], uint16(4*(column+1)+row/2))
	}
	holdMatrices(t, "movmatrix", text, 1, make([]byte, 4), want)
}
