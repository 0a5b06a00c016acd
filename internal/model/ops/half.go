package ops

import (
	"math"
	"strings"
)

// half is the value of an f16.
func half(h uint64) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	x := math.Ldexp(fraction/1024+1, exponent-15)
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		x = math.Inf(1)
		if fraction != 0 {
			return math.NaN()
		}
	}
	if h>>15&1 != 0 {
		return -x
	}
	return x
}

// ofHalf rounds a number that an operation has rounded to odd, or has exactly.
func ofHalf(x float64) uint64 {
	if x != x {
		return nanHalf
	}
	sign := Choose(math.Signbit(x), 0x8000, 0)
	x = math.Abs(x)
	_, exponent := math.Frexp(x)
	unit := math.Ldexp(1, max(exponent-11, -24)) // of the last place
	x = math.RoundToEven(x/unit) * unit
	switch {
	case x >= 65536:
		return sign | 0x7c00
	case x < 0x1p-14:
		return sign | uint64(x*0x1p24)
	}
	fraction, exponent := math.Frexp(x)
	return sign | uint64(exponent+14)<<10 | uint64(fraction*2048)&1023
}

// halves enters operations on f16 and on two of them in a word. Sums and products of f16 are exact in f64.
func (t *Table) halves() {
	enter := func(name string, n int, f func(s []uint64) uint64) {
		letters := operands("H", n)
		t.add(name+".f16 h, "+letters, f)
		t.add(name+".f16x2 r, "+strings.ToUpper(operands("R", n)), func(s []uint64) uint64 {
			low, high := make([]uint64, n), make([]uint64, n)
			for i := range s {
				low[i], high[i] = s[i]&0xffff, s[i]>>16
			}
			return f(low) | f(high)<<16
		})
	}
	values := func(f func(a, b float64) float64) func(s []uint64) uint64 {
		return func(s []uint64) uint64 { return ofHalf(f(half(s[0]), half(s[1]))) }
	}
	enter("add", 2, values(func(a, b float64) float64 { return a + b }))
	enter("sub.rn", 2, values(func(a, b float64) float64 { return a - b }))
	enter("mul", 2, values(func(a, b float64) float64 { return a * b }))
	enter("neg", 1, func(s []uint64) uint64 { return s[0] ^ 0x8000 })
	enter("abs", 1, func(s []uint64) uint64 { return s[0] &^ 0x8000 })
	t.test("lt.%sf16", "H", func(s []uint64) bool { return half(s[0]) < half(s[1]) })
	t.test("neu.%sf16", "H", func(s []uint64) bool { return half(s[0]) != half(s[1]) })
	t.add("cvt.f32.f16 f, H", func(s []uint64) uint64 { return ofSingle(float32(half(s[0]))) })
	t.add("cvt.f64.f16 e, H", func(s []uint64) uint64 { return ofDouble(half(s[0])) })
	t.add("cvt.rn.f16.f32 h, F", func(s []uint64) uint64 { return ofHalf(float64(single(s[0]))) })
	t.add("cvt.rn.f16.f64 h, E", func(s []uint64) uint64 { return ofHalf(math.Float64frombits(s[0])) })
}
