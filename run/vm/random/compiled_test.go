package random

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/randomc"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestCompiledPrograms holds kernels that clang makes of random C++ against what it makes of the same text for this machine.
// So neither who writes the kernels, nor who says what they compute, is of this project, but for the video instructions among
// it, and the kernels look like those of users.
func TestCompiledPrograms(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](16, 3))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { newCompiled(t, clang, seed).hold(t) })
}

// TestCompiledProgramsSwitched is the same, each program with some switch of machine code.
func TestCompiledProgramsSwitched(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	names := slices.Sorted(maps.Keys(switches()))
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](30, 2))
	holdSwitched(t, from, to, func(seed uint64) string { return names[seed%uint64(len(names))] },
		func(t *testing.T, seed uint64) compiled { return newCompiled(t, clang, 1<<32+seed) })
}

// holdSwitched holds the programs of some seeds, each with a switch of machine code. The switches
// are those of all kernels, so that only the compilers, which take most of the time, work side by
// side.
func holdSwitched(t *testing.T, from, to uint64, name func(seed uint64) string, build func(t *testing.T, seed uint64) compiled) {
	t.Helper()
	programs := make([]compiled, to-from)
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { programs[seed-from] = build(t, seed) })
	if t.Failed() {
		return
	}
	for n, c := range programs {
		name := name(from + uint64(n))
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(switches()[name])()
			c.hold(t)
		})
	}
}

// compiled is a random program, what it computes on this machine, and what a compiler has made of
// it for PTX.
type compiled struct {
	seed    uint64
	program *randomc.Program
	threads int
	inputs  []uint32
	want    []byte
	options string // of the compiler, for messages
	module  *check.Module
	grid    vm.Grid
	gcc     bool
	without bool // the kernels with atomic operations are left out
}

// newCompiled lets clang compile the program of a seed.
func newCompiled(t *testing.T, clang string, seed uint64) compiled {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 13))
	block := vm.Dim{X: []int{32, 64, 48, 17, 128}[rng.IntN(5)]}
	c := newProgram(t, clang, seed, rng, block)
	c.options = []string{"-O0", "-O1", "-O2", "-O3", "-O2 -fno-unroll-loops"}[rng.IntN(5)] // clang 16 fails with -Os
	ptx, err := c.program.BuildDevice(clang, strings.Fields(c.options)...)
	if err != nil {
		t.Fatal(err)
	}
	c.module = vmtest.Checked(t, "test.ptx", mended(ptx))
	return c
}

// newProgram lets clang compile the program of a seed for this machine, and runs it for blocks of a
// shape. What it computes does not depend on how it is compiled; without optimization that takes a
// fifth of the time.
func newProgram(t *testing.T, clang string, seed uint64, rng *rand.Rand, block vm.Dim) (c compiled) {
	t.Helper()
	const kernels = 8
	c = compiled{seed: seed, program: randomc.New(seed, kernels, videos(t, rng)), threads: 1 + rng.IntN(150), inputs: compiledInputs(rng)}
	file := filepath.Join(t.TempDir(), "host")
	err := c.program.BuildHost(clang, file, "-O0")
	if err != nil {
		t.Fatal(err)
	}
	size := block.X * max(block.Y, 1)
	if c.want, err = randomc.Run(file, c.inputs, c.threads, size); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	c.grid = vm.Grid{Grid: vm.Dim{X: (c.threads + size - 1) / size}, Block: block, Workers: 1, Check: true}
	return c
}

// hold demands that the kernels compute the same on all levels.
func (c compiled) hold(t *testing.T) {
	t.Helper()
	grid := c.grid
	for _, l := range level.Levels() {
		m, err := vm.NewMemory().Load(c.module, l)
		if err != nil {
			t.Fatal(err)
		}
		for n := range c.program.Kernels() {
			if !c.without || !c.program.Adds(n) {
				c.holdKernel(t, fmt.Sprintf("%s, %v", c.options, l), m, n, grid)
			}
		}
		grid.Check = false // as the first level has done
	}
}

