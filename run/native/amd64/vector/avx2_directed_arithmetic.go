package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Arithmetic with directed roundings with AVX2. The result rounded to nearest is moved to its neighbour where it lies on the wrong
// side of the exact one. The sign of what it is short by is found with floats of the same size, or by way of f64 where
// that takes less time.
//
// Sums down are computed as those up, with all signs changed: -(-x - y). A sum to nearest that is an exact zero is then +0 where
// the signs of x and y differ, so that the result is -0, as it must be.

func defineAVX2Directed() {
	for _, mode := range []string{"rm", "rp", "rz"} {
		for name, compute := range map[string]func(s *Selection, a []machine.Operand) machine.Operand{
			"add": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexSingles.directedSum(s, mode, a[0], a[1], false)
			},
			"sub": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexSingles.directedSum(s, mode, a[0], a[1], true)
			},
			"fma": func(s *Selection, a []machine.Operand) machine.Operand { return s.directedFused(mode, a) },
			"mul": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexSingles.directedProduct(s, mode, a[0], a[1])
			},
			"div": inDoubles(mode, func(s *Selection, a []machine.Operand) machine.Operand { return s.New(doubles.div, a[0], a[1]) }),
			"rcp": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexSingles.directedReciprocal(s, mode, a[0])
			},
			"sqrt": func(s *Selection, a []machine.Operand) machine.Operand { return vexSingles.directedRoot(s, mode, a[0]) },
		} {
			eachEnding(func(ending string, ftz, sat bool) {
				with2(name+"."+mode+ending+".f32", singleResult(name, ftz, sat, compute))
			})
		}
		for name, compute := range map[string]partFunc{
			"add": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.directedSum(s, mode, a[0], a[1], false)
			},
			"sub": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.directedSum(s, mode, a[0], a[1], true)
			},
			"mul": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.directedProduct(s, mode, a[0], a[1])
			},
			"div": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.directedQuotient(s, mode, a[0], a[1])
			},
			"rcp": func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.directedReciprocal(s, mode, a[0])
			},
			"sqrt": func(s *Selection, a []machine.Operand) machine.Operand { return vexDoubles.directedRoot(s, mode, a[0]) },
			"fma":  func(s *Selection, a []machine.Operand) machine.Operand { return s.directedFusedDouble(mode, a) },
		} {
			with2(name+"."+mode+".f64", func(s *Selection, a []machine.Operand) machine.Operand {
				return vexDoubles.canonical(s, compute(s, a))
			})
		}
	}
}

// inDoubles makes a function of f32 of one of f64, whose nearest result is rounded once more, in a mode. That is right where the
// f64 lies on the same side of every f32 m as the exact result v, and is m only if v is. Rounding keeps the order, so that
// only this has to be shown: where v is not m, the two differ by more than f64 rounds by, which is 2^-53 of v.
//
// For v = a/b, let M be the digits of m as an integer, which is less than 2^24, also where m is subnormal; A and B those of the
// operands. Then a - m b is not 0, and both terms are multiples of their last places. If that of a is the smaller one, the
// difference is at least a/A, which is more than 2^-24 of a. Else it is at least m b / (M B), more than 2^-48 of m b. Where
// m is 0 there is nothing to show: f64 has exponents enough for what is not zero to stay so, and finite.
func inDoubles(mode string, compute partFunc) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		var wide [2][]machine.Operand
		for _, x := range a {
			for h, y := range s.Extend(encode.VCVTPS2PD, x) {
				wide[h] = append(wide[h], y)
			}
		}
		return s.singleOfDoubles(mode, [2]machine.Operand{compute(s, wide[0]), compute(s, wide[1])})
	}
}

// sumAndRest is x + y, or x - y, rounded to nearest, and what it is short by (Knuth's TwoSum). limit changes the part of the rest
// that is due to x.
func (f *vexFloats) sumAndRest(s *Selection, x, y machine.Operand, minus bool, limit func(x machine.Operand) machine.Operand) (
	sum, rest machine.Operand) {
	o, inverse := f.add, f.sub
	if minus {
		o, inverse = f.sub, f.add
	}
	sum = s.New(o, x, y)
	ofY := s.New(f.sub, sum, x)
	ofX := s.New(f.sub, sum, ofY)
	return sum, s.New(o, limit(s.New(f.sub, x, ofX)), s.New(inverse, y, ofY))
}

