package flow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// meetHead begins kernels of 32 threads, each of which has a word of out, behind which there are 32 more for all.
const meetHead = `
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<29>; .reg .b64 %rd<4>; .reg .pred %p<9>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r20, [turns]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
`

// holdLanes runs a kernel in all ways, and demands a word of each of its first lanes.
func holdLanes(t *testing.T, text string, lanes int, want func(turns uint32, lane uint32) uint32) {
	t.Helper()
	awaitWays(t, []bool{false, true}, vmtest.Header+text, 64, []uint32{0, 3, 3000}, func(turns uint32, out []uint32) error {
		for lane, got := range out[:lanes] {
			if want := want(turns, uint32(lane)); got != want {
				return fmt.Errorf("lane %d has %d, want %d", lane, got, want)
			}
		}
		return nil
	})
}

// TestBarriersOfWarpAreOnesOfTheirMasks has lanes that meet at a barrier of the warp while another one waits at a barrier of another mask, and lanes of two masks at
// one barrier: a barrier let all go, when all had come that any of them named, or the first.
func TestBarriersOfWarpAreOnesOfTheirMasks(t *testing.T) {
	holdLanes(t, meetHead+`
	setp.gt.u32 %p1, %r1, 2; @%p1 exit;
	setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHERS;
	bar.warp.sync 3; ld.volatile.global.u32 %r2, [%rd1+128]; bra END;
OTHERS:
	bar.warp.sync 6; mov.u32 %r2, 5;
	setp.eq.u32 %p1, %r1, 2; @%p1 bra END;
	mov.u32 %r3, 0;
LATE:	ld.volatile.global.u32 %r4, [%rd1+132]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r20; @%p1 bra LATE;
	st.volatile.global.u32 [%rd1+128], 7; bar.warp.sync 3;
END:	st.global.u32 [%rd2], %r2; ret; }`, 3, func(_, lane uint32) uint32 { return []uint32{7, 5, 5}[lane] })
	holdLanes(t, meetHead+`
	setp.lt.u32 %p1, %r1, 16; selp.b32 %r2, 0xffff, 0xffff0000, %p1;
	setp.ne.u32 %p2, %r1, 31; @%p2 bra MEET;
	mov.u32 %r3, 0;
LATE:	ld.volatile.global.u32 %r4, [%rd1+132]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r20; @%p1 bra LATE;
	st.volatile.global.u32 [%rd1+128], 7;
MEET:	bar.warp.sync %r2;
	ld.volatile.global.u32 %r3, [%rd1+128]; setp.ge.u32 %p1, %r1, 16; selp.b32 %r3, %r3, 1, %p1;
	st.global.u32 [%rd2], %r3; ret; }`, 32, func(_, lane uint32) uint32 { return []uint32{1, 7}[lane/16] })
}

// TestBarriersThatDifferByLane has halves of warps that meet at a barrier each: all lanes of a warp came to the one that its first lane named.
func TestBarriersThatDifferByLane(t *testing.T) {
	module := vmtest.Checked(t, "test.ptx", vmtest.Header+`
.shared .align 4 .b8 s[512];
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
	shr.u32 %r2, %r1, 4; and.b32 %r2, %r2, 1; add.u32 %r2, %r2, 1;
	mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r1;
	barrier.sync %r2, 64;
	xor.b32 %r5, %r1, 96; mad.lo.u32 %r4, %r5, 4, %r3; ld.shared.u32 %r6, [%r4];
	st.global.u32 [%rd2], %r6; ret; }`)
	vmtest.EachModule(t, module, func(p *vmtest.Program) {
		want := make([]uint32, 128)
		for i := range want {
			want[i] = uint32(i ^ 96)
		}
		out := p.Filled("out", len(want), 77)
		p.LaunchDisagreeing("k", 1, len(want), out)
		p.Hold("words", out, want)
	})
}

// halvesOfWarps has the even lanes of all warps meet at one barrier and the odd ones at another; those of the second warp come
// late, when even lanes have ended. Each adds what the lane 32 further on has written, which is at the same barrier.
const halvesOfWarps = vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.shared .align 4 .b8 s[512]; .reg .pred %p; .reg .b32 %i, %n, %b, %v, %w, %a; .reg .b64 %out, %flag;
	ld.param.u64 %flag, [out]; mov.u32 %i, %tid.x; mov.u32 %a, s; mad.lo.u32 %a, %i, 4, %a; mad.wide.u32 %out, %i, 4, %flag;
	mov.u32 %v, 0; st.shared.u32 [%a], %v; setp.lt.u32 %p, %i, LEAVE; @%p bra END;
	and.b32 %b, %i, 1; and.b32 %n, %i, 33; setp.ne.u32 %p, %n, 33; @%p bra STORE;
	mov.u32 %n, 3000;
LATE:
	ld.volatile.global.u32 %w, [%flag+256]; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra LATE;
STORE:
	add.u32 %v, %i, 100; st.shared.u32 [%a], %v; add.u32 %b, %b, 1;
	barrier.sync %b, COUNT;
	xor.b32 %a, %a, 128; ld.shared.u32 %v, [%a];
