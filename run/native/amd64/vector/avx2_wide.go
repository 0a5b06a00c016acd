package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Integers of 64 bits as floats with AVX2, which has no conversions of them. A float from 2^52 to 2^53 has 1 for its last bit.
// So the sum of such a power of two and a float is rounded to an integer, which stands in its lower bits.

const (
	twoTo32 = 0x41f0000000000000
	twoTo63 = 0x43e0000000000000
	twoTo64 = 0x43f0000000000000
	// unitFloat is 2^52 + 2^51: what is added may be negative. Its lower word is zero.
	unitFloat = 0x4338000000000000
)

// by is New for an instruction with an immediate, and not inlined as New is not.
//
//go:noinline
func (s *Selection) by(o encode.Op, x machine.Operand, n int) machine.Operand {
	return s.New(o, x, machine.Immediate(n))
}

// halvesOfWide are two f64 whose sum is an integer of 64 bits: what the upper word stands for, less 2^52, and 2^52 with the
// lower word.
func (s *Selection) halvesOfWide(signed bool, x machine.Operand) (high, low machine.Operand) {
	low = s.New(encode.VPBLENDD, x, s.double(0x1p52), machine.Immediate(0xaa))
	// The last bit of 2^84 stands for 2^32. With its top bit flipped, a signed word is an unsigned one that is 2^31 more.
	above := 0x1p84
	if signed {
		above += 0x1p63
	}
	high = s.Xor(s.high(x), s.double(above))
	return s.New(encode.VSUBPD, high, s.double(above+0x1p52)), low
}

// nearestDouble is an integer of 64 bits as f64. Only the sum is rounded, and that of zero is +0.
func (s *Selection) nearestDouble(signed bool, x machine.Operand) machine.Operand {
	high, low := s.halvesOfWide(signed, x)
	return s.New(encode.VADDPD, high, low)
}

// doubleAndRest is the nearest f64, and what it is short by. With numbers up to 2^53 in magnitude the sum is exact. Without the
// upper half it is the lower half then, and the rest is +0. With larger ones the exponent of the upper half is not below that
// of the lower half, and the rest is exact (Dekker's FastTwoSum).
func (s *Selection) doubleAndRest(signed bool, x machine.Operand) (sum, rest machine.Operand) {
	high, low := s.halvesOfWide(signed, x)
	sum = s.New(encode.VADDPD, high, low)
	return sum, s.New(encode.VSUBPD, low, s.New(encode.VSUBPD, sum, high))
}

// tooFar is the mask of those sums that are further from zero than what they stand for.
func (s *Selection) tooFar(signed bool, sum, rest machine.Operand) machine.Operand {
	if signed {
		rest = s.Xor(rest, s.And(sum, s.Const64(doubles.sign)))
	}
	return vexDoubles.compare(s, floatLess, rest, s.Zero())
}

// doubleOfWide rounds an integer of 64 bits to f64. Inexact ones are far from zero and from what is infinite.
func (s *Selection) doubleOfWide(signed bool, mode string, x machine.Operand) machine.Operand {
	if mode == "rn" {
		return s.nearestDouble(signed, x)
	}
	sum, rest := s.doubleAndRest(signed, x)
	if mode == "rz" || mode == "rm" && !signed {
		return s.New(encode.VPADDQ, sum, s.tooFar(signed, sum, rest))
	}
	predicate := floatLess
	if mode == "rp" {
		predicate = floatGreater
	}
	return vexDoubles.next(s, sum, vexDoubles.compare(s, predicate, rest, s.Zero()), mode == "rp")
}

// oddDouble rounds an integer of 64 bits to f64 so that the last bit of an inexact result is 1. Rounded to f32 then, in any
// mode, it gives what the integer does; see package op.
func (s *Selection) oddDouble(signed bool, x machine.Operand) machine.Operand {
	sum, rest := s.doubleAndRest(signed, x)
	inexact := vexDoubles.compare(s, floatNotEqual, rest, s.Zero())
	sum = s.New(encode.VPADDQ, sum, s.tooFar(signed, sum, rest))
	return s.Or(sum, s.by(encode.VPSRLQI, inexact, 63))
}

