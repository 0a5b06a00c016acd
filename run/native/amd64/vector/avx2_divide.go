package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Division of integers of 64 bits with AVX2, by floats of 64 bits that are rounded to nearest.

func defineAVX2Divide() {
	with2("div.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		q, _ := s.divideAVX2(a[0], a[1])
		return s.onesByZero64(q(), a[1])
	})
	with2("rem.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		_, r := s.divideAVX2(a[0], a[1])
		return s.onesByZero64(r(), a[1])
	})
	with2("div.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		x, signX := s.magnitude64(a[0])
		y, signY := s.magnitude64(a[1])
		q, _ := s.divideAVX2(x, y)
		sign := s.Xor(signX, signY)
		return s.onesByZero64(s.New(encode.VPSUBQ, s.Xor(q(), sign), sign), a[1])
	})
	with2("rem.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		x, sign := s.magnitude64(a[0])
		y, _ := s.magnitude64(a[1])
		_, r := s.divideAVX2(x, y)
		return s.onesByZero64(s.New(encode.VPSUBQ, s.Xor(r(), sign), sign), a[1])
	})
}

// magnitude64 takes signed numbers apart: their magnitudes as unsigned numbers, and -1 for negative ones, else 0.
func (s *Selection) magnitude64(x machine.Operand) (magnitude, sign machine.Operand) {
	if bits, ok := s.Const64Of(x); ok {
		fill := uint64(int64(bits) >> 63)
		return s.Const64((bits ^ fill) - fill), s.Const64(fill)
	}
	sign = s.New(encode.VPCMPGTQ, s.Zero(), x)
	return s.New(encode.VPSUBQ, s.Xor(x, sign), sign), sign
}

// reciprocal is a little less than 1 / y for an unsigned number, infinite for 0.
func (s *Selection) reciprocal(y machine.Operand) machine.Operand {
	const below = 1 - 0x1p-50
	if bits, ok := s.Const64Of(y); ok {
		return s.double(below / float64(bits))
	}
	return s.New(encode.VDIVPD, s.double(below), s.nearestDouble(false, y))
}

// divideAVX2 divides unsigned numbers of 64 bits. It returns functions that emit what the quotient and the remainder take in
// the end. The quotient is found in two parts and one correction.
//
// Let u be 2^-53, the error of a rounding. R is (1 - 8u) / y as a float: y is rounded, and the quotient. A part is the integer
// nearest to v, which is the fused product and sum r R - 1/2 of the rounded r. With the three roundings before, the exact
// product P of the two floats lies between (1 - 11.1u) r/y and (1 - 4.9u) r/y. Where P is less than 1/2, v lies between -1/2
// and 0, and the part is 0. Elsewhere the error of v is at most u P: the part is at most v + 1/2, so at most (1 - 3.9u) r/y;
// and at least v - 1/2, so at least (1 - 12.1u) r/y - 1. So a part is never too large, and short by at most 1 + 12.1u r/y.
//
// At first r is x, which is less than 2^64: the part is short by at most 1 + 12.1 * 2^11, which is less than 2^15. So what
// remains is less than 2^15 y, and of that the second part is short by less than 2: the quotient lacks 1 where what remains
// then is not less than y, else nothing.
//
// With y = 0 both are anything.
func (s *Selection) divideAVX2(x, y machine.Operand) (q, r func() machine.Operand) {
	reciprocal, upper := s.reciprocal(y), s.high(y)
	part := func(r machine.Operand) machine.Operand {
		return s.Change(encode.VFMADD213PD, s.nearestDouble(false, r), reciprocal, s.double(-0.5))
	}
	first := s.nearestWide(part(x))
	cross := s.New(encode.VPADDQ, s.New(encode.VPMULUDQ, first, upper), s.New(encode.VPMULUDQ, s.high(first), y))
	product := s.New(encode.VPADDQ, s.New(encode.VPMULUDQ, first, y), s.by(encode.VPSLLQI, cross, 32))
	rest := s.New(encode.VPSUBQ, x, product)

	// The second part is a word: its bits, with those of the unit above.
	second := s.New(encode.VADDPD, part(rest), s.Const64(unitFloat))
	high := s.by(encode.VPSLLQI, s.New(encode.VPMULUDQ, second, upper), 32)
	rest = s.New(encode.VPSUBQ, rest, s.New(encode.VPADDQ, s.New(encode.VPMULUDQ, second, y), high))
	complete := s.GreaterUnsigned(8, y, rest)
	// A mask that is set is -1.
	return func() machine.Operand {
			sum := s.New(encode.VPADDQ, s.New(encode.VPADDQ, first, second), s.Const64(^uint64(unitFloat-2))) // 1 less the unit
			return s.New(encode.VPADDQ, sum, complete)
		}, func() machine.Operand {
			return s.New(encode.VPSUBQ, rest, s.New(encode.VPANDN, complete, y))
		}
}
