package op

import "math"

// The PTX ISA gives error bounds for its .approx instructions, not values. These
// operations round the exact result to nearest, which is within all of the bounds and
// closer than hardware, but not bit-equal to it.
func init() {
	for name, f := range map[string]func(float64) float64{
		"rcp":   func(x float64) float64 { return 1 / x },
		"sqrt":  math.Sqrt,
		"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
		"sin":   sine,
		"cos":   cosine,
		"lg2":   logarithm,
		"ex2":   exponential,
		"tanh":  tangent,
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
	for suffix, ftz := range map[string]bool{".f32": false, ".ftz.f32": true} {
		finish := finisher{ftz: ftz}
		define("div.approx"+suffix, func(dst, a, b []uint32) {
			for i := range dst {
				dst[i] = finish.result(divideByReciprocal(finish.operand(a[i]), finish.operand(b[i])))
			}
		})
	}
	define("rcp.approx.ftz.f64", roughly(func(x float64) float64 { return 1 / x }))
	define("rsqrt.approx.ftz.f64", roughly(func(x float64) float64 { return 1 / math.Sqrt(x) }))
	define("rsqrt.approx.f64", doubles1(func(x float64) float64 { return 1 / math.Sqrt(x) }))
}

// flushDouble makes subnormal numbers zeros of their sign.
func flushDouble(x float64) float64 {
	if math.Abs(x) < 0x1p-1022 {
		return math.Copysign(0, x)
	}
	return x
}

// divideByReciprocal is the quotient, but for divisors whose reciprocal is too small for an f32: for them the
// reciprocal is zero (9.7.3.8).
func divideByReciprocal(a, b float64) float64 {
	if math.Abs(b) > 0x1p126 && !math.IsInf(b, 0) {
		return a * math.Copysign(0, b)
	}
	return a / b
}

// roughly computes with the upper words alone: the lower one of the operand does not count,
// and that of the result is 0, of a NaN as well (9.7.3.14, 9.7.3.17).
func roughly(f func(x float64) float64) Map1[uint64, uint64] {
	const upper, nan = math.MaxUint64 &^ math.MaxUint32, 0x7fffffff00000000
	return func(dst, a []uint64) {
		for i := range dst {
			x := math.Float64frombits(a[i])
			if x == x {
				x = f(flushDouble(math.Float64frombits(a[i] & upper)))
			}
			if x == x {
				dst[i] = math.Float64bits(flushDouble(math.Float64frombits(math.Float64bits(x) & upper)))
			} else {
				dst[i] = nan
			}
		}
	}
}
