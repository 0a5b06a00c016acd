package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Formats of floats of 8 bits and less, which have no arithmetic: conversions from and to f32, and what .relu and .satfinite make of
// numbers. Rounding to f16 by random bits is here too, as it is done in the same way. ue8m0 is in scale.go.

// smallFormat is a format. A code is an exponent, of which bias stands for 2^0, and a fraction of so many bits, after a sign. Codes
// above top are infinity, if that is above it, and NaNs. Where there is no infinity, what is too large becomes the largest number.
type smallFormat struct {
	name                 string
	bits, fraction, bias int
	top, infinity, nan   uint32
}

var (
	packedFormats = []*smallFormat{
		{"e4m3", 8, 3, 7, 0x7e, 0x7e, 0x7f}, {"e5m2", 8, 2, 15, 0x7b, 0x7c, 0x7f},
		{"e2m3", 6, 3, 1, 0x1f, 0x1f, 0x1f}, {"e3m2", 6, 2, 3, 0x1f, 0x1f, 0x1f}, {"e2m1", 4, 1, 1, 0x07, 0x07, 0x07},
	}
	halfFormat = &smallFormat{"f16", 16, 10, 15, 0x7bff, halfExponent, halfNaN}
)

func defineFormats() {
	for _, f := range packedFormats {
		both("cvt.f32."+f.name, f.opened)
		both("cvt.rn."+f.name+".f32", func(s *Selection, a []machine.Operand) machine.Operand { return f.nearest(s, a[0]) })
		groupBoth("cvt.rn."+f.name+".f64", func(s *Selection) { s.give(f.nearest(s, s.singleToOdd(s.wide(s.Node.Args[0])))) })
		both("cvt.rs."+f.name+".f32", f.stochastic(16))
		both("relu."+f.name, positive(f.sign()))
		if f.infinity == f.top {
			both("satfinite."+f.name, identity)
			continue
		}
		both("satfinite."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.finite(a[0], f.sign(), f.infinity, 0)
		})
	}
	both("cvt.rs.f16.f32", halfFormat.stochastic(13))
	defineScale()
}

func (f *smallFormat) sign() uint32 { return 1 << (f.bits - 1) }

// cut is how many bits of an f32 the format does not have.
func (f *smallFormat) cut() int { return singleDigits - f.fraction }

// Digits of f32 behind the first one, and what its exponents are more by than those of numbers.
const (
	singleDigits = 23
	singleBias   = 127
)

// power is the bits of 2^n as f32.
func power(n int) uint32 { return uint32(n+singleBias) << singleDigits }

// limit is the bits of the f32 that the code of infinity stands for as if it were a number.
func (f *smallFormat) limit() uint32 { return f.infinity<<f.cut() + power(-f.bias) }

// opened converts to f32. When the code stands where the bits of an f32 do and its exponent is made that of f32, a number that is not
// subnormal is right. A subnormal one, of n last places, becomes x = 2^-bias + n/2, while it is n = 2x - 2^(1-bias). Of other numbers
// x is the smaller one of the two, of a subnormal one n. No float is subnormal here, which would take the processor long.
func (f *smallFormat) opened(s *Selection, a []machine.Operand) machine.Operand {
	if f.infinity > f.top { // e5m2, the upper byte of an f16
		return s.forms(vexSingles).canonical(s, openLower(s, s.by(encode.VPSLLDI, a[0], 8))[0])
	}
	magnitude := s.And(a[0], s.Const32(f.sign()-1))
	x := s.New(encode.VPADDD, s.by(encode.VPSLLDI, magnitude, f.cut()), s.Const32(power(-f.bias)))
	n := s.New(encode.VSUBPS, s.New(encode.VADDPS, x, x), s.Const32(power(1-f.bias)))
	r := s.New(encode.VMINPS, x, n)
	r = s.Or(r, s.And(s.by(encode.VPSLLDI, a[0], 32-f.bits), s.Const32(1<<31)))
	if f.nan == f.top {
		return r
	}
	return s.wordIfEqual(magnitude, s.Const32(f.nan), s.Const32(uint32(singles.nan)), r)
}

// nearest rounds f32. The power of two of the number's exponent, of the least one if the number is subnormal, is made so much larger that
// its last place is that of the format. Then the sum of it and the number has what is asked for in its last bits: the number in such
// places. The bits of the exponent are put there before: there is always an even number of them, so that the sum is still rounded to even.
// The first digit of a number that is not subnormal counts as one more of the exponent.
func (f *smallFormat) nearest(s *Selection, x machine.Operand) machine.Operand {
	number := s.New(encode.VPMINSD, vexSingles.magnitude(s, x), s.Const32(f.limit()))
	exponent := s.New(encode.VPMAXSD, s.And(number, s.Const32(uint32(vexSingles.infinity))), s.Const32(power(1-f.bias)))
	const digits = singleDigits
	more := uint32(f.cut())<<digits - power(1-f.bias)>>f.cut()
	large := s.New(encode.VPADDD, s.New(encode.VPADDD, exponent, s.by(encode.VPSRLDI, exponent, f.cut())), s.Const32(more))
	return f.code(s, x, s.New(encode.VADDPS, number, large))
}

// stochastic rounds f32 down after so many random bits have been added behind the last place. The number less the first one that is not
// subnormal is taken apart: what is below that, as an integer with all digits that an f32 has there, and the bits above it.
func (f *smallFormat) stochastic(bits int) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		random := s.And(a[1], s.Const32(1<<bits-1))
		if bits < f.cut() {
			random = s.by(encode.VPSLLDI, random, f.cut()-bits)
		}
		number := s.New(encode.VPMINSD, vexSingles.magnitude(s, a[0]), s.Const32(f.limit()))
		normal := s.Const32(power(1 - f.bias))
		units := s.New(encode.VMULPS, s.New(encode.VPMINSD, number, normal), s.Const32(power(f.bias-1+singleDigits)))
		sum := s.New(encode.VPADDD, s.New(encode.VCVTTPS2DQ, units), s.New(encode.VPSUBD, s.New(encode.VPMAXSD, number, normal), normal))
		return f.code(s, a[0], s.by(encode.VPSRLDI, s.New(encode.VPADDD, sum, random), f.cut()))
	}
}

// code makes the last bits of what an f32 was rounded to a code, with its sign. A NaN, which was taken for a large number, has none.
func (f *smallFormat) code(s *Selection, x, rounded machine.Operand) machine.Operand {
	sign, magnitude := s.by(encode.VPSRLDI, x, 32-f.bits), s.Const32(f.sign()-1)
	var r machine.Operand
	if s.HasMasks() {
		r = s.Logic(emit.TableX&emit.TableZ|emit.TableY&^emit.TableZ, rounded, sign, magnitude)
	} else {
		r = s.Or(s.And(rounded, magnitude), s.And(sign, s.Const32(f.sign())))
	}
	return s.singleIf(floatUnordered, x, x, s.Const32(f.nan), r)
}
