package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Halves: f16, one or two to a word. Arithmetic is that of f32: rounding its results once more
// gives what rounding the exact ones gives, but for fused products (see fmaHalf).

const (
	halfNaN       = 0x7fff
	halfExponent  = 0x7c00
	halfSign      = 0x8000
	halfMagnitude = 0x7fff
)

// halves are 32-bit floats of a group's halves: one vector of a lane's lower halves, or two of all
// halves.
type halves []machine.Operand

func defineHalf() {
	group512("cvt.f32.f16", func(s *Selection) { s.give(singles.canonical(s, s.singleOfHalf(s.arg(0)))) })
	group512("cvt.f64.f16", func(s *Selection) {
		parts := s.Extend(encode.VCVTPS2PD, s.singleOfHalf(s.arg(0)))
		s.giveWide([2]machine.Operand{doubles.canonical(s, parts[0]), doubles.canonical(s, parts[1])})
	})
	for mode, rounding := range roundings {
		for _, ending := range []string{"", ".ftz"} {
			with512("cvt."+mode+ending+".f16.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				return s.halfOfSingle(singles.operands(s, a, ending != "")[0], rounding.number)
			})
		}
		group512("cvt."+mode+".f16.f64", func(s *Selection) {
			// Rounded to odd, what is rounded again is as good as exact.
			var parts [2]machine.Operand
			for h, x := range s.wide(s.Node.Args[0]) {
				y := s.New(encode.Op(encode.VCVTPD2PS).RoundZero(), x)
				back := s.New(encode.VCVTPS2PD, y)
				inexact := s.Test(doubles.compare, back, x, machine.Immediate(floatNotEqual))
				parts[h] = s.Merged(encode.VPORD, inexact, y, y, s.Const32(1))
			}
			s.give(s.halfOfSingle(s.JoinHalves(parts), rounding.number))
		})
	}
	for _, ftz := range []bool{false, true} {
		ending := map[bool]string{true: ".ftz"}[ftz]
		for name, o := range map[string]encode.Op{"add": encode.VADDPS, "sub": encode.VSUBPS, "mul": encode.VMULPS} {
			compute := func(s *Selection, x []machine.Operand) machine.Operand { return s.New(o, x[0], x[1]) }
			defineHalves(name+ending, ftz, ftz, false, compute)
			defineHalves(name+ending+".sat", ftz, ftz, false, func(s *Selection, x []machine.Operand) machine.Operand {
				return singles.saturate(s, compute(s, x))
			})
		}
		defineHalves("fma"+ending, ftz, ftz, false, fmaHalf)
		defineHalves("fma"+ending+".sat", ftz, ftz, false, func(s *Selection, x []machine.Operand) machine.Operand { return singles.saturate(s, fmaHalf(s, x)) })
		// The maximum gives its last operand where one is a NaN, or both are zeros.
		defineHalves("fma"+ending+".relu", ftz, ftz, false, func(s *Selection, x []machine.Operand) machine.Operand {
			r := fmaHalf(s, x)
			return s.Merged(singles.move, s.Test(singles.compare, r, s.Zero(), machine.Immediate(0x12)), r, s.Zero())
		})
		for number, name := range []string{"min", "max"} {
			compute := func(s *Selection, x []machine.Operand) machine.Operand {
				return s.New(singles.ranged, x[0], x[1], machine.Immediate(4+number))
			}
			defineHalves(name+ending, ftz, false, false, compute)
			defineHalves(name+ending+".NaN", ftz, false, true, compute)
		}
		for _, size := range []string{".f16", ".f16x2"} {
			with512("neg"+ending+size, func(s *Selection, a []machine.Operand) machine.Operand {
				return s.Xor(s.flushHalves(a[0], ftz), s.Const16(halfSign))
			})
			with512("abs"+ending+size, func(s *Selection, a []machine.Operand) machine.Operand {
				return s.And(s.flushHalves(a[0], ftz), s.Const16(halfMagnitude))
			})
		}
	}
	for _, size := range []string{".f16", ".f16x2"} {
		with512("flush"+size, func(s *Selection, a []machine.Operand) machine.Operand { return s.flushHalves(a[0], true) })
	}
}