// wrong is the mask of floats with the sign of x that lie on the wrong side for a mode, where rest has
// the sign of what they are short by.
func (f *vexFloats) wrong(s *Selection, mode string, x, rest machine.Operand) machine.Operand {
	switch mode {
	case "rz":
		return f.compare(s, floatLess, s.Xor(rest, s.And(x, f.constant(s, f.sign))), s.Zero())
	case "rp":
		return f.compare(s, floatGreater, rest, s.Zero())
	}
	return f.compare(s, floatLess, rest, s.Zero())
}

// corrected moves floats that are rounded to nearest to where another mode has them.
func (f *vexFloats) corrected(s *Selection, mode string, x, rest machine.Operand) machine.Operand {
	return f.moved(s, mode, x, f.wrong(s, mode, x, rest))
}

// moved moves floats to their neighbour in the direction of a mode, where a mask is set. Towards zero none of them is zero.
func (f *vexFloats) moved(s *Selection, mode string, x, where machine.Operand) machine.Operand {
	switch {
	case mode != "rz":
		return f.next(s, x, where, mode == "rp")
	case f.bits == 32:
		return s.New(encode.VPADDD, x, where)
	}
	return s.New(encode.VPADDQ, x, where)
}

// directedSum is x + y or x - y, rounded in a mode. Sums of floats have no bits below the least subnormal, so that a rest is
// always exact. What is infinite remains:
//   - Where an operand is infinite, the part of the rest due to y is a NaN, and the result stays as it is.
//   - Where finite operands have an infinite sum, or sum - x is infinite, which comes about with a finite sum too, the part of the
//     rest due to y is infinite. It has the sign of the rest: the sum, or the part that sum - x rounds, is too large for the
//     floats that there are, but y is one of them. The part due to x is then infinite with the other sign, or a NaN. It
//     is limited to what is finite; the minimum and maximum give their last operand for a NaN.
func (f *vexFloats) directedSum(s *Selection, mode string, x, y machine.Operand, minus bool) machine.Operand {
	sign := f.constant(s, f.sign)
	if mode == "rm" {
		if minus {
			x, y = y, x
		} else {
			x, minus = s.Xor(x, sign), true
		}
		return s.Xor(f.directedSum(s, "rp", x, y, minus), sign)
	}
	largest := f.infinity - 1
	sum, rest := f.sumAndRest(s, x, y, minus, func(part machine.Operand) machine.Operand {
		part = s.New(f.max, part, f.constant(s, largest|f.sign)) // enough to find what is above zero
		if mode == "rz" {
			part = s.New(f.min, part, f.constant(s, largest))
		}
		return part
	})
	if mode == "rp" && f.bits == 32 { // as next does, but for zeros, which are exact
		return s.New(encode.VPSUBD, sum, s.New(encode.VPSIGND, f.wrong(s, mode, sum, rest), sum))
	}
	return f.corrected(s, mode, sum, rest)
}

// directedProduct is x y rounded in a mode. The last place of a product of 2^-100 or more is at least 2^-148, which is an f32; what it
// is short by is one too then. Factors of a smaller one are raised by 2^75 each, so that the last place of any is large enough.
// Such factors are at most 2^49, since the other is at least 2^-149: they stay finite. With zero as the other, they may not: the NaN
// leaves the zero as it is. For f64 the numbers are 2^-960, 2^-1066, 2^540, 2^114 and 2^-1074. The infinite product of finite
// factors is short by an infinity, and that of infinite ones by a NaN. A product that is zero has the sign of the exact one.
func (f *vexFloats) directedProduct(s *Selection, mode string, x, y machine.Operand) machine.Operand {
	product := s.New(f.mul, x, y)
	raised := func(x machine.Operand) machine.Operand { return s.New(f.mul, x, f.constant(s, f.raise)) }
	// The exact product less the rounded one.
	rest := s.Change(f.fusedLess, x, y, product)
	ofRaised := s.Change(f.fusedLess, raised(x), raised(y), raised(raised(product)))
	small := s.New(f.greater, f.constant(s, f.small), f.magnitude(s, product))
	return f.corrected(s, mode, product, s.New(f.blend, rest, ofRaised, small))
}

