package op

import (
	"math"
	"math/big"
)

func init() {
	for name, mode := range roundings {
		define("add."+name+".f64", doubles2(func(a, b float64) float64 { return zeroSum(roundDouble(a+b, mode, exactSum(a, b)), a, b, mode) }))
		define("sub."+name+".f64", doubles2(func(a, b float64) float64 { return zeroSum(roundDouble(a-b, mode, exactSum(a, -b)), a, -b, mode) }))
		define("mul."+name+".f64", doubles2(func(a, b float64) float64 { return roundDouble(a*b, mode, exactProduct(a, b, 0)) }))
		define("div."+name+".f64", doubles2(func(a, b float64) float64 { return roundDouble(a/b, mode, exactQuotient(a, b)) }))
		define("fma."+name+".f64", doubles3(func(a, b, c float64) float64 {
			sum := roundDouble(math.FMA(a, b, c), mode, exactProduct(a, b, c))
			if sum == 0 && exactProduct(a, b, c)()(0) != 0 {
				return sum
			}
			return zeroSum(sum, math.Copysign(1, a)*math.Copysign(1, b), c, mode)
		}))
		define("rcp."+name+".f64", doubles1(func(a float64) float64 { return roundDouble(1/a, mode, exactQuotient(1, a)) }))
		define("sqrt."+name+".f64", doubles1(func(a float64) float64 { return roundDouble(math.Sqrt(a), mode, exactRoot(a)) }))
	}
	define("neg.f64", func(dst, a []uint64) {
		for i := range dst {
			dst[i] = a[i] ^ 1<<63
		}
	})
	define("abs.f64", func(dst, a []uint64) {
		for i := range dst {
			dst[i] = a[i] &^ (1 << 63)
		}
	})
	define("copysign.f64", func(dst, a, b []uint64) {
		for i := range dst {
			dst[i] = b[i]&^(1<<63) | a[i]&(1<<63)
		}
	})
	define("min.f64", extremeDouble(false))
	define("max.f64", extremeDouble(true))
}

func doubles1(f func(a float64) float64) Map1[uint64, uint64] {
	return func(dst, a []uint64) {
		for i := range dst {
			dst[i] = bitsOf64(f(math.Float64frombits(a[i])))
		}
	}
}

func doubles2(f func(a, b float64) float64) Map2[uint64, uint64, uint64] {
	return func(dst, a, b []uint64) {
		for i := range dst {
			dst[i] = bitsOf64(f(math.Float64frombits(a[i]), math.Float64frombits(b[i])))
		}
	}
}

func doubles3(f func(a, b, c float64) float64) Map3[uint64, uint64, uint64, uint64] {
	return func(dst, a, b, c []uint64) {
		for i := range dst {
			dst[i] = bitsOf64(f(math.Float64frombits(a[i]), math.Float64frombits(b[i]), math.Float64frombits(c[i])))
		}
	}
}

// comparison tells how the exact result of an operation on finite numbers compares to a
// finite number: negative if it is less.
type comparison func(x float64) int

// roundDouble corrects a result that is rounded to nearest for another mode. Only then is it
// compared with the exact one.
func roundDouble(nearest float64, mode rounding, compare func() comparison) float64 {
	if mode == toNearest || nearest != nearest {
		return nearest
	}
	exact := compare()
	if exact == nil { // an operand is infinite, or the result has no finite value
		return nearest
	}
	if math.IsInf(nearest, 0) { // it has overflown
		if nearest > 0 && mode != upwards || nearest < 0 && mode != downwards {
			return math.Copysign(math.MaxFloat64, nearest)
		}
		return nearest
	}
	order := exact(nearest)
	if order == 0 {
		return nearest
	}
	if mode == toZero {
		mode = downwards
		if exact(0) < 0 {
			mode = upwards
		}
	}
	switch {
	case mode == downwards && order < 0:
		return signedZero(math.Nextafter(nearest, math.Inf(-1)), false)
	case mode == upwards && order > 0:
		return signedZero(math.Nextafter(nearest, math.Inf(1)), true)
	}
	return nearest
}

// zeroSum gives the sum of numbers that cancel each other exactly the sign that it has
// when rounding downwards: minus.
func zeroSum(sum, a, b float64, mode rounding) float64 {
	if sum == 0 && mode == downwards && math.Signbit(a) != math.Signbit(b) {
		return math.Copysign(0, -1)
	}
	return sum
}

// signedZero gives a zero that was reached from below the sign that it must have.
func signedZero(x float64, fromBelow bool) float64 {
	if x == 0 && fromBelow {
		return math.Copysign(0, -1)
	}
	return x
}

func finite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// than compares a rational number with floating-point ones.
func than(exact *big.Rat) comparison {
	return func(x float64) int { return exact.Cmp(new(big.Rat).SetFloat64(x)) }
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func exactSum(a, b float64) func() comparison {
	return func() comparison {
		if !finite(a, b) {
			return nil
		}
		sum := rational(a)
		return than(sum.Add(sum, rational(b)))
	}
}

func exactProduct(a, b, c float64) func() comparison {
	return func() comparison {
		if !finite(a, b, c) {
			return nil
		}
		product := rational(a)
		product.Mul(product, rational(b))
		return than(product.Add(product, rational(c)))
	}
}

func exactQuotient(a, b float64) func() comparison {
	return func() comparison {
		if !finite(a, b) || b == 0 {
			return nil
		}
		quotient := rational(a)
		return than(quotient.Quo(quotient, rational(b)))
	}
}

func exactRoot(a float64) func() comparison {
	return func() comparison {
		if !finite(a) || a <= 0 {
			return nil
		}
		return func(x float64) int {
			square := rational(x)
			return rational(a).Cmp(square.Mul(square, square))
		}
	}
}

// extremeDouble is min or max of f64, as [extreme] is of f32.
func extremeDouble(greatest bool) Map2[uint64, uint64, uint64] {
	return doubles2(func(x, y float64) float64 {
		switch {
		case x != x:
			return y
		case y != y:
			return x
		case x == y:
			if math.Signbit(x) == greatest {
				return y
			}
			return x
		case x < y == greatest:
			return y
		}
		return x
	})
}
