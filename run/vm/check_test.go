package vm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// checkFault is what a report must say.
type checkFault struct {
	kind   vm.FaultKind
	line   int
	thread int // x
	count  int64
	detail string // a part of it
}

// The kernels of this table begin at line 4 with the header below, so that their first instruction is on line 6.
const checkHeader = vmtest.Header + `.visible .entry test(.param .u64 buffer) {
.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .align 16 .b8 s[512]; .local .align 8 .b8 l[16]; ld.param.u64 %d0, [buffer]; mov.u32 %r0, %tid.x;
`

var checkCases = []struct {
	name, text string
	want       []checkFault
}{
	{"nothing wrong", `
	shl.b32 %r1, %r0, 2;
	st.shared.u32 [%r1], %r0;
	bar.sync 0;
	xor.b32 %r1, %r1, 252;
	ld.shared.u32 %r2, [%r1];
	cvt.u64.u32 %d1, %r1;
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], %r2;
	ret;`, nil},
	{"an unset register", `
	setp.eq.u32 %p0, %r0, 7;
	@%p0 mov.u32 %r1, 5;
	mov.u32 %r2, %r1;
	add.u32 %r3, %r2, 1;
	add.u32 %r4, %r2, 1;
	ret;`, []checkFault{{vm.UnsetRegister, 10, 0, 126, "%r2"}}},
	{"an unset register that is only moved", `
	mov.u32 %r2, %r1;
	mov.u32 %r3, %r2;
	ret;`, nil},
	{"an unset condition code", `
	addc.u32 %r1, %r0, 1;
	ret;`, []checkFault{{vm.UnsetRegister, 7, 0, 128, "the condition code is read"}}},
	{"an unset element of a vector", `
	.reg .v2 .b32 %v;
	mov.u32 %v.x, 1;
	add.u32 %r1, %v.x, %v.y;
	ret;`, []checkFault{{vm.UnsetRegister, 9, 0, 128, "%v.y is read"}}},
	{"a register that is set in the first turn of a loop", `
	mov.u32 %r1, 0;
LOOP:
	setp.gt.u32 %p0, %r1, 0;
	@%p0 add.u32 %r3, %r2, 1;
	mov.u32 %r2, 5;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 3;
	@%p1 bra LOOP;
	ret;`, nil},
	{"a register that half of a warp sets in a loop", `
	mov.u32 %r1, 0;
LOOP:
	and.b32 %r3, %r0, 1;
	setp.eq.u32 %p0, %r3, %r1;
	@%p0 bra OTHER;
	mov.u32 %r2, 5;
OTHER:
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 1;
	@%p1 bra LOOP;
	add.u32 %r3, %r2, 1;
	ret;`, []checkFault{{vm.UnsetRegister, 17, 0, 64, "%r2 is read"}}},
	{"an unset guard", `
	@%p1 add.u32 %r1, %r0, 1;
	ret;`, []checkFault{{vm.UnsetRegister, 7, 0, 128, "%p1"}}},
	{"an unset predicate of a branch", `
	@%p1 bra END;
	nanosleep.u32 1;
END:
	ret;`, []checkFault{{vm.UnsetRegister, 7, 0, 128, "%p1"}}},
	{"out of bounds and misaligned, and on", `
	shl.b32 %r1, %r0, 3;
	cvt.u64.u32 %d1, %r1;
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], %r0;
	st.global.u32 [%d0+1], %r0;
	ld.global.u32 %r3, [%d0+2048];
	st.global.u32 [%d0+4], %r3;
	ret;`, []checkFault{
		{vm.OutOfBounds, 10, 32, 64, "right behind the end of buffer (256 bytes"},
		{vm.Misaligned, 11, 0, 128, "offset 1 in buffer"},
		{vm.OutOfBounds, 12, 0, 128, "1792 bytes beyond the end of buffer"}}},
	{"unset shared memory", `
	shl.b32 %r1, %r0, 2;
	setp.lt.u32 %p0, %r0, 60;
	@%p0 st.shared.u32 [%r1], %r0;
	bar.sync 0;
	ld.shared.u32 %r2, [%r1];
	ret;`, []checkFault{{vm.UnsetMemory, 11, 60, 8, "byte 240 of the shared memory of the CTA"}}},
	{"unset local memory", `
	mov.u64 %d1, l;
	st.local.u32 [%d1], %r0;
	ld.local.u32 %r1, [%d1];
	ld.local.v2.u32 {%r1, %r2}, [%d1];
	ret;`, []checkFault{{vm.UnsetMemory, 10, 0, 128, "byte 4 of the local memory"}}},
	{"unset memory that is masked out", `
	ld.local.u32 %r1, [l];
	and.b32 %r1, %r1, 0;
	or.b32 %r1, %r1, %r0;
	st.local.u32 [l], %r1;
	st.local.u8 [l+9], %r0;
	ld.local.u32 %r1, [l+8];
	bfe.u32 %r2, %r1, 8, 8;
	ld.local.u32 %r1, [l+8];
	shr.u32 %r1, %r1, 8;
	and.b32 %r1, %r1, 255;
	ld.local.u32 %r1, [l+8];
	and.b32 %r1, %r1, 511;
	ld.local.s8 %r1, [l+8];
	shr.s32 %r1, %r1, 31;
	ld.local.u32 %r1, [l+8];
	shr.u32 %r1, %r1, 16;
	and.b32 %r1, %r1, 255;
	st.local.u32 [l+12], %r0;
	ld.local.b64 %d1, [l+8];
	mov.b64 {%r2, %r1}, %d1;
	and.b32 %r2, %r2, 0;
	ld.local.u32 %r1, [l+8];
	or.b32 %r1, %r1, 0xffff00ff;
	ret;`, []checkFault{
		{vm.UnsetMemory, 12, 0, 128, "byte 8 of the local memory"}, // bfe is not looked into
		{vm.UnsetMemory, 17, 0, 128, "byte 8 of the local memory"},
		{vm.UnsetMemory, 19, 0, 128, "byte 8 of the local memory"},
		{vm.UnsetMemory, 21, 0, 128, "byte 10 of the local memory"}}},
	{"unset memory that goes round a loop, masked", `
	mov.u32 %r1, 0;
	ld.local.b64 %d1, [l];
LOOP:
	and.b64 %d1, %d1, -65536;
	shr.u64 %d1, %d1, 16;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p0, %r1, 3;
	@%p0 bra LOOP;
	cvt.u32.u64 %r2, %d1;
	st.global.u32 [%d0], %r2;
	ret;`, []checkFault{{vm.UnsetMemory, 8, 0, 128, "byte 2 of the local memory"}}},
	{"a race of a writer and readers", `
	shl.b32 %r1, %r0, 2;
	st.shared.u32 [%r1], %r0;
	xor.b32 %r2, %r1, 128;
	ld.shared.u32 %r3, [%r2];
	ret;`, []checkFault{ // warp 0 comes to its end before warp 1 begins: it reads what is not written yet
		{vm.Race, 8, 32, 64, "thread (0, 0, 0) of another warp has read it at line 10"},
		{vm.UnsetMemory, 10, 0, 64, "byte 128 of the shared memory"},
		{vm.Race, 10, 32, 64, "thread (0, 0, 0) of another warp has written it at line 8"}}},
	{"a race of two writers", `
	shr.u32 %r1, %r0, 5;
	st.shared.u32 [0], %r1;
	ret;`, []checkFault{{vm.Race, 8, 32, 2, "has written it at line 8"}}},
	{"a race of readers and a writer after them", `
	shl.b32 %r1, %r0, 2;
	st.shared.u32 [%r1], %r0;
	bar.sync 0;
	ld.shared.u32 %r3, [0];
	setp.eq.u32 %p0, %r0, 40;
	@%p0 st.shared.u32 [0], %r0;
	ret;`, []checkFault{{vm.Race, 12, 40, 2, "thread (0, 0, 0) of another warp has read it at line 10"}}}, // of a warp's reads of a word, the first lane's is remembered
	{"no race within a warp that goes together", `
	and.b32 %r4, %r0, 32;
	shl.b32 %r4, %r4, 2;
	st.shared.u32 [%r4], %r4;
	ld.shared.u32 %r3, [%r4];
	st.shared.u32 [%r4], %r3;
	ret;`, nil},
	{"no race of bytes side by side", `
	st.shared.u8 [%r0], %r0;
	ld.shared.u8 %r1, [%r0];
	ret;`, nil},
	{"atomic operations do not race, but do not order either", `
	setp.eq.u32 %p0, %r0, 0;
	@%p0 st.shared.u32 [0], 0;
	bar.sync 0;
	atom.shared.add.u32 %r1, [0], 1;
	atom.shared.add.u32 %r1, [0], 1;
	setp.eq.u32 %p0, %r0, 33;
	@%p0 ld.shared.u32 %r2, [0];
	ret;`, []checkFault{{vm.Race, 13, 33, 2, "has written it"}}},
	{"a barrier for part of the threads orders those", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	st.shared.u32 [0], 5;
	bar.arrive 1, 64;
	ret;
SECOND:
	bar.sync 1, 64;
	ld.shared.u32 %r2, [0];
	ret;`, nil},
	{"a flag with fences orders", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	st.shared.u32 [0], 5;
	membar.cta;
	st.volatile.shared.u32 [4], 1;
	ret;
SECOND:
	ld.volatile.shared.u32 %r2, [4];
	setp.ne.u32 %p1, %r2, 1;
	@%p1 bra SECOND;
	membar.cta;
	ld.shared.u32 %r2, [0];
	ret;`, []checkFault{}},
	{"a flag without fences does not", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	st.shared.u32 [0], 5;
	st.volatile.shared.u32 [4], 1;
	ret;
SECOND:
	ld.volatile.shared.u32 %r2, [4];
	setp.ne.u32 %p1, %r2, 1;
	@%p1 bra SECOND;
	ld.shared.u32 %r2, [0];
	ret;`, []checkFault{{vm.Race, 16, 32, 64, "has written it at line 9"}}},
	{"release and acquire order", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	st.shared.u32 [0], 5;
	st.release.cta.shared.u32 [4], 1;
	ret;
SECOND:
	ld.acquire.cta.shared.u32 %r2, [4];
	setp.ne.u32 %p1, %r2, 1;
	@%p1 bra SECOND;
	ld.shared.u32 %r2, [0];
	ret;`, nil},
	{"threads that return before a barrier", `
	setp.ge.u32 %p0, %r0, 40;
	@%p0 bra END;
	bar.sync 0;
END:
	ret;`, nil}, // those that have ended are not waited for (PTX ISA 9.7.12.6, exit)
	{"two barriers for one", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra OTHER;
	bar.sync 0;
	ret;
OTHER:
	bar.sync 0;
	ret;`, []checkFault{{vm.PartialBarrier, 0, -1, 2, "32 threads are at this barrier"}}},
	{"one instruction stores different values at one address", `
	and.b32 %r1, %r0, 32;
	st.shared.u32 [%r1], %r0;
	ret;`, []checkFault{{vm.WarpRace, 8, 1, 124, "thread (0, 0, 0) of the same warp writes another value there with the same instruction"}}},
	{"one instruction stores the same value", `
	and.b32 %r1, %r0, 32;
	st.shared.u32 [%r1], 7;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], 7;
	ret;`, nil},
	{"one instruction stores different vectors in global memory", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
	st.global.v2.u32 [%d1], {7, %r2};
	ret;`, []checkFault{{vm.WarpRace, 11, 1, 124, "thread (0, 0, 0) of the same warp writes another value"}}},
	{"threads that have parted", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	st.shared.u32 [%r1], 1;
	@%p0 bra EVEN;
	st.shared.u32 [%r1], 2;
	bra.uni END;
EVEN:
	ld.shared.u32 %r3, [%r1];
END:
	ret;`, []checkFault{{vm.WarpRace, 15, 0, 64, "thread (1, 0, 0) of the same warp has written it at line 12, and they have not met in between"}}},
	{"threads that have parted and store the same value", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra EVEN;
	st.shared.u32 [%r1], 2;
	bra.uni END;
EVEN:
	st.shared.u32 [%r1], 2;
END:
	ret;`, nil},
	{"threads that have parted and met", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra MET;
	st.shared.u32 [%r1], 2;
MET:
	@!%p0 bra END;
	ld.shared.u32 %r3, [%r1];
END:
	ret;`, nil},
	{"threads that have parted and met at a barrier of the warp", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra EVEN;
	st.shared.u32 [%r1], 2;
	bar.warp.sync -1;
	bra.uni END;
EVEN:
	bar.warp.sync -1;
	ld.shared.u32 %r3, [%r1];
END:
	ret;`, nil},
	{"threads that have parted and use atomic operations", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	st.shared.u32 [%r1], 0;
	@%p0 bra EVEN;
	atom.shared.add.u32 %r3, [%r1], 2;
	bra.uni END;
EVEN:
	atom.shared.add.u32 %r3, [%r1], 2;
END:
	ret;`, nil},
	{"a guard does not part threads", `
	and.b32 %r1, %r0, 32;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 st.shared.u32 [%r1], 1;
	@!%p0 ld.shared.u32 %r3, [%r1];
	ret;`, nil},
	{"a race of warps in global memory", `
	mov.u32 %r4, %ctaid.x;
	mul.wide.u32 %d1, %r4, 128;
	add.u64 %d1, %d1, %d0;
	setp.eq.u32 %p0, %r0, 0;
	@%p0 st.global.u32 [%d1], 1;
	setp.eq.u32 %p0, %r0, 40;
	@%p0 ld.global.u32 %r3, [%d1];
	bar.sync 0;
	setp.eq.u32 %p0, %r0, 50;
	@%p0 ld.global.u32 %r3, [%d1];
	ret;`, []checkFault{{vm.Race, 13, 40, 2, "thread (0, 0, 0) of another warp has written it at line 11"}}},
	{"a block reads what another has written", `
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p0, %r1, 0;
	@%p0 st.global.u32 [%d0+8], 5;
	@!%p0 ld.global.u32 %r2, [%d0+8];
	ret;`, []checkFault{{vm.BlockRace, 10, 0, -1, "thread (32, 0, 0) of block (0, 0, 0) has written it at line 9, and no fences put the blocks in order"}}},
	{"a block writes what another has read", `
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p0, %r1, 0;
	@!%p0 st.global.u8 [%d0+9], 5;
	@%p0 ld.global.u32 %r2, [%d0+8];
	ret;`, []checkFault{{vm.BlockRace, 9, 32, -1, "thread (0, 0, 0) of block (0, 0, 0) has read it at line 10"}}},
	{"blocks write different values", `
	mov.u32 %r1, %ctaid.x;
	st.global.u32 [%d0], %r1;
	ret;`, []checkFault{{vm.BlockRace, 8, 32, -1, "thread (32, 0, 0) of block (0, 0, 0) has written it at line 8"}}},
	{"blocks write the same value", `
	st.global.u32 [%d0], 1;
	ret;`, nil},
	{"blocks write bytes side by side", `
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r1, %r2, 63, %r0;
	cvt.u64.u32 %d1, %r1;
	add.u64 %d1, %d1, %d0;
	setp.lt.u32 %p0, %r0, 63;
	@%p0 st.global.u8 [%d1], %r1;
	@%p0 ld.global.u8 %r2, [%d1];
	ret;`, nil},
	{"blocks use atomic operations", `
	red.global.add.u32 [%d0], 1;
	atom.global.exch.b32 %r1, [%d0+4], %r0;
	ld.volatile.global.u32 %r2, [%d0];
	ret;`, nil},
	{"a block reads what another counts", `
	red.global.add.u32 [%d0], 1;
	bar.sync 0;
	ld.global.u32 %r2, [%d0];
	ret;`, []checkFault{{vm.BlockRace, 9, 0, -1, "of block (0, 0, 0) has written it at line 7"}}},
	{"the last block reads what others have written before their fences", `
	mov.u32 %r1, %ctaid.x;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra END;
	st.global.u32 [%d1+4], %r1;
	membar.gl;
	atom.global.add.u32 %r2, [%d0], 1;
	setp.ne.u32 %p0, %r2, 1;
	@%p0 bra END;
	membar.gl;
	ld.global.u32 %r3, [%d0+4];
	ld.global.u32 %r4, [%d0+8];
END:
	ret;`, nil},
	{"a fence of the block orders no others", `
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p0, %r1, 0;
	@!%p0 st.global.u32 [%d0+8], 7;
	membar.cta;
	@%p0 ld.global.u32 %r2, [%d0+8];
	ret;`, []checkFault{{vm.BlockRace, 11, 0, -1, "has written it at line 9"}}},
	{"a shuffle from threads that have parted", `
	and.b32 %r1, %r0, 3;
	setp.eq.u32 %p0, %r1, 3;
	@%p0 bra END;
	shfl.sync.down.b32 %r2, %r0, 1, 31, -1;
END:
	ret;`, []checkFault{{vm.InactiveLane, 10, 2, 32, "lane 3, whose value it takes, is not active"}}},
	{"a shuffle from a lane that is not in the mask", `
	and.b32 %r1, %r0, 31;
	setp.ge.u32 %p0, %r1, 16;
	@%p0 bra END;
	shfl.sync.bfly.b32 %r2, %r0, 16, 31, 0xffff;
END:
	ret;`, []checkFault{{vm.InactiveLane, 10, 0, 64, "lane 16, whose value it takes, is not active or not in the member mask"}}},
	{"a mask that names threads that have parted", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 bra ODD;
	vote.sync.ballot.b32 %r2, %p0, -1;
	ret;
ODD:
	match.any.sync.b32 %r3, %r1, 0xaaaaaaaa;
	ret;`, []checkFault{{vm.MissingLane, 10, 0, 64, "it names lane 1, which does not execute this instruction with the others"}}},
	{"a mask that names threads under a guard", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 vote.sync.ballot.b32 %r2, %p0, -1;
	@!%p0 match.any.sync.b32 %r2, %r1, 0x55555555;
	ret;`, []checkFault{{vm.MissingLane, 9, 1, 64, "it names lane 0"}}},
	{"a mask that names threads that end at an exchange of another mask", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 vote.sync.ballot.b32 %r2, %p0, -1;
	@!%p0 vote.sync.ballot.b32 %r2, %p0, 0x55555555;
	ret;`, nil},
	{"a mask that names threads that go to their end", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 bra END;
	vote.sync.ballot.b32 %r2, %p0, -1;
END:
	st.local.u32 [l], %r1;
	ret;`, nil},
	{"a mask that names threads that have ended", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 exit;
	vote.sync.ballot.b32 %r2, %p0, -1;
	match.any.sync.b32 %r2, %r1, -1;
	redux.sync.add.u32 %r2, %r1, -1;
	shfl.sync.idx.b32 %r2, %r0, 0, 31, -1;
	ret;`, nil},
	{"a shuffle from threads that have ended", `
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p0, %r1, 1;
	@%p0 exit;
	shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;
	ret;`, []checkFault{{vm.InactiveLane, 10, 0, 64, "lane 1, whose value it takes"}}},
	{"a mask without the thread itself", `
	vote.sync.any.pred %p0, 1, 0xfffffffe;
	ret;`, []checkFault{{vm.MissingLane, 7, 0, 4, "it does not name the thread itself"}}},
	{"a trap ends the launch", `
	add.u32 %r1, %r1, 1;
	trap;`, []checkFault{{vm.UnsetRegister, 7, 0, -1, ""}, {vm.Trap, 8, 0, -1, ""}}},
}

