package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Division of integers of up to 32 bits, as floats of 64: the quotient of two words is so far from the next
// integer that rounding does not reach it. Conversions of what is infinite or no number give what PTX leaves
// open and package op chooses: all ones for a quotient by zero.

func defineDivide() {
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		divide := quotient(t)
		group512("div."+t, func(s *selection) {
			q, _, _ := divide(s)
			s.give(q)
		})
		group512("rem."+t, func(s *selection) {
			q, x, y := divide(s)
			r := s.new(encode.VPSUBD, x, s.commuted(encode.VPMULLD, q, y))
			s.give(r)
		})
	}
}

// quotient returns a function that divides the node's first argument by its second. It also returns the two as they
// were divided: a remainder by zero is the dividend, since the product is zero.
func quotient(t string) func(s *selection) (q, x, y operand) {
	signed := t[0] == 's'
	toDouble, toInt := encode.Op(encode.VCVTUDQ2PD), encode.VCVTTPD2UDQ
	if signed {
		toDouble, toInt = encode.VCVTDQ2PD, encode.VCVTTPD2DQ
	}
	return func(s *selection) (q, x, y operand) {
		x, y = s.arg(0), s.arg(1)
		if t[1:] == "16" {
			if signed {
				x, y = s.signed16(x), s.signed16(y)
			} else {
				x, y = s.low16(x), s.low16(y)
			}
		}
		a, b := s.extend(toDouble, x), s.extend(toDouble, y)
		var parts [2]operand
		for h := range parts {
			parts[h] = s.new(toInt|encode.L512, s.new(encode.VDIVPD, a[h], b[h]))
		}
		q = s.joinHalves(parts)
		if signed {
			q = s.merged(encode.VMOVDQA32, s.test(encode.VPTESTNMD, y, y), q, s.ones())
		}
		return q, x, y
	}
}
