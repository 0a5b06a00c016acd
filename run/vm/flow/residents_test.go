package flow

import (
	"context"
	"errors"
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

// waitsForLater has each CTA but the last wait for a flag of the one behind it, and then set its own. order gets the
// order in which they have, in which it counts up from what is there.
const waitsForLater = vmtest.Header + `
.visible .entry k(.param .u64 flags, .param .u64 order) {
	.reg .b32 %i, %n, %f, %at; .reg .b64 %flag, %order, %place; .reg .pred %p;
	ld.param.u64 %flag, [flags]; ld.param.u64 %order, [order]; mov.u32 %i, %ctaid.x; mov.u32 %n, %nctaid.x;
	mul.wide.u32 %place, %i, 4; add.u64 %flag, %flag, %place; add.u32 %i, %i, 1; setp.eq.u32 %p, %i, %n; @%p bra LAST;
WAIT:
	ld.acquire.gpu.global.u32 %f, [%flag+4]; setp.ne.u32 %p, %f, 1; @%p bra WAIT;
LAST:
	mov.u32 %f, %tid.x; setp.ne.u32 %p, %f, 0; @%p bra OUT;
	atom.global.add.u32 %at, [%order], 1; mul.wide.u32 %place, %at, 4; add.u64 %order, %order, %place; st.global.u32 [%order+4], %i;
	mov.u32 %f, 1; st.release.gpu.global.u32 [%flag], %f;
OUT:
	ret;
}`

// meetsInGrid has all threads of the grid meet, some times, and each CTA add up in between what the others have written.
const meetsInGrid = vmtest.Header + `
.visible .entry k(.param .u64 count, .param .u64 data) {
	.reg .b32 %c, %n, %t, %x, %sum, %round, %want, %k; .reg .b64 %count, %data, %own, %at; .reg .pred %p;
	ld.param.u64 %count, [count]; ld.param.u64 %data, [data]; mov.u32 %c, %ctaid.x; mov.u32 %n, %nctaid.x; mov.u32 %t, %tid.x;
	mul.wide.u32 %own, %c, 4; add.u64 %own, %data, %own; mov.u32 %round, 0; mov.u32 %want, 0; add.u32 %sum, %c, 1;
ROUND:
	setp.ne.u32 %p, %t, 0; @%p bra WRITTEN;
	st.global.u32 [%own], %sum;
WRITTEN:
	add.u32 %want, %want, %n; bar.sync 0; @%p bra MET;
	red.release.gpu.global.add.u32 [%count], 1;
WAIT:
	ld.acquire.gpu.global.u32 %x, [%count]; setp.lt.u32 %p, %x, %want; @%p bra WAIT;
MET:
	bar.sync 0;
	mov.u32 %sum, %round; mov.u32 %k, 0; mov.u64 %at, %data;
SUM:
	ld.global.u32 %x, [%at]; add.u32 %sum, %sum, %x; add.u64 %at, %at, 4; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, %n; @%p bra SUM;
	mad.wide.u32 %own, %n, 4, %own; mad.wide.u32 %data, %n, 4, %data;
	add.u32 %round, %round, 1; setp.lt.u32 %p, %round, 4; @%p bra ROUND;
	setp.eq.u32 %p, %t, 0; @%p st.global.u32 [%own], %sum;
	ret;
}`

// TestBlocksWaitForLaterOnes: CTAs wait for others that cannot begin, as there are fewer workers. They waited for ever.
func TestBlocksWaitForLaterOnes(t *testing.T) {
	defer vmtest.WithTurns(100)()
	for _, l := range level.Levels() {
		for _, workers := range []int{1, 2, 3} {
			for _, check := range []bool{false, true} {
				if check && l != level.Portable {
					continue
				}
				for _, blocks := range []int{1, 2, 7, 30} {
					t.Run(fmt.Sprintf("%v, %d workers, check %v, %d blocks", l, workers, check, blocks), func(t *testing.T) {
						grid := vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: 40}, Workers: workers, Check: check}
						holdReverse(t, l, grid)
						holdSums(t, l, grid)
					})
				}
			}
		}
	}
}

// holdReverse demands that CTAs of waitsForLater end from the last to the first.
func holdReverse(t *testing.T, l level.Level, grid vm.Grid) {
	t.Helper()
	m := vmtest.LoadOn(t, l, waitsForLater)
	blocks := grid.Grid.X
	flags, _ := m.Memory().Alloc("flags", 4*blocks)
	order, _ := m.Memory().Alloc("order", 4*blocks+4)
	vmtest.Launch(t, vmtest.Kernel(t, m, "k"), grid, flags, order)
	got := vmtest.Words(order)[1:]
	slices.Reverse(got)
	for i, x := range got {
		if x != uint32(i+1) {
			t.Fatalf("CTAs have ended in the order %d, from the last one on", got)
		}
	}
}

