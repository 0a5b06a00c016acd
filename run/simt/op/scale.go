package op

import "math"

// scaleNaN is the NaN of ue8m0, whose other codes are powers of two: 0 is that of -127.
const scaleNaN = 0xff

// Conversions to and from ue8m0 (PTX ISA 9.7.9.21), which has no sign: a number counts by its magnitude.
func init() {
	for name, up := range map[string]bool{"rz": false, "rp": true} {
		define("cvt."+name+".ue8m0.f32", words1(func(a uint32) uint32 { return toScale(a&^(1<<31), up) }))
	}
	define("satfinite.ue8m0.f32", func(dst, code, a []uint32) {
		for i := range dst {
			dst[i] = code[i]
			if x := readSingle(a[i]); code[i] == scaleNaN && x == x {
				dst[i] = scaleNaN - 1
			}
		}
	})
	define("cvt.f32.ue8m0", words1(func(a uint32) uint32 {
		if a &= 0xff; a != scaleNaN {
			return bitsOf(float32(math.Ldexp(1, int(a)-127)))
		}
		return canonicalNaN
	}))
}

// toScale rounds a magnitude to a power of two. What is more than the largest is a NaN.
func toScale(magnitude uint32, up bool) uint32 {
	x := float64(math.Float32frombits(magnitude))
	switch {
	case x != x || math.IsInf(x, 0):
		return scaleNaN
	case x <= 0x1p-127:
		return 0
	}
	fraction, exponent := math.Frexp(x) // x is from 2^(exponent-1) on, below 2^exponent
	code := uint32(exponent - 1 + 127)
	if up && fraction > 0.5 {
		code++
	}
	return code
}
