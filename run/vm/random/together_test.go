package random

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// togetherKernel returns a kernel whose loads are apart by constants, in a loop, as those of stencils are, and of searches
// for what is not aligned: at indexes that begin together, are stepped together, and are extended each by itself. Lanes
// whose index is not inside of what they are let read skip the turn; sums of words wrap around.
func togetherKernel(rng *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	indexes, step := 1+rng.IntN(5), 4*rng.IntN(6)+rng.IntN(2)*rng.IntN(4)
	line(vmtest.Header + ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 first, .param .u32 last, .param .u32 turns) {")
	line(".reg .b32 %%t, %%y, %%f, %%l, %%n, %%i, %%s, %%sel, %%x<40>, %%w<40>; .reg .b64 %%in, %%out, %%row, %%a<40>, %%o; .reg .pred %%p, %%q, %%g;")
	line("ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u32 %%f, [first]; ld.param.u32 %%l, [last]; ld.param.u32 %%n, [turns];")
	line("mov.u32 %%t, %%tid.x; mov.u32 %%y, %%tid.y; mov.u32 %%i, 0; mov.u32 %%s, 0; mov.u64 %%row, %%in;")
	line("setp.gt.u32 %%g, %%t, %d;", rng.IntN(40))
	line("and.b32 %%sel, %%t, 3; mad.lo.u32 %%sel, %%sel, %s, %s;", pick("4369", "4369", "0", "17"), pick("12816", "12816", "30292", "13107"))
	if rng.IntN(3) == 0 { // some wait, so that steps execute what the others do
		line("setp.lt.u32 %%q, %%t, %d; @%%q bra APART; bar.sync 0; bra START;\nAPART:", rng.IntN(34))
		line("add.u32 %%f, %%f, 0; bar.sync 0;\nSTART:")
	}
	// The indexes begin apart by constants, by which lane it is, or where all that is the same in all lanes is the turn.
	kind := rng.IntN(4)
	line("mul.lo.u32 %%x0, %%y, %d; mad.lo.u32 %%x0, %%t, %d, %%x0;", rng.IntN(50), rng.IntN(4))
	if kind == 0 {
		line("add.u32 %%x0, %%x0, %%f;")
	}
	for k := range indexes {
		if kind == 1 {
			line("mad.lo.u32 %%x%d, %%t, %d, %%f;", k+1, rng.IntN(5))
			continue
		}
		line("add.u32 %%x%d, %%x0, %d;", k+1, rng.IntN(3)*rng.IntN(12))
	}
	line("TURN:\nsetp.gt.u32 %%p, %%x1, %%l; @%%p bra NEXT;")
	words := 0
	for k := range indexes {
		line("cvt.%s %%a%d, %%x%d;", pick("u64.u32", "u64.u32", "s64.s32"), k, k+1)
		if rng.IntN(2) == 0 {
			line("and.b64 %%a%d, %%a%d, 4294967292; add.u64 %%a%d, %%a%d, %%row;", k, k, k, k)
		} else {
			line("shl.b64 %%a%d, %%a%d, 2; add.u64 %%a%d, %%a%d, %%row;", k, k, k, k)
		}
	}
	for range 2 + rng.IntN(8) {
		guard, at := pick("", "", "", "", "@%g ", "@!%g "), fmt.Sprintf("%%a%d+%d", rng.IntN(indexes), 4*rng.IntN(5))
		switch rng.IntN(12) {
		case 0, 1:
			at = fmt.Sprintf("%%row+%d", 4*rng.IntN(8))
		case 2:
			at = fmt.Sprintf("%%a%d+%d", rng.IntN(indexes), rng.IntN(8)-2)
		}
		if guard != "" {
			line("mov.u32 %%w%d, %d;", words, words)
		}
		switch rng.IntN(10) {
		case 0:
			line("%sld.global.u8 %%w%d, [%s];", guard, words, at)
		case 1:
			line("%sld.global.s16 %%w%d, [%s];", guard, words, at)
		case 2:
			line("mov.u32 %%w%d, 3; %sld.global.v2.u32 {%%w%d, %%w%d}, [%s];", words+1, guard, words, words+1, at)
			words++
		case 3, 4, 5, 6:
			line("ld.global.u32 %%w%d, [%s];", words, at)
			words++
			if rng.IntN(6) == 0 {
				line("st.global.u32 [%%in+%d], %%s;", 4*rng.IntN(16))
			}
			line("ld.global.u32 %%w%d, [%%a%d+%d];", words, rng.IntN(indexes), 4*rng.IntN(5))
		default:
			line("%sld.global.u32 %%w%d, [%s];", guard, words, at)
		}
		words++
		if rng.IntN(8) == 0 {
			line("st.global.u32 [%%in+%d], %%s;", 4*rng.IntN(8))
		}
	}
	for k := 0; k < words; k++ {
		if k+1 < words && rng.IntN(3) > 0 {
			line("prmt.b32 %%w%d, %%w%d, %%w%d, %%sel;", k, k, k+1)
			k++
			line("mad.lo.u32 %%s, %%s, 31, %%w%d;", k-1)
			continue
		}
		line("mad.lo.u32 %%s, %%s, 31, %%w%d;", k)
	}
	// What is computed where all lanes come is what some have computed before.
	line("NEXT:\ncvt.u64.u32 %%a20, %%x1; shl.b64 %%a20, %%a20, 2; add.u64 %%a20, %%a20, %%row; sub.u64 %%a20, %%a20, %%in; cvt.u32.u64 %%x20, %%a20; mad.lo.u32 %%s, %%s, 31, %%x20;")
	for k := range indexes {
		by := step
		if rng.IntN(6) == 0 {
			by += 4
		}
		line("add.u32 %%x%d, %%x%d, %d;", k+1, k+1, by)
	}
	line("add.u64 %%row, %%row, %d; add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra TURN;", 4*rng.IntN(6))
	line("mov.u32 %%x0, %%ntid.x; mad.lo.u32 %%x0, %%y, %%x0, %%t; mul.wide.u32 %%o, %%x0, 4; add.u64 %%o, %%out, %%o; st.global.u32 [%%o], %%s; ret; }")
	return b.String()
}

// TestLoadsTogether runs such kernels on all levels: results and faults are those of package portable, whether all lanes are inside of the
// buffer, some, or none, and whether sums wrap around.
func TestLoadsTogether(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](300, 12))
	for name, o := range map[string]native.Options{"default": {}, "short turns": {Turn: 60}, "few registers": {Registers: 10}, "apart": {Without: amd64.FuseSame}} {
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(o)()
			vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { testLoadsTogether(t, seed, o.Turn > 0) })
			// The addresses of lanes were looked at one by one in registers that had a word of a pair.
			testLoadsTogether(t, 795, o.Turn > 0)
		})
	}
}

