package vm_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/vm"
)

// switches are ways to make machine code of kernels: each optimisation left out, few registers, short turns.
func switches() map[string]native.Options {
	all := map[string]native.Options{
		"nothing fused":   {Without: amd64.AllFusions},
		"few registers":   {Registers: 10},
		"constants":       {NoHoist: true},
		"careful":         {Careful: true},
		"streamed":        {Stream: 1},
		"short turns":     {Turn: 40},
		"all of it small": {Turn: 40, Registers: 10, NoHoist: true},
	}
	if native.Supported(native.NEON) {
		all["no more than NEON"] = native.Options{Base: true}
	}
	for f := amd64.Fusion(1); f <= amd64.AllFusions; f <<= 1 {
		all["without "+f.String()] = native.Options{Without: f}
	}
	return all
}

// alone are the instructions by which lanes see what others do that are at work with them, and do not wait for others.
var alone = regexp.MustCompile(`\b(activemask|(shfl|vote)\.[^s])`)

// machineLevels are the levels at which kernels become machine code. Without any the test is skipped.
func machineLevels(t *testing.T) (all []level.Level) {
	for _, l := range askedLevels() {
		if vm.HasMachineCode(l) {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		t.Skip("there is no machine code for kernels here")
	}
	return all
}

// TestSwitches holds random kernels against the model with every switch of machine code, each with others. Launches that
// are watched run no machine code.
func TestSwitches(t *testing.T) {
	all := switches()
	count := uint64(len(all))
	first, to := seedRange(t, count*long.Seeds[uint64](10, 2))
	seeds := (to - first) / count
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			defer vm.WithMachineCode(o)()
			for seed := first; seed < first+seeds && !t.Failed(); seed++ {
				// Lanes that lose their turns part: which are at work together is another thing then.
				if o.Turn > 0 && alone.MatchString(model.New(seed).Text()) {
					continue
				}
				testModelSeed(t, seed, onlyPlain(machineLevels(t)))
			}
		})
		first += seeds
	}
}

// TestShortTurns holds random kernels against the model whose lanes lose their turns after few jumps back, in steps and in machine code:
// loops of random kernels are short.
func TestShortTurns(t *testing.T) {
	for _, turn := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			defer vm.WithTurns(turn)()
			defer vm.WithMachineCode(native.Options{Turn: 40})()
			from, to := seedRange(t, long.Seeds[uint64](100, 40))
			for seed := 3*from + uint64(turn); seed < 3*to; seed += 3 {
				if !alone.MatchString(model.New(seed).Text()) {
					testModelSeeds(t, seed, seed+1, 1)
				}
			}
		})
	}
}

// TestLockWithShortTurns lets warps lose their turns everywhere in a loop in which lanes wait for a lock, so that lanes of
// a warp are in different turns of it: what is the same for all otherwise is not then.
func TestLockWithShortTurns(t *testing.T) {
	for _, turn := range []int{0, 1, 7, 20, 50, 133} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			defer vm.WithMachineCode(native.Options{Turn: turn})()
			m := load(t, header+lockKernel)
			counter, _ := m.Memory().Alloc("counter", 4)
			out, _ := m.Memory().Alloc("out", 4)
			for range 4 {
				clear(counter.Bytes())
				clear(out.Bytes())
				launch(t, kernel(t, m, "lock"), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 64}}, counter, out)
				if got := binary.LittleEndian.Uint32(out.Bytes()); got != 256 {
					t.Fatalf("%d threads were counted under the lock, want 256", got)
				}
			}
		})
	}
}

// affineKernel reads from in and writes to out, apart and side by side, unless an index is outside of in.
const affineKernel = header + `
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 first) {
	.reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<3>;
	ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; ld.param.u32 %%r1, [first];
	mov.u32 %%r2, %%tid.x; mov.u32 %%r3, %%tid.y; mad.lo.u32 %%r2, %%r3, 3, %%r2; mov.u32 %%r3, %%tid.z; mad.lo.u32 %%r2, %%r3, 7, %%r2;
	mad.lo.u32 %%r3, %%r2, %[1]d, %%r1; mul.lo.u32 %%r3, %%r3, %[2]d; cvt.%[6]s64.%[6]s32 %%rd3, %%r3; add.s64 %%rd3, %%rd1, %%rd3;
	setp.lt.s32 %%p1, %%r3, 0; setp.gt.s32 %%p2, %%r3, 1024-%[2]d; or.pred %%p1, %%p1, %%p2; @%%p1 bra END;
	ld.global.%[3]s %[4]s, [%%rd3];
	mul.lo.u32 %%r4, %%r2, 3*%[2]d; cvt.u64.u32 %%rd4, %%r4; add.s64 %%rd4, %%rd2, %%rd4;
	st.global.%[5]s [%%rd4], %[4]s; st.global.%[5]s [%%rd4+%[2]d], %[4]s;
	mul.lo.u32 %%r4, %%r2, %[2]d; cvt.u64.u32 %%rd4, %%r4; add.s64 %%rd4, %%rd2, %%rd4;
	st.global.%[5]s [%%rd4+16384], %[4]s;
END:	ret;
}`

// TestAffineAccesses reads and writes where the lanes' addresses are affine: at steps of many kinds, elements of all
// sizes, blocks of many shapes, so that they begin and end everywhere in the buffer, and beyond.
func TestAffineAccesses(t *testing.T) {
	t.Run("cached", testAffineAccesses)
	t.Run("streamed", func(t *testing.T) {
		defer vm.WithMachineCode(native.Options{Stream: 1})()
		testAffineAccesses(t)
	})
}

func testAffineAccesses(t *testing.T) {
	t.Helper()
	var ways []way
	for _, l := range machineLevels(t) {
		ways = append(ways, way{level: l, workers: 1})
	}
	in := make([]byte, 1024)
	for i := range in {
		in[i] = byte(i*i>>3 ^ 5*i)
	}
	n := 0
	for _, block := range []vm.Dim{{X: 32}, {X: 64}, {X: 40}, {X: 16, Y: 4}, {X: 8, Y: 8}, {X: 4, Y: 4, Z: 4}, {X: 2, Y: 32}, {X: 5, Y: 7}, {X: 1, Y: 33}, {X: 32, Y: 2}, {X: 16, Y: 2, Z: 2}} {
		for _, scale := range []int{0, 1, 2, 3, 4, 8, 12, 16, -4} {
			for typ, size := range map[string]int{"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4, "u64": 8} {
				for _, signs := range []string{"s", "u"} {
					if n++; n%long.Of(4, 47) != 0 {
						continue
					}
					register, stored := "%r5", fmt.Sprintf("b%d", 8*size)
					if size == 8 {
						register = "%rd5"
					}
					text := strings.ReplaceAll(fmt.Sprintf(affineKernel, scale, size, typ, register, stored, signs), "cvt.us64.us32", "cvt.u64.u32")
					text = strings.ReplaceAll(text, "cvt.ss64.ss32", "cvt.s64.s32")
					for _, first := range []int{0, 1, 5, 100, 1000 / size, -3} {
						c := trial{text: text, kernel: "k", grid: vm.Grid{Block: block}, args: []any{in, make([]byte, 1<<15), uint32(first)}}
						if err := c.differ(ways); err != nil {
							t.Fatalf("blocks of %v, scale %d, %s, first %d: %v\n%s", block, scale, typ, first, err, text)
						}
					}
				}
			}
		}
	}
}
