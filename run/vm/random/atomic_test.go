package random

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestAtomicsOfLanes runs random kernels of atomic operations on all levels, with one worker, so that all of them have one order.
func TestAtomicsOfLanes(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](1000, 80))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		c := newAtomicTrial(seed, false, false)
		var all []vmtest.Way
		for _, l := range vmtest.Levels() {
			all = append(all, vmtest.Way{Level: l, Workers: 1})
		}
		if err := c.Differ(all); err != nil {
			t.Fatalf("seed %d: %v, %v\n%s", seed, c.Grid, err, c.Text)
		}
	})
}

// TestAtomicsOfWorkers runs kernels whose atomic operations may be done in any order, with several workers.
func TestAtomicsOfWorkers(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](400, 25))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		c := newAtomicTrial(seed, true, false)
		c.Grid.Grid.X, c.Args[0], c.Args[3] = 7, make([]byte, 8*7*c.Grid.Block.X), make([]byte, 4*7*c.Grid.Block.X)
		rng := rand.New(rand.NewPCG(seed, 78))
		in, g := make([]byte, 8*7*c.Grid.Block.X), make([]byte, 8*atomicBytes)
		for n := range in {
			in[n] = byte(rng.Uint32())
		}
		copy(g, c.Args[2].([]byte)[:atomicBytes])
		c.Args[1], c.Args[2] = in, g
		var all []vmtest.Way
		for _, l := range vmtest.Levels() {
			all = append(all, vmtest.Way{Level: l, Workers: 1}, vmtest.Way{Level: l, Workers: 3})
		}
		if err := c.Differ(all); err != nil {
			t.Fatalf("seed %d: %v, %v\n%s", seed, c.Grid, err, c.Text)
		}
	})
}

// TestAtomicFaults runs kernels in which an access is bad, perhaps: all levels report the same, and of a warp by itself the same
// has been done before.
func TestAtomicFaults(t *testing.T) {
	levels := vmtest.MachineLevels(t)
	var faults atomic.Uint64
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](800, 80))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		c := newAtomicTrial(seed, false, true)
		m, err := c.Checked()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.Text)
		}
		want, fault := c.Run(m, vmtest.PlainWay)
		if fault != nil {
			faults.Add(1)
		}
		for _, l := range levels {
			got, err := c.Run(m, vmtest.Way{Level: l, Workers: 1})
			if fmt.Sprint(err) != fmt.Sprint(fault) {
				t.Fatalf("seed %d: %v: got\n%v\nwant\n%v\n%s", seed, l, err, fault, c.Text)
			}
			for n := range got.Buffers {
				if (fault == nil || c.Grid.Block.X <= 32) && !bytes.Equal(got.Buffers[n], want.Buffers[n]) {
					t.Fatalf("seed %d: %v: %v, %v: buffer %d differs at byte %d\n%s", seed, l, c.Grid, fault, n, vmtest.FirstDifference(got.Buffers[n], want.Buffers[n]), c.Text)
				}
			}
		}
	})
	if seeds := to - from; faults.Load() < seeds/3 && !t.Failed() {
		t.Errorf("%d of %d kernels had faults: the test has no aim", faults.Load(), seeds)
	}
}

// TestAtomicSwitches runs such kernels with every switch of machine code.
func TestAtomicSwitches(t *testing.T) {
	first := uint64(1 << 20)
	for name, o := range switches() {
		if o.Turn > 0 { // warps that lose their turns come in another order
			continue
		}
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(o)()
			from, to := vmtest.SeedRange(t, long.Seeds[uint64](40, 4))
			vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
				c := newAtomicTrial(first+seed, false, false)
				var all []vmtest.Way
				for _, l := range vmtest.MachineLevels(t) {
					all = append(all, vmtest.Way{Level: l, Workers: 1})
				}
				if err := c.Differ(all); err != nil {
					t.Fatalf("seed %d: %v\n%s", first+seed, err, c.Text)
				}
			})
		})
	}
}

// TestAtomicTurns lets warps lose their turns everywhere in kernels whose operations may be done in any order.
func TestAtomicTurns(t *testing.T) {
	for _, turn := range []int{1, 10, 40} {
		defer vmtest.WithMachineCode(native.Options{Turn: turn})()
		from, to := vmtest.SeedRange(t, long.Seeds[uint64](50, 8))
		for seed := from; seed < to; seed++ {
			c := newAtomicTrial(seed+1<<21, true, false)
			var all []vmtest.Way
			for _, l := range vmtest.MachineLevels(t) {
				all = append(all, vmtest.Way{Level: l, Workers: 2})
			}
			if err := c.Differ(all); err != nil {
				t.Fatalf("turns of %d, seed %d: %v\n%s", turn, seed, err, c.Text)
			}
		}
	}
}

// TestAtomicCounts: counters tell the same on all levels, and that no step executes what these kernels do, but for additions of
// halves and exchanges of 16 bits.
func TestAtomicCounts(t *testing.T) {
	for seed := range long.Seeds[uint64](100, 10) {
		c := newAtomicTrial(seed, false, false)
		m, err := c.Checked()
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		for _, l := range level.Levels() {
			stats := atomicStats(t, c, m, l)
			for n := range stats.Instructions {
				i := &stats.Instructions[n]
				half := strings.HasSuffix(i.Opcode, "f16x2") || strings.HasSuffix(i.Opcode, "b16")
				if atomic := strings.HasPrefix(i.Opcode, "atom") || strings.HasPrefix(i.Opcode, "red"); atomic && !half && i.Stepped > 0 && l != level.NEON {
					t.Errorf("seed %d: %v: %s is executed by steps", seed, l, i.Opcode)
				}
				i.Stepped = 0
			}
			if first == "" {
				first = stats.String()
			} else if got := stats.String(); got != first {
				t.Errorf("seed %d: %v counts\n%s\nwant\n%s", seed, l, got, first)
			}
		}
	}
}

func atomicStats(t *testing.T, c vmtest.Trial, m *check.Module, l level.Level) *vm.Stats {
	t.Helper()
	mod, err := vm.NewMemory().Load(m, l)
	if err != nil {
		t.Fatal(err)
	}
	var args []any
	for n, content := range c.Args {
		b, err := mod.Memory().Alloc(fmt.Sprint("argument", n), len(content.([]byte)))
		if err != nil {
			t.Fatal(err)
		}
		copy(b.Bytes(), content.([]byte))
		args = append(args, b)
	}
	stats := &vm.Stats{}
	grid := c.Grid
	grid.Workers, grid.Stats = 1, stats
	if err := vmtest.Kernel(t, mod, "k").Launch(context.Background(), grid, args...); err != nil {
		t.Fatalf("%v\n%s", err, c.Text)
	}
	return stats
}
