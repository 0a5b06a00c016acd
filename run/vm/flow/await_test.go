package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// awaitKernel has a loop of a different length in each thread, in which others could be waited for, and then an exchange of all.
const awaitKernel = `
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %%r<9>; .reg .b64 %%rd<4>; .reg .pred %%p<4>;
	ld.param.u64 %%rd1, [out]; ld.param.u32 %%r1, [turns]; mov.u32 %%r2, %%tid.x; mul.lo.u32 %%r1, %%r1, %%r2;
	mov.u32 %%r3, 0; mov.u32 %%r4, 0; setp.ne.u32 %%p2, %%r2, 99;
LOOP:
	setp.ge.u32 %%p1, %%r3, %%r1; @%%p1 bra DONE;
	ld.volatile.global.u32 %%r5, [%%rd1+128]; add.u32 %%r3, %%r3, 1; add.u32 %%r4, %%r4, %%r2;
	bra LOOP;
DONE:
	xor.b32 %%r6, %%r4, 5; // what is computed before the exchange is kept while it waits
	%s
	xor.b32 %%r5, %%r5, %%r6;
	mul.wide.u32 %%rd2, %%r2, 4; add.s64 %%rd2, %%rd1, %%rd2; st.global.u32 [%%rd2], %%r5;
	ret;
}`

// TestExchangesAwaitMembers lets lanes come to an exchange at different times, as some lose their turns in a loop: those that come first
// wait for the others that they name (PTX ISA 9.7.9.6), and have not ended.
func TestExchangesAwaitMembers(t *testing.T) {
	for _, c := range []struct {
		text string
		d    func(x []uint32, lane int) uint32
	}{
		{"shfl.sync.bfly.b32 %r5, %r4, 16, 31, -1;", func(x []uint32, lane int) uint32 { return x[lane^16] }},
		{"@%p2 shfl.sync.idx.b32 %r5, %r4, 30, 31, -1;", func(x []uint32, _ int) uint32 { return x[30] }},
		{"setp.lt.u32 %p3, %r2, 16; mov.u32 %r5, 0; @%p3 shfl.sync.bfly.b32 %r5, %r4, 8, 31, 0xffff;", func(x []uint32, lane int) uint32 {
			if lane < 16 {
				return x[lane^8]
			}
			return 0
		}},
		{"setp.ge.u32 %p3, %r4, 500; vote.sync.ballot.b32 %r5, %p3, -1;", func(x []uint32, _ int) (d uint32) {
			for lane := range x {
				if x[lane] >= 500 {
					d |= 1 << lane
				}
			}
			return d
		}},
		{"and.b32 %r7, %r2, 3; match.any.sync.b32 %r5, %r7, -1;", func(_ []uint32, lane int) uint32 { return 0x11111111 << (lane & 3) }},
		{"redux.sync.add.u32 %r5, %r4, -1;", func(x []uint32, _ int) (d uint32) {
			for _, v := range x {
				d += v
			}
			return d
		}},
	} {
		t.Run(c.text, func(t *testing.T) {
			module := vmtest.Checked(t, "test.ptx", vmtest.Header+fmt.Sprintf(awaitKernel, c.text))
			for _, run := range []struct {
				turn  int
				turns uint32
				check bool
			}{{0, 100, false}, {0, 100, true}, {40, 30, false}, {7, 3, false}} {
				x := make([]uint32, 32)
				for lane := range x {
					x[lane] = run.turns * uint32(lane*lane)
				}
				want := make([]uint32, 32)
				for lane := range want {
					want[lane] = c.d(x, lane) ^ x[lane] ^ 5
				}
				for _, l := range level.Levels() {
					defer vmtest.WithMachineCode(native.Options{Turn: run.turn})()
					m, err := vm.NewMemory().Load(module, l)
					if err != nil {
						t.Fatal(err)
					}
					out, _ := m.Memory().Alloc("out", 132)
					vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}, Check: run.check}, out, run.turns)
					if got := vmtest.Words(out)[:32]; !slices.Equal(got, want) {
						t.Errorf("%v, turn %d, %d turns a thread: got %d, want %d", l, run.turn, run.turns, got, want)
					}
				}
			}
		})
	}
}

