package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// ue8m0 is the exponent of an f32. Its largest code is a NaN, and 0 is 2^-127, which is subnormal as an f32.

// scaleNaN is the code that is no number.
const scaleNaN = 0xff

func defineScale() {
	const half = 1 << (singleDigits - 1) // 2^-127 as f32
	both("cvt.f32.ue8m0", func(s *Selection, a []machine.Operand) machine.Operand {
		code := s.And(a[0], s.Const32(scaleNaN))
		r := s.New(encode.VPMAXSD, s.by(encode.VPSLLDI, code, singleDigits), s.Const32(half))
		return s.wordIfEqual(code, s.Const32(scaleNaN), s.Const32(uint32(singles.nan)), r)
	})
	both("cvt.rz.ue8m0.f32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.by(encode.VPSRLDI, vexSingles.magnitude(s, a[0]), singleDigits)
	})
	both("cvt.rp.ue8m0.f32", func(s *Selection, a []machine.Operand) machine.Operand {
		// What is infinite or a NaN is no number afterwards, and all from zero to 2^-127 is 0.
		x := s.New(encode.VPMINSD, vexSingles.magnitude(s, a[0]), s.Const32(uint32(vexSingles.infinity)))
		x = s.New(encode.VPADDD, s.keepGreater(x, s.Const32(half)), s.Const32(1<<singleDigits-1))
		return s.by(encode.VPSRLDI, x, singleDigits)
	})
	both("satfinite.ue8m0.f32", func(s *Selection, a []machine.Operand) machine.Operand {
		// The code of what is a number, though a large one, becomes one less.
		nan := s.Const32(scaleNaN)
		if s.HasMasks() {
			large := s.TestUnder(encode.VPCMPEQDK, s.Test(singles.compare, a[1], a[1], machine.Immediate(floatOrdered)), a[0], nan)
			return s.Merged(encode.VPADDD, large, a[0], a[0], s.Ones())
		}
		large := s.And(s.New(encode.VPCMPEQD, a[0], nan), vexSingles.compare(s, floatOrdered, a[1], a[1]))
		return s.New(encode.VPADDD, a[0], large)
	})
}
