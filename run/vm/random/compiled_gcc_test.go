package random

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/randomc"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/link"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestCompiledRoutines is TestCompiledPrograms with gcc, which writes another PTX: its functions are linked with its own libraries,
// and called by kernels of ours.
func TestCompiledRoutines(t *testing.T) {
	clang, gcc := bothCompilers(t)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](8, 2))
	const shards = 2
	for shard := range uint64(shards) {
		t.Run(fmt.Sprintf("shard%d", shard), func(t *testing.T) {
			t.Parallel()
			for seed := from + shard; seed < to && !t.Failed(); seed += shards {
				testRoutines(t, clang, gcc, 2<<32+seed)
			}
		})
	}
}

// TestCompiledRoutinesSwitched is the same, each program with some switch of machine code.
func TestCompiledRoutinesSwitched(t *testing.T) {
	clang, gcc := bothCompilers(t)
	all := switches()
	names := slices.Sorted(maps.Keys(all))
	from, to := vmtest.SeedRange(t, long.Of[uint64](8, 1))
	for seed := from; seed < to; seed++ {
		name := names[(5*seed+2)%uint64(len(names))]
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(all[name])()
			testRoutines(t, clang, gcc, 3<<32+seed)
		})
	}
}

func bothCompilers(t *testing.T) (clang string, gcc randomc.GCC) {
	t.Helper()
	clang, err := randomc.Clang()
	if err == nil {
		gcc, err = randomc.FindGCC()
	}
	if err != nil {
		t.Skip(err)
	}
	return clang, gcc
}

func testRoutines(t *testing.T, clang string, gcc randomc.GCC, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 14))
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	front := pick("-O0", "-O1", "-O2", "-O3", "-Os", "-Og") + pick("", " -fno-math-errno", " -fno-inline -fno-math-errno", " -funroll-loops")
	back := pick("-misa=sm_30", "-misa=sm_35", "-misa=sm_53", "-misa=sm_70 -mptx=7.0", "-misa=sm_80 -mptx=7.0")
	block := vm.Dim{X: []int{32, 64, 48, 17, 128}[rng.IntN(5)]}
	soft := rng.IntN(3) == 0
	if soft {
		back += " -mgomp"
		block = vm.Dim{X: 1, Y: []int{32, 16, 5}[rng.IntN(3)]}
	}
	size := block.X * max(block.Y, 1)
	c := newCompiled(t, clang, seed, rng, size)
	grid := vm.Grid{Grid: vm.Dim{X: (c.threads + size - 1) / size}, Block: block, Workers: 1, Check: true}
	c.gcc = true
	entries := c.program.Entries()
	if soft {
		entries = c.program.SoftEntries(grid.Grid.X * size)
	}
	texts, err := c.program.BuildRoutines(gcc, t.TempDir(), strings.Fields(front), strings.Fields(back))
	if err != nil {
		t.Fatal(err)
	}
	modules := []*check.Module{vmtest.Checked(t, "entries.ptx", entries)}
	for n, text := range texts {
		modules = append(modules, vmtest.Checked(t, fmt.Sprintf("%d.ptx", n), text))
	}
	module, err := link.Link(modules...)
	if err != nil {
		t.Fatalf("seed %d, %s %s: %v", seed, front, back, err)
	}
	c.hold(t, front+" "+back, module, grid, !soft) // with -mgomp, lane tid.x gets what an atomic operation of lane 0 gives
}
