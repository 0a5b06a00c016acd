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
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// sumsKernel returns a kernel of sums that are often equal, or a constant apart, as machine code has such in one register:
// words and wide ones, in a loop, with lanes that part between them, and calls and shuffles, which steps execute for some of
// the lanes. Each thread stores all of them.
func sumsKernel(rng *rand.Rand) string {
	const sums = 6
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	number := func() int { return []int{1, 4, 16, 0x1000000}[rng.IntN(4)] * (1 - 2*rng.IntN(2)) }
	line(vmtest.Header + ".func f(.param .b32 x) { ret; }")
	line(".visible .entry k(.param .u64 out, .param .u64 in) {")
	line(".reg .b32 %%t, %%i, %%v, %%a<%d>; .reg .b64 %%o, %%n, %%w<%d>; .reg .pred %%p, %%q<3>;", sums, sums)
	line("ld.param.u64 %%o, [out]; ld.param.u64 %%n, [in]; mov.u32 %%t, %%tid.x; mov.u32 %%i, 0;")
	line("mad.wide.u32 %%n, %%t, 4, %%n; ld.global.u32 %%v, [%%n];")
	for n := range sums {
		line("mad.lo.u32 %%a%d, %%t, %d, %d; cvt.u64.u32 %%w%d, %%a%d;", n, []int{1, 4, 16}[rng.IntN(3)], max(0, number()), n, n)
	}
	line("setp.lt.s32 %%q0, %%a0, 40; setp.ge.u32 %%q1, %%t, 7; setp.lt.u32 %%q2, %%t, 30;\nTURN:")
	labels := 0
	var open []int
	for range 4 + rng.IntN(12) {
		to, from := rng.IntN(sums), rng.IntN(sums)
		switch rng.IntN(13) {
		case 0, 1, 2:
			line("add.u32 %%a%d, %%a%d, %d;", to, from, number())
		case 3, 4, 5:
			line("add.s64 %%w%d, %%w%d, %d;", to, from, number())
		case 6:
			line("cvt.u64.u32 %%w%d, %%a%d;", to, from)
		case 7:
			line("setp.%s.u32 %%p, %%v, %d; @%%p bra L%d;", []string{"eq", "lt", "ne"}[rng.IntN(3)], rng.IntN(4), labels)
			open = append(open, labels)
			labels++
		case 8:
			if rng.IntN(2) == 0 {
				line("{ .param .b32 x; st.param.b32 [x], %%t; call f, (x); }")
			} else {
				line("cvt.u32.u64 %%v, %%w%d; and.b32 %%v, %%v, 3; atom.global.%s %%v, [%%n], %%v;", from,
					[]string{"xor.b32", "add.noftz.f16x2"}[rng.IntN(2)]) // steps add halves
			}
		case 9:
			line("setp.%s.s32 %%q%d, %%a%d, %d;", []string{"lt", "ge"}[rng.IntN(2)], rng.IntN(3), from, rng.IntN(200)-20)
		case 10:
			line("@%%q%d bra L%d;", rng.IntN(3), labels)
			open = append(open, labels)
			labels++
		case 11:
			line("%s.pred %%q%d, %%q%d, %%q%d;", []string{"and", "or"}[rng.IntN(2)], rng.IntN(3), rng.IntN(3), rng.IntN(3))
		default:
			if n := len(open); n > 0 {
				line("L%d:", open[n-1])
				open = open[:n-1]
			}
		}
	}
	for _, n := range open {
		line("L%d:", n)
	}
	line("add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %d; @%%p bra TURN;", 1+rng.IntN(3))
	line("mad.wide.u32 %%o, %%t, %d, %%o;", 12*sums)
	for n := range sums {
		line("st.global.u32 [%%o+%d], %%a%d; st.global.v2.b32 [%%o+%d], {%%v, %%v}; st.global.u64 [%%o+%d], %%w%d;", 8*sums+4*n, n, 8*n, 8*n, n)
	}
	line("ret; }")
	return b.String()
}

