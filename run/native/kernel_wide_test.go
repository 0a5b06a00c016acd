package native_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// TestKernelWide computes conversions between integers and floats, those of and to 64 bits, and divisions of 64 bits, in kernels of every
// level: with operands at and beside those at which a result changes, and with random ones. It compares with the loops.
func TestKernelWide(t *testing.T) {
	integers, doubles, singles := wideIntegers(), wideDoubles(), wideSingles()
	for _, l := range needCode(t) {
		count := 0
		for o := op.Op(1); o < op.All(); o++ {
			name := o.String()
			if !strings.Contains(name, *operationFlag) {
				continue
			}
			var draw func(rng *rand.Rand, n int) []uint64
			fixed := 0
			switch from := name[strings.LastIndexByte(name, '.')+1:]; {
			case strings.HasPrefix(name, "div.") && o.Shape() == "l:ll", strings.HasPrefix(name, "rem.") && o.Shape() == "l:ll":
				fixed = len(integers) / 8
				draw = func(rng *rand.Rand, n int) []uint64 { return dividend(rng, integers, n < fixed) }
			case strings.HasPrefix(name, "slct.64."):
				draw = func(rng *rand.Rand, _ int) []uint64 { return []uint64{rng.Uint64(), rng.Uint64(), edge(rng, 'i')} }
			case !strings.HasPrefix(name, "cvt.") || narrowFormats(name) || len(o.Shape()) != 3:
				continue
			case from == "f64":
				fixed, draw = len(doubles), oneOf(doubles, doubleNearby)
			case from == "f32":
				fixed, draw = len(singles), oneOf(singles, singleNearby)
			case from[1:] == "64":
				fixed, draw = len(integers), oneOf(integers, integerOfWidth)
			default: // the bits above those of the type are anything
				fixed, draw = len(integers), func(rng *rand.Rand, n int) []uint64 {
					return []uint64{oneOf(integers, integerOfWidth)(rng, n)[0] & (1<<32 - 1)}
				}
			}
			count++
			testWide(t, l, o, nil, fixed+long.Seeds(100_000, 3000), draw)
			if o.Shape() == "l:ll" { // by constants
				rng := rand.New(rand.NewPCG(uint64(o), 65))
				for n := range 40 {
					y := dividend(rng, integers, rng.IntN(2) == 0)[1]
					if n == 0 {
						y = 0
					}
					testWide(t, l, o, map[int]uint64{1: y}, 64, func(rng *rand.Rand, _ int) []uint64 { return []uint64{multiple(rng, y), y} })
				}
			}
		}
		if *operationFlag == "" && count < 300 {
			t.Errorf("%v: only %d operations are tested", l, count)
		}
	}
}

// testWide computes an operation with operands that are drawn, and constants.
func testWide(t *testing.T, l native.Level, o op.Op, known map[int]uint64, count int, draw func(rng *rand.Rand, n int) []uint64) {
	t.Helper()
	x := newOperation(o, known, false, l)
	k, err := native.CompileKernel(x.f, native.Homes(x.f, l), native.Options{Level: l})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(o), 64))
	for n := 0; n < count; n += simt.WarpSize {
		var all [simt.WarpSize][]uint64
		for lane := range all {
			all[lane] = draw(rng, n+lane)
		}
		if !x.same(t, k, o, &all) {
			return
		}
	}
}

// oneOf draws from a list, in order, and other operands when that has ended.
func oneOf(list []uint64, other func(rng *rand.Rand) uint64) func(rng *rand.Rand, n int) []uint64 {
	return func(rng *rand.Rand, n int) []uint64 {
		if n < len(list) {
			return list[n : n+1]
		}
		return []uint64{other(rng)}
	}
}

// wideIntegers are sums and differences of two powers of two and a small number: all of them, or every fifth.
func wideIntegers() (all []uint64) {
	for k := range 65 {
		for j := range k {
			for _, d := range []uint64{0, 1, 2, ^uint64(0)} {
				x, y := uint64(1)<<k, uint64(1)<<j
				all = append(all, x+y+d, x-y+d, -x-y+d, -x+y+d)
			}
		}
	}
	step := long.Of(1, 5)
	for n := range len(all) / step {
		all[n] = all[n*step]
	}
	return all[:len(all)/step]
}