// holdSums demands the sums of meetsInGrid.
func holdSums(t *testing.T, l level.Level, grid vm.Grid) {
	t.Helper()
	m := vmtest.LoadOn(t, l, meetsInGrid)
	blocks, rounds := grid.Grid.X, 4
	count, _ := m.Memory().Alloc("count", 4)
	data, _ := m.Memory().Alloc("data", 4*blocks*(rounds+1))
	vmtest.Launch(t, vmtest.Kernel(t, m, "k"), grid, count, data)
	sum := uint32(blocks * (blocks + 1) / 2)
	for round := 1; round <= rounds; round++ {
		want := sum + uint32(round-1)
		for i, x := range vmtest.Words(data)[round*blocks:][:blocks] {
			if x != want {
				t.Fatalf("CTA %d has %d behind barrier %d, want %d", i, x, round, want)
			}
		}
		sum = want * uint32(blocks)
	}
}

// locksInLoop has CTAs take a lock in the way that is safe on targets before sm_70: what it guards is in the loop. The first one waits, while
// it has the lock, for a flag that the last one sets.
const locksInLoop = vmtest.Header + `
.visible .entry k(.param .u64 words) {
	.reg .b32 %i, %n, %x, %t; .reg .b64 %words; .reg .pred %p, %q;
	ld.param.u64 %words, [words]; mov.u32 %i, %ctaid.x; mov.u32 %n, %nctaid.x; sub.u32 %n, %n, 1;
	setp.ne.u32 %p, %i, %n; @%p bra LOCK;
	st.relaxed.gpu.global.u32 [%words+4], 1;
LOCK:
	atom.acquire.gpu.global.cas.b32 %x, [%words], 0, 1; setp.eq.u32 %q, %x, 0; @!%q bra NOT;
	setp.ne.u32 %p, %i, 0; @%p bra ADD;
WAIT:
	ld.relaxed.gpu.global.u32 %x, [%words+4]; setp.eq.u32 %p, %x, 0; @%p bra WAIT;
ADD:
	ld.global.u32 %x, [%words+8]; add.u32 %x, %x, 1; st.global.u32 [%words+8], %x;
	st.release.gpu.global.u32 [%words], 0;
NOT:
	@!%q bra LOCK;
	ret;
}`

// TestBlocksThatWaitGetTheirTurns: a CTA that waits in a loop in which it may as well be at work lets others go on: the one that it waits for
// had let it go on.
func TestBlocksThatWaitGetTheirTurns(t *testing.T) {
	defer vmtest.WithTurns(20)()
	defer vmtest.WithMachineCode(native.Options{Turn: 2000})()
	for _, l := range level.Levels() {
		for _, workers := range []int{1, 2, 3} {
			const blocks, threads = 4, 40
			m := vmtest.LoadOn(t, l, locksInLoop)
			words, _ := m.Memory().Alloc("words", 12)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}, Workers: workers}, words)
			if got := vmtest.Words(words)[2]; got != blocks*threads {
				t.Errorf("%v, %d workers: %d threads have had the lock, of %d", l, workers, got, blocks*threads)
			}
		}
	}
}

// waitsAtBarriers has a thread of each CTA but the last look for a flag that the last one sets, and tell all others between barriers.
const waitsAtBarriers = vmtest.Header + `
.visible .entry k(.param .u64 flag) {
	.shared .align 4 .b32 seen; .reg .b32 %i, %n, %x, %t; .reg .b64 %flag; .reg .pred %p;
	ld.param.u64 %flag, [flag]; mov.u32 %i, %ctaid.x; mov.u32 %n, %nctaid.x; mov.u32 %t, %tid.x; sub.u32 %n, %n, 1;
	setp.eq.u32 %p, %i, %n; @%p bra LAST;
LOOK:
	setp.ne.u32 %p, %t, 0; @%p bra LOOKED;
	ld.acquire.gpu.global.u32 %x, [%flag]; st.shared.u32 [seen], %x;
LOOKED:
	bar.sync 0; ld.shared.u32 %x, [seen]; bar.sync 0;
	setp.eq.u32 %p, %x, 0; @%p bra LOOK;
	ret;
LAST:
	st.release.gpu.global.u32 [%flag], 1; ret;
}`

// TestBlocksThatWaitAtBarriers: warps that meet at a barrier in each turn of a loop have no turns to lose.
func TestBlocksThatWaitAtBarriers(t *testing.T) {
	defer vmtest.WithMachineCode(native.Options{Turn: 2000})()
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, waitsAtBarriers)
		flag, _ := m.Memory().Alloc("flag", 4)
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: 3}, Block: vm.Dim{X: 40}, Workers: 1}, flag)
	}
}

