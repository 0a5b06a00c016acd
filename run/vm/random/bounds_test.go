package random

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// boundsKernel returns a kernel that branches on where an index is between limits, in a loop. Each thread counts on which
// side of each it was, with the turn.
func boundsKernel(rng *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(vmtest.Header + ".visible .entry k(.param .u64 out, .param .u32 first, .param .u32 limit, .param .u32 step) {")
	line(".reg .b32 %%t, %%f, %%l, %%d, %%i, %%s, %%x, %%z; .reg .b64 %%out, %%o; .reg .pred %%p, %%q, %%r, %%again;")
	line("ld.param.u64 %%out, [out]; ld.param.u32 %%f, [first]; ld.param.u32 %%l, [limit]; ld.param.u32 %%d, [step];")
	line("mov.u32 %%t, %%tid.x; mov.u32 %%i, 0; mov.u32 %%s, 0; mad.lo.u32 %%x, %%t, %d, %%f;\nTURN: add.u32 %%z, %%l, %%i;", rng.IntN(5)-1)
	compare := func(to string) {
		relation, typ := []string{"lt", "le", "gt", "ge"}[rng.IntN(4)], []string{"s32", "u32"}[rng.IntN(2)]
		operands := [][2]string{{"%x", "%l"}, {"%l", "%x"}, {"%x", "%z"}, {"%x", fmt.Sprint(rng.IntN(100) - 20)}, {"%z", "%f"}}[rng.IntN(5)]
		if typ == "u32" && strings.HasPrefix(operands[1], "-") {
			operands[1] = "7"
		}
		line("setp.%s.%s %s, %s, %s;", relation, typ, to, operands[0], operands[1])
	}
	for n := range 1 + rng.IntN(3) {
		compare("%p")
		for range rng.IntN(3) {
			compare("%q")
			line("%s.pred %%p, %%p, %%q;", []string{"and", "or"}[rng.IntN(2)])
		}
		line("%s bra YES%d; mad.lo.u32 %%s, %%s, 3, %d; bra JOIN%d;\nYES%d: mad.lo.u32 %%s, %%s, 5, %d;\nJOIN%d:",
			[]string{"@%p", "@!%p"}[rng.IntN(2)], n, n+1, n, n, n+2, n)
	}
	line("add.u32 %%x, %%x, %%d; add.u32 %%i, %%i, 1; setp.lt.u32 %%again, %%i, 5; @%%again bra TURN;")
	line("mul.wide.u32 %%o, %%t, 4; add.u64 %%o, %%out, %%o; st.global.u32 [%%o], %%s; ret; }")
	return b.String()
}

// TestBranchesOnBounds runs such kernels on all levels, about the limit and where sums wrap around.
func TestBranchesOnBounds(t *testing.T) {
	const threads = 70
	levels := append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](1000, 100))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 8))
		text := boundsKernel(rng)
		near := []uint32{0, 10, 100, math.MaxInt32, 1 << 31, math.MaxUint32}
		around := func() uint32 { return near[rng.IntN(len(near))] + uint32(rng.IntN(80)-70) }
		first, step := around(), uint32(rng.IntN(40)-10)
		limit := first + uint32(rng.IntN(100)-20)
		if rng.IntN(3) == 0 {
			limit = around()
		}
		var want []byte
		for _, l := range levels {
			m := vmtest.LoadOn(t, l, text)
			out, _ := m.Memory().Alloc("out", 4*threads)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, out, first, limit, step)
			if l == level.Portable {
				want = bytes.Clone(out.Bytes())
			} else if !bytes.Equal(out.Bytes(), want) {
				at := vmtest.FirstDifference(out.Bytes(), want) &^ 3
				t.Fatalf("seed %d, first %d, limit %d, step %d, %v: thread %d has %d, want %d\n%s", seed, first, limit, step, l, at/4,
					binary.LittleEndian.Uint32(out.Bytes()[at:]), binary.LittleEndian.Uint32(want[at:]), text)
			}
		}
	})
}
