package op

import "math"

// Stochastic rounding (PTX ISA 9.7.9.21, cvt.rs): random bits are added to the digits that a format does not have, from the highest
// on, and the sum is cut off. A number goes away from zero as often as it is near to the next one.
func init() {
	half := smallFormat{16, 10, 15, 0x7bff, 0x7c00, canonicalHalfNaN}
	defineStochastic(".f16", half, 13)
	defineStochastic(".bf16", brainFormat, 16)
	for name, f := range packedFormats {
		defineStochastic(name, f, 16)
	}
}

// defineStochastic enters the conversion of f32 to a format by the lowest bits of a word.
func defineStochastic(name string, f smallFormat, bits int) {
	define("cvt.rs"+name+".f32", func(dst, a, random []uint32) {
		for i := range dst {
			more := math.Ldexp(float64(random[i]&(1<<bits-1)), -bits)
			dst[i] = f.encodeAfter(readSingle(a[i]), stochastic, more)
		}
	})
}
