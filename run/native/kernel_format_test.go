package native_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// TestKernelFormats computes what there is of narrow formats of floats, in kernels of every level: with all operands there are where
// they are 16 bits, else with those at and beside the middle of two numbers of a format. It compares with the loops.
func TestKernelFormats(t *testing.T) {
	var singles, doubles []uint64
	for _, fraction := range []int{1, 2, 3, 7, 10} {
		for n := range uint64(1 << (9 + min(fraction, 3))) { // a sign, an exponent, and first digits
			first := n << (23 - min(fraction, 3))
			for _, more := range []uint64{0, 1<<(23-fraction) - 1} { // the digits in between
				for _, rest := range []uint64{0, 1, 1<<(22-fraction) - 1, 1 << (22 - fraction), 1<<(22-fraction) + 1} {
					x := first | more&(1<<(23-min(fraction, 3))-1)&^(1<<(23-fraction)-1) | rest
					singles = append(singles, x)
					if y := math.Float64bits(float64(math.Float32frombits(uint32(x)))); y>>52&0x7ff < 0x7ff {
						doubles = append(doubles, y-1, y, y+1)
					}
				}
			}
		}
	}
	var halves []uint64
	for n := range uint64(1 << 16) {
		halves = append(halves, n|n*0x9e37<<16&0xffff0000)
	}
	step := long.Of(1, 61)
	for _, l := range needCode(t) {
		rng := rand.New(rand.NewPCG(7, 16))
		for o := op.Op(1); o < op.All(); o++ {
			name := o.String()
			if !strings.Contains(name, *operationFlag) {
				continue
			}
			var first []uint64
			switch narrow := narrowFormats(name); {
			case narrow && o.Shape() == "i:i" && strings.HasPrefix(name, "cvt.r") || strings.HasPrefix(name, "cvt.rs.") || name == "satfinite.ue8m0.f32":
				first = singles
			case narrow && o.Shape() == "i:l":
				first = doubles
			case narrow:
				first = halves
			default:
				continue
			}
			x := newOperation(o, nil, false, l)
			k, err := native.CompileKernel(x.f, native.Homes(x.f, l), native.Options{Level: l})
			if err != nil {
				t.Fatal(err)
			}
			for n := rng.IntN(step); n < len(first); n += step * simt.WarpSize {
				var all [simt.WarpSize][]uint64
				for lane := range all {
					args := []uint64{first[(n+lane*step)%len(first)]}
					for range len(o.Shape()) - 3 {
						args = append(args, another(rng, args[0]))
					}
					all[lane] = args
				}
				if !x.same(t, k, o, &all) {
					break
				}
			}
		}
	}
}

// narrowFormats reports whether an operation is of formats of 19 bits and less, or of two halves.
func narrowFormats(name string) bool {
	for _, format := range []string{"bf16", ".f16", "tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0"} {
		if strings.Contains(name, format) {
			return true
		}
	}
	return false
}

// another draws an operand that goes with a pair of halves: any, one a few places apart, one with the same exponent and the other sign, or random
// bits at the ends.
func another(rng *rand.Rand, first uint64) uint64 {
	word := rng.Uint32()
	switch rng.IntN(6) {
	case 0:
		return uint64(word & 0xffff)
	case 1:
		return (first + uint64(word&0x07000700)) & 0xffffffff
	case 2:
		return (first ^ 0x80008000 ^ uint64(word&0x00030003)) & 0xffffffff
	case 3:
		return uint64(edgeHalf(rng) | edgeHalf(rng)<<16)
	case 4:
		return uint64([]uint32{0, 1, 0xffff, 0x1fff, 0x3f803f80, 0x7f807f80, 0x7fc0ffc0, 0x80018001}[rng.IntN(8)])
	}
	return uint64(word)
}

// same computes an operation for a warp, and reports whether the results are those of the loop.
func (x *operation) same(t *testing.T, k *native.Kernel, o op.Op, all *[simt.WarpSize][]uint64) bool {
	t.Helper()
	for lane, args := range all {
		for n, v := range args {
			if x.given[n] != 0 { // no constant
				x.set(x.given[n], lane, v)
			}
		}
	}
	run := &native.Run{Machine: x, Homes: unsafe.Pointer(&x.memory[0]), Frame: k.NewFrame(), Windows: k.NewWindows(nil), Lanes: 1<<32 - 1}
	if left := k.Run(run); left != native.AtEnd {
		t.Fatalf("%v: left for %d", o, left)
	}
	for lane, args := range all {
		if got, want := x.get(x.result, lane), op.Fold(o, args...); (got^want)&significant(o) != 0 {
			t.Errorf("%v of %x: %x, want %x", o, args, got, want)
			return false
		}
	}
	return true
}
