package forms

import (
	"math"
	"math/rand/v2"

	"github.com/vop-ptx/vop/internal/ordinary"
)

// integerValues are integers at which operations of some width, and conversions to and from floating-point
// numbers, change what they do.
var integerValues = func() []uint64 {
	values := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 65504, 65519, 65520,
		0x55, 0xaa, 0x5555, 0xaaaa, 0x3210, 0x7654, 0xfedc, 0x55555555, 0xaaaaaaaa, 0x80808080, 0x7f7f7f7f, 0x0123456789abcdef, 0xfedcba9876543210,
		1<<24 + 1, 1<<25 + 2, 1<<25 + 6, 1<<53 + 1, 1<<54 + 2, 1<<54 + 6, 1<<63 + 1<<39, 1<<63 + 1<<39 + 1, 1<<63 + 1<<10, 1<<63 + 3<<10}
	for _, n := range []int{7, 8, 11, 12, 15, 16, 23, 24, 31, 32, 47, 48, 53, 62, 63} {
		for _, v := range []uint64{1<<n - 1, 1 << n, 1<<n + 1} {
			values = append(values, v, -v)
		}
	}
	return append(values, ^uint64(0))
}()

// singleValues are f32 at which operations, and conversions to all other types, change what they do.
var singleValues = func() []uint64 {
	values := []uint64{0, 0x80000000, 1, 2, 3, 0x7ffffe, 0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000, // subnormal, and least normal numbers
		0x3f800000, 0x3f800001, 0x3f7fffff, 0x3fc00000, 0x40000000, 0x40400000, 0x40800000, 0x3f000000, 0x3effffff, 0x3f000001, 0x40200000, // 1, 1.5, 2, 3, 4, 0.5, 2.5
		0x33800000, 0x33800001, 0x337fffff, 0x34000000, 0x33000000, 0x4b000000, 0x4b000001, 0x4afffffe, 0x4b800000, 0x4b800001, // ulps of 1 and their halves; 2^23, 2^24
		0x42fe0000, 0x42ff0000, 0x43000000, 0x43008000, 0x437f0000, 0x437f8000, 0x437fffff, 0x43800000, 0x46fffe00, 0x46ffff00, 0x47000000, 0x477fff00, 0x477fff80, 0x47800000, // ends of 8 and 16 bits
		0x4effffff, 0x4f000000, 0x4f000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, // ends of 32 and 64 bits
		0x3f801000, 0x3f801001, 0x3f800fff, 0x3f803000, 0x477fe000, 0x477fefff, 0x477ff000, 0x477ff001, // between f16, and their end
		0x33800000, 0x33000000, 0x33000001, 0x33c00000, 0x387fc000, 0x387fe000, 0x387fffff, 0x38800000, 0x38801000, // subnormal f16
		0x7f7fffff, 0x7f7ffffe, 0x7f000000, 0x7e800000, 0x7e800001, 0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff, 0x7fc12345, // the greatest, infinity, NaNs
		0x1a000000, 0x5a000000, 0x20000000, 0x60000000, 0x0da24260, 0x3eaaaaab, 0x40490fdb, 0x3fb504f3}
	for _, v := range values {
		values = append(values, v|0x80000000)
	}
	return values
}()

// doubleValues are those of f32, numbers near them and half-way between them, and the ends of f64.
var doubleValues = func() (values []uint64) {
	for _, s := range singleValues {
		x := math.Float64bits(float64(math.Float32frombits(uint32(s))))
		values = append(values, x)
		if s&0x7fffffff != 0 && s&0x7f800000 != 0x7f800000 {
			values = append(values, x+1, x-1, x+1<<28, x+1<<28+1, x+1<<28-1)
		}
	}
	for _, v := range []uint64{1, 2, 3, 1<<52 - 1, 1 << 52, 1<<52 + 1, 0x7fefffffffffffff, 0x7fe0000000000000, 0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff,
		0x7ff80000ffffffff, 0x3690000000000000, 0x3690000000000001, 0x368fffffffffffff, 0x36a8000000000000, 0x380fffffe0000000, 0x380ffffff0000000, 0x380fffffefffffff,
		0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x43dfffffffffffff, 0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
		0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000200000, 0x41efffffffe00000, 0x41effffffff00000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x3ca0000000000000, 0x3cb0000000000000} {
		values = append(values, v, v|1<<63)
	}
	return values
}()

var halfValues = func() (values []uint64) {
	for _, v := range []uint64{0, 1, 2, 3, 0x3fe, 0x3ff, 0x400, 0x401, 0x7ff, 0x800, 0x1000, 0x1001, 0x1400, 0x1401, 0x13ff, 0x37ff, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4100, 0x4200,
		0x3555, 0x57f0, 0x57f8, 0x5800, 0x5bf8, 0x5bfc, 0x5c00, 0x63ff, 0x6400, 0x6401, 0x6800, 0x77ff, 0x7800, 0x7801, 0x7bfe, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7ff6, 0x7ff7, 0x7ff8, 0x7fff} {
		values = append(values, v, v|0x8000)
	}
	return values
}()