// TestSumsWithSteps runs such kernels on all levels.
func TestSumsWithSteps(t *testing.T) {
	const threads = 36
	levels := append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](2000, 100))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 21))
		text := sumsKernel(rng)
		values := make([]byte, 4*threads)
		for n := range threads {
			values[4*n] = byte(rng.IntN(4))
		}
		var want []byte
		for _, l := range levels {
			m := vmtest.LoadOn(t, l, text)
			out, _ := m.Memory().Alloc("out", 72*threads)
			in, _ := m.Memory().Alloc("in", len(values))
			copy(in.Bytes(), values)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, out, in)
			if l == level.Portable {
				want = bytes.Clone(out.Bytes())
			} else if !bytes.Equal(out.Bytes(), want) {
				at := vmtest.FirstDifference(out.Bytes(), want) &^ 3
				t.Fatalf("seed %d, %v: thread %d, word %d is %#x, want %#x\n%s", seed, l, at/72, at%72/4,
					binary.LittleEndian.Uint32(out.Bytes()[at:]), binary.LittleEndian.Uint32(want[at:]), text)
			}
		}
	})
}

// TestStepsReadWhatCodeShares: the shared address is the first sum again, so that machine code has it in the register of that and
// reads the sum between them nowhere. Steps, which execute the block behind the call for some of the lanes, do read it. Seed
// 86401 of the model's kernels found it stale.
func TestStepsReadWhatCodeShares(t *testing.T) {
	const threads = 33
	const text = vmtest.Header + `.func f() { ret; }
.visible .entry k(.param .u64 out, .param .u64 in) {
	.reg .b32 %t, %v; .reg .b64 %o, %n, %first, %between, %again; .reg .pred %p;
	ld.param.u64 %o, [out]; ld.param.u64 %n, [in]; mov.u32 %t, %tid.x;
	mad.wide.u32 %n, %t, 4, %n; ld.global.u32 %v, [%n];
	mul.lo.u32 %t, %t, 16; cvt.u64.u32 %first, %t;
	add.s64 %between, %first, 0x1000000;
	setp.ne.u32 %p, %v, 0; @%p bra END;
	call f;
	sub.s64 %again, %between, 0x1000000; add.s64 %o, %o, %again;
	st.global.u64 [%o], %again;
END:	ret; }`
	for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
		for _, apart := range []int{1, 2, 5, threads} {
			m := vmtest.LoadOn(t, l, text)
			out, _ := m.Memory().Alloc("out", 16*threads)
			in, _ := m.Memory().Alloc("in", 4*threads)
			for n := range threads {
				in.Bytes()[4*n] = byte(n % apart)
			}
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, out, in)
			for n := range threads {
				want := uint64(0)
				if n%apart == 0 {
					want = uint64(16 * n)
				}
				if got := binary.LittleEndian.Uint64(out.Bytes()[16*n:]); got != want {
					t.Errorf("%v, every %d: thread %d has %#x, want %#x", l, apart, n, got, want)
				}
			}
		}
	}
}

// TestOtherCodeHasWhatIsRead: where the word wraps around before it is extended, other code goes on at the next block. It has there
// what is read from there on, and the first sum is not: the last one is it again, and may not be taken from its register.
func TestOtherCodeHasWhatIsRead(t *testing.T) {
	const threads = 36
	const text = vmtest.Header + `.visible .entry k(.param .u64 out) {
	.reg .b32 %t, %first, %between, %low, %again; .reg .b64 %o, %w; .reg .pred %p;
	ld.param.u64 %o, [out]; mov.u32 %t, %tid.x;
	mad.lo.u32 %first, %t, 4, 1; add.u32 %between, %first, -4; add.u32 %low, %between, -1;
	cvt.u64.u32 %w, %low;
	@%p bra NEXT;
NEXT:	add.u32 %again, %between, 4;
	mad.wide.u32 %o, %t, 16, %o;
	st.global.u64 [%o], %w; st.global.u32 [%o+8], %again;
	ret; }`
	for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
		m := vmtest.LoadOn(t, l, text)
		out, _ := m.Memory().Alloc("out", 16*threads)
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, out)
		for n := range threads {
			w, again := binary.LittleEndian.Uint64(out.Bytes()[16*n:]), binary.LittleEndian.Uint32(out.Bytes()[16*n+8:])
			if w != uint64(uint32(4*n-4)) || again != uint32(4*n+1) {
				t.Errorf("%v: thread %d has %#x and %d, want %#x and %d", l, n, w, again, uint32(4*n-4), 4*n+1)
			}
		}
	}
}
