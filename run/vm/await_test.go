package vm_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
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
			module := checked(t, "test.ptx", header+fmt.Sprintf(awaitKernel, c.text))
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
					defer vm.WithMachineCode(native.Options{Turn: run.turn})()
					m, err := vm.NewMemory().Load(module, l)
					if err != nil {
						t.Fatal(err)
					}
					out, _ := m.Memory().Alloc("out", 132)
					launch(t, kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}, Check: run.check}, out, run.turns)
					if got := words(out)[:32]; !slices.Equal(got, want) {
						t.Errorf("%v, turn %d, %d turns a thread: got %d, want %d", l, run.turn, run.turns, got, want)
					}
				}
			}
		})
	}
}

// TestExchangeAwaitsForever has an exchange that waits for lanes, which wait at a barrier for those at the exchange.
func TestExchangeAwaitsForever(t *testing.T) {
	m := load(t, header+`
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
	err := kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}})
	const want = "16 threads (from thread (0, 0, 0) on) wait for others of the warp, "
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "at barrier 0") {
		t.Errorf("got %v, want %q among it", err, want)
	}
}
