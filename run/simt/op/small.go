package op

import "math"

// smallFormat is a floating-point format of up to 16 bits, or tf32's 19.
type smallFormat struct {
	bits, fraction, bias int
	// top is the largest number, infinity what stands for more, the largest number again where there is none.
	top, infinity, nan uint32
}

var (
	brainFormat = smallFormat{16, 7, 127, 0x7f7f, 0x7f80, 0x7fff}
	tf32Format  = smallFormat{19, 10, 127, 0x3fbff, 0x3fc00, 0x3ffff}
	e4m3Format  = smallFormat{8, 3, 7, 0x7e, 0x7e, 0x7f} // it has no infinity
	e5m2Format  = smallFormat{8, 2, 15, 0x7b, 0x7c, 0x7f}
	// Those of 6 and 4 bits have neither infinities nor NaNs: a NaN becomes the largest number.
	e2m3Format = smallFormat{6, 3, 1, 0x1f, 0x1f, 0x1f}
	e3m2Format = smallFormat{6, 2, 3, 0x1f, 0x1f, 0x1f}
	e2m1Format = smallFormat{4, 1, 1, 0x07, 0x07, 0x07}
)

// packedFormats are those of which several are in a register.
var packedFormats = map[string]smallFormat{
	".e4m3": e4m3Format, ".e5m2": e5m2Format, ".e2m3": e2m3Format, ".e3m2": e3m2Format, ".e2m1": e2m1Format,
}

func (f smallFormat) sign() uint32 { return 1 << (f.bits - 1) }

// Rounding modes that only conversions to small formats have.
const (
	toNearestAway rounding = upwards + 1 + iota // cvt.rna: ties go away from zero
	stochastic                                  // cvt.rs: towards zero, after random digits have been added
)

// encode rounds to the format.
func (f smallFormat) encode(x float64, mode rounding) uint32 {
	return f.encodeAfter(x, mode, 0)
}

// encodeAfter is encode of a number that is added up to a unit of its last place before, away from zero.
func (f smallFormat) encodeAfter(x float64, mode rounding, more float64) uint32 {
	sign := uint32(0)
	if math.Signbit(x) {
		sign = f.sign()
	}
	magnitude := math.Abs(x)
	switch {
	case x != x:
		return f.nan
	case math.IsInf(x, 0):
		return sign | f.infinity
	case x == 0:
		return sign
	}
	// The unit of the last place, and the value in units: less than 2^(fraction+1), or exactly that where rounding
	// carries over, which the sum below carries into the exponent.
	_, exponent := math.Frexp(magnitude)
	exponent = max(exponent-1, 1-f.bias)
	units := math.Ldexp(magnitude, f.fraction-exponent) + more
	outwards := mode == upwards && sign == 0 || mode == downwards && sign != 0
	switch {
	case mode == toNearest:
		units = math.RoundToEven(units)
	case mode == toNearestAway:
		units = math.Round(units)
	case outwards:
		units = math.Ceil(units)
	default:
		units = math.Floor(units)
	}
	code := uint64(units) + uint64(exponent+f.bias-1)<<f.fraction
	switch {
	case code <= uint64(f.top):
		return sign | uint32(code)
	case mode == toNearest || mode == toNearestAway || mode == stochastic || outwards:
		return sign | f.infinity
	}
	return sign | f.top
}

// decode returns the number that bits stand for.
func (f smallFormat) decode(x uint32) float64 {
	magnitude := x & (f.sign() - 1)
	exponent, fraction := int(magnitude>>f.fraction), float64(magnitude&(1<<f.fraction-1))
	v := math.Inf(1)
	switch {
	case magnitude == f.infinity && f.infinity > f.top:
	case magnitude > f.top:
		v = math.NaN()
	case exponent == 0:
		v = math.Ldexp(fraction, 1-f.bias-f.fraction)
	default:
		v = math.Ldexp(fraction+float64(uint32(1)<<f.fraction), exponent-f.bias-f.fraction)
	}
	if x&f.sign() != 0 {
		return -v
	}
	return v
}

func init() {
	for name, mode := range roundings {
		defineSmall("cvt."+name, ".bf16", brainFormat, mode, 0)
		defineIntegerToBrain[uint8, uint32](name, "u8", mode)
		defineIntegerToBrain[uint16, uint32](name, "u16", mode)
		defineIntegerToBrain[uint32, uint32](name, "u32", mode)
		defineIntegerToBrain[uint64, uint64](name, "u64", mode)
		defineIntegerToBrain[int8, uint32](name, "s8", mode)
		defineIntegerToBrain[int16, uint32](name, "s16", mode)
		defineIntegerToBrain[int32, uint32](name, "s32", mode)
		defineIntegerToBrain[int64, uint64](name, "s64", mode)
	}
	for name, mode := range map[string]rounding{"rn": toNearest, "rz": toZero, "rna": toNearestAway} {
		defineSmall("cvt."+name, ".tf32", tf32Format, mode, 13)
	}
	for name, f := range packedFormats {
		defineSmall("cvt.rn", name, f, toNearest, 0)
		define("cvt.f32"+name, words1(func(a uint32) uint32 { return bitsOf(float32(f.decode(a & (1<<f.bits - 1)))) }))
		defineLimits(name, f, 1)
	}
	define("cvt.f32.bf16", words1(func(a uint32) uint32 { return bitsOf(math.Float32frombits(a << 16)) }))
	for name, f := range map[string]smallFormat{".f16": {bits: 16, infinity: 0x7c00}, ".bf16": brainFormat} {
		defineLimits(name, f, 1)
	}
	defineLimits(".tf32", smallFormat{bits: 32, infinity: 0x7f800000}, 1<<13)
}

// defineLimits enters what .relu and .satfinite make of a number: 0 of one that is negative, and of an infinity the largest
// number, which is less by the last place.
func defineLimits(name string, f smallFormat, last uint32) {
	define("relu"+name, words1(func(a uint32) uint32 {
		if a&f.sign() != 0 {
			return 0
		}
		return a
	}))
	define("satfinite"+name, words1(func(a uint32) uint32 {
		if a&(f.sign()-1) == f.infinity && f.infinity > f.top {
			return a - last
		}
		return a
	}))
}

func words1(f func(a uint32) uint32) func(dst, a []uint32) {
	return func(dst, a []uint32) {
		for i := range dst {
			dst[i] = f(a[i])
		}
	}
}

// defineSmall enters the conversions of f32 and f64 to a format, whose numbers are shifted to the left in their register.
func defineSmall(name, format string, f smallFormat, mode rounding, shift int) {
	define(name+format+".f32", words1(func(a uint32) uint32 {
		if x := readSingle(a); x == x || shift == 0 {
			return f.encode(x, mode) << shift
		}
		return canonicalNaN
	}))
	if shift == 0 {
		define(name+format+".f64", func(dst []uint32, a []uint64) {
			for i := range dst {
				dst[i] = f.encode(math.Float64frombits(a[i]), mode)
			}
		})
	}
}

// defineIntegerToBrain enters the conversion of an integer type to bf16.
func defineIntegerToBrain[S integer, A Word](rounding, from string, mode rounding) {
	define("cvt."+rounding+".bf16."+from, func(dst []uint32, a []A) {
		for i := range dst {
			v := S(a[i])
			m, negative := uint64(v), false
			if v < 0 {
				m, negative = -uint64(v), true
			}
			dst[i] = brainFormat.encode(fromInteger(m, negative, 8, mode), mode)
		}
	})
}
