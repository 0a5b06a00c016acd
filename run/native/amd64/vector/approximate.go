package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// The approximations that package op computes with exact operations, so that code can be equal to
// it in every bit: reciprocals, roots and quotients. The transcendental ones are not here.

func defineApproximate() {
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		finish := func(s *Selection, x machine.Operand) machine.Operand { return singles.finish(s, x, ftz, false) }
		with512("rcp.approx"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return finish(s, s.New(singles.div, s.Const32(uint32(singles.one)), singles.operands(s, a, ftz)[0]))
		})
		with512("sqrt.approx"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return finish(s, s.New(singles.sqrt, singles.operands(s, a, ftz)[0]))
		})
		group512("rsqrt.approx"+ending+".f32", func(s *Selection) {
			s.throughDoubles(ftz, func(x []machine.Operand) machine.Operand {
				return s.New(doubles.div, s.Const64(doubles.one), s.New(doubles.sqrt, x[0]))
			})
		})
		group512("div.approx"+ending+".f32", func(s *Selection) {
			s.throughDoubles(ftz, func(x []machine.Operand) machine.Operand {
				// The reciprocal of a large divisor is too small for an f32, and counts as zero.
				magnitude := s.And(x[1], s.Const64(1<<63-1))
				large := s.Test(doubles.compare, magnitude, s.Const64(0x47d0000000000000), machine.Immediate(floatGreater))
				finite := s.TestUnder(doubles.compare, large, magnitude, s.Const64(0x7ff0000000000000), machine.Immediate(0x11))
				zero := s.And(x[1], s.Const64(1<<63))
				return s.merged(doubles.mul, finite, s.New(doubles.div, x[0], x[1]), x[0], zero)
			})
		})
	}
	with512("rsqrt.approx.f64", func(s *Selection, a []machine.Operand) machine.Operand {
		return doubles.canonical(s, s.New(doubles.div, s.Const64(doubles.one), s.New(doubles.sqrt, a[0])))
	})
	for name, compute := range map[string]func(s *Selection, x machine.Operand) machine.Operand{
		"rcp":   func(s *Selection, x machine.Operand) machine.Operand { return x },
		"rsqrt": func(s *Selection, x machine.Operand) machine.Operand { return s.New(doubles.sqrt, x) },
	} {
		// Only the upper words count, of the operand and of the result.
		with512(name+".approx.ftz.f64", func(s *Selection, a []machine.Operand) machine.Operand {
			upper := s.Const64(0xffffffff_00000000)
			x := doubles.flush(s, s.And(a[0], upper))
			r := s.New(doubles.div, s.Const64(doubles.one), compute(s, x))
			nan := doubles.isNaN(s, r)
			r = doubles.flush(s, s.And(r, upper))
			r = s.merged(doubles.move, nan, r, s.Const64(0x7fffffff_00000000))
			return s.merged(doubles.move, doubles.isNaN(s, a[0]), r, s.Const64(0x7fffffff_00000000))
		})
	}
}

// throughDoubles computes with the node's arguments as f64 and rounds once more.
func (s *Selection) throughDoubles(ftz bool, compute func(x []machine.Operand) machine.Operand) {
	var wide [2][2]machine.Operand
	for k := range s.Node.Args[:s.Node.Count] {
		x := singles.operands(s, []machine.Operand{s.arg(k)}, ftz)[0]
		wide[k] = s.extend(encode.VCVTPS2PD, x)
	}
	var parts [2]machine.Operand
	for h := range parts {
		parts[h] = s.New(encode.VCVTPD2PS, compute([]machine.Operand{wide[0][h], wide[1][h]}))
	}
	s.give(singles.finish(s, s.JoinHalves(parts), ftz, false))
}
