package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Directed roundings of conversions with AVX2, which has instructions for the nearest float alone. The nearest one is compared
// with what was rounded. Where it lies on the wrong side, the float next to it is the result: no float lies between the two.

// next moves floats to their neighbour where a mask is set: the next larger one, or the next smaller one. The bits of a float
// that is not negative grow with it, and those of a negative one shrink. A zero must have the sign of what it moves to. The
// neighbour of an infinite one is the largest that is finite.
func (f *vexFloats) next(s *Selection, x, where machine.Operand, larger bool) machine.Operand {
	e, sign := &elements64, machine.Operand{}
	if f.bits == 32 {
		e, sign = &elements32, s.by(encode.VPSRADI, x, 31)
	} else {
		sign = s.New(encode.VPCMPGTQ, s.Zero(), x)
	}
	// -1 where the mask is set, and 1 where the float is negative besides.
	one := s.New(e.subtract, s.Xor(where, sign), sign)
	if larger {
		return s.New(e.subtract, x, one)
	}
	return s.New(e.add, x, one)
}

// singleOfDoubles rounds two vectors of f64 to f32. An infinite result of a finite number is corrected as all others are, and so is a
// zero: it has the sign of the number. With the same signs, what is greater as an integer has the greater magnitude. A NaN stays
// one: it is quiet then, and more than 1 above what is infinite.
func (s *Selection) singleOfDoubles(mode string, x [2]machine.Operand) machine.Operand {
	var r, wrong [2]machine.Operand
	for h := range x {
		r[h] = s.New(encode.VCVTPD2PS, x[h])
		if mode == "rn" {
			continue
		}
		switch back := s.New(encode.VCVTPS2PD, r[h]); mode {
		case "rz":
			wrong[h] = s.New(encode.VPCMPGTQ, back, x[h])
		case "rp":
			wrong[h] = vexDoubles.compare(s, floatLess, back, x[h])
		default:
			wrong[h] = vexDoubles.compare(s, floatLess, x[h], back)
		}
	}
	single := s.JoinHalves(r)
	if mode == "rn" {
		return single
	}
	return vexSingles.moved(s, mode, single, s.narrow(wrong))
}

// singleOfWord rounds an integer of up to 32 bits to f32.
func (s *Selection) singleOfWord(t integerType, mode string, x machine.Operand) machine.Operand {
	x = s.extendTo(t, x)
	if t.bits == 32 && !t.signed {
		return s.singleOfUnsigned(mode, x)
	}
	r := s.New(encode.VCVTDQ2PS, x)
	if t.bits < 32 || mode == "rn" {
		return r
	}
	// What the float is short by, modulo 2^32: 2^31 becomes -2^31 here. It is small enough to have its sign.
	short := s.New(encode.VPSUBD, x, s.New(encode.VCVTTPS2DQ, r))
	if mode == "rz" { // towards zero, by magnitude
		return s.New(encode.VPADDD, r, s.by(encode.VPSRADI, s.New(encode.VPSIGND, short, x), 31))
	}
	o, wrong := encode.VPADDD, machine.Operand{}
	if mode == "rp" {
		o, wrong = encode.VPSUBD, s.New(encode.VPCMPGTD, short, s.Zero())
	} else {
		wrong = s.by(encode.VPSRADI, short, 31)
	}
	return s.New(o, r, s.New(encode.VPSIGND, wrong, x)) // as bits, negative floats are ordered the other way
}

// singleOfUnsigned rounds u32 to f32. Both halves are exact as floats, so that their sum is rounded once.
func (s *Selection) singleOfUnsigned(mode string, x machine.Operand) machine.Operand {
	high := s.New(encode.VCVTDQ2PS, s.by(encode.VPSRLDI, x, 16))
	high = s.New(encode.VMULPS, high, s.Const32(0x47800000)) // 2^16
	low := s.New(encode.VCVTDQ2PS, s.low16(x))
	r := s.New(encode.VADDPS, high, low)
	if mode == "rn" {
		return r
	}
	// The upper half is larger or zero, so that this is exact (Dekker's FastTwoSum). It is never -0.
	short := s.New(encode.VSUBPS, low, s.New(encode.VSUBPS, r, high))
	if mode == "rp" {
		return s.New(encode.VPSUBD, r, s.New(encode.VPCMPGTD, short, s.Zero()))
	}
	return s.New(encode.VPADDD, r, s.by(encode.VPSRADI, short, 31))
}

// saturatedInteger is the node's argument, an integer, as f32 between 0 and 1: with any rounding it is 1 where the integer is
// above zero.
func (s *Selection) saturatedInteger(t integerType) machine.Operand {
	x, o := [2]machine.Operand{}, encode.Op(encode.VPCMPGTQ)
	if t.bits == 64 {
		x = s.wide(s.Node.Args[0])
	} else {
		x[0], o = s.extendTo(t, s.arg(0)), encode.VPCMPGTD
	}
	if !t.signed { // what is not zero
		o = vexSingles.equal
		if t.bits == 64 {
			o = vexDoubles.equal
		}
	}
	positive := s.New(o, x[0], s.Zero())
	if t.bits == 64 {
		positive = s.narrow([2]machine.Operand{positive, s.New(o, x[1], s.Zero())})
	}
	one := s.Const32(uint32(singles.one))
	if t.signed {
		return s.And(positive, one)
	}
	return s.New(encode.VPANDN, positive, one)
}
