package vm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/randomc"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// TestCompiledPrograms holds kernels that clang makes of random C++ against what it makes of the same text for this machine.
// So neither who writes the kernels, nor who says what they compute, is of this project, but for the video instructions among
// it, and the kernels look like those of users.
func TestCompiledPrograms(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	from, to := seedRange(t, long.Of[uint64](60, 3))
	const shards = 2
	for shard := range uint64(shards) {
		t.Run(fmt.Sprintf("shard%d", shard), func(t *testing.T) {
			t.Parallel()
			for seed := from + shard; seed < to && !t.Failed(); seed += shards {
				testCompiled(t, clang, seed)
			}
		})
	}
}

// TestCompiledProgramsSwitched is the same, each program with some switch of machine code.
func TestCompiledProgramsSwitched(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	all := switches()
	names := slices.Sorted(maps.Keys(all))
	from, to := seedRange(t, long.Of[uint64](30, 2))
	for seed := from; seed < to; seed++ {
		t.Run(names[seed%uint64(len(names))], func(t *testing.T) {
			defer vm.WithMachineCode(all[names[seed%uint64(len(names))]])()
			testCompiled(t, clang, 1<<32+seed)
		})
	}
}

func testCompiled(t *testing.T, clang string, seed uint64) {
	t.Helper()
	const kernels = 8
	rng := rand.New(rand.NewPCG(seed, 13))
	p := randomc.New(seed, kernels, videos(t, rng))
	file := filepath.Join(t.TempDir(), "host")
	if err := p.BuildHost(clang, file, "-O1"); err != nil {
		t.Fatal(err)
	}
	threads := 1 + rng.IntN(150)
	inputs := compiledInputs(rng)
	want, err := randomc.Run(file, inputs, threads)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	optimize := []string{"-O0", "-O1", "-O2", "-O3", "-O2 -fno-unroll-loops"}[rng.IntN(5)] // clang 16 fails with -Os
	ptx, err := p.BuildDevice(clang, strings.Fields(optimize)...)
	if err != nil {
		t.Fatal(err)
	}
	if miscompiled(ptx) {
		return
	}
	block := vm.Dim{X: []int{32, 64, 48, 17, 128}[rng.IntN(5)]}
	grid := vm.Grid{Grid: vm.Dim{X: (threads + block.X - 1) / block.X}, Block: block, Workers: 1}
	size := 4 * threads * randomc.Outputs
	for _, l := range level.Levels() {
		m := loadOn(t, l, ptx)
		for n := range kernels {
			in, _ := m.Memory().Alloc("in", 4*len(inputs))
			for i, x := range inputs {
				binary.LittleEndian.PutUint32(in.Bytes()[4*i:], x)
			}
			out, _ := m.Memory().Alloc("out", size)
			if err := kernel(t, m, fmt.Sprintf("kernel%d", n)).Launch(t.Context(), grid, in, out, uint32(threads)); err != nil {
				t.Errorf("seed %d, %s, kernel %d, %v: %v", seed, optimize, n, l, err)
			} else if right := want[n*size:][:size]; !bytes.Equal(out.Bytes(), right) {
				at := firstDifference(out.Bytes(), right) / 4
				t.Errorf("seed %d, %s, kernel %d, %v: word %d of thread %d is %#x, want %#x\n%s", seed, optimize, n, l, at%randomc.Outputs, at/randomc.Outputs,
					binary.LittleEndian.Uint32(out.Bytes()[4*at:]), binary.LittleEndian.Uint32(right[4*at:]), p)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// rotated is how clang 16 rotates 64 bits, wrongly by more than 63, and extracted how it extracts bits.
var (
	rotated   = regexp.MustCompile(`%amt2, 64,`)
	extracted = regexp.MustCompile(`bfe\.u(32|64)\s.*, (\d+), (\d+);`)
)

// miscompiled reports whether PTX may have a mistake of clang 16: a rotation by a variable number of bits that is not taken
// modulo 64, or an extraction of the highest bits, which have a sign, without it (it uses shifts where they have none).
func miscompiled(ptx string) bool {
	for _, m := range extracted.FindAllStringSubmatch(ptx, -1) {
		var width, at, length int
		fmt.Sscan(m[1], &width)
		fmt.Sscan(m[2], &at)
		fmt.Sscan(m[3], &length)
		if at+length == width {
			return true
		}
	}
	return rotated.MatchString(ptx)
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
