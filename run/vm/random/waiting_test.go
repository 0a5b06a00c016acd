package random

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/cputime"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/waiting"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// errHangs is the cause that a kernel is stopped for.
var errHangs = errors.New("threads wait for ever")

// A kernel hangs if it takes this much of the processor, which is a hundred times what one needs
// that does not, or if it does nothing for as long as that.
const (
	mostWork = time.Minute
	mostWait = 20 * time.Minute
)

// untilHangs returns a context that ends when what is begun now hangs.
func untilHangs() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	began, work := time.Now(), cputime.Now()
	ticker := time.NewTicker(100 * time.Millisecond)
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if cputime.Now()-work > mostWork || time.Since(began) > mostWait {
				cancel(errHangs)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// waitingKernel is a kernel of package waiting, with what it begins with and leaves behind.
type waitingKernel struct {
	*waiting.Kernel
	module      *check.Module
	begin, want []uint32
	disagreed   bool // a check has told of lanes that name different barriers together
}

// newWaiting makes the kernel of a seed, in a style.
func newWaiting(seed, style uint64) (*waitingKernel, error) {
	return checkedWaiting(waiting.New(seed), style)
}

// checkedWaiting makes a kernel ready.
func checkedWaiting(made *waiting.Kernel, style uint64) (*waitingKernel, error) {
	k := &waitingKernel{Kernel: made, begin: make([]uint32, made.Size())}
	k.Fill(k.begin)
	k.want = slices.Clone(k.begin)
	k.Run(k.want)
	var err error
	k.module, err = vmtest.Trial{Text: k.Text(style)}.Checked()
	return k, err
}

// differ runs the kernel on a level, in one way, and tells what is not as the model has it.
func (k *waitingKernel) differ(l level.Level, how vmtest.ProgramWay) error {
	defer vmtest.WithTurns(how.Lanes)()
	m, err := vm.NewMemory().Load(k.module, l)
	if err != nil {
		return err
	}
	b, err := m.Memory().Alloc("memory", 4*len(k.begin))
	if err != nil {
		return err
	}
	defer b.Free()
	copy(b.Bytes(), bytesOf(k.begin))
	kernel, err := m.Kernel("k")
	if err != nil {
		return err
	}
	grid := vm.Grid{Grid: dimOf(k.Grid), Block: dimOf(k.Block), Workers: how.Workers, Check: how.Check}
	ctx, cancel := untilHangs()
	defer cancel()
	switch err := kernel.Launch(ctx, grid, b); {
	case how.Check && k.Disagree && vmtest.Disagrees(err):
		k.disagreed = true
	case err != nil:
		return err
	}
	return differentWords(b.Bytes(), k.want, k.Place)
}

// bytesOf is words as they stand in memory.
func bytesOf(words []uint32) (memory []byte) {
	for _, x := range words {
		memory = binary.LittleEndian.AppendUint32(memory, x)
	}
	return memory
}

// differentWords tells the first word of memory that is not as the model has it. place says what a word is.
func differentWords(memory []byte, want []uint32, place func(n int) string) error {
	for i, x := range want {
		if got := binary.LittleEndian.Uint32(memory[4*i:]); got != x {
			return fmt.Errorf("%s is %#x, want %#x", place(i), got, x)
		}
	}
	return nil
}

// ways are the ways that a kernel runs in on a level: some of all, by its seed.
func (k *waitingKernel) ways(l level.Level) (all []vmtest.ProgramWay) {
	some := []vmtest.ProgramWay{
		{Name: "plain", Workers: 1},
		{Name: "two workers", Workers: 2},
		{Name: "short turns", Workers: 4, Lanes: 1 + int(k.Seed/3%5), Turn: []int{1, 2, 7, 20, 50, 133}[k.Seed/3%6]},
	}
	if k.Handovers > fewHandovers { // which take long, where each is waited for by a thousand turns
		some[0].Lanes, some[0].Turn = 20, 200
		some[1].Lanes, some[1].Turn = 50, 1000
	}
	all = append(all, some[(k.Seed+uint64(l))%3])
	if long.Tests() {
		all = append(all, some[(k.Seed+uint64(l)+1)%3])
	}
	// Launches that are checked run the same code on all levels.
	if l == level.Portable && k.Seed%4 == 0 {
		checked := some[k.Seed/4%3]
		checked.Name, checked.Check = "checked, "+checked.Name, true
		all = append(all, checked)
	}
	return all
}

const fewHandovers = 40

// testWaiting holds the kernel of a seed, in some styles, against the model, on all levels.
func testWaiting(seed uint64, styles int) error {
	for style := range uint64(styles) {
		k, err := newWaiting(seed, style)
		if err != nil {
			return fmt.Errorf("style %d: %w", style, err)
		}
		for _, l := range vmtest.Levels() {
			for _, how := range k.ways(l) {
				restore := vmtest.WithMachineCode(native.Options{Turn: how.Turn})
				err := k.differ(l, how)
				if restore(); err != nil {
					return fmt.Errorf("style %d, %v, %s: %w", style, l, how.Name, err)
				}
			}
		}
	}
	return nil
}

// TestWaiting runs random kernels whose threads, warps and CTAs wait for each other.
func TestWaiting(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](160, 100))
	for seed := from; seed < to; seed++ {
		if err := testWaiting(seed, 1); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestWaitingHalves runs such kernels in which halves of warps meet at barriers of their own, which few do, on all levels and with checks: these
// tell of those that come together, and not of those that come by a branch each.
func TestWaitingHalves(t *testing.T) {
	const most = 6 // of each
	made := map[bool]int{}
	for seed := uint64(0); made[false] < most || made[true] < most; seed++ {
		k := waiting.New(seed)
		if !k.Halves || made[k.Disagree] == most {
			continue
		}
		made[k.Disagree]++
		checked, err := checkedWaiting(k, seed)
		if err == nil {
			err = checked.differ(level.Portable, vmtest.ProgramWay{Workers: 1, Check: true})
		}
		if err == nil {
			err = testWaiting(seed, 1)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if checked.disagreed != k.Disagree {
			t.Errorf("seed %d: told of lanes that disagree: %v, want %v", seed, checked.disagreed, k.Disagree)
		}
	}
}

// TestWaitingSwitches does so with each switch of machine code, each with other kernels.
func TestWaitingSwitches(t *testing.T) {
	all := switches()
	count := uint64(len(all))
	first, to := vmtest.SeedRange(t, count*long.Seeds[uint64](4, 1))
	seeds := (to - first) / count
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(all[name])()
			for seed := first; seed < first+seeds; seed++ {
				k, err := newWaiting(seed, 1)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for _, l := range vmtest.MachineLevels(t) {
					if err := k.differ(l, vmtest.ProgramWay{Workers: 2, Lanes: 20}); err != nil {
						t.Errorf("seed %d, %v: %v", seed, l, err)
					}
				}
			}
		})
		first += seeds
	}
}

// TestWaitingForWhoFails runs such kernels in which one thread fails: the others may wait for it,
// in any way, and the launch ends and tells its fault.
func TestWaitingForWhoFails(t *testing.T) {
	defer vmtest.WithGrace(0)()
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](40, 10))
	for seed := from; seed < to; seed++ {
		made, cta, thread := waiting.NewFailing(seed)
		k, err := checkedWaiting(made, 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, l := range vmtest.Levels() {
			how := k.ways(l)[0]
			var f *vm.Fault
			switch err := k.differ(l, how); {
			case !errors.As(err, &f):
				t.Errorf("seed %d, %v, %s: %v, want a fault", seed, l, how.Name, err)
			case f.Kind != vm.Trap || f.Block != placeIn(k.Grid, cta) || f.Thread != placeIn(k.Block, thread):
				t.Errorf("seed %d, %v, %s: %v, want that of thread %d of CTA %d", seed, l, how.Name, err, thread, cta)
			}
		}
	}
}

// placeIn is the place with a number in a size: x runs fastest.
func placeIn(size [3]int, n int) vm.Dim {
	return vm.Dim{X: n % size[0], Y: n / size[0] % size[1], Z: n / size[0] / size[1]}
}