// TestBlocksThatWaitGoTheSameWay: a launch with one worker does the same each time, in which order ever its CTAs wait.
func TestBlocksThatWaitGoTheSameWay(t *testing.T) {
	text := strings.Replace(meetsInGrid, "bar.sync 0;\n\tmov.u32 %sum, %round;", "bar.sync 0;\n\tatom.global.exch.b32 %sum, [%count+4], %c; add.u32 %sum, %sum, %round;", 1)
	for _, l := range level.Levels() {
		var first []uint32
		for n := range 5 {
			m := vmtest.LoadOn(t, l, text)
			count, _ := m.Memory().Alloc("count", 8)
			data, _ := m.Memory().Alloc("data", 4*30*5)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: 30}, Block: vm.Dim{X: 64}, Workers: 1}, count, data)
			got := vmtest.Words(data)
			if n == 0 {
				first = got
			} else if !slices.Equal(got, first) {
				t.Fatalf("%v: %d, before %d", l, got, first)
			}
		}
	}
}

// TestMoreBlocksThanRoom: where there is no room for all that wait for each other, the message says so.
func TestMoreBlocksThanRoom(t *testing.T) {
	defer vmtest.WithResidents(5)()
	defer vmtest.WithTurns(20)() // so that there is no room long before the launch is stopped
	m := vmtest.LoadOn(t, level.Portable, waitsForLater)
	flags, _ := m.Memory().Alloc("flags", 4*20)
	order, _ := m.Memory().Alloc("order", 4*21)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := vmtest.Kernel(t, m, "k").Launch(ctx, vm.Grid{Grid: vm.Dim{X: 19}, Block: vm.Dim{X: 1}, Workers: 2}, flags, order)
	if err == nil || !strings.Contains(err.Error(), "seem to wait for others, and 14 blocks could not begin") {
		t.Errorf("%v", err)
	}
}

// TestBlocksAtWorkKeepTheirOrder: CTAs that have turns, and do not wait, follow each other, however many have gone before.
func TestBlocksAtWorkKeepTheirOrder(t *testing.T) {
	const blocks = 400
	defer vmtest.WithTurns(1)()
	defer vmtest.WithMachineCode(native.Options{Turn: 1})()
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, vmtest.Header+`
.visible .entry k(.param .u64 order) {
	.reg .b32 %i, %n, %at; .reg .b64 %order, %place; .reg .pred %p;
	ld.param.u64 %order, [order]; mov.u32 %i, %ctaid.x; mov.u32 %n, 20;
WORK:
	red.global.add.u32 [%order+4], 1; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra WORK;
	atom.global.add.u32 %at, [%order], 1; mul.wide.u32 %place, %at, 4; add.u64 %order, %order, %place; st.global.u32 [%order+8], %i;
	ret;
}`)
		order, _ := m.Memory().Alloc("order", 4*blocks+8)
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: 1}, Workers: 1}, order)
		for i, x := range vmtest.Words(order)[2:] {
			if x != uint32(i) {
				t.Fatalf("%v: CTA %d has ended as number %d", l, x, i)
			}
		}
	}
}

// TestBlocksThatWaitAreStopped: a launch ends that is stopped while CTAs wait for what never comes, and one of which a
// thread fails that others wait for.
func TestBlocksThatWaitAreStopped(t *testing.T) {
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, strings.Replace(waitsForLater, "LAST:", "LAST:\n\t@%p bra WAIT;", 1))
		flags, _ := m.Memory().Alloc("flags", 4*20)
		order, _ := m.Memory().Alloc("order", 4*21)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		err := vmtest.Kernel(t, m, "k").Launch(ctx, vm.Grid{Grid: vm.Dim{X: 19}, Block: vm.Dim{X: 40}, Workers: 2}, flags, order)
		cancel()
		var stopped *vm.StoppedError
		if !errors.As(err, &stopped) {
			t.Errorf("%v: the launch that waits for ever ends with %v", l, err)
		}

		m = vmtest.LoadOn(t, l, strings.Replace(waitsForLater, "LAST:", "LAST:\n\t@%p trap;", 1))
		flags, _ = m.Memory().Alloc("flags", 4*20)
		order, _ = m.Memory().Alloc("order", 4*21)
		err = vmtest.Kernel(t, m, "k").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 19}, Block: vm.Dim{X: 40}, Workers: 2}, flags, order)
		var fault *vm.Fault
		if !errors.As(err, &fault) || fault.Block.X != 18 {
			t.Errorf("%v: the launch whose last block fails ends with %v", l, err)
		}
	}
}