func TestCheck(t *testing.T) {
	for _, test := range checkCases {
		t.Run(test.name, func(t *testing.T) {
			m := vmtest.Load(t, checkHeader+test.text+"\n}")
			buffer, _ := m.Memory().Alloc("buffer", 256)
			err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 64}, Workers: 1, Check: true}, buffer)
			if len(test.want) == 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			found, ok := errors.AsType[*vm.CheckError](err)
			if !ok || len(found.Reports) != len(test.want) {
				t.Fatalf("got %v, want %d reports", err, len(test.want))
			}
			for i, want := range test.want {
				got := found.Reports[i]
				if got.Kind != want.kind || want.line != 0 && got.Line != want.line || want.thread >= 0 && got.Thread.X != want.thread ||
					want.count >= 0 && got.Count != want.count || !strings.Contains(got.Detail, want.detail) || want.count >= 0 && got.Block != (vm.Dim{}) {
					t.Errorf("got %+v\n%v\nwant %+v", got.Fault, got, want)
				}
				if got.Kernel != "test" || got.File != "test.ptx" {
					t.Errorf("kernel %q file %q", got.Kernel, got.File)
				}
			}
		})
	}
}

// A write to constant memory is reported, and not made.
func TestCheckConstants(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.const .u32 table = 7;
.visible .entry test() {
	.reg .b64 %d;
	cvta.const.u64 %d, table;
	st.u32 [%d], 8;
	ret;
}`)
	err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Check: true})
	fault, ok := errors.AsType[*vm.Fault](err)
	if !ok || fault.Kind != vm.WriteToConst || !strings.Contains(fault.Detail, "table") {
		t.Errorf("got %v", err)
	}
	if table, _ := m.Variable("table"); vmtest.Get(table.Bytes(), 0, 32) != 7 {
		t.Error("the constant has changed")
	}
}

// A buffer that is marked unset is set by what kernels write, also for the next launch; after a launch without
// checks nothing is known to be unset.
func TestCheckUnsetBuffer(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry test(.param .u64 buffer, .param .u32 write, .param .u32 read) {
	.reg .b64 %d<4>; .reg .b32 %r<4>;
	ld.param.u64 %d0, [buffer];
	ld.param.u32 %r0, [write];
	ld.param.u32 %r1, [read];
	cvt.u64.u32 %d1, %r0;
	add.u64 %d1, %d0, %d1;
	cvt.u64.u32 %d2, %r1;
	add.u64 %d2, %d0, %d2;
	st.global.u16 [%d1], 1;
	ld.global.u32 %r2, [%d2];
	ret;
}`)
	k := vmtest.Kernel(t, m, "test")
	buffer, _ := m.Memory().Alloc("out", 256)
	buffer.MarkUnset()
	run := func(checks bool, write, read int) error {
		return k.Launch(context.Background(), vm.Grid{Check: checks}, buffer, write, read)
	}
	err := run(true, 60, 60)
	if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.UnsetMemory || fault.Detail != "byte 62 of out has not been written" {
		t.Errorf("got %v, want byte 62", err)
	}
	if err := run(true, 62, 60); err != nil {
		t.Errorf("written by now: %v", err)
	}
	if err := run(true, 100, 60); err != nil {
		t.Error(err)
	}
	if err := run(true, 102, 100); err != nil {
		t.Errorf("written by two launches: %v", err)
	}
	if err := run(true, 0, 200); err == nil {
		t.Error("never written, and no report")
	}
	if err := run(false, 0, 240); err != nil {
		t.Error(err)
	}
	if err := run(true, 0, 240); err != nil {
		t.Errorf("after a launch without checks: %v", err)
	}
}

