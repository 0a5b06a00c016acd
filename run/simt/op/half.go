package op

import "math"

func init() {
	define("cvt.f32.f16", func(dst, a []uint32) {
		for i := range dst {
			dst[i] = bitsOf(fromHalf(a[i]))
		}
	})
	define("cvt.f64.f16", func(dst []uint64, a []uint32) {
		for i := range dst {
			dst[i] = bitsOf64(float64(fromHalf(a[i])))
		}
	})
	for name, mode := range roundings {
		define("cvt."+name+".f16.f32", func(dst, a []uint32) {
			for i := range dst {
				dst[i] = toHalf(readSingle(a[i]), mode)
			}
		})
		define("cvt."+name+".ftz.f16.f32", func(dst, a []uint32) {
			for i := range dst {
				dst[i] = toHalf(readFlushed(a[i]), mode)
			}
		})
		define("cvt."+name+".f16.f64", func(dst []uint32, a []uint64) {
			for i := range dst {
				dst[i] = toHalf(math.Float64frombits(a[i]), mode)
			}
		})
	}
}

// fromHalf returns the value of an f16.
func fromHalf(h uint32) float32 {
	sign, exponent, fraction := h>>15&1, h>>10&31, h&0x3ff
	switch exponent {
	case 31:
		return math.Float32frombits(sign<<31 | 0x7f800000 | fraction<<13)
	case 0:
		x := float32(fraction) * 0x1p-24
		return math.Float32frombits(math.Float32bits(x) | sign<<31)
	}
	return math.Float32frombits(sign<<31 | (exponent+112)<<23 | fraction<<13)
}

// canonicalHalfNaN is the NaN that conversions to f16 give.
const canonicalHalfNaN = 0x7fff

// toHalf rounds to f16.
func toHalf(x float64, mode rounding) uint32 {
	sign := uint32(bit(math.Signbit(x))) << 15
	magnitude := math.Abs(x)
	switch {
	case x != x:
		return canonicalHalfNaN
	case math.IsInf(x, 0):
		return sign | 0x7c00
	case x == 0:
		return sign
	}
	// The unit of the last place, and the value in units: less than 2^11, or
	// exactly that where rounding carries over.
	_, exponent := math.Frexp(magnitude)
	exponent = max(exponent-1, -14)
	units := math.Ldexp(magnitude, 10-exponent)
	switch {
	case mode == toNearest:
		units = math.RoundToEven(units)
	case mode == upwards && sign == 0, mode == downwards && sign != 0:
		units = math.Ceil(units)
	default:
		units = math.Floor(units)
	}
	if exponent > 15 || exponent == 15 && units == 2048 {
		if mode == toNearest || mode == upwards && sign == 0 || mode == downwards && sign != 0 {
			return sign | 0x7c00
		}
		return sign | 0x7bff
	}
	return sign | uint32(int(units)+(exponent+14)<<10)
}
