package op

import "math"

// Sine and cosine, as exponential.go has other functions. What is exact in one processor's fused product and sum is so in all.

// HalfPi is half of pi in two parts.
var HalfPi = [2]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}

// TwoByPi is how many quarters of the circle an angle of 1 is.
const TwoByPi = 0x1.45f306dc9c883p-1

// SineTerms and CosineTerms are the coefficients of the series in powers of the square of an angle: the sine by the angle, and
// the cosine.
var (
	SineTerms   = [...]float64{1, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800}
	CosineTerms = [...]float64{1, -1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200}
)

const (
	// SineLeast is what is its own sine up to there, for results of f32.
	SineLeast = 0x1p-12
	// AngleMost is more than an angle is when quarters of the circle have been taken from it. For operands beyond 2^40 as many as there are
	// cannot be told, as in an NVIDIA machine, and the rest is limited to this.
	AngleMost = 0.8
	// QuarterShift has the number of quarters at its end, when that is added to it as a whole number of f64.
	QuarterShift = 1<<52 + 1<<51
)

// sine and cosine are those of x, which is an f32, to some 40 bits.
func sine(x float64) float64 {
	if math.Abs(x) < SineLeast {
		return x
	}
	return sineAfter(x, 0)
}

func cosine(x float64) float64 { return sineAfter(x, 1) }

// sineAfter is the sine of x and so many quarters of the circle.
func sineAfter(x float64, quarters uint64) float64 {
	k := math.RoundToEven(x * TwoByPi)
	r := math.FMA(-k, HalfPi[1], math.FMA(-k, HalfPi[0], x))
	r = max(min(r, AngleMost), -AngleMost)
	square := r * r
	quarters += math.Float64bits(k + QuarterShift)
	result := r * series(square, SineTerms[:])
	if quarters&1 != 0 {
		result = series(square, CosineTerms[:])
	}
	return math.Float64frombits(math.Float64bits(result) ^ quarters>>1<<63)
}

// series is a sum of powers of x, from 0 on, times numbers, each operation rounded by itself.
func series(x float64, numbers []float64) float64 {
	sum := numbers[len(numbers)-1]
	for k := len(numbers) - 2; k >= 0; k-- {
		sum = float64(sum*x) + numbers[k]
	}
	return sum
}
