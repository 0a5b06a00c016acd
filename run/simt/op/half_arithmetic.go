package op

import "math"

// Arithmetic of f16, and of two f16 in a word (PTX ISA 9.7.4). Results are computed in double
// precision, which has them exactly or so nearly that rounding once more is the only rounding.
func init() {
	for _, ftz := range []string{"", ".ftz"} {
		for _, end := range []string{"", ".sat", ".relu"} {
			finish := halfFinisher{ftz: ftz != "", sat: end == ".sat", relu: end == ".relu"}
			if !finish.relu {
				definePair2("add"+ftz+end, "f16", finish.round2(func(a, b float64) float64 { return a + b }))
				definePair2("sub"+ftz+end, "f16", finish.round2(func(a, b float64) float64 { return a - b }))
				definePair2("mul"+ftz+end, "f16", finish.round2(func(a, b float64) float64 { return a * b }))
			}
			if fused := finish.round3(math.FMA); ftz == "" && end != ".sat" {
				defineFused(end, "f16", fused)
			} else {
				definePair3("fma"+ftz+end, "f16", fused)
			}
		}
		for _, nan := range []string{"", ".NaN"} {
			for name, first := range map[string]func(a, b float64) bool{
				"min": func(a, b float64) bool { return a < b || a == b && math.Signbit(a) },
				"max": func(a, b float64) bool { return a > b || a == b && !math.Signbit(a) },
			} {
				f := halfExtreme(ftz != "", nan != "", first)
				definePair2(name+ftz+nan, "f16", f)
				definePair2(name+ftz+nan+".xorsign.abs", "f16", xorSigned(f, 0x8000, 0x7c00))
			}
		}
		flush := ftz != ""
		definePair1("neg"+ftz, "f16", func(a uint32) uint32 { return flushHalf(a, flush) ^ 0x8000 })
		definePair1("abs"+ftz, "f16", func(a uint32) uint32 { return flushHalf(a, flush) &^ 0x8000 })
	}
	definePair1("flush", "f16", func(a uint32) uint32 { return flushHalf(a, true) })
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
	if f.ftz {
		r = leastHalf.flushed(r, toNearest)
	}
	return toHalf(r, toNearest)
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
