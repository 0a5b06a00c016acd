package op

import "math"

// Arithmetic of f16, and of two f16 in a word (PTX ISA 9.7.4). Results are computed in double
// precision, which has them exactly or so nearly that rounding once more is the only rounding.
func init() {
	for _, ftz := range []string{"", ".ftz"} {
		for _, end := range []string{"", ".sat", ".relu"} {
			finish := halfFinisher{ftz: ftz != "", sat: end == ".sat", relu: end == ".relu"}
			if !finish.relu {
				defineHalf2("add"+ftz+end, finish.round2(func(a, b float64) float64 { return a + b }))
				defineHalf2("sub"+ftz+end, finish.round2(func(a, b float64) float64 { return a - b }))
				defineHalf2("mul"+ftz+end, finish.round2(func(a, b float64) float64 { return a * b }))
			}
			defineHalf3("fma"+ftz+end, finish.round3(math.FMA))
		}
		for _, nan := range []string{"", ".NaN"} {
			defineHalf2("min"+ftz+nan, halfExtreme(ftz != "", nan != "", func(a, b float64) bool { return a < b || a == b && math.Signbit(a) }))
			defineHalf2("max"+ftz+nan, halfExtreme(ftz != "", nan != "", func(a, b float64) bool { return a > b || a == b && !math.Signbit(a) }))
		}
		flush := ftz != ""
		defineHalf1("neg"+ftz, func(a uint32) uint32 { return flushHalf(a, flush) ^ 0x8000 })
		defineHalf1("abs"+ftz, func(a uint32) uint32 { return flushHalf(a, flush) &^ 0x8000 })
	}
	defineHalf1("flush", func(a uint32) uint32 { return flushHalf(a, true) })
}

// defineHalf1 to defineHalf3 enter a function of halves, by itself and for both halves of words.
func defineHalf1(name string, f func(a uint32) uint32) {
	define(name+".f16", func(dst, a []uint32) {
		for i := range dst {
			dst[i] = f(a[i] & 0xffff)
		}
	})
	define(name+".f16x2", func(dst, a []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff) | f(a[i]>>16)<<16
		}
	})
}

func defineHalf2(name string, f func(a, b uint32) uint32) {
	define(name+".f16", func(dst, a, b []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff)
		}
	})
	define(name+".f16x2", func(dst, a, b []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff) | f(a[i]>>16, b[i]>>16)<<16
		}
	})
}

func defineHalf3(name string, f func(a, b, c uint32) uint32) {
	define(name+".f16", func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff, c[i]&0xffff)
		}
	})
	define(name+".f16x2", func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = f(a[i]&0xffff, b[i]&0xffff, c[i]&0xffff) | f(a[i]>>16, b[i]>>16, c[i]>>16)<<16
		}
	})
}

// flushHalf gives 0 for a number that is subnormal as an f16, if that is asked for.
func flushHalf(h uint32, flush bool) uint32 {
	if flush && h&0x7c00 == 0 {
		return h & 0x8000
	}
	return h
}

// halfFinisher brings a result into its form.
type halfFinisher struct{ ftz, sat, relu bool }

func (f halfFinisher) operand(h uint32) float64 { return float64(fromHalf(flushHalf(h, f.ftz))) }

func (f halfFinisher) result(r float64) uint32 {
	switch {
	case r != r && f.sat:
		return 0
	case r != r:
		return canonicalHalfNaN
	case f.sat:
		r = min(max(r, 0), 1)
	case f.relu:
		r = max(r, 0)
	}
	return flushHalf(toHalf(r, toNearest), f.ftz)
}

func (f halfFinisher) round2(compute func(a, b float64) float64) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return f.result(compute(f.operand(a), f.operand(b))) }
}

func (f halfFinisher) round3(compute func(a, b, c float64) float64) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 { return f.result(compute(f.operand(a), f.operand(b), f.operand(c))) }
}

// halfExtreme is min or max: a NaN gives way to a number unless it is propagated.
func halfExtreme(flush, propagate bool, first func(a, b float64) bool) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 {
		a, b = flushHalf(a, flush), flushHalf(b, flush)
		x, y := float64(fromHalf(a)), float64(fromHalf(b))
		switch {
		case x != x && y != y, propagate && (x != x || y != y):
			return canonicalHalfNaN
		case y != y || x == x && first(x, y):
			return a
		}
		return b
	}
}
