package engine

import "math"

// The PTX ISA gives error bounds for its .approx instructions, not values. These
// operations round the exact result to nearest, which is within all of the bounds and
// closer than hardware, but not bit-equal to it.
func init() {
	for name, f := range map[string]func(float64) float64{
		"rcp":   func(x float64) float64 { return 1 / x },
		"sqrt":  math.Sqrt,
		"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
		"sin":   math.Sin,
		"cos":   math.Cos,
		"lg2":   math.Log2,
		"ex2":   math.Exp2,
		"tanh":  math.Tanh,
	} {
		for suffix, ftz := range map[string]bool{".f32": false, ".ftz.f32": true} {
			finish := finisher{ftz: ftz}
			define(name+".approx"+suffix, func(dst, a []uint32) {
				for i := range dst {
					dst[i] = finish.result(f(finish.operand(a[i])))
				}
			})
		}
	}
	define("rcp.approx.ftz.f64", doubles1(func(x float64) float64 { return truncated(1 / flushDouble(x)) }))
	define("rsqrt.approx.ftz.f64", doubles1(func(x float64) float64 { return truncated(1 / math.Sqrt(flushDouble(x))) }))
	define("rsqrt.approx.f64", doubles1(func(x float64) float64 { return 1 / math.Sqrt(x) }))
}

// flushDouble makes subnormal numbers zeros of their sign.
func flushDouble(x float64) float64 {
	if math.Abs(x) < 0x1p-1022 {
		return math.Copysign(0, x)
	}
	return x
}

// truncated clears the lower word of a result: these instructions compute only the
// upper one (9.7.3.16).
func truncated(x float64) float64 {
	if x != x {
		return x
	}
	return flushDouble(math.Float64frombits(math.Float64bits(x) &^ math.MaxUint32))
}