// nearestWide is the integer nearest to an f64 from -2^63 to 2^64, modulo 2^64; of two, the even one. The upper word is rounded
// to nearest too, so that what remains is at most 2^31 in magnitude. It is exact: where the upper word is not 0, the remainder
// is not larger than the float, and has no lower bits than that. Its rounding is that of all, since what the upper word stands
// for is even.
func (s *Selection) nearestWide(x machine.Operand) machine.Operand {
	// The bits of the second sum are those of unitFloat and the remainder. The upper word of unitFloat is taken off the first
	// sum, whose lower word comes to the same place.
	const unit = 0x1p52 + 0x1p51 - unitFloat>>32
	upper := s.Change(encode.VFMADD213PD, x, s.double(0x1p-32), s.double(unit))
	whole := s.New(encode.VSUBPD, upper, s.double(unit))
	lower := s.Change(encode.VFNMADD132PD, whole, x, s.Const64(twoTo32))
	lower = s.New(encode.VADDPD, lower, s.Const64(unitFloat))
	return s.New(encode.VPADDQ, s.by(encode.VPSLLQI, upper, 32), lower)
}

// roundDouble rounds f64 to integral ones, except to the nearest: that is left to what comes after.
func (s *Selection) roundDouble(mode string, x machine.Operand) machine.Operand {
	if mode == "rn" {
		return x
	}
	return s.by(encode.VROUNDPD, x, roundings[mode].number|8)
}

// wideOfDoubles rounds f64 to integers of 64 bits, clamped. A NaN becomes the top bit. The maximum gives its last operand where
// one is a NaN.
func (s *Selection) wideOfDoubles(signed bool, mode string, x machine.Operand) machine.Operand {
	x = s.roundDouble(mode, x)
	if signed {
		r := s.nearestWide(s.New(encode.VMAXPD, x, s.Const64(twoTo63|doubles.sign)))
		large := vexDoubles.compare(s, floatAtLeast, x, s.Const64(twoTo63))
		return s.New(encode.VBLENDVPD, r, s.Const64(1<<63-1), large)
	}
	r := s.nearestWide(s.New(encode.VMAXPD, x, s.Zero()))
	nan := vexDoubles.compare(s, floatUnordered, x, x)
	r = s.Or(r, s.by(encode.VPSLLQI, nan, 63))
	return s.Or(r, vexDoubles.compare(s, floatAtLeast, x, s.Const64(twoTo64)))
}

// wordOfDoubles rounds two vectors of f64 to integers of up to 32 bits, clamped. A NaN becomes the top bit of the type.
func (s *Selection) wordOfDoubles(t integerType, mode string, x [2]machine.Operand) machine.Operand {
	var r [2]machine.Operand
	for h, x := range x {
		if !t.signed { // of a signed type the least word is clamped to the top bit
			top := s.double(float64(uint64(1) << (t.bits - 1)))
			x = s.New(encode.VBLENDVPD, x, top, vexDoubles.compare(s, floatUnordered, x, x))
		}
		if t.bits == 32 && !t.signed {
			x = s.New(encode.VMAXPD, s.New(encode.VMINPD, x, s.double(1<<32-1)), s.Zero())
			r[h] = s.New(encode.VADDPD, s.roundDouble(mode, x), s.Const64(unitFloat))
			continue
		}
		// The minimum gives its last operand where one is a NaN. What is too small or a NaN becomes the least word.
		x = s.New(encode.VMINPD, s.double(1<<31-1), x)
		o := encode.VCVTTPD2DQ
		switch mode {
		case "rn":
			o = encode.VCVTPD2DQ
		case "rm", "rp":
			x = s.roundDouble(mode, x)
		}
		r[h] = s.New(o, x)
	}
	if t.bits == 32 && !t.signed {
		return s.narrow(r)
	}
	return s.clampWord(s.JoinHalves(r), integerType{"s32", 32, true}, t)
}
