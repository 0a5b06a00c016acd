package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Conversions with AVX2 that have to do with f64 or integers of 64 bits, and those of integers to f32.

func defineAVX2Wide() {
	for mode := range roundings {
		for _, t := range integerTypes {
			eachEnding(func(ending string, _, sat bool) {
				// An integer is never subnormal, and never no number.
				define(onlyAVX2, "cvt."+mode+ending+".f32."+t.name, selector{group: func(s *Selection) {
					switch {
					case sat:
						s.give(s.saturatedInteger(t))
					case t.bits == 64:
						x := s.wide(s.Node.Args[0])
						s.give(s.singleOfDoubles(mode, [2]machine.Operand{s.oddDouble(t.signed, x[0]), s.oddDouble(t.signed, x[1])}))
					default:
						s.give(s.singleOfWord(t, mode, s.arg(0)))
					}
				}})
			})
			for _, sat := range []string{"", ".sat"} { // integers are clamped anyway
				name := "cvt." + mode + "i" + sat + "." + t.name + ".f64"
				if t.bits == 64 {
					with2(name, func(s *Selection, a []machine.Operand) machine.Operand { return s.wideOfDoubles(t.signed, mode, a[0]) })
					continue
				}
				define(onlyAVX2, name, selector{group: func(s *Selection) { s.give(s.wordOfDoubles(t, mode, s.wide(s.Node.Args[0]))) }})
			}
		}
		for _, t := range integerTypes[6:] {
			with2("cvt."+mode+".f64."+t.name, func(s *Selection, a []machine.Operand) machine.Operand {
				return s.doubleOfWide(t.signed, mode, a[0])
			})
			for _, ending := range []string{"", ".ftz", ".sat", ".ftz.sat"} {
				ftz := ending == ".ftz" || ending == ".ftz.sat"
				define(onlyAVX2, "cvt."+mode+"i"+ending+"."+t.name+".f32", selector{group: func(s *Selection) {
					x := vexSingles.operands(s, []machine.Operand{s.arg(0)}, ftz)[0]
					if mode != "rn" {
						x = s.by(encode.VROUNDPS, x, roundings[mode].number|8)
					}
					wide := s.Extend(encode.VCVTPS2PD, x)
					s.giveWide([2]machine.Operand{s.wideOfDoubles(t.signed, "rn", wide[0]), s.wideOfDoubles(t.signed, "rn", wide[1])})
				}})
			}
		}
		eachEnding(func(ending string, ftz, sat bool) {
			define(onlyAVX2, "cvt."+mode+ending+".f32.f64", selector{group: func(s *Selection) {
				s.give(s.narrowed(s.wide(s.Node.Args[0]), ftz, sat, func(x [2]machine.Operand) machine.Operand {
					return s.singleOfDoubles(mode, x)
				}))
			}})
		})
	}
	for _, to := range integerTypes[:6] {
		for _, from := range integerTypes[6:] {
			define(onlyAVX2, "cvt.sat."+to.name+"."+from.name, selector{group: func(s *Selection) { saturateWideAVX2(s, to, from) }})
		}
	}
	with2("cvt.sat.u64.u64", identity)
	with2("cvt.sat.s64.s64", identity)
	with2("cvt.sat.u64.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VPANDN, s.New(encode.VPCMPGTQ, s.Zero(), a[0]), a[0])
	})
	with2("cvt.sat.s64.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VBLENDVPD, a[0], s.Const64(1<<63-1), a[0]) // those are too large whose top bit is set
	})
	for _, ending := range []string{"", ".ftz"} {
		define(onlyAVX2, "slct.64"+ending+".f32", selector{group: func(s *Selection) {
			c := vexSingles.operands(s, []machine.Operand{s.arg(2)}, ending != "")[0]
			x, y := s.wide(s.Node.Args[0]), s.wide(s.Node.Args[1])
			for h, k := range s.splitMask(vexSingles.compare(s, floatAtLeast, c, s.Zero())) {
				x[h] = s.New(encode.VBLENDVPD, y[h], x[h], k)
			}
			s.giveWide(x)
		}})
	}
}

// saturateWideAVX2 clamps the node's argument, an integer of 64 bits, to a narrower type: to 32 bits first, where there are minimum
// and maximum. The upper words tell whether the lower ones are all of it.
func saturateWideAVX2(s *Selection, to, from integerType) {
	x := s.wide(s.Node.Args[0])
	low, high := s.Pick(x, 0, false), s.Pick(x, 1, false)
	word := integerType{"u32", 32, false}
	switch {
	case from.signed && to.signed:
		word.signed = true
		fits := s.New(encode.VPCMPEQD, high, s.by(encode.VPSRADI, low, 31))
		limit := s.Xor(s.by(encode.VPSRADI, high, 31), s.Const32(1<<31-1))
		low = s.New(encode.VBLENDVPS, limit, low, fits)
	case from.signed: // all ones where it is too large, and zero where it is negative
		low = s.Or(low, s.New(encode.VPCMPGTD, high, s.Zero()))
		low = s.New(encode.VPANDN, s.by(encode.VPSRADI, high, 31), low)
	default:
		low = s.Or(low, s.Not(s.New(encode.VPCMPEQD, high, s.Zero())))
	}
	s.give(s.clampWord(low, word, to))
}
