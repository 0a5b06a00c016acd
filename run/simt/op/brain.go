package op

import "math"

// Arithmetic of bf16, and of two bf16 in a word (PTX ISA 9.7.4). Sums are rounded to odd in double precision, so that
// rounding once more is the only rounding; products are exact there.
func init() {
	round := func(x float64) uint32 { return brainFormat.encode(x, toNearest) }
	relu := func(x float64) uint32 {
		if x <= 0 {
			return 0
		}
		return brainFormat.encode(x, toNearest)
	}
	read := brainFormat.decode
	definePair2("add", "bf16", func(a, b uint32) uint32 { return round(sumOdd(read(a), read(b), toNearest)) })
	definePair2("sub", "bf16", func(a, b uint32) uint32 { return round(sumOdd(read(a), -read(b), toNearest)) })
	definePair2("mul", "bf16", func(a, b uint32) uint32 { return round(read(a) * read(b)) })
	defineFused("", "bf16", func(a, b, c uint32) uint32 { return round(sumOdd(read(a)*read(b), read(c), toNearest)) })
	defineFused(".relu", "bf16", func(a, b, c uint32) uint32 { return relu(sumOdd(read(a)*read(b), read(c), toNearest)) })
	definePair1("flush", "bf16", func(a uint32) uint32 {
		if a&0x7f80 == 0 {
			return a & 0x8000
		}
		return a
	})
	definePair1("neg", "bf16", func(a uint32) uint32 { return a ^ 0x8000 })
	definePair1("abs", "bf16", func(a uint32) uint32 { return a &^ 0x8000 })
	for _, nan := range []string{"", ".NaN"} {
		for name, f := range map[string]func(a, b uint32) uint32{
			"min": brainExtreme(nan != "", func(a, b float64) bool { return a < b || a == b && math.Signbit(a) }),
			"max": brainExtreme(nan != "", func(a, b float64) bool { return a > b || a == b && !math.Signbit(a) }),
		} {
			definePair2(name+nan, "bf16", f)
			definePair2(name+nan+".xorsign.abs", "bf16", xorSigned(f, 0x8000, 0x7f80))
		}
	}
	for name, f := range map[string]func(float64) float64{"tanh.approx": math.Tanh, "ex2.approx": math.Exp2} {
		definePair1(name, "bf16", func(a uint32) uint32 { return round(f(read(a))) })
		definePair1(name, "f16", func(a uint32) uint32 { return toHalf(f(float64(fromHalf(a))), toNearest) })
	}
}

// defineFused enters fma with what follows its name, and with .oob, which gives 0 where one of the factors is out of bounds.
func defineFused(end, typ string, f func(a, b, c uint32) uint32) {
	definePair3("fma"+end, typ, f)
	definePair3("fma.oob"+end, typ, func(a, b, c uint32) uint32 {
		if outOfBounds(a) || outOfBounds(b) {
			return 0
		}
		return f(a, b, c)
	})
}

// outOfBounds reports whether a number of 16 bits is the NaN that stands for what is out of bounds, with any sign. It has the same bits in
// f16 and in bf16, which NVIDIA's machines tell; the PTX ISA leaves them open.
func outOfBounds(x uint32) bool { return x&0x7fff == 0x7ff7 }

// brainExtreme is min or max: a NaN gives way to a number unless it is propagated.
func brainExtreme(propagate bool, first func(a, b float64) bool) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 {
		x, y := brainFormat.decode(a), brainFormat.decode(b)
		switch {
		case x != x && y != y, propagate && (x != x || y != y):
			return brainFormat.nan
		case y != y || x == x && first(x, y):
			return a
		}
		return b
	}
}

// xorSigned makes .xorsign.abs of min or max: that of the magnitudes, with the sign that the operands' signs
// have by xor, but for a NaN.
func xorSigned(f func(a, b uint32) uint32, sign, infinity uint32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 {
		m := f(a&^sign, b&^sign)
		if m > infinity {
			return m
		}
		return m | (a^b)&sign
	}
}

// definePair1 to definePair3 enter a function of numbers of 16 bits, by itself and for both halves of words.
func definePair1(name, typ string, f func(a uint32) uint32) {
	define(name+"."+typ, words1(func(a uint32) uint32 { return f(a & 0xffff) }))
	define(name+"."+typ+"x2", words1(func(a uint32) uint32 { return f(a&0xffff) | f(a>>16)<<16 }))
}

func definePair2(name, typ string, f func(a, b uint32) uint32) {
	define(name+"."+typ, func(dst, a, b []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff)
		}
	})
	define(name+"."+typ+"x2", func(dst, a, b []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff) | f(a[i]>>16, b[i]>>16)<<16
		}
	})
}

func definePair3(name, typ string, f func(a, b, c uint32) uint32) {
	define(name+"."+typ, func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff, c[i]&0xffff)
		}
	})
	define(name+"."+typ+"x2", func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff, c[i]&0xffff) | f(a[i]>>16, b[i]>>16, c[i]>>16)<<16
		}
	})
}