END:
	st.global.u32 [%out], %v; ret; }`

// TestHalvesOfWarpsAtBarriers: lanes that have ended counted as if they had come, also to a barrier that they have no part in: the odd lanes of
// one warp did not wait for those of the other. Those that end before any barrier count, as numbers of threads are those of whole warps.
func TestHalvesOfWarpsAtBarriers(t *testing.T) {
	for _, c := range []struct {
		name         string
		leave, count int
		body         string
		launch       func(p *vmtest.Program, name string, blocks, threads int, args ...any)
	}{
		{"halves of two warps", 0, 32, halvesOfWarps, (*vmtest.Program).LaunchDisagreeing},
		{"lanes that end before", 9, 64, strings.Replace(halvesOfWarps, "add.u32 %b, %b, 1;", "mov.u32 %b, 3;", 1), (*vmtest.Program).Launch},
	} {
		module := vmtest.Checked(t, "halves.ptx", strings.NewReplacer("LEAVE", fmt.Sprint(c.leave), "COUNT", fmt.Sprint(c.count)).Replace(c.body))
		t.Run(c.name, func(t *testing.T) {
			vmtest.EachModule(t, module, func(p *vmtest.Program) {
				out := p.Filled("out", 65, 0)
				c.launch(p, "k", 1, 64, out)
				var want []uint32
				for i := range 64 {
					x := 0
					if other := i ^ 32; i >= c.leave && other >= c.leave {
						x = other + 100
					}
					want = append(want, uint32(x))
				}
				p.Hold("out", out, want)
			})
		})
	}
}

// TestTeamsAtOneExchangeDoNotAwaitEachOther has two pairs of lanes at one exchange, one of which comes to it when the other is behind it: they became
// one group, each of which waited for all.
func TestTeamsAtOneExchangeDoNotAwaitEachOther(t *testing.T) {
	holdLanes(t, meetHead+`
	setp.gt.u32 %p1, %r1, 3; @%p1 exit;
	setp.lt.u32 %p1, %r1, 2; selp.b32 %r2, 3, 12, %p1;
	setp.ne.u32 %p2, %r1, 3; @%p2 bra FIRST;
SPIN:	ld.volatile.global.u32 %r3, [%rd1+128]; setp.eq.u32 %p3, %r3, 0; @%p3 bra SPIN;
FIRST:	setp.ne.u32 %p2, %r1, 1; @%p2 bra MEET;
	mov.u32 %r4, 0;
LATE:	ld.volatile.global.u32 %r3, [%rd1+132]; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r20; @%p3 bra LATE;
MEET:	shfl.sync.bfly.b32 %r5, %r1, 1, 31, %r2;
	setp.eq.u32 %p2, %r1, 0; @%p2 st.volatile.global.u32 [%rd1+128], 1;
	st.global.u32 [%rd2], %r5; ret; }`, 4, func(_, lane uint32) uint32 { return lane ^ 1 })
}

// TestExchangesMeetByMask has lanes that come to exchanges of one name and one mask at different instructions, in different turns of a loop, and in different calls of a
// function (PTX ISA 9.7.9.6: "have executed shfl.sync with the same qualifiers and same membermask value"). They met only at one instruction, in one turn
// and one call, and computed wrongly, without a word.
func TestExchangesMeetByMask(t *testing.T) {
	swapped := func(_, lane uint32) uint32 { return lane ^ 1 }
	const odd = "and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0;\n"
	t.Run("different instructions", func(t *testing.T) {
		holdLanes(t, meetHead+odd+`@%p1 bra ODD;
	shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1; bra END;
ODD:	shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;
END:	st.global.u32 [%rd2], %r5; ret; }`, 32, swapped)
	})
	t.Run("different guards", func(t *testing.T) {
		holdLanes(t, meetHead+odd+`
	@%p1 shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;
	@!%p1 shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;
	st.global.u32 [%rd2], %r5; ret; }`, 32, swapped)
	})
	t.Run("different kinds of results", func(t *testing.T) {
		holdLanes(t, meetHead+odd+`@%p1 bra ODD;
	match.all.sync.b32 %r5|%p2, 7, -1; selp.b32 %r5, %r5, 0, %p2; bra END;
ODD:	match.all.sync.b32 %r5, 7, -1;
END:	st.global.u32 [%rd2], %r5; ret; }`, 32, func(_, lane uint32) uint32 { return 1<<32 - 1 })
	})
	t.Run("different turns", func(t *testing.T) {
		holdLanes(t, meetHead+`mov.u32 %r2, 0; mov.u32 %r5, 0;
LOOP:	xor.b32 %r3, %r1, %r2; and.b32 %r3, %r3, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra SKIP;
	add.u32 %r4, %r5, %r1;
	shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;
	mad.lo.u32 %r5, %r5, 3, %r4;
SKIP:	add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 6; @%p1 bra LOOP;
	st.global.u32 [%rd2], %r5; ret; }`, 32, func(_, lane uint32) uint32 {
			var sums [2]uint32 // of a pair
			for range 3 {
				for i, other := range []uint32{sums[1], sums[0]} {
					sums[i] = sums[i]*3 + other + (lane&^1 | uint32(1-i))
				}
			}
			return sums[lane&1]
		})
	})
	t.Run("different calls", func(t *testing.T) {
		holdLanes(t, `
.func (.reg .b32 d) swap(.reg .b32 a) { shfl.sync.bfly.b32 d, a, 1, 31, -1; ret; }
`+meetHead+odd+`@%p1 bra ODD;
	call (%r5), swap, (%r1); bra END;
ODD:	call (%r5), swap, (%r1);
END:	st.global.u32 [%rd2], %r5; ret; }`, 32, swapped)
	})
}
