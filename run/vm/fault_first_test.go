package vm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// toldFault is the fault that a launch is to tell.
type toldFault struct {
	kind   vm.FaultKind
	line   int
	block  int
	thread int
}

// launchToFault runs a kernel k(out) on all levels, with turns of several lengths, and holds what it tells against want, and what
// it leaves in out. It does so with checks, too, if they do not go on after such a fault.
func launchToFault(t *testing.T, text string, grid vm.Grid, want toldFault, leaves func(out []uint32) error) {
	t.Helper()
	module := vmtest.Checked(t, "test.ptx", text)
	checks := 2
	if want.kind <= vm.Misaligned {
		checks = 1
	}
	for _, l := range level.Levels() {
		for _, turn := range []int{0, 1, 40} {
			for _, check := range []bool{false, true}[:checks] {
				grid.Check, grid.Workers = check, 1
				restore := vmtest.WithMachineCode(native.Options{Turn: turn})
				m, err := vm.NewMemory().Load(module, l)
				if err != nil {
					t.Fatal(err)
				}
				out, _ := m.Memory().Alloc("out", 4096)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				err = vmtest.Kernel(t, m, "k").Launch(ctx, grid, out)
				cancel()
				restore()
				got, where := toldFault{}, fmt.Sprintf("%v, turn %d, check %v", l, turn, check)
				var fault *vm.Fault
				if errors.As(err, &fault) {
					got = toldFault{fault.Kind, fault.Line, fault.Block.X, fault.Thread.X}
				}
				if got != want {
					t.Errorf("%s: got %+v (%v), want %+v", where, got, err, want)
				}
				if leaves == nil {
					continue
				}
				if err := leaves(vmtest.Words(out)); err != nil {
					t.Errorf("%s: %v", where, err)
				}
			}
		}
	}
}

// line returns the number of the line of a text that has a mark.
func line(text, mark string) int { return 1 + strings.Count(text[:strings.Index(text, mark)], "\n") }

// TestFaultIsTheFirstThreads: of threads that fail the first one's fault is told, be others the first to come to theirs, as they lose
// no turns in loops in which they may wait, or stand before it in the text.
func TestFaultIsTheFirstThreads(t *testing.T) {
	turns := func(index, count string) string {
		return vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
	` + index + `
	mul.lo.u32 %r2, %r2, ` + count + `; and.b32 %r2, %r2, 0x7ff; mov.u32 %r3, 0;
WAIT:
	ld.relaxed.gpu.global.u32 %r4, [%rd1];
	add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra WAIT;
	st.global.u32 [%rd1+0x40000], %r3; // bad
	ret;
}`
	}
	ways := vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bra LOW;
	trap;
LOW:
	setp.ne.u32 %p1, %r1, 5; @%p1 bra LAST;
	st.global.u32 [%rd1+0x40000], %r1; // bad
LAST:
	setp.ne.u32 %p1, %r1, 3; @%p1 bra END;
	ld.global.u32 %r2, [%rd1+1]; // bad, too
END:
	ret;
}`
	for _, c := range []struct {
		name, text string
		threads    int
		kind       vm.FaultKind
		mark       string
		thread     int
	}{
		{"the last turns", turns("sub.u32 %r2, 31, %r1;", "66"), 32, vm.OutOfBounds, "// bad", 0},
		{"the first turns", turns("mov.u32 %r2, %r1;", "66"), 33, vm.OutOfBounds, "// bad", 0},
		{"the last warp", turns("shr.u32 %r2, %r1, 5; sub.u32 %r2, 3, %r2;", "640"), 128, vm.OutOfBounds, "// bad", 0},
		{"other ways", ways, 64, vm.Misaligned, "// bad, too", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			launchToFault(t, c.text, vm.Grid{Block: vm.Dim{X: c.threads}}, toldFault{c.kind, line(c.text, c.mark), 0, c.thread}, nil)
		})
	}
}

// TestFaultLetsOthersGoOn has instructions in which some lanes fail: the others do what they would without them.
func TestFaultLetsOthersGoOn(t *testing.T) {
	for _, c := range []struct {
		name, fails string
		kind        vm.FaultKind
		failing     func(lane int) bool
		adds        bool // to the first word
	}{
		{"store", "@%p1 st.global.u32 [%rd1+0x40000], %r1;", vm.OutOfBounds, nil, false},
		{"load", "selp.b64 %rd2, 0x40000, 0, %p1; add.u64 %rd2, %rd1, %rd2; ld.global.u32 %r5, [%rd2];", vm.OutOfBounds, nil, false},
		{"atomic", "selp.b64 %rd2, 0x40000, 0, %p1; add.u64 %rd2, %rd1, %rd2; atom.global.add.u32 %r5, [%rd2], 1;", vm.OutOfBounds, nil, true},
		{"atomic step", "selp.b64 %rd2, 0x40000, 0, %p1; add.u64 %rd2, %rd1, %rd2; atom.global.inc.u32 %r5, [%rd2], 1000;", vm.OutOfBounds, nil, true},
		{"trap", "@%p1 trap;", vm.Trap, nil, false},
		{"switch", "selp.b32 %r5, 9, 0, %p1; and.b32 %r6, %r1, 1; or.b32 %r5, %r5, %r6; brx.idx %r5, L;", vm.Trap, nil, false},
		{"call", "mov.u64 %rd2, f; selp.b64 %rd2, 8, %rd2, %p1; call %rd2, p;", vm.Trap, nil, false},
		{"barrier", "selp.b32 %r5, 77, 1, %p1; barrier.arrive %r5, 64;", vm.Trap, nil, false},
		{"all of a half", "@%p2 trap;", vm.Trap, func(lane int) bool { return lane < 16 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			failing := c.failing
			if failing == nil {
				failing = func(lane int) bool { return lane%5 == 3 }
			}
			text := vmtest.Header + `
.func f() { ret; }
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; rem.u32 %r2, %r1, 5; setp.eq.u32 %p1, %r2, 3; setp.lt.u32 %p2, %r1, 16;
	mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3; add.u32 %r7, %r1, 100;
	p: .callprototype _ ();
	L: .branchtargets A, B;
	` + c.fails + ` // bad
A:	st.global.u32 [%rd3+1024], %r7;
B:	st.global.u32 [%rd3+2048], %r7;
	ret;
}`
			first := 0
			for !failing(first) {
				first++
			}
			leaves := func(out []uint32) error {
				count := uint32(0)
				for lane := range 32 {
					want := uint32(0)
					if !failing(lane) {
						want, count = uint32(lane+100), count+1
					}
					if got := out[512+lane]; got != want {
						return fmt.Errorf("thread %d leaves %d, want %d", lane, got, want)
					}
				}
				if !c.adds {
					count = 0
				}
				if out[0] != count {
					return fmt.Errorf("%d atomic operations, want %d", out[0], count)
				}
				return nil
			}
			launchToFault(t, text, vm.Grid{Block: vm.Dim{X: 32}}, toldFault{c.kind, line(text, "// bad"), 0, first}, leaves)
		})
	}
}