// defineHalves enters an operation on f16 and f16x2 that is computed in f32. propagate says that a
// NaN among the operands makes the result one.
func defineHalves(name string, flushIn, flushOut, propagate bool, compute partFunc) {
	for size, open := range map[string]func(s *Selection, x machine.Operand) halves{".f16": openLower, ".f16x2": openBoth} {
		with512(name+size, func(s *Selection, a []machine.Operand) machine.Operand {
			var opened [3]halves
			for n, x := range a {
				opened[n] = open(s, s.flushHalves(x, flushIn))
			}
			var results halves
			for k := range opened[0] {
				x := make([]machine.Operand, len(a))
				for n := range x {
					x[n] = opened[n][k]
				}
				r := compute(s, x)
				if propagate {
					nan := s.Test(singles.compare, x[0], x[1], machine.Immediate(floatUnordered))
					r = s.Merged(singles.move, nan, r, s.Const32(0x7fffffff))
				}
				results = append(results, r)
			}
			return s.flushHalves(s.closeHalves(results), flushOut)
		})
	}
}

// openLower converts the lower halves of words, openBoth all halves: those of the lower lanes, then
// of the upper lanes.
func openLower(s *Selection, x machine.Operand) halves { return halves{s.singleOfHalf(x)} }

func openBoth(s *Selection, x machine.Operand) halves {
	return halves{s.New(encode.VCVTPH2PS, x), s.New(encode.VCVTPH2PS, s.Upper(x))}
}

// closeHalves is the way back. NaNs become the one that PTX has.
func (s *Selection) closeHalves(x halves) machine.Operand {
	if len(x) == 1 {
		return s.halfOfSingle(x[0], 0)
	}
	r := s.JoinHalves([2]machine.Operand{s.New(encode.VCVTPS2PH, x[0], machine.Immediate(0)), s.New(encode.VCVTPS2PH, x[1], machine.Immediate(0))})
	nan := s.Test(encode.VPCMPUW, s.And(r, s.Const16(halfMagnitude)), s.Const16(halfExponent), machine.Immediate(CompareGreater))
	return s.Merged(encode.VMOVDQU16, nan, r, s.Const16(halfNaN))
}

// singleOfHalf converts the lower halves of words.
func (s *Selection) singleOfHalf(x machine.Operand) machine.Operand {
	return s.New(encode.VCVTPH2PS, s.New(encode.VPMOVDW, x))
}

// halfOfSingle rounds to halves, in words whose upper halves are zero.
func (s *Selection) halfOfSingle(x machine.Operand, mode int) machine.Operand {
	r := s.New(encode.VPMOVZXWD, s.New(encode.VCVTPS2PH, x, machine.Immediate(mode)))
	return s.Merged(encode.VMOVDQA32, singles.isNaN(s, x), r, s.Const32(halfNaN))
}

// flushHalves makes subnormal halves zeros of their sign.
func (s *Selection) flushHalves(x machine.Operand, flush bool) machine.Operand {
	if !flush {
		return x
	}
	subnormal := s.Test(encode.VPTESTNMW, x, s.Const16(halfExponent))
	return s.Merged(encode.VMOVDQU16, subnormal, x, s.And(x, s.Const16(halfSign)))
}

// fmaHalf rounds x*y+z to f32 down and up. Where the two differ, the one with an odd last bit is
// the sum rounded to odd, and rounding that to a half is the only rounding.
func fmaHalf(s *Selection, x []machine.Operand) machine.Operand {
	down := s.Change(encode.Op(encode.VFMADD213PS).RoundDown(), x[0], x[1], x[2])
	up := s.Change(encode.Op(encode.VFMADD213PS).RoundUp(), x[0], x[1], x[2])
	odd := s.Test(encode.VPTESTMD, down, s.Const32(1))
	return s.Merged(singles.move, odd, up, down)
}
