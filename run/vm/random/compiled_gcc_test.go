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
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { newRoutines(t, clang, gcc, 2<<32+seed).hold(t) })
}

// TestCompiledRoutinesSwitched is the same, each program with some switch of machine code.
func TestCompiledRoutinesSwitched(t *testing.T) {
	clang, gcc := bothCompilers(t)
	names := slices.Sorted(maps.Keys(switches()))
	from, to := vmtest.SeedRange(t, long.Of[uint64](8, 1))
	holdSwitched(t, from, to, func(seed uint64) string { return names[(5*seed+2)%uint64(len(names))] },
		func(t *testing.T, seed uint64) compiled { return newRoutines(t, clang, gcc, 3<<32+seed) })
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

// newRoutines lets gcc compile the program of a seed for PTX.
func newRoutines(t *testing.T, clang string, gcc randomc.GCC, seed uint64) compiled {
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
	c := newProgram(t, clang, seed, rng, block)
	c.gcc, c.options = true, front+" "+back
	c.without = soft // with -mgomp, lane tid.x gets what an atomic operation of lane 0 gives
	entries := c.program.Entries()
	if soft {
		entries = c.program.SoftEntries(c.grid.Grid.X * block.Y)
	}
	texts, err := c.program.BuildRoutines(gcc, t.TempDir(), strings.Fields(front), strings.Fields(back))
	if err != nil {
		t.Fatal(err)
	}
	modules := []*check.Module{vmtest.Checked(t, "entries.ptx", entries)}
	for n, text := range texts {
		modules = append(modules, vmtest.Checked(t, fmt.Sprintf("%d.ptx", n), text))
	}
	if c.module, err = link.Link(modules...); err != nil {
		t.Fatalf("seed %d, %s: %v", seed, c.options, err)
	}
	return c
}
