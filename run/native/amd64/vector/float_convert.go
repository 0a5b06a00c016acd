package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Conversions between integers and floats, and among floats.

func defineFloatConvert() {
	for mode, rounding := range roundings {
		for _, t := range integerTypes {
			eachEnding(func(ending string, _, sat bool) {
				// An integer is never subnormal, and never no number.
				group512("cvt."+mode+ending+".f32."+t.name, func(s *Selection) {
					x := s.singleOf(t, rounding.embed)
					if sat {
						x = singles.saturate(s, x)
					}
					s.give(x)
				})
			})
			group512("cvt."+mode+".f64."+t.name, func(s *Selection) { s.giveWide(s.doubleOf(t, rounding.embed)) })
			for _, sat := range []string{"", ".sat"} {
				for _, ftz := range []string{"", ".ftz"} {
					group512("cvt."+mode+"i"+ftz+sat+"."+t.name+".f32", func(s *Selection) {
						s.integerOfSingle(t, singles.operands(s, []machine.Operand{s.arg(0)}, ftz != "")[0], rounding.embed)
					})
				}
				group512("cvt."+mode+"i"+sat+"."+t.name+".f64", func(s *Selection) { s.integerOfDouble(t, rounding.embed) })
			}
		}
		eachEnding(func(ending string, ftz, sat bool) {
			group512("cvt."+mode+ending+".f32.f64", func(s *Selection) {
				s.give(s.narrowed(s.wide(s.Node.Args[0]), ftz, sat, func(x [2]machine.Operand) machine.Operand {
					return s.singleOfDouble(x, rounding.embed)
				}))
			})
			with512("cvt."+mode+"i"+ending+".f32.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				x := s.New(singles.scale, singles.operands(s, a, ftz)[0], machine.Immediate(rounding.number|8))
				return singles.finish(s, x, sat)
			})
		})
		with512("cvt."+mode+"i.f64.f64", func(s *Selection, a []machine.Operand) machine.Operand {
			return doubles.canonical(s, s.New(doubles.scale, a[0], machine.Immediate(rounding.number|8)))
		})
	}
	eachEnding(func(ending string, ftz, sat bool) {
		with512("cvt"+ending+".f32.f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return singles.finish(s, singles.operands(s, a, ftz)[0], sat)
		})
	})
	for _, ending := range []string{"", ".ftz"} {
		group512("cvt"+ending+".f64.f32", func(s *Selection) {
			parts := s.Extend(encode.VCVTPS2PD, s.taken([]machine.Operand{s.arg(0)}, ending != "")[0])
			s.giveWide([2]machine.Operand{doubles.canonical(s, parts[0]), doubles.canonical(s, parts[1])})
		})
	}
}

type embed = func(o encode.Op) encode.Op

// singleOf converts the node's argument, an integer, to f32.
func (s *Selection) singleOf(t integerType, round embed) machine.Operand {
	if t.bits == 64 {
		o := encode.Op(encode.VCVTUQQ2PS)
		if t.signed {
			o = encode.VCVTQQ2PS
		}
		x := s.wide(s.Node.Args[0])
		return s.JoinHalves([2]machine.Operand{s.New(round(o), x[0]), s.New(round(o), x[1])})
	}
	x := s.extendTo(t, s.arg(0))
	if t.bits == 32 && !t.signed {
		return s.New(round(encode.VCVTUDQ2PS), x)
	}
	return s.New(round(encode.VCVTDQ2PS), x)
}

// doubleOf converts the node's argument, an integer, to f64.
func (s *Selection) doubleOf(t integerType, round embed) [2]machine.Operand {
	if t.bits == 64 {
		o := encode.Op(encode.VCVTUQQ2PD)
		if t.signed {
			o = encode.VCVTQQ2PD
		}
		x := s.wide(s.Node.Args[0])
		return [2]machine.Operand{s.New(round(o), x[0]), s.New(round(o), x[1])}
	}
	x := s.extendTo(t, s.arg(0))
	if t.bits == 32 && !t.signed {
		return s.Extend(encode.VCVTUDQ2PD, x)
	}
	return s.Extend(encode.VCVTDQ2PD, x)
}