// TestExchangeAwaitsForever has an exchange that waits for lanes, which wait at a barrier for those at the exchange.
func TestExchangeAwaitsForever(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry k() {
	.reg .b32 %r<4>; .reg .pred %p<2>;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 16;
	@%p1 bra MEET;
	bar.sync 0;
MEET:
	shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
	ret;
}`)
	err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}})
	const want = "16 threads (from thread (0, 0, 0) on) wait for others of the warp, "
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "at barrier 0") {
		t.Errorf("got %v, want %q among it", err, want)
	}
}

// TestLanesStayTogether has exchanges without .sync behind a loop of a different length in each thread: no lane loses its turn in a loop in
// which none can wait for others, as none does on the processors that such exchanges are for.
func TestLanesStayTogether(t *testing.T) {
	const text = ".version 6.0\n.target sm_35\n.address_size 64\n" + `
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [turns]; mov.u32 %r2, %tid.x; mul.lo.u32 %r1, %r1, %r2;
	mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2;
	mov.u32 %r3, 0; mov.u32 %r4, 0;
LOOP:
	setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;
	add.u32 %r3, %r3, 1; and.b32 %r5, %r3, 7; mul.wide.u32 %rd3, %r5, 4; add.s64 %rd3, %rd1, %rd3;
	ld.global.u32 %r5, [%rd3]; add.u32 %r4, %r4, %r2; add.u32 %r4, %r4, %r5; // that are 0
	bra LOOP;
DONE:
	vote.ballot.b32 %r5, 1; shfl.bfly.b32 %r6, %r4, 16, 31; xor.b32 %r6, %r6, %r5;
	st.global.u32 [%rd2], %r6;
	ret;
}`
	module := vmtest.Checked(t, "test.ptx", text)
	for _, turn := range []int{0, 40} {
		defer vmtest.WithMachineCode(native.Options{Turn: turn})()
		for _, l := range level.Levels() {
			m, err := vm.NewMemory().Load(module, l)
			if err != nil {
				t.Fatal(err)
			}
			const turns = 100
			out, _ := m.Memory().Alloc("out", 128)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}}, out, uint32(turns))
			for lane, got := range vmtest.Words(out) {
				if other := uint32(lane ^ 16); got != ^(turns * other * other) {
					t.Errorf("%v, turn %d: lane %d gets %d of lane %d, want %d", l, turn, lane, ^got, other, turns*other*other)
				}
			}
			// All that are behind the loop store at once, so the first of them is the one that fails.
			out, _ = m.Memory().Alloc("short", 44)
			err = vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}}, out, uint32(turns))
			if err == nil || !strings.Contains(err.Error(), "thread (11, 0, 0)") {
				t.Errorf("%v, turn %d: got %v, want a fault of thread 11", l, turn, err)
			}
		}
	}
}

// TestLanesWaitForEachOther has loops in which lanes wait for one that stands behind them: it gets its turn.
func TestLanesWaitForEachOther(t *testing.T) {
	for _, look := range []string{
		"ld.global.u32 %r2, [%rd1];", "ld.volatile.global.u32 %r2, [%rd1];", "atom.global.or.b32 %r2, [%rd1], 0;", "call.uni (%r2), look, (%rd1);", "call.uni (%r2), lookLater, (%rd1);",
		// A loop that waits, in one that chooses what for.
		"mov.u32 %r4, 0; EACH: and.b32 %r5, %r4, 4; cvt.u64.u32 %rd2, %r5; add.s64 %rd2, %rd1, %rd2; THIS: ld.global.u32 %r2, [%rd2];" +
			"setp.eq.u32 %p2, %r2, 0; @%p2 bra THIS; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2; @%p2 bra EACH;",
		// A loop that looks at several words in turn.
		"mov.u32 %r4, 0; mov.u32 %r2, 0; EACH: and.b32 %r5, %r4, 4; cvt.u64.u32 %rd2, %r5; add.s64 %rd2, %rd1, %rd2; ld.global.cg.u32 %r5, [%rd2];" +
			"or.b32 %r2, %r2, %r5; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2; @%p2 bra EACH;",
		"mov.u32 %r3, 3; PAUSE: add.u32 %r3, %r3, -1; setp.ne.u32 %p2, %r3, 0; @%p2 bra PAUSE; ld.relaxed.gpu.global.u32 %r2, [%rd1];",
	} {
		module := vmtest.Checked(t, "test.ptx", vmtest.Header+`
.func (.reg .b32 %d) look(.reg .b64 %a) { ld.global.u32 %d, [%a]; ret; }
.func (.reg .b32 %d) lookLater(.reg .b64 %a) {
	.reg .b32 %n; .reg .pred %p;
	mov.u32 %n, 3; PAUSE: add.u32 %n, %n, -1; setp.ne.u32 %p, %n, 0; @%p bra PAUSE; ld.global.u32 %d, [%a]; ret;
}
.visible .entry k(.param .u64 flag) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [flag]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 7; @%p1 bra SET;
SPIN:	`+look+`
	setp.eq.u32 %p3, %r2, 0; @%p3 bra SPIN;
SET:	@%p1 st.volatile.global.u32 [%rd1], 1;
	ret;
}`)
		for _, l := range level.Levels() {
			m, err := vm.NewMemory().Load(module, l)
			if err != nil {
				t.Fatal(err)
			}
			flag, _ := m.Memory().Alloc("flag", 4)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			err = vmtest.Kernel(t, m, "k").Launch(ctx, vm.Grid{Block: vm.Dim{X: 32}}, flag)
			cancel()
			if err != nil {
				t.Errorf("%v, %s: %v", l, look, err)
			}
		}
	}
}

// TestGuardedExchangeAwaitsNobody has a lane at an exchange that it does not execute, for which those wait that it names.
func TestGuardedExchangeAwaitsNobody(t *testing.T) {
	module := vmtest.Checked(t, "test.ptx", vmtest.Header+`
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r4, 0; setp.eq.u32 %p1, %r1, 7; @%p1 bra MEET;
SPIN:	ld.volatile.global.u32 %r2, [%rd1+128]; setp.eq.u32 %p3, %r2, 0; @%p3 bra SPIN;
MEET:	selp.b32 %r3, -1, 0xffffff7f, %p1;
	@!%p1 shfl.sync.idx.b32 %r4, %r1, 5, 31, %r3;
	@%p1 st.volatile.global.u32 [%rd1+128], 1;
	mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r4;
	ret;
}`)
	for _, l := range level.Levels() {
		m, err := vm.NewMemory().Load(module, l)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := m.Memory().Alloc("out", 132)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err = vmtest.Kernel(t, m, "k").Launch(ctx, vm.Grid{Block: vm.Dim{X: 32}}, out)
		cancel()
		if err != nil {
			t.Errorf("%v: %v", l, err)
			continue
		}
		for lane, got := range vmtest.Words(out)[:32] {
			if want := uint32(5); lane == 7 && got != 0 || lane != 7 && got != want {
				t.Errorf("%v: lane %d gets %d", l, lane, got)
			}
		}
	}
}
