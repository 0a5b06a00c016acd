package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Division of integers, as floats of 64 bits. The quotient of two words is so far from the next
// integer that rounding does not reach it; of 64 bits it takes two steps. Conversions of what is
// infinite or no number give what PTX leaves open and package op chooses: all ones for a quotient
// by zero.

func defineDivide() {
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		divide := quotient(t)
		group512("div."+t, func(s *Selection) {
			q, _, _ := divide(s)
			s.give(q)
		})
		group512("rem."+t, func(s *Selection) {
			q, x, y := divide(s)
			r := s.New(encode.VPSUBD, x, s.Commuted(encode.VPMULLD, q, y))
			s.give(r)
		})
	}
	with512("div.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		q, _ := s.divide64(a[0], a[1])
		return s.onesByZero(q, a[1])
	})
	with512("rem.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		_, r := s.divide64(a[0], a[1])
		return s.Merged(encode.VMOVDQA64, s.Test(encode.VPTESTNMQ, a[1], a[1]), r, a[0])
	})
	with512("div.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		q, _ := s.divide64(s.New(encode.VPABSQ, a[0]), s.New(encode.VPABSQ, a[1]))
		return s.onesByZero(s.negated(q, s.Xor(a[0], a[1])), a[1])
	})
	with512("rem.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		_, r := s.divide64(s.New(encode.VPABSQ, a[0]), s.New(encode.VPABSQ, a[1]))
		return s.Merged(encode.VMOVDQA64, s.Test(encode.VPTESTNMQ, a[1], a[1]), s.negated(r, a[0]), a[0])
	})
}

// onesByZero is a quotient, all ones where the divisor is zero.
func (s *Selection) onesByZero(q, divisor machine.Operand) machine.Operand {
	return s.Merged(encode.VMOVDQA64, s.Test(encode.VPTESTNMQ, divisor, divisor), q, s.Ones())
}

// negated negates elements of 64 bits where the top bit of another vector is set.
func (s *Selection) negated(x, sign machine.Operand) machine.Operand {
	return s.Merged(encode.VPSUBQ, s.Test(encode.VPMOVQ2M, sign), x, s.Zero(), x)
}

// divide64 divides unsigned numbers of 64 bits: by floats, so rounded that a quotient is never too
// large. The first is short by less than 2^13, and of what remains the second is short by at most
// one.
func (s *Selection) divide64(x, y machine.Operand) (q, r machine.Operand) {
	divisor := s.New(encode.Op(encode.VCVTUQQ2PD).RoundUp(), y)
	r = x
	for range 2 {
		part := s.New(encode.Op(encode.VDIVPD).RoundDown(), s.New(encode.Op(encode.VCVTUQQ2PD).RoundDown(), r), divisor)
		n := s.New(encode.VCVTTPD2UQQ, part)
		if q.None() {
			q = n
		} else {
			q = s.New(encode.VPADDQ, q, n)
		}
		r = s.New(encode.VPSUBQ, r, s.New(encode.VPMULLQ, n, y))
	}
	short := s.Test(encode.VPCMPUQ, r, y, machine.Immediate(CompareNotLess))
	q = s.Merged(encode.VPSUBQ, short, q, q, s.Ones())
	r = s.Merged(encode.VPSUBQ, short, r, r, y)
	return q, r
}

// quotient returns a function that divides the node's first argument by its second. It also returns
// the two as they were divided: a remainder by zero is the dividend, since the product is zero.
func quotient(t string) func(s *Selection) (q, x, y machine.Operand) {
	signed := t[0] == 's'
	toDouble, toInt := encode.Op(encode.VCVTUDQ2PD), encode.VCVTTPD2UDQ
	if signed {
		toDouble, toInt = encode.VCVTDQ2PD, encode.VCVTTPD2DQ
	}
	return func(s *Selection) (q, x, y machine.Operand) {
		x, y = s.arg(0), s.arg(1)
		if t[1:] == "16" {
			if signed {
				x, y = s.signed16(x), s.signed16(y)
			} else {
				x, y = s.low16(x), s.low16(y)
			}
		}
		a, b := s.Extend(toDouble, x), s.Extend(toDouble, y)
		var parts [2]machine.Operand
		for h := range parts {
			parts[h] = s.New(toInt|encode.L512, s.New(encode.VDIVPD, a[h], b[h]))
		}
		q = s.JoinHalves(parts)
		if signed {
			q = s.Merged(encode.VMOVDQA32, s.Test(encode.VPTESTNMD, y, y), q, s.Ones())
		}
		return q, x, y
	}
}