// directedRoot is the square root of x rounded in a mode. The last place of the root squared is at least 2^-146 where x is 2^-100 or
// more, for f64 2^-1064 and 2^-960. A smaller x is raised as products are, by twice as much as its root.
func (f *vexFloats) directedRoot(s *Selection, mode string, x machine.Operand) machine.Operand {
	root := s.New(f.sqrt, x)
	raise := f.constant(s, f.raise)
	small := s.New(f.greater, f.constant(s, f.small), f.magnitude(s, x))
	raisedRoot := s.New(f.mul, root, raise)
	raised := s.New(f.mul, s.New(f.mul, x, raise), raise)
	rest := s.Change(f.lessFused, root, root, x)
	ofRaised := s.Change(f.lessFused, raisedRoot, raisedRoot, raised)
	return f.corrected(s, mode, root, s.New(f.blend, rest, ofRaised, small))
}

// directedQuotient is x / y rounded in a mode. It is short by x less the rounded quotient times y, divided by y, of which the sign
// counts. The last place of that product is at least 2^-147 where x is 2^-100 or more. A smaller x is raised by 2^150, and with it
// that factor of the product which is less than 2^-50, as y or the quotient is then. The last place of the product is at
// least 2^-148 then, and its factors are less than 2^100. For f64 the numbers are 2^-1066, 2^-960, 2^1080, 2^-480, 2^-1068 and 2^600.
//
// The infinite quotient of finite numbers is short by an infinity; with an operand that is infinite, or y zero, there is a NaN.
func (f *vexFloats) directedQuotient(s *Selection, mode string, x, y machine.Operand) machine.Operand {
	quotient := s.New(f.div, x, y)
	raise, one := f.constant(s, f.raise), f.constant(s, f.one)
	twice := func(x, by machine.Operand) machine.Operand { return s.New(f.mul, s.New(f.mul, x, by), by) }
	small := s.New(f.greater, f.constant(s, f.small), f.magnitude(s, x))
	smallY := s.New(f.greater, f.constant(s, f.middle), f.magnitude(s, y))
	rest := s.Change(f.lessFused, quotient, y, x)
	raisedQuotient := twice(quotient, s.New(f.blend, raise, one, smallY))
	raisedY := twice(y, s.New(f.blend, one, raise, smallY))
	ofRaised := s.Change(f.lessFused, raisedQuotient, raisedY, twice(x, raise))
	rest = s.New(f.blend, rest, ofRaised, small)
	return f.corrected(s, mode, quotient, s.Xor(rest, s.And(y, f.constant(s, f.sign))))
}

// directedReciprocal is 1 / x, as directedQuotient has it: 1 is not small.
func (f *vexFloats) directedReciprocal(s *Selection, mode string, x machine.Operand) machine.Operand {
	one := f.constant(s, f.one)
	quotient := s.New(f.div, one, x)
	rest := s.Change(f.lessFused, quotient, x, one)
	return f.corrected(s, mode, quotient, s.Xor(rest, s.And(x, f.constant(s, f.sign))))
}

// directedFused is the fused product and sum of f32. It is rounded to the nearest f32, and compared with the exact one. In f64 the
// product is exact, and of the sum there are the nearest f64 and the rest. If that f64 is not the f32, they differ by its last
// place or more, of which the rest is at most the half: so the difference and the rest together have the sign of what the f32 is
// short by. An infinite f32 of a finite sum differs by infinity from it, and one of an infinite sum by a NaN. An f32 that is zero
// has the sign of the sum.
func (s *Selection) directedFused(mode string, a []machine.Operand) machine.Operand {
	x, o, sign := a[0], singles.fma, s.Const32(1<<31)
	minus := mode == "rm" // all signs are changed, as those of sums are
	if minus {
		x, o, mode = s.Xor(x, sign), vexSingles.fusedLess, "rp"
	}
	factor, other, addend := s.Extend(encode.VCVTPS2PD, x), s.Extend(encode.VCVTPS2PD, a[1]), s.Extend(encode.VCVTPS2PD, a[2])
	single := s.Change(o, x, a[1], a[2])
	var wrong [2]machine.Operand
	for h, back := range s.Extend(encode.VCVTPS2PD, single) {
		product := s.New(doubles.mul, factor[h], other[h])
		sum, rest := vexDoubles.sumAndRest(s, product, addend[h], minus, func(part machine.Operand) machine.Operand { return part })
		wrong[h] = vexDoubles.wrong(s, mode, sum, s.New(doubles.add, s.New(doubles.sub, sum, back), rest))
	}
	single = vexSingles.moved(s, mode, single, s.narrow(wrong))
	if minus {
		return s.Xor(single, sign)
	}
	return single
}
