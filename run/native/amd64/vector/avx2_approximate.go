package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// defineAVX2Approximate enters what defineApproximate does for AVX-512 alone.
func defineAVX2Approximate() {
	const less = 0x11
	one := func(s *Selection) machine.Operand { return s.Const64(doubles.one) }
	root := func(s *Selection, x machine.Operand) machine.Operand { return s.New(doubles.sqrt, x) }
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		define(onlyAVX2, "rsqrt.approx"+ending+".f32", selector{group: func(s *Selection) {
			s.throughDoubles(ftz, func(x []machine.Operand) machine.Operand { return s.New(doubles.div, one(s), root(s, x[0])) })
		}})
		define(onlyAVX2, "div.approx"+ending+".f32", selector{group: func(s *Selection) {
			s.throughDoubles(ftz, func(x []machine.Operand) machine.Operand {
				// The reciprocal of a large divisor is too small for an f32, and counts as zero.
				magnitude := vexDoubles.magnitude(s, x[1])
				large := vexDoubles.compare(s, floatGreater, magnitude, s.Const64(0x47d0000000000000))
				finite := s.And(large, vexDoubles.compare(s, less, magnitude, s.Const64(vexDoubles.infinity)))
				zero := s.And(x[1], s.Const64(doubles.sign))
				return s.New(vexDoubles.blend, s.New(doubles.div, x[0], x[1]), s.New(doubles.mul, x[0], zero), finite)
			})
		}})
	}
	with2("rsqrt.approx.f64", func(s *Selection, a []machine.Operand) machine.Operand {
		return vexDoubles.canonical(s, s.New(doubles.div, one(s), root(s, a[0])))
	})
	for name, compute := range map[string]func(s *Selection, x machine.Operand) machine.Operand{
		"rcp": func(_ *Selection, x machine.Operand) machine.Operand { return x }, "rsqrt": root,
	} {
		// Only the upper words count, of the operand and of the result.
		with2(name+".approx.ftz.f64", func(s *Selection, a []machine.Operand) machine.Operand {
			upper, nan := s.Const64(0xffffffff_00000000), s.Const64(0x7fffffff_00000000)
			x := vexDoubles.flush(s, s.And(a[0], upper))
			r := s.New(doubles.div, one(s), compute(s, x))
			bad := s.Or(vexDoubles.compare(s, floatUnordered, r, r), vexDoubles.compare(s, floatUnordered, a[0], a[0]))
			return s.New(encode.VBLENDVPD, vexDoubles.flush(s, s.And(r, upper)), nan, bad)
		})
	}
}