// testLoadsTogether runs one of them. With short turns lanes of a warp part: then it may not write what it reads, and another
// lane may be the first that fails.
func testLoadsTogether(t *testing.T, seed uint64, short bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	text := togetherKernel(rng)
	if short && strings.Contains(text, "st.global.u32 [%in") {
		return
	}
	size := []int{64, 200, 512, 4096}[rng.IntN(4)] // bytes
	content := make([]byte, size)
	for n := range content {
		content[n] = byte(rng.Uint32())
	}
	firsts := []uint32{0, uint32(rng.IntN(size)), uint32(-rng.IntN(40)), uint32(rng.IntN(size / 4)), 1<<31 - uint32(rng.IntN(30))}
	lasts := []uint32{uint32(size/4 - 1), uint32(size - 1), 1 << 31, 20}
	grid := vm.Grid{Block: vm.Dim{X: []int{16, 32, 40, 8}[rng.IntN(4)], Y: 1 + rng.IntN(4)}, Grid: vm.Dim{X: 2}, Workers: 1}
	if strings.Contains(text, "st.global.u32 [%in") { // other warps would read it before or after
		grid.Block, grid.Grid = vm.Dim{X: 16, Y: 2}, vm.Dim{X: 1}
	}
	for range 3 {
		first, last, turns := firsts[rng.IntN(len(firsts))], lasts[rng.IntN(len(lasts))], uint32(1+rng.IntN(6))
		var want []byte
		var wantErr string
		for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
			m := vmtest.LoadOn(t, l, text)
			in, _ := m.Memory().Alloc("in", size)
			out, _ := m.Memory().Alloc("out", 4*40*4)
			copy(in.Bytes(), content)
			err := vmtest.Kernel(t, m, "k").Launch(t.Context(), grid, in, out, first, last, turns)
			got := append(bytes.Clone(in.Bytes()), out.Bytes()...)
			switch {
			case l == level.Portable:
				want, wantErr = got, fmt.Sprint(err)
			case short && err != nil && wantErr != "<nil>":
			case fmt.Sprint(err) != wantErr:
				t.Errorf("seed %d, first %d, last %d, %d turns, %v: got\n%v\nwant\n%s\n%s", seed, first, last, turns, l, err, wantErr, text)
			case err == nil && !bytes.Equal(got, want):
				at := vmtest.FirstDifference(got, want)
				t.Errorf("seed %d, first %d, last %d, %d turns, %v: differs at byte %d of in and out: %x, want %x\n%s", seed, first, last, turns, l, at,
					binary.LittleEndian.Uint32(got[at&^3:]), binary.LittleEndian.Uint32(want[at&^3:]), text)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// The words of some lanes wrap around before they are extended, and steps see to that: what has been taken for the address of
// one load plus a constant is another one then, far outside. Once that was read where the constant says.
func TestLoadsApartByWrapping(t *testing.T) {
	// One thread is left where the loads are. In the last of four blocks its first index is 2^32-1, and that of no thread wraps
	// around; its second one has, and so has the third.
	const loads = `
	cvt.u64.u32 %a2, %x2; cvt.u64.u32 %a1, %x1; cvt.u64.u32 %a3, %x3;
	shl.b64 %a1, %a1, 2; shl.b64 %a2, %a2, 2; shl.b64 %a3, %a3, 2; add.u64 %a1, %a1, %in; add.u64 %a2, %a2, %in; add.u64 %a3, %a3, %in;`
	const want = "out of bounds at 0xfffffffc10000804, block (3, 0, 0) thread (1, 0, 0)"
	for name, body := range map[string]string{
		"seen by the code": loads + "setp.ne.u32 %p, %t, 1; @%p ret;",
		"in a block of steps": `setp.eq.u32 %p, %t, 1; @%p bra ONE;
	bar.sync 0; ret;
ONE:` + loads + "bar.sync 0;",
	} {
		text := vmtest.Header + `.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 f) {
	.reg .b32 %t, %f, %x<4>, %w<4>; .reg .b64 %in, %out, %a<4>; .reg .pred %p;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %f, [f]; mov.u32 %t, %tid.x;
	mov.u32 %x1, %ctaid.x; mad.lo.u32 %f, %x1, 100, %f; and.b32 %x1, %t, 1; mad.lo.u32 %x1, %x1, 2, %f; mad.lo.u32 %x2, %t, 4, %f; mad.lo.u32 %x3, %t, 3, %f;
	sub.u64 %in, %in, 17179867132; // 4*(2^32-1) - 2048
	` + body + `
	ld.global.u32 %w1, [%a1]; ld.global.u32 %w3, [%a3]; st.global.u32 [%out], %w1; st.global.u32 [%out+4], %w3; st.global.u64 [%out+8], %a2; ret; }`
		for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
			m := vmtest.LoadOn(t, l, text)
			in, _ := m.Memory().Alloc("in", 4096)
			out, _ := m.Memory().Alloc("out", 64)
			for range 3 {
				err := vmtest.Kernel(t, m, "k").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 32}, Workers: 1}, in, out, uint32(1<<32-303))
				if got := fmt.Sprint(err); !strings.Contains(got, want) {
					t.Errorf("%s, %v: got\n%s\nwant\n%s", name, l, got, want)
				}
			}
		}
	}
}
