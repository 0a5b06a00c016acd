package accesses

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// What machine code has in registers where it leaves, and others go on: random kernels found these, and lost values of
// some lanes. Since then the tests check the registers of all code that is compiled, as Options.CheckRegisters tells.

// sameOnLevels launches a kernel of which the only parameter is memory, and holds that against the first level.
func sameOnLevels(t *testing.T, text string, threads, size int) {
	t.Helper()
	var want []byte
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, vmtest.Header+text)
		out, err := m.Memory().Alloc("out", size)
		if err != nil {
			t.Fatal(err)
		}
		for i := range out.Bytes() {
			out.Bytes()[i] = 0xaa
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, out)
		if want == nil {
			want = bytes.Clone(out.Bytes())
		}
		if at := vmtest.FirstDifference(out.Bytes(), want); at >= 0 {
			t.Errorf("%v: %d threads: byte %d is %#x, want %#x", l, threads, at, out.Bytes()[at], want[at])
		}
	}
}

// passes is a function that returns its last argument, and has its steps executed where it is called.
const passes = `
.func (.param .b64 r) f(.param .b64 x)
{
	.reg .b64 %d;
	ld.param.b64 %d, [x];
	st.param.b64 [r], %d;
	ret;
}
`

// TestNothingIsComputedFromWhatIsNotLoaded: the code of the second block does not read %r18, of which no bit is left, and no
// value of %r9, as nothing is greater than it that is less than 0. Steps do read them, and they could be computed from values
// that nobody loads where the code is entered there. The code is compiled for its check of registers.
func TestNothingIsComputedFromWhatIsNotLoaded(t *testing.T) {
	for _, threads := range []int{2, 64} {
		sameOnLevels(t, `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b32 %r<20>;
	.reg .b64 %d<30>;
	mov.u32 %r0, %tid.y;
	mov.u32 %r2, %ntid.x;
	mul.lo.u32 %r0, %r0, %r2;
	mov.u32 %r2, %tid.x;
	add.u32 %r0, %r0, %r2;
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r1, %r2, 128, %r0;
	ld.param.u64 %d3, [out];
	mad.wide.u32 %d3, %r1, 16, %d3;
	mul.lo.u32 %r18, %r0, 32;
	@%p3 bra L0;
	and.b32 %r18, %r18, 7;
	mad.wide.u32 %d29, %r18, 8, %d3;
	atom.relaxed.gpu.global.xor.b64 %d8, [%d29], 5;
L0:
	ret;
}`, threads, 16*threads)
		sameOnLevels(t, `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b32 %r<10>;
	.reg .b64 %d<4>;
	.reg .f32 %f<2>;
	ld.param.u64 %d0, [out];
	ld.global.f32 %f1, [%d0+28];
	cvt.rzi.u32.f32 %r9, %f1;
	@!%p1 bra L0;
	bra L1;
L0:
	set.hi.s32.u32 %r9, 0, %r9;
L1:
	@%p3 bra L2;
	bra L3;
L2:
	st.global.b32 [%d0+24], %r9;
L3:
	ret;
}`, threads, 64)
	}
}

// TestWideMasksAreSpilled: vset4 is a comparison of bytes, with a bit for each of 64 of them, in front of loops that need all
// mask registers.
func TestWideMasksAreSpilled(t *testing.T) {
	const predicates = 5
	var define, use strings.Builder
	for n := range predicates {
		fmt.Fprintf(&define, "setp.gt.u32 %%p%d, %%r1, %d;\n", n, 7*n)
		fmt.Fprintf(&use, "selp.b32 %%r6, %d, 0, %%p%d; add.u32 %%r5, %%r5, %%r6;\n", 1<<n, n)
	}
	for _, form := range []string{"vset4.s32.s32.lt", "vset4.u32.u32.ge.add", "vset2.s32.u32.lt.add", "vset2.s32.s32.ne", "vmin4.s32.u32.s32", "vabsdiff4.u32.u32.u32.add"} {
		sameOnLevels(t, fmt.Sprintf(`
.visible .entry k(.param .u64 out)
{
	.reg .pred %%q, %%p<%d>;
	.reg .b32 %%r<8>;
	.reg .b64 %%d<3>;
	mov.u32 %%r0, %%tid.x;
	ld.param.u64 %%d0, [out];
	mad.wide.u32 %%d1, %%r0, 4, %%d0;
	ld.global.u32 %%r1, [%%d1];
	mad.lo.u32 %%r1, %%r0, %%r0, %%r1;
	mad.lo.u32 %%r2, %%r1, 0x1234567, %%r0;
	mul.lo.u32 %%r3, %%r2, 0x7654321;
	and.b32 %%r1, %%r1, 127;
	%s
	%s %%r5, %%r2, %%r3, %%r1;
	mov.u32 %%r2, 0;
A:	mov.u32 %%r3, 0;
B:	mov.u32 %%r4, 0;
C:	mov.u32 %%r7, 0;
D:	%s
	add.u32 %%r7, %%r7, 1;
	setp.le.u32 %%q, %%r7, %%r4;
	@%%q bra D;
	add.u32 %%r4, %%r4, 1;
	setp.le.u32 %%q, %%r4, %%r3;
	@%%q bra C;
	add.u32 %%r3, %%r3, 1;
	setp.le.u32 %%q, %%r3, %%r2;
	@%%q bra B;
	add.u32 %%r2, %%r2, 1;
	setp.lt.u32 %%q, %%r2, 2;
	@%%q bra A;
	st.global.u32 [%%d1], %%r5;
	ret;
}`, predicates, define.String(), form, use.String()), 64, 256)
	}
}

// TestStepsReadWhatConstantsOfLanesAreComputedFrom: %r5 & 31 is a constant for each lane, so that the code does not read %r5,
// and steps do that execute the block in its place.
func TestStepsReadWhatConstantsOfLanesAreComputedFrom(t *testing.T) {
	for _, threads := range []int{32, 33, 64, 65} {
		sameOnLevels(t, passes+`
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<8>;
	.reg .b64 %d<8>;
	mov.u32 %r0, %tid.x;
	ld.param.u64 %d0, [out];
	mad.wide.u32 %d4, %r0, 64, %d0;
	mul.lo.u32 %r5, %r0, 5;
	and.b32 %r6, %r5, 511;
	mul.wide.u32 %d1, %r6, 8;
	add.u64 %d1, %d0, %d1;
	ld.global.u64 %d2, [%d1];
	mov.u32 %r1, %laneid;
	and.b32 %r1, %r1, 3;
T:	.branchtargets L0, L1, L2, L2;
	brx.idx %r1, T;
L0:
	and.b32 %r2, %r5, 31;
	cvt.u64.u32 %d3, %r2;
	add.s64 %d3, %d4, %d3;
	st.global.b8 [%d3+16], 0;
	bra L4;
L1:
L2:
	{
	.param .b64 a;
	st.param.b64 [a], %d2;
	.param .b64 b;
	call (b), f, (a);
	ld.param.b64 %d2, [b];
	}
L4:
	ret;
}`, threads, 65*64)
	}
}
