package flow

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// awaitWays runs a kernel k on all levels, with turns of several lengths, and holds what it leaves against want.
func awaitWays(t *testing.T, checks []bool, text string, size int, turns []uint32, want func(turns uint32, out []uint32) error) {
	t.Helper()
	module := vmtest.Checked(t, "test.ptx", text)
	for _, l := range level.Levels() {
		for _, turn := range []int{0, 40} {
			for _, check := range checks {
				for _, n := range turns {
					restore := vmtest.WithMachineCode(native.Options{Turn: turn})
					m, err := vm.NewMemory().Load(module, l)
					if err != nil {
						t.Fatal(err)
					}
					out, _ := m.Memory().Alloc("out", 4*size)
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
					err = vmtest.Kernel(t, m, "k").Launch(ctx, vm.Grid{Block: vm.Dim{X: 32}, Check: check}, out, n)
					cancel()
					restore()
					if err == nil {
						err = want(n, vmtest.Words(out))
					}
					if err != nil {
						t.Errorf("%v, turn %d, %d turns a lane, check %v: %v", l, turn, n, check, err)
					}
				}
			}
		}
	}
}

// TestExchangeAwaitsThoseBehindInLoop has lanes that lose their turns in a loop within another one, at whose beginning the others exchange
// something: they wait for those that a loop leads back to them.
func TestExchangeAwaitsThoseBehindInLoop(t *testing.T) {
	awaitWays(t, []bool{false, true}, vmtest.Header+`
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [turns]; mov.u32 %r2, %tid.x; mul.lo.u32 %r1, %r1, %r2;
	mov.u32 %r6, 0; mov.u32 %r7, 0;
OUTER:
	add.u32 %r4, %r2, %r6;
	shfl.sync.bfly.b32 %r4, %r4, 16, 31, -1;
	add.u32 %r7, %r7, %r4;
	mov.u32 %r3, 0;
INNER:
	setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;
	ld.volatile.global.u32 %r5, [%rd1+128]; add.u32 %r3, %r3, 1;
	bra INNER;
DONE:
	add.u32 %r6, %r6, 100; setp.lt.u32 %p2, %r6, 1000; @%p2 bra OUTER;
	mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r7;
	ret;
}`, 33, []uint32{0, 1, 30, 100}, func(_ uint32, out []uint32) error {
		for lane, got := range out[:32] {
			if want := uint32(10*(lane^16) + 4500); got != want {
				return fmt.Errorf("lane %d has %d, want %d", lane, got, want)
			}
		}
		return nil
	})
}

// TestExchangeInFunctionAwaitsCallers has lanes that call a function late, in which the others wait at an exchange; what the function has
// loaded before it is each lane's own, though the address is the same in all.
func TestExchangeInFunctionAwaitsCallers(t *testing.T) {
	const functions = `
.global .u32 counted;
.func (.reg .b32 d, .reg .b32 seen) meet(.reg .b32 a, .reg .b64 at) {
	.reg .b32 local; .reg .pred p; .local .b32 kept;
	.reg .b32 n;
	ld.LOAD.global.u32 seen, [counted]; st.local.u32 [kept], seen;
	shfl.sync.bfly.b32 d, a, 16, 31, -1;
	mov.u32 n, 0;
MORE:	// in other blocks, which machine code could execute
	add.u32 n, n, 1; setp.lt.u32 p, n, seen; @p bra MORE;
	ld.local.u32 local, [kept]; setp.ne.u32 p, local, seen; @p mov.u32 d, 77;
	setp.ne.u32 p, n, seen; @p mov.u32 d, 78;
	ret;
}
.func (.reg .b32 d, .reg .b32 seen) deep(.reg .b32 a, .reg .b64 at) { call (d, seen), meet, (a, at); ret; }
.func (.reg .b32 d, .reg .b32 seen) often(.reg .b32 a, .reg .b64 at) {
	.reg .b32 n; .reg .pred p;
	mov.u32 n, 0;
AGAIN:
	call (d, seen), meet, (a, at); add.u32 n, n, 1; setp.lt.u32 p, n, 3; @p bra AGAIN;
	ret;
}
`
	for _, function := range []string{"meet", "deep", "often", "meet, weakly"} {
		t.Run(function, func(t *testing.T) {
			function, weak := strings.CutSuffix(function, ", weakly")
			load, checks := "volatile", []bool{false, true}
			if weak { // which one load is enough for of all lanes that are together, and Check finds races of
				load, checks = "weak", checks[:1]
			}
			awaitWays(t, checks, vmtest.Header+strings.ReplaceAll(functions, "LOAD", load)+`
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [turns]; mov.u32 %r2, %tid.x; mul.lo.u32 %r1, %r1, %r2;
	add.s64 %rd3, %rd1, 256; mov.u32 %r3, 0;
LOOP:
	setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;
	ld.volatile.global.u32 %r5, [%rd3]; add.u32 %r3, %r3, 1;
	bra LOOP;
DONE:
	atom.global.add.u32 %r4, [counted], 1;
	call (%r5, %r6), `+function+`, (%r3, %rd3);
	setp.le.u32 %p2, %r6, %r4; selp.u32 %r6, 1, 0, %p2; // seen before it was counted
	mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r5; st.global.u32 [%rd2+128], %r6;
	ret;
}`, 65, []uint32{0, 1, 30, 100}, func(turns uint32, out []uint32) error {
				for lane, got := range out[:32] {
					if want := turns * uint32(lane^16); got != want {
						return fmt.Errorf("lane %d has %d, want %d", lane, got, want)
					}
					if out[32+lane] != 0 {
						return fmt.Errorf("lane %d has what a load of another gave", lane)
					}
				}
				return nil
			})
		})
	}
}