// TestFaultInRow has rows of CTAs, in which warps fail, some of their lanes: of the first such CTA the first thread's fault is told, in whichever order
// the warps go through the row, and all that has been asked for has been done in the CTAs before it.
func TestFaultInRow(t *testing.T) {
	text := vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r1; mov.u32 %r2, %ctaid.x;
	mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
	mad.lo.u32 %r4, %r2, 2, %r1; and.b32 %r4, %r4, 63; setp.eq.u32 %p1, %r4, 60; setp.ge.and.u32 %p1, %r2, 10, %p1;
	@%p1 trap; // bad: threads 40 and 104 of CTA 10, the first warp's first one of CTA 15
	setp.ne.u32 %p2, %r1, 100; @%p2 ret;
	st.global.u32 [%rd3], 1;
	ret;
}`
	for _, block := range []vm.Dim{{X: 32, Y: 4}, {X: 128, Y: 1}, {X: 16, Y: 8}} {
		for _, grid := range []int{11, 16, 30} {
			launchToFault(t, text, vm.Grid{Grid: vm.Dim{X: grid}, Block: block}, toldFault{vm.Trap, line(text, "// bad"), 10, 40 % block.X}, func(out []uint32) error {
				for n := range 10 {
					if out[n] != 1 {
						return fmt.Errorf("block %v, grid %d: CTA %d has not ended", block, grid, n)
					}
				}
				return nil
			})
		}
	}
}

// TestFaultEndsThreadsThatWait: threads before the one that fails wait for it in a loop.
func TestFaultEndsThreadsThatWait(t *testing.T) {
	defer vmtest.WithGrace(0)()
	text := vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 40;
	@%p1 trap; // bad
WAIT:
	ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT;
	ret;
}`
	launchToFault(t, text, vm.Grid{Block: vm.Dim{X: 64}}, toldFault{vm.Trap, line(text, "// bad"), 0, 40}, nil)
}

// TestFaultGivesFramesBack has warps whose recursion does not end, and one that is right and comes to the same function later: those that have failed
// do not keep what it needs, the registers of a block's calls.
func TestFaultGivesFramesBack(t *testing.T) {
	var set, used strings.Builder
	for i := 10; i < 250; i++ {
		fmt.Fprintf(&set, "mad.lo.u32 %%r%d, %%r1, %d, %d;\n", i, 7*i+1, i)
		fmt.Fprintf(&used, "xor.b32 %%r3, %%r3, %%r%d; mul.lo.u32 %%r3, %%r3, %%r1;\n", i)
	}
	text := vmtest.Header + `
.func (.param .b32 o) deep(.param .b32 i) {
	.reg .b32 %r<260>; .reg .pred %p<3>;
	ld.param.b32 %r1, [i]; mov.u32 %r3, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra END;
	` + set.String() + ` sub.u32 %r2, %r1, 1;
	{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2;
	call (y), deep, (x); // bad
	ld.param.b32 %r3, [y]; }
	` + used.String() + `
END:	st.param.b32 [o], %r3; ret;
}
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, 5000; setp.ge.u32 %p1, %r1, 32; @%p1 bra GO;
	mov.u32 %r3, 800;
WAIT:
	ld.relaxed.gpu.global.u32 %r4, [%rd1]; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 200000; @%p2 bra WAIT;
GO:
	{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), deep, (x); ld.param.b32 %r5, [y]; }
	or.b32 %r5, %r5, 1; mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r5; ret;
}`
	module := vmtest.Checked(t, "test.ptx", text)
	for _, l := range level.Levels() {
		m, err := vm.NewMemory().Load(module, l)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := m.Memory().Alloc("out", 4096)
		var fault *vm.Fault
		err = vmtest.Kernel(t, m, "k").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 1024}}, out)
		if !errors.As(err, &fault) || fault.Kind != vm.RecursionOverflow || fault.Thread.X != 32 || fault.Line != line(text, "// bad") {
			t.Errorf("%v: got %v, want a recursion that is too deep in thread 32", l, err)
		}
		if vmtest.Words(out)[0] == 0 || vmtest.Words(out)[31] == 0 || vmtest.Words(out)[32] != 0 {
			t.Errorf("%v: the first warp has not ended, or the second one has", l)
		}
	}
}
