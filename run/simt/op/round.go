package op

import (
	"math"
	"math/bits"
)

// rounding is a rounding mode of the PTX ISA (5.2.2, 9.7.3).
type rounding uint8

const (
	toNearest rounding = iota // rn: ties to even
	toZero                    // rz
	downwards                 // rm
	upwards                   // rp
)

// roundings are the modes by name.
var roundings = map[string]rounding{"rn": toNearest, "rz": toZero, "rm": downwards, "rp": upwards}

// Results of f32 operations are first computed in f64, rounded to odd: the last bit of an
// inexact result is 1, whatever it would have been. Since an f64 has more than two
// bits more than an f32, rounding that to f32 in any mode gives what rounding the exact
// result would have given (Boldo and Melquiond, "Emulation of a FMA and correctly rounded
// sums", 2008).

// odd rounds to odd a value whose nearest f64 is x and that differs from it by an
// amount with the sign of rest.
func odd(x, rest float64) float64 {
	if rest == 0 || math.IsInf(x, 0) {
		return x
	}
	b := math.Float64bits(x)
	if (rest < 0) != (x < 0) {
		b-- // the value is nearer to zero than x
	}
	return math.Float64frombits(b | 1)
}

// sumOdd returns a+b rounded to odd; an exact zero has the sign that the mode asks for.
func sumOdd(a, b float64, mode rounding) float64 {
	s := a + b
	if s == 0 {
		if mode == downwards && math.Signbit(a) != math.Signbit(b) {
			return math.Copysign(0, -1)
		}
		return s
	}
	if math.IsInf(s, 0) || s != s {
		return s
	}
	// The error of the sum, exactly (Knuth's TwoSum).
	t := s - a
	return odd(s, (a-(s-t))+(b-t))
}

// quotientOdd returns a/b rounded to odd, for a and b that are f32 values.
func quotientOdd(a, b float64) float64 {
	q := a / b
	if q == 0 || math.IsInf(q, 0) || q != q || math.IsInf(b, 0) {
		return q
	}
	rest := math.FMA(-q, b, a)
	if b < 0 {
		rest = -rest
	}
	return odd(q, rest)
}

// rootOdd returns the square root of an f32 value rounded to odd.
func rootOdd(a float64) float64 {
	s := math.Sqrt(a)
	if s == 0 || math.IsInf(s, 0) || s != s {
		return s
	}
	return odd(s, math.FMA(-s, s, a))
}

// single rounds to f32. The f64 is exact, or rounded to odd.
func single(x float64, mode rounding) float32 {
	r := float32(x)
	back := float64(r)
	if back == x || mode == toNearest || x != x {
		return r
	}
	away := math.Abs(back) > math.Abs(x)
	outwards := mode == downwards && x < 0 || mode == upwards && x > 0
	switch b := math.Float32bits(r); {
	case away && !outwards:
		return math.Float32frombits(b - 1)
	case !away && outwards:
		if r == 0 { // whose sign is that of x
			return math.Float32frombits(b | 1)
		}
		return math.Float32frombits(b + 1)
	}
	return r
}

// integral rounds to an integer, which keeps the sign of x if it is zero.
func integral(x float64, mode rounding) float64 {
	switch mode {
	case toZero:
		return math.Trunc(x)
	case downwards:
		return math.Floor(x)
	case upwards:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// fromInteger rounds an integer, given by magnitude and sign, to a float of so many bits of
// precision, 24 or 53.
func fromInteger(magnitude uint64, negative bool, precision int, mode rounding) float64 {
	shift := max(bits.Len64(magnitude)-precision, 0)
	kept := magnitude >> shift
	if rest := magnitude - kept<<shift; rest != 0 {
		half := uint64(1) << (shift - 1)
		switch mode {
		case toNearest:
			if rest > half || rest == half && kept&1 != 0 {
				kept++
			}
		case downwards:
			kept += bit(negative)
		case upwards:
			kept += bit(!negative)
		}
	}
	x := math.Ldexp(float64(kept), shift)
	if negative {
		return -x
	}
	return x
}

// leastNormal is the least normal number of a format, and the unit of the last place just below it,
// if exponents had no end.
type leastNormal struct{ number, unit float64 }

var (
	leastSingle = leastNormal{0x1p-126, 0x1p-150}
	leastHalf   = leastNormal{0x1p-14, 0x1p-25}
)

// flushed makes zeros, for .ftz, of what is less than the least normal number when it is rounded as
// if exponents had no end (ruling O2): of 2^-126 less 2^-150, though its nearest f32 is 2^-126. The
// argument is exact, or rounded to odd.
func (l leastNormal) flushed(x float64, mode rounding) float64 {
	magnitude, tiny := math.Abs(x), false
	switch {
	case mode == toNearest: // half a unit less is rounded to the least normal number, which is even
		tiny = magnitude < l.number-l.unit/2
	case mode == downwards && x < 0, mode == upwards && x > 0:
		tiny = magnitude <= l.number-l.unit
	default:
		tiny = magnitude < l.number
	}
	if tiny {
		return math.Copysign(0, x)
	}
	return x
}

// Raising has, for the operations whose results may be inexact and less than the least normal f32, the
// powers of two that multiply their operands where the result is to be 2^64 times as large. Machine
// code computes so once more: what is less than LeastRaised then is flushed. An operand that becomes
// infinite, or that of a reciprocal that becomes subnormal, belongs to a result that is much larger,
// or to an exact zero.
var Raising = map[string][]int{"mul": {64, 0}, "div": {64, 0}, "fma": {64, 0, 64}, "rcp": {-64}}

// LeastRaised is the least normal f32, raised.
const LeastRaised = 0x1p-62

// FlushedHalves is what results of f16 are flushed below, as long as they are not rounded.
const FlushedHalves = 0x1p-14 - 0x1p-26

// flush makes subnormal numbers zeros of their sign: .ftz.
func flush(x float32) float32 {
	if b := math.Float32bits(x); b&0x7f800000 == 0 {
		return math.Float32frombits(b & 0x80000000)
	}
	return x
}

// saturated clamps to 0 to 1: .sat. A NaN becomes 0.
func saturated(x float32) float32 {
	switch {
	case x >= 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}

// canonicalNaN is the NaN that f32 operations give (PTX ISA 9.7.3).
const canonicalNaN = 0x7fffffff

// bitsOf returns the bits of a result.
func bitsOf(x float32) uint32 {
	if x != x {
		return canonicalNaN
	}
	return math.Float32bits(x)
}