// holdKernel demands that kernel n computes the same.
func (c compiled) holdKernel(t *testing.T, how string, m *vm.Module, n int, grid vm.Grid) {
	t.Helper()
	in, _ := m.Memory().Alloc("in", 4*len(c.inputs))
	for i, x := range c.inputs {
		binary.LittleEndian.PutUint32(in.Bytes()[4*i:], x)
	}
	size := 4 * c.threads * randomc.Outputs
	out, _ := m.Memory().Alloc("out", size)
	grid.Check = grid.Check && (!c.gcc || !c.program.Adds(n)) // gcc's loops with atom.cas read what they compare by a weak ld, which is in a race
	err := vmtest.Kernel(t, m, fmt.Sprintf("kernel%d", n)).Launch(t.Context(), grid, in, out, uint32(c.threads))
	if err != nil {
		t.Fatalf("seed %d, %s, kernel %d: %v", c.seed, how, n, err)
	}
	if right := c.want[n*size:][:size]; !bytes.Equal(out.Bytes(), right) {
		at := vmtest.FirstDifference(out.Bytes(), right) / 4
		t.Fatalf("seed %d, %s, kernel %d: word %d of thread %d is %#x, want %#x\n%s", c.seed, how, n, at%randomc.Outputs, at/randomc.Outputs,
			binary.LittleEndian.Uint32(out.Bytes()[4*at:]), binary.LittleEndian.Uint32(right[4*at:]), c.program)
	}
}

// rotation is how clang 16 rotates 64 bits by a variable number, and extraction how it extracts bits.
var (
	rotation   = regexp.MustCompile(`(?s)shl\.b64\s+%lhs, (%?[-\w]+), (%\w+);\s+sub\.u32\s+%amt2, 64, (%\w+);`)
	extraction = regexp.MustCompile(`bfe\.u(32|64)(\s.*, (\d+), (\d+);)`)
)

// mended is PTX without two mistakes of clang 16: it does not take the number of a rotation modulo 64, and extracts the highest
// bits without their sign, where they have one (elsewhere it shifts).
func mended(ptx string) string {
	ptx = rotation.ReplaceAllString(ptx, ".reg .u32 %amt1;\nand.b32 %amt1, $2, 63;\nshl.b64 %lhs, $1, %amt1;\nsub.u32 %amt2, 64, %amt1;")
	return extraction.ReplaceAllStringFunc(ptx, func(line string) string {
		m := extraction.FindStringSubmatch(line)
		width, _ := strconv.Atoi(m[1])
		at, _ := strconv.Atoi(m[3])
		if length, _ := strconv.Atoi(m[4]); at+length == width {
			return "bfe.s" + m[1] + m[2]
		}
		return line
	})
}

// videos are some video instructions: as asm for PTX, and as the functions in C that vop emits.
func videos(t *testing.T, rng *rand.Rand) (e randomc.External) {
	t.Helper()
	var forms []isa.Form
	var device strings.Builder
	for f := range isa.Sample(rng) {
		if len(forms) == 10 {
			break
		}
		name := translate.FunctionName(f)
		if slices.Contains(e.Names, name) {
			continue
		}
		forms, e.Names = append(forms, f), append(e.Names, name)
		fmt.Fprintf(&device, "FN static inline u32 %s(u32 a, u32 b, u32 c) { u32 d; asm(\"%s\" : \"=r\"(d) : \"r\"(a), \"r\"(b), \"r\"(c)); return d; }\n", name, f.Spell("%0", "%1", "%2", "%3"))
	}
	var host strings.Builder
	if err := translate.Emit(&host, "c", forms, translate.EmitOptions{}); err != nil {
		t.Fatal(err)
	}
	for n, f := range forms {
		if !f.TakesC() {
			fmt.Fprintf(&host, "static inline uint32_t %s(uint32_t a, uint32_t b, uint32_t) { return %s(a, b); }\n", e.Names[n], e.Names[n])
		}
	}
	e.Device, e.Host = device.String(), host.String()
	return e
}

// compiledInputs are words of all sizes, and those at the edges.
func compiledInputs(rng *rand.Rand) []uint32 {
	edges := []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0x7f800000, 0xff800000, 0x00800000, 0x4f000000}
	all := make([]uint32, randomc.Inputs)
	for n := range all {
		if all[n] = rng.Uint32() >> rng.IntN(32); rng.IntN(4) == 0 {
			all[n] = edges[rng.IntN(len(edges))]
		}
	}
	return all
}
