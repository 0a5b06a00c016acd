package random

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/apart"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/link"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// apartModule makes one module of the files of a kernel of package apart.
func apartModule(texts []string) (*check.Module, error) {
	var modules []*check.Module
	for _, text := range texts {
		m, err := vmtest.Trial{Text: text}.Checked()
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return link.Link(modules...)
}

// differApart runs a kernel on a level, in one way, and tells what is not as the model has it.
func differApart(k *apart.Kernel, m *check.Module, l level.Level, how vmtest.ProgramWay, begin, want []uint32) error {
	defer vmtest.WithMachineCode(native.Options{Turn: how.Turn})()
	defer vmtest.WithTurns(how.Lanes)()
	mod, err := vm.NewMemory().Load(m, l)
	if err != nil {
		return err
	}
	b, err := mod.Memory().Alloc("memory", 4*len(begin))
	if err != nil {
		return err
	}
	defer b.Free()
	copy(b.Bytes(), bytesOf(begin))
	kernel, err := mod.Kernel("k")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // a machine may have more to do than this
	defer cancel()
	grid := vm.Grid{Grid: vm.Dim{X: k.Blocks}, Block: dimOf(k.Block), Workers: how.Workers, Check: how.Check}
	// Some texts name one of two barriers by the lane.
	if err := kernel.Launch(ctx, grid, b); err != nil && !(how.Check && vmtest.Disagrees(err)) {
		return err
	}
	return differentWords(b.Bytes(), want, k.Place)
}

// holdApart holds a kernel, in some styles, against the model, on all levels and in all ways.
func holdApart(seed uint64, styles int) (ran bool, err error) {
	k := apart.New(seed)
	begin := make([]uint32, k.Size())
	k.Fill(begin)
	want := append([]uint32(nil), begin...)
	if err := k.Run(want); errors.Is(err, apart.ErrTooLong) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	for style := range uint64(styles) {
		m, err := apartModule(k.Text(style))
		if err != nil {
			return false, fmt.Errorf("style %d: %w", style, err)
		}
		for _, l := range vmtest.Levels() {
			for _, how := range vmtest.ProgramWays() {
				if how.Check && (seed%4 != 0 || l != level.Portable && !watchedOnAll(seed)) { // which takes longest by far
					continue
				}
				if err := differApart(k, m, l, how, begin, want); err != nil {
					return false, fmt.Errorf("style %d, %v, %s: %w", style, l, how.Name, err)
				}
			}
		}
	}
	return true, nil
}

// TestApart runs random kernels whose threads part, call, and wait for each other.
func TestApart(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](24, 8))
	ran := 0
	for seed := from; seed < to; seed++ {
		did, err := holdApart(seed, long.Of(2, 1))
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if did {
			ran++
		}
	}
	t.Logf("%d of %d kernels were run", ran, to-from)
}