// TestExchangeAwaitsOnlyItsOwn has the two halves of a warp at one exchange, each with its own members. Some lanes of the first half come to it only
// when the second half, some of whose lanes are late, has made its exchange: nobody waits for what others beside it name. Nor does a lane that has
// the exchange before it but does not execute it.
func TestExchangeAwaitsOnlyItsOwn(t *testing.T) {
	const text = vmtest.Header + `
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<6>; .shared .b32 flag;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [turns]; mov.u32 %r1, %laneid; mov.u32 %r10, 0;
	setp.eq.u32 %p4, %r1, 0; @%p4 st.volatile.shared.u32 [flag], %r10; bar.warp.sync -1;
	setp.ge.u32 %p1, %r1, 16; selp.b32 %r2, 0xffff0000, 0x0000ffff, %p1;
	and.b32 %r3, %r1, 15; setp.lt.u32 %p2, %r3, 8; setp.ne.u32 %p5, %r1, 16;
	@%p2 bra MEET;
	@%p1 bra LATE;
EARLY:
	ld.volatile.shared.u32 %r4, [flag]; setp.eq.u32 %p3, %r4, 0; @%p3 bra EARLY;
	bra MEET;
LATE:
	setp.ge.u32 %p3, %r10, %r9; @%p3 bra MEET;
	ld.volatile.global.u32 %r4, [%rd1+128]; add.u32 %r10, %r10, 1;
	bra LATE;
MEET:
	add.u32 %r5, %r1, %r10; mov.u32 %r6, 77;
	EXCHANGE
	@%p5 bra DONE;
	mov.u32 %r7, 1; st.volatile.shared.u32 [flag], %r7;
DONE:
	mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r6;
	ret;
}`
	for _, c := range []struct {
		name, exchange string
		want           func(lane, turns uint32) uint32
	}{
		{"each half has its members", "shfl.sync.bfly.b32 %r6, %r5, 15, 31, %r2;", func(lane, turns uint32) uint32 {
			if lane >= 16 && lane < 24 { // those it exchanges with were late
				return lane ^ 15 + turns
			}
			return lane ^ 15
		}},
		{"a lane does not execute it", "@%p5 shfl.sync.bfly.b32 %r6, %r5, 1, 31, 0xfffeffff;", func(lane, turns uint32) uint32 {
			switch {
			case lane == 16:
				return 77
			case lane >= 24:
				return lane ^ 1 + turns
			}
			return lane ^ 1
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			awaitWays(t, []bool{false}, strings.Replace(text, "EXCHANGE", c.exchange, 1), 33, []uint32{0, 1, 3000}, func(turns uint32, out []uint32) error {
				for lane, got := range out[:32] {
					if want := c.want(uint32(lane), turns); got != want && lane != 17 { // which reads what lane 16 has
						return fmt.Errorf("lane %d has %d, want %d", lane, got, want)
					}
				}
				return nil
			})
		})
	}
}

// TestExchangeDoesNotAwaitThoseAtTheBarrierBehind has half of a warp exchange something and name all lanes, of which the others are at the barrier behind
// it, and come to an exchange of the same mask then. That is wrong from sm_70 on, and written everywhere; GPUs compute it.
func TestExchangeDoesNotAwaitThoseAtTheBarrierBehind(t *testing.T) {
	awaitWays(t, []bool{false}, vmtest.Header+`
.visible .entry k(.param .u64 out, .param .u32 turns) {
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r8, [turns]; mov.u32 %r1, %tid.x; mov.u32 %r6, 0; mov.u32 %r2, 0;
AGAIN:
	setp.ge.u32 %p1, %r1, 16; @%p1 bra MEET;
	add.u32 %r3, %r1, %r2; shfl.sync.bfly.b32 %r3, %r3, 15, 31, -1; add.u32 %r6, %r6, %r3;
MEET:
	bar.sync 0;
	add.u32 %r2, %r2, 1; setp.le.u32 %p2, %r2, %r8; @%p2 bra AGAIN;
	shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1;
	mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r7;
	ret;
}`, 32, []uint32{0, 1, 5}, func(turns uint32, out []uint32) error {
		for lane, got := range out[:16] {
			if want := (turns+1)*uint32(lane^1^15) + turns*(turns+1)/2; got != want {
				return fmt.Errorf("lane %d has %d, want %d", lane, got, want)
			}
		}
		return nil
	})
}
