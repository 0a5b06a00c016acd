package op

import "math"

// Powers of two, logarithms and hyperbolic tangents. Each operation is rounded by itself, so that machine code that does the same gives the same bits, and so
// does Go on all processors, which may fuse a product and a sum otherwise.

// ExponentialTerms are the coefficients of the series of 2^r: powers of the logarithm of 2 by factorials.
var ExponentialTerms = [...]float64{
	1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0c0p-5, 0x1.3b2ab6fba4e77p-7,
	0x1.5d87fe78a6731p-10, 0x1.430912f86c787p-13, 0x1.ffcbfc588b0c7p-17, 0x1.62c0223a5c824p-20, 0x1.b5253d395e7c4p-24,
	0x1.e4cf5158b8ecap-28, 0x1.e8cac7351bb25p-32, 0x1.c3bd650fc2986p-36, 0x1.816193166d0f9p-40,
}

// What is above ExponentialMost is infinite as an f32, and what is below ExponentialLeast is 0. ExponentialShift has
// the bits of a whole number of f64 that is added to it at the end, with the bias of exponents.
const (
	ExponentialMost, ExponentialLeast = 130, -160
	ExponentialShift                  = 1<<52 + 1<<51 + 1023
)

// exponential is 2^x, to within a few units of the last place, for results of f32: 2^(x-n) by a series, times 2^n.
func exponential(x float64) float64 {
	if x != x {
		return x
	}
	x = max(min(x, ExponentialMost), ExponentialLeast)
	n := math.RoundToEven(x)
	return series(x-n, ExponentialTerms[:]) * math.Float64frombits(math.Float64bits(n+ExponentialShift)<<52)
}

// TangentLeast is what is its own hyperbolic tangent up to there, for results of f32.
const TangentLeast = 0x1p-12

// tangent is the hyperbolic tangent of x, by e to 2x, to some 40 bits.
func tangent(x float64) float64 {
	if math.Abs(x) < TangentLeast {
		return x
	}
	power := exponential(x * (2 * math.Log2E))
	return (power - 1) / (power + 1)
}

// LogarithmTerms are the coefficients of the series of the logarithm of (1+s)/(1-s) in s*s: 2/(2k+1), by that of 2.
var LogarithmTerms = [...]float64{
	0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1, 0x1.a61762a7aded9p-2,
	0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2, 0x1.c68f568d31760p-3, 0x1.89f3b1694cffep-3,
	0x1.5b9ac9b743f0dp-3, 0x1.3703c1f4d0ffep-3, 0x1.1964ec6fc9491p-3,
}

// LogarithmLeast has the bits of the square root of 1/2, and LogarithmScale is what makes a whole number of f64 of the bits of its
// exponent, with that of 1, when they stand at the end.
const (
	LogarithmLeast = 0x3fe6a09e667f3bcd
	LogarithmScale = 1<<52 + 1023
)

// logarithm is the logarithm of x to the base 2, to within a few units of the last place, for operands of f32: that of 2^n is n, and
// that of the rest, which is between the roots of 1/2 and 2, is a series.
func logarithm(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	const one, fraction = 1023 << 52, 1<<52 - 1
	q := math.Float64bits(x) + (one - LogarithmLeast)
	n := math.Float64frombits(q>>52|0x433<<52) - LogarithmScale
	rest := math.Float64frombits(q&fraction + LogarithmLeast)
	s := (rest - 1) / (rest + 1)
	return n + float64(series(s*s, LogarithmTerms[:])*s)
}
