package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// The approximations that package op computes with exact operations, so that code can be equal to
// it in every bit: reciprocals, roots and quotients. The transcendental ones are not here.

func defineApproximate() {
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		finish := func(s *selection, x operand) operand { return singles.finish(s, x, ftz, false) }
		with512("rcp.approx"+ending+".f32", func(s *selection, a []operand) operand {
			return finish(s, s.new(singles.div, s.const32(uint32(singles.one)), singles.operands(s, a, ftz)[0]))
		})
		with512("sqrt.approx"+ending+".f32", func(s *selection, a []operand) operand {
			return finish(s, s.new(singles.sqrt, singles.operands(s, a, ftz)[0]))
		})
		group512("rsqrt.approx"+ending+".f32", func(s *selection) {
			s.throughDoubles(ftz, func(x []operand) operand {
				return s.new(doubles.div, s.const64(doubles.one), s.new(doubles.sqrt, x[0]))
			})
		})
		group512("div.approx"+ending+".f32", func(s *selection) {
			s.throughDoubles(ftz, func(x []operand) operand {
				// The reciprocal of a large divisor is too small for an f32, and counts as zero.
				magnitude := s.and(x[1], s.const64(1<<63-1))
				large := s.test(doubles.compare, magnitude, s.const64(0x47d0000000000000), immediate(floatGreater))
				finite := s.testUnder(doubles.compare, large, magnitude, s.const64(0x7ff0000000000000), immediate(0x11))
				zero := s.and(x[1], s.const64(1<<63))
				return s.merged(doubles.mul, finite, s.new(doubles.div, x[0], x[1]), x[0], zero)
			})
		})
	}
	with512("rsqrt.approx.f64", func(s *selection, a []operand) operand {
		return doubles.canonical(s, s.new(doubles.div, s.const64(doubles.one), s.new(doubles.sqrt, a[0])))
	})
	for name, compute := range map[string]func(s *selection, x operand) operand{
		"rcp":   func(s *selection, x operand) operand { return x },
		"rsqrt": func(s *selection, x operand) operand { return s.new(doubles.sqrt, x) },
	} {
		// Only the upper words count, of the operand and of the result.
		with512(name+".approx.ftz.f64", func(s *selection, a []operand) operand {
			upper := s.const64(0xffffffff_00000000)
			x := doubles.flush(s, s.and(a[0], upper))
			r := s.new(doubles.div, s.const64(doubles.one), compute(s, x))
			nan := doubles.isNaN(s, r)
			r = doubles.flush(s, s.and(r, upper))
			r = s.merged(doubles.move, nan, r, s.const64(0x7fffffff_00000000))
			return s.merged(doubles.move, doubles.isNaN(s, a[0]), r, s.const64(0x7fffffff_00000000))
		})
	}
}

// throughDoubles computes with the node's arguments as f64 and rounds once more.
func (s *selection) throughDoubles(ftz bool, compute func(x []operand) operand) {
	var wide [2][2]operand
	for k := range s.node.args[:s.node.count] {
		x := singles.operands(s, []operand{s.arg(k)}, ftz)[0]
		wide[k] = s.extend(encode.VCVTPS2PD, x)
	}
	var parts [2]operand
	for h := range parts {
		parts[h] = s.new(encode.VCVTPD2PS, compute([]operand{wide[0][h], wide[1][h]}))
	}
	s.give(singles.finish(s, s.joinHalves(parts), ftz, false))
}