// brainValues are the upper halves of f32.
var brainValues = func() (values []uint64) {
	for _, v := range singleValues {
		values = append(values, v>>16)
	}
	return append(values, 1, 0x8001, 0x7f, 0x80, 0x7f7f, 0xff7f, 0x7f81, 0x3f81, 0x3f82, 0x3b80, 0x3c00,
		0x7ff6, 0x7ff7, 0x7ff8, 0xfff6, 0xfff7, 0xfff8)
}()

// edgeValues are the values of a type at which something changes.
func edgeValues(o ordinary.Operand) []uint64 {
	switch {
	case o.Kind == 'f' && o.Bits == 16 || o.Kind == 'x':
		return halfValues
	case o.Kind == 'g' || o.Kind == 'y':
		return brainValues
	case o.Kind == 'f' && o.Bits == 32:
		return singleValues
	case o.Kind == 'f':
		return doubleValues
	}
	return integerValues
}

// randomValue is a value of a type: an edge, one with few ones or long runs in its digits, or any. Bits
// that do not belong to the type are random.
func randomValue(rng *rand.Rand, o ordinary.Operand) uint64 {
	all := rng.Uint64()
	edge := func() uint64 {
		e := edgeValues(o)
		return e[rng.IntN(len(e))]
	}
	v := all
	switch rng.IntN(4) {
	case 0, 1:
		v = edge()
		if o.Kind == 'x' || o.Kind == 'y' {
			v |= edge() << 16
		}
	case 2:
		from, to := rng.IntN(64), rng.IntN(64)
		v = 1<<from - 1<<to
		if o.Kind == 'f' { // an exponent near that of 1, and few digits
			fraction := map[int]int{16: 10, 32: 23, 64: 52}[o.Bits]
			bias := uint64(1)<<(o.Bits-2-fraction) - 1
			from, to = rng.IntN(fraction+1), rng.IntN(fraction+1)
			digits := uint64(1)<<from ^ uint64(1)<<to
			v = all&(1<<(o.Bits-1)) | (bias+uint64(rng.IntN(2*o.Bits))-uint64(o.Bits))<<fraction | digits&(1<<fraction-1)
		}
	}
	if o.Bits < 64 {
		v = v&(1<<o.Bits-1) | all>>1<<o.Bits
	}
	return v
}

// nearOutOfBounds puts NaNs into some of the halves of a word: the one that stands for what is out of bounds, and others.
func nearOutOfBounds(rng *rand.Rand, x uint64) uint64 {
	nans := []uint64{0x7ff7, 0xfff7, 0x7ff6, 0xfff6, 0x7fff, 0xffff, 0x7ff5, 0x7ff3, 0x7fe7, 0x7fd7, 0x7fb7, 0xff97, 0x7bf7, 0xfff8}
	for _, shift := range []int{0, 16} {
		if rng.IntN(3) == 0 {
			x = x&^(0xffff<<shift) | nans[rng.IntN(len(nans))]<<shift
		}
	}
	return x
}

// operandColumns makes so many values for each source: all edges of the first source come to their turn if there is
// room, and sometimes two sources are near each other.
func operandColumns(rng *rand.Rand, f *ordinary.Form, n int) [][]uint64 {
	columns := make([][]uint64, len(f.Sources))
	for s := range columns {
		columns[s] = make([]uint64, n)
	}
	edges := edgeValues(f.Sources[0])
	from := rng.IntN(len(edges))
	x := make([]uint64, len(columns))
	for i := range n {
		for s, o := range f.Sources {
			x[s] = randomValue(rng, o)
		}
		if len(x) == 1 && i < len(edges) && f.Sources[0].Kind != 'x' {
			x[0] = edges[(from+i)%len(edges)]
		}
		if len(x) > 1 && f.Sources[0] == f.Sources[1] && rng.IntN(6) == 0 {
			x[1] = x[0] ^ []uint64{0, 1, 1 << (f.Sources[0].Bits - 1)}[rng.IntN(3)]
		}
		open := rng.Uint64()
		switch {
		case dividesIntegers(f) && open%8 == 0:
			x[1] = x[1] >> (f.Sources[1].Bits - 1) >> 1 << (f.Sources[1].Bits - 1) << 1 // a divisor of 0, with anything above it
		case takesOutOfBounds(f):
			x[open%2] = nearOutOfBounds(rng, x[open%2])
		case flushes(f) && open%4 == 0:
			nearLeast(rng, f, x)
		}
		if f.Restrict != nil {
			f.Restrict(x)
		}
		for s := range columns {
			columns[s][i] = x[s]
		}
	}
	return columns
}