// integerOfWidth draws an integer of any width; or one at or beside the middle between two floats.
func integerOfWidth(rng *rand.Rand) uint64 {
	x := rng.Uint64()
	switch fraction := []int{24, 53}[rng.IntN(2)]; rng.IntN(3) {
	case 0: // first digits, and the middle
		x = x>>(63-fraction)<<(63-fraction) | 1<<(63-fraction)
		if x>>63 == 0 {
			x |= 1 << 63
		}
		x = (x + uint64(rng.IntN(3)) - 1) >> rng.IntN(64-fraction)
	case 1: // digits after the middle that f64 has no place for
		x = x>>40<<40 | 1<<39 | uint64(rng.IntN(4))
		x >>= rng.IntN(12)
	default:
		x >>= rng.IntN(64)
	}
	if rng.IntN(2) == 0 {
		return -x
	}
	return x
}

// dividend draws a dividend and a divisor: any that are edges, or a dividend at or beside a multiple of the divisor.
func dividend(rng *rand.Rand, edges []uint64, edge bool) []uint64 {
	if edge {
		return []uint64{edges[rng.IntN(len(edges))], edges[rng.IntN(len(edges))]}
	}
	y := rng.Uint64() >> rng.IntN(64)
	switch rng.IntN(8) {
	case 0:
		return []uint64{rng.Uint64(), y}
	case 1:
		return []uint64{edges[rng.IntN(len(edges))], y}
	case 2:
		y = edges[rng.IntN(len(edges))]
	case 3:
		y = -y
	}
	return []uint64{multiple(rng, y), y}
}

// multiple draws a number at or beside a multiple of another one, or any if that is 0.
func multiple(rng *rand.Rand, y uint64) uint64 {
	if y == 0 {
		return rng.Uint64()
	}
	most := ^uint64(0) / y
	q := most
	switch rng.IntN(3) {
	case 0:
		q = most - min(most, uint64(rng.IntN(3)))
	case 1:
		q = rng.Uint64N(most/2+1) + most/2
	case 2:
		q = min(most, rng.Uint64()>>rng.IntN(64))
	}
	return q*y + uint64(rng.IntN(3)) - 1
}

// wideDoubles are f64 at and beside the limits of integers, with halves and quarters, and at those of f32.
func wideDoubles() (all []uint64) {
	var values []float64
	for k := range 67 {
		power := math.Ldexp(1, k-1)
		for _, d := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5} {
			values = append(values, power+d, power-d)
		}
		values = append(values, power*(1-0x1p-24), power*(1+0x1p-24), power*(1-0x1p-25), power*1.5)
	}
	for _, e := range []int{-1074, -1022, -151, -150, -149, -148, -127, -126, -125, 126, 127, 128, 129, 1023} {
		for _, x := range []float64{1, 1.5, 1 + 0x1p-24, 1 + 0x1p-23, 1 + 3*0x1p-24, 2 - 0x1p-23, 2 - 0x1p-24} {
			values = append(values, math.Ldexp(x, e))
		}
	}
	for _, x := range append(values, 0, math.Inf(1)) {
		b := math.Float64bits(x)
		for _, b := range []uint64{b - 1, b, b + 1} {
			all = append(all, b&^(1<<63), b|1<<63)
		}
	}
	return append(all, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff7ffffffffffff, 0xffffffffffffffff, 0x7ff0000020000000)
}

// doubleNearby draws a f64: one at or beside a f32 or the middle of two, an integer and a few quarters, one with an exponent
// of integers, or any.
func doubleNearby(rng *rand.Rand) uint64 {
	switch rng.IntN(4) {
	case 0:
		x := float64(math.Float32frombits(rng.Uint32()))
		return math.Float64bits(x) + uint64(rng.IntN(2))<<28 + uint64(rng.IntN(3)) - 1
	case 1:
		return math.Float64bits(float64(int64(rng.Uint64())>>rng.IntN(64)) + float64(rng.IntN(9))/4)
	case 2:
		return rng.Uint64()&(1<<63|1<<52-1) | uint64(1023-3+rng.IntN(70))<<52
	}
	return rng.Uint64()
}

// wideSingles are f32 of all exponents with first and last digits.
func wideSingles() (all []uint64) {
	for n := range uint64(1 << 12) {
		for _, rest := range []uint64{0, 1, 1<<20 - 1} {
			all = append(all, n<<20|rest)
		}
	}
	return all
}

// singleNearby draws a f32: an integer and a few quarters, one with an exponent of integers, or any.
func singleNearby(rng *rand.Rand) uint64 {
	switch rng.IntN(3) {
	case 0:
		return uint64(math.Float32bits(float32(int64(rng.Uint64())>>rng.IntN(64)) + float32(rng.IntN(9))/4))
	case 1:
		return uint64(rng.Uint32()&(1<<31|1<<23-1) | uint32(127-3+rng.IntN(70))<<23)
	}
	return uint64(rng.Uint32())
}