// Arguments and results of functions are set; other parameters and variables of a function are not, and a
// recursion that does not end is reported.
func TestCheckCalls(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.func (.param .b32 result) twice(.param .b32 x) {
	.reg .b32 %r<3>; .local .align 4 .b8 l[8];
	ld.param.b32 %r0, [x];
	add.u32 %r1, %r0, %r0;
	st.param.b32 [result], %r1;
	ret;
}
.func (.param .b32 result) forgets(.param .b32 x) {
	ret;
}
.func endless() {
	call endless, ();
	ret;
}
.visible .entry good() {
	.reg .b32 %r<3>; .param .b32 x; .param .b32 y;
	mov.u32 %r0, %tid.x;
	st.param.b32 [x], %r0;
	call (y), twice, (x);
	ld.param.b32 %r1, [y];
	st.param.b32 [x], %r1;
	call (y), twice, (x);
	ld.param.b32 %r1, [y];
	ret;
}
.visible .entry bad() {
	.reg .b32 %r<3>; .param .b32 x; .param .b32 y;
	st.param.b32 [x], 1;
	call (y), forgets, (x);
	ld.param.b32 %r1, [y];
	call endless, ();
	ret;
}`)
	grid := vm.Grid{Block: vm.Dim{X: 40}, Check: true}
	if err := vmtest.Kernel(t, m, "good").Launch(context.Background(), grid); err != nil {
		t.Error(err)
	}
	err := vmtest.Kernel(t, m, "bad").Launch(context.Background(), grid)
	found, ok := errors.AsType[*vm.CheckError](err)
	if !ok || len(found.Reports) != 2 || found.Reports[0].Kind != vm.RecursionOverflow || found.Reports[1].Kind != vm.UnsetMemory || found.Reports[1].Count != 40 {
		t.Errorf("got %v", err)
	}
}

// A message of a check names the place, the thread, the access and the count.
func TestCheckMessage(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.file 1 "scale.cu"
.visible .entry test(.param .u64 buffer) {
	.reg .b64 %d<2>; .reg .b32 %r;
	ld.param.u64 %d0, [buffer];
	.loc 1 17 3
	ld.global.u32 %r, [%d0+62];
	ret;
}`)
	buffer, _ := m.Memory().Alloc("weights", 64)
	err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}, Check: true}, buffer)
	want := "test.ptx:10:2: kernel test: ld.global.u32 of 4 bytes out of bounds at 0x1000003e, block (0, 0, 0) thread (0, 0, 0): " +
		"the last 2 bytes are beyond the end of weights (64 bytes at 0x10000000) (from scale.cu:17:3) (3 times)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestCheckReportsInTheOrderOfTheText reads an unset register twice. The report was at the second place on some
