package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

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
type halves []operand

func defineHalf() {
	group512("cvt.f32.f16", func(s *selection) { s.give(singles.canonical(s, s.singleOfHalf(s.arg(0)))) })
	group512("cvt.f64.f16", func(s *selection) {
		parts := s.extend(encode.VCVTPS2PD, s.singleOfHalf(s.arg(0)))
		s.giveWide([2]operand{doubles.canonical(s, parts[0]), doubles.canonical(s, parts[1])})
	})
	for mode, rounding := range roundings {
		for _, ending := range []string{"", ".ftz"} {
			with512("cvt."+mode+ending+".f16.f32", func(s *selection, a []operand) operand {
				return s.halfOfSingle(singles.operands(s, a, ending != "")[0], rounding.number)
			})
		}
		group512("cvt."+mode+".f16.f64", func(s *selection) {
			// Rounded to odd, what is rounded again is as good as exact.
			var parts [2]operand
			for h, x := range s.wide(s.node.args[0]) {
				y := s.new(encode.Op(encode.VCVTPD2PS).RoundZero(), x)
				back := s.new(encode.VCVTPS2PD, y)
				inexact := s.test(doubles.compare, back, x, immediate(0x0c))
				parts[h] = s.merged(encode.VPORD, inexact, y, y, s.const32(1))
			}
			s.give(s.halfOfSingle(s.joinHalves(parts), rounding.number))
		})
	}
	for _, ftz := range []bool{false, true} {
		ending := map[bool]string{true: ".ftz"}[ftz]
		for name, o := range map[string]encode.Op{"add": encode.VADDPS, "sub": encode.VSUBPS, "mul": encode.VMULPS} {
			compute := func(s *selection, x []operand) operand { return s.new(o, x[0], x[1]) }
			defineHalves(name+ending, ftz, ftz, false, compute)
			defineHalves(name+ending+".sat", ftz, ftz, false, func(s *selection, x []operand) operand {
				return singles.saturate(s, compute(s, x))
			})
		}
		defineHalves("fma"+ending, ftz, ftz, false, fmaHalf)
		defineHalves("fma"+ending+".sat", ftz, ftz, false, func(s *selection, x []operand) operand { return singles.saturate(s, fmaHalf(s, x)) })
		// The maximum gives its last operand where one is a NaN, or both are zeros.
		defineHalves("fma"+ending+".relu", ftz, ftz, false, func(s *selection, x []operand) operand {
			r := fmaHalf(s, x)
			return s.merged(singles.move, s.test(singles.compare, r, s.zero(), immediate(0x12)), r, s.zero())
		})
		for number, name := range []string{"min", "max"} {
			compute := func(s *selection, x []operand) operand { return s.new(singles.ranged, x[0], x[1], immediate(4+number)) }
			defineHalves(name+ending, ftz, false, false, compute)
			defineHalves(name+ending+".NaN", ftz, false, true, compute)
		}
		for _, size := range []string{".f16", ".f16x2"} {
			with512("neg"+ending+size, func(s *selection, a []operand) operand {
				return s.xor(s.flushHalves(a[0], ftz), s.const16(halfSign))
			})
			with512("abs"+ending+size, func(s *selection, a []operand) operand {
				return s.and(s.flushHalves(a[0], ftz), s.const16(halfMagnitude))
			})
		}
	}
	for _, size := range []string{".f16", ".f16x2"} {
		with512("flush"+size, func(s *selection, a []operand) operand { return s.flushHalves(a[0], true) })
	}
}

// defineHalves enters an operation on f16 and f16x2 that is computed in f32. propagate says that a
// NaN among the operands makes the result one.
func defineHalves(name string, flushIn, flushOut, propagate bool, compute partFunc) {
	for size, open := range map[string]func(s *selection, x operand) halves{".f16": openLower, ".f16x2": openBoth} {
		with512(name+size, func(s *selection, a []operand) operand {
			var opened [3]halves
			for n, x := range a {
				opened[n] = open(s, s.flushHalves(x, flushIn))
			}
			var results halves
			for k := range opened[0] {
				x := make([]operand, len(a))
				for n := range x {
					x[n] = opened[n][k]
				}
				r := compute(s, x)
				if propagate {
					nan := s.test(singles.compare, x[0], x[1], immediate(floatUnordered))
					r = s.merged(singles.move, nan, r, s.const32(0x7fffffff))
				}
				results = append(results, r)
			}
			return s.flushHalves(s.closeHalves(results), flushOut)
		})
	}
}

// openLower converts the lower halves of words, openBoth all halves: those of the lower lanes, then
// of the upper lanes.
func openLower(s *selection, x operand) halves { return halves{s.singleOfHalf(x)} }

func openBoth(s *selection, x operand) halves {
	return halves{s.new(encode.VCVTPH2PS, x), s.new(encode.VCVTPH2PS, s.upper(x))}
}

// closeHalves is the way back. NaNs become the one that PTX has.
func (s *selection) closeHalves(x halves) operand {
	if len(x) == 1 {
		return s.halfOfSingle(x[0], 0)
	}
	r := s.joinHalves([2]operand{s.new(encode.VCVTPS2PH, x[0], immediate(0)), s.new(encode.VCVTPS2PH, x[1], immediate(0))})
	nan := s.test(encode.VPCMPUW, s.and(r, s.const16(halfMagnitude)), s.const16(halfExponent), immediate(compareGreater))
	return s.merged(encode.VMOVDQU16, nan, r, s.const16(halfNaN))
}

// singleOfHalf converts the lower halves of words.
func (s *selection) singleOfHalf(x operand) operand {
	return s.new(encode.VCVTPH2PS, s.new(encode.VPMOVDW, x))
}

// halfOfSingle rounds to halves, in words whose upper halves are zero.
func (s *selection) halfOfSingle(x operand, mode int) operand {
	r := s.new(encode.VPMOVZXWD, s.new(encode.VCVTPS2PH, x, immediate(mode)))
	return s.merged(encode.VMOVDQA32, singles.isNaN(s, x), r, s.const32(halfNaN))
}

// flushHalves makes subnormal halves zeros of their sign.
func (s *selection) flushHalves(x operand, flush bool) operand {
	if !flush {
		return x
	}
	subnormal := s.test(encode.VPTESTNMW, x, s.const16(halfExponent))
	return s.merged(encode.VMOVDQU16, subnormal, x, s.and(x, s.const16(halfSign)))
}

// fmaHalf rounds x*y+z to f32 down and up. Where the two differ, the one with an odd last bit is
// the sum rounded to odd, and rounding that to a half is the only rounding.
func fmaHalf(s *selection, x []operand) operand {
	down := s.change(encode.Op(encode.VFMADD213PS).RoundDown(), x[0], x[1], x[2])
	up := s.change(encode.Op(encode.VFMADD213PS).RoundUp(), x[0], x[1], x[2])
	odd := s.test(encode.VPTESTMD, down, s.const32(1))
	return s.merged(singles.move, odd, up, down)
}