// singleOfDouble rounds f64 to f32.
func (s *Selection) singleOfDouble(x [2]machine.Operand, round embed) machine.Operand {
	return s.JoinHalves([2]machine.Operand{s.New(round(encode.VCVTPD2PS), x[0]), s.New(round(encode.VCVTPD2PS), x[1])})
}

// integerOfSingle rounds an f32 to an integer of a type, clamped. A NaN becomes 0, or the top bit
// of a type of 64 bits. The processor gives the top bit for what a signed type cannot hold, and all
// ones for an unsigned one.
func (s *Selection) integerOfSingle(t integerType, x machine.Operand, round embed) {
	if t.bits == 64 {
		var parts [2]machine.Operand
		for h, y := range s.Extend(encode.VCVTPS2PD, x) {
			parts[h] = s.wideOfDouble(t, y, round)
		}
		s.giveWide(parts)
		return
	}
	if t.bits == 32 && !t.signed {
		s.give(s.New(round(encode.VCVTPS2UDQ), s.New(singles.max, x, s.Zero())))
		return
	}
	number := s.Test(singles.compare, x, x, machine.Immediate(floatOrdered))
	r := s.Zeroed(round(encode.VCVTPS2DQ), number, x)
	large := s.Test(singles.compare, x, s.Const32(0x4f000000), machine.Immediate(floatAtLeast))
	r = s.Merged(encode.VMOVDQA32, large, r, s.Const32(1<<31-1))
	s.give(s.clampWord(r, integerType{"s32", 32, true}, t))
}

// wideOfDouble rounds an f64 to an integer of 64 bits, clamped. A NaN becomes the top bit.
func (s *Selection) wideOfDouble(t integerType, x machine.Operand, round embed) machine.Operand {
	if t.signed {
		r := s.New(round(encode.VCVTPD2QQ), x)
		large := s.Test(doubles.compare, x, s.Const64(0x43e0000000000000), machine.Immediate(floatAtLeast))
		return s.Merged(encode.VMOVDQA64, large, r, s.Const64(1<<63-1))
	}
	r := s.New(round(encode.VCVTPD2UQQ), s.New(doubles.max, x, s.Zero()))
	return s.Merged(encode.VMOVDQA64, doubles.isNaN(s, x), r, s.Const64(1<<63))
}

// integerOfDouble rounds the node's argument, an f64, to an integer of a type, clamped. A NaN
// becomes the top bit of the type.
func (s *Selection) integerOfDouble(t integerType, round embed) {
	x := s.wide(s.Node.Args[0])
	var parts [2]machine.Operand
	if t.bits == 64 {
		for h := range parts {
			parts[h] = s.wideOfDouble(t, x[h], round)
		}
		s.giveWide(parts)
		return
	}
	nan := s.joinMasks([2]machine.Operand{doubles.isNaN(s, x[0]), doubles.isNaN(s, x[1])})
	for h := range parts {
		if t.bits == 32 && !t.signed {
			parts[h] = s.New(round(encode.VCVTPD2UDQ), s.New(doubles.max, x[h], s.Zero()))
			continue
		}
		// The minimum gives its last operand where one is a NaN.
		parts[h] = s.New(round(encode.VCVTPD2DQ), s.New(doubles.min, s.Const64(0x41dfffffffc00000), x[h]))
	}
	r := s.clampWord(s.JoinHalves(parts), integerType{"s32", 32, true}, t)
	if t.bits == 32 && !t.signed {
		r = s.JoinHalves(parts)
	}
	if t.signed {
		s.give(r)
		return
	}
	s.give(s.Merged(encode.VMOVDQA32, nan, r, s.Const32(1<<(t.bits-1))))
}