// levels.
func TestCheckReportsInTheOrderOfTheText(t *testing.T) {
	c := vmtest.Trial{Kernel: "test", Text: checkHeader + `
	setp.gt.and.f64 %p3, 0d0000000000000000, 0d0000000000000000, %p2;
	selp.b32 %r1, 2, 3, %p2;
	ret;
}`, Grid: vm.Grid{Block: vm.Dim{X: 64}}, Args: []any{make([]byte, 256)}}
	m, err := c.Checked()
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range level.Levels() {
		_, err := c.Run(m, vmtest.Way{Level: level, Workers: 1, Check: true})
		found, ok := errors.AsType[*vm.CheckError](err)
		if !ok || len(found.Reports) != 1 || found.Reports[0].Line != 7 {
			t.Errorf("%v: got %v, want one report, in line 7", level, err)
		}
	}
}

// TestCheckGuardedPartsReadNothing has guarded instructions that are several operations here, of which the first ones have
// no guard: threads whose guard fails were reported to read what is unset.
func TestCheckGuardedPartsReadNothing(t *testing.T) {
	for _, code := range []string{
		"setp.gt.xor.u32 %p2, 0, %r1, %p0", "setp.gt.u32 %p2|%p3, 0, %r1", "mad24.lo.u32 %r2, %r1, 3, 4",
		"set.lt.u32.u32 %r2, %r1, 3", "cvt.u32.u64 %r2, %d1", "mov.b64 {%r2, %r3}, %d1", "cvt.u16.s8 %r2, %r1",
	} {
		m := vmtest.Load(t, checkHeader+"\n\tsetp.lt.u32 %p0, %r0, 7; @%p0 mov.u32 %r1, 5; @%p0 mov.u64 %d1, 5;\n\t@%p0 "+code+";\n\tret;\n}")
		buffer, _ := m.Memory().Alloc("buffer", 256)
		if err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 64}, Check: true}, buffer); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}
