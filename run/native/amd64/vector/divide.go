package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Division of integers, as floats of 64 bits. The quotient of two words is so far from the next
// integer that rounding does not reach it; of 64 bits it takes two steps. A quotient by zero has all ones, and so has
// the remainder: PTX leaves that open, and package op chooses it. Conversions of what is infinite or no number to
// unsigned words give all ones by themselves.

func defineDivide() {
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		divide := quotient(t)
		group512("div."+t, func(s *Selection) {
			q, _, y := divide(s)
			if t[0] == 's' {
				q = s.onesByZero(q, y)
			}
			s.give(q)
		})
		group512("rem."+t, func(s *Selection) {
			q, x, y := divide(s)
			r := s.New(encode.VPSUBD, x, s.Commuted(encode.VPMULLD, q, y))
			s.give(s.onesByZero(r, y))
		})
	}
	with512("div.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		q, _ := s.divide64(a[0], a[1])
		return s.onesByZero64(q, a[1])
	})
	with512("rem.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		_, r := s.divide64(a[0], a[1])
		return s.onesByZero64(r, a[1])
	})
	with512("div.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		q, _ := s.divide64(s.New(encode.VPABSQ, a[0]), s.New(encode.VPABSQ, a[1]))
		return s.onesByZero64(s.negated(q, s.Xor(a[0], a[1])), a[1])
	})
	with512("rem.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		_, r := s.divide64(s.New(encode.VPABSQ, a[0]), s.New(encode.VPABSQ, a[1]))
		return s.onesByZero64(s.negated(r, a[0]), a[1])
	})
}

// onesByZero is a quotient or remainder of words, all ones where the divisor is zero.
func (s *Selection) onesByZero(x, divisor machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(divisor); ok && bits != 0 {
		return x
	}
	if s.HasMasks() {
		return s.Merged(encode.VMOVDQA32, s.Test(encode.VPTESTNMD, divisor, divisor), x, s.Ones())
	}
	return s.Or(x, s.New(encode.VPCMPEQD, divisor, s.Zero()))
}

// onesByZero64 is that of elements of 64 bits.
func (s *Selection) onesByZero64(x, divisor machine.Operand) machine.Operand {
	if bits, ok := s.Const64Of(divisor); ok && bits != 0 {
		return x
	}
	if s.HasMasks() {
		return s.Merged(encode.VMOVDQA64, s.Test(encode.VPTESTNMQ, divisor, divisor), x, s.Ones())
	}
	return s.Or(x, s.New(encode.VPCMPEQQ, divisor, s.Zero()))
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
// the two as they were divided. By zero, a quotient with a sign is anything.
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
		return s.JoinHalves(parts), x, y
	}
}
