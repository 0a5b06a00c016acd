package accesses

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// wholeKernel ends in one call in most CTAs. Where a bit of the number of the CTA is set it does something else: lanes part, so
// that some end early; a step is executed; the warps meet at a barrier, of which some have ended; a function is called; the
// last one reads outside of all memory. Each thread writes what it finds in local and shared memory, which is 0 where
// a CTA begins, and where it is.
const wholeKernel = vmtest.Header + `
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r; ld.param.b32 %r, [x]; add.u32 %r, %r, %r; st.param.b32 [r], %r; ret; }
.visible .entry k(.param .u64 out, .param .u32 bad) {
	.reg .b32 %r<20>; .reg .b64 %rd<6>; .reg .pred %p<4>; .local .b32 mine; .shared .b32 ours[2];
	ld.param.u64 %rd1, [out]; ld.param.u32 %r18, [bad];
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
	mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1; // the number of the CTA
	mov.u32 %r7, %tid.x; mov.u32 %r8, %ntid.x; mad.lo.u32 %r9, %r6, %r8, %r7; mul.wide.u32 %rd2, %r9, 8; add.u64 %rd2, %rd1, %rd2;
	ld.local.u32 %r10, [mine]; st.local.u32 [mine], %r9; ld.shared.u32 %r11, [ours+4]; 
	shl.b32 %r12, %r1, 16; shl.b32 %r13, %r2, 8; or.b32 %r12, %r12, %r13; or.b32 %r12, %r12, %r3;
	and.b32 %r13, %r6, 1; setp.eq.u32 %p1, %r13, 0; @%p1 bra NEXT; // some end
	and.b32 %r14, %r7, 5; setp.eq.u32 %p2, %r14, 4; @%p2 ret;
NEXT:	and.b32 %r13, %r6, 2; setp.eq.u32 %p1, %r13, 0; @%p1 bra ATOM;
	div.u32 %r15, %r12, %r8; add.u32 %r10, %r10, %r15;
	atom.shared.add.u32 %r16, [ours], 1;
ATOM:	and.b32 %r13, %r6, 4; setp.eq.u32 %p1, %r13, 0; @%p1 bra CALL;
	bar.sync 0;
	ld.shared.u32 %r16, [ours]; add.u32 %r10, %r10, %r16;
CALL:	and.b32 %r13, %r6, 8; setp.eq.u32 %p1, %r13, 0; @%p1 bra END;
	{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r10; call (y), twice, (x); ld.param.b32 %r10, [y]; }
END:	setp.eq.u32 %p3, %r6, %r18; @%p3 ld.global.u32 %r10, [%rd3+4];
	add.u32 %r10, %r10, %r11; st.global.v2.u32 [%rd2], {%r10, %r12}; st.shared.u32 [ours+4], %r9;
	ret;
}`

// TestWholeCTAs runs CTAs one after the other of which most end in one call, and those between them do not: each finds the
// warps as if it were the first.
func TestWholeCTAs(t *testing.T) {
	grid := vm.Grid{Grid: vm.Dim{X: 5, Y: 3, Z: 4}, Block: vm.Dim{X: 70}, Workers: 1}
	const ctas, threads = 60, 70
	for _, bad := range []uint32{ctas, 0, 1, 16, 33, 59} {
		t.Run(fmt.Sprint(bad), func(t *testing.T) {
			var want []byte
			for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
				m := vmtest.LoadOn(t, l, wholeKernel)
				out, _ := m.Memory().Alloc("out", 8*ctas*threads)
				err := vmtest.Kernel(t, m, "k").Launch(t.Context(), grid, out, bad)
				var fault *vm.Fault
				switch {
				case bad == ctas && err != nil, bad < ctas && !errors.As(err, &fault):
					t.Fatalf("%v: %v", l, err)
				case fault != nil && fault.Block != (vm.Dim{X: int(bad) % 5, Y: int(bad) / 5 % 3, Z: int(bad) / 15}):
					t.Errorf("%v: the fault is in block %v", l, fault.Block)
				}
				if want == nil {
					want = append([]byte{}, out.Bytes()...)
				} else if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("%v: differs at byte %d", l, vmtest.FirstDifference(out.Bytes(), want))
				}
			}
			for cta := range int(bad) {
				if word := binary.LittleEndian.Uint32(want[8*cta*threads+4:]); word != uint32(cta%5<<16|cta/5%3<<8|cta/15) {
					t.Fatalf("CTA %d takes itself for %x", cta, word)
				}
			}
		})
	}
}
