package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// approximations are those that package op computes with exact operations, so that code can be equal to it in every bit:
// reciprocals, roots and quotients. Of two roundings, to f64 and to f32, such a result is as good as of one.
var approximations = func() map[string]selector {
	all := map[string]selector{
		"rsqrt.approx.f64": twice(func(s *Selection, f *float, x []machine.Register) machine.Register {
			return f.canonical(s, inverseRoot(s, f, x))
		}),
		"rcp.approx.ftz.f64": twice(roughly(rounded(machine.ToNearest, arithmetic["rcp"]))), "rsqrt.approx.ftz.f64": twice(roughly(inverseRoot)),
	}
	for _, ftz := range []string{"", ".ftz"} {
		flush := ftz != ""
		finish := func(s *Selection, x machine.Register) machine.Register { return single.finish(s, x, flush, false) }
		for _, name := range []string{"rcp", "sqrt"} {
			all[name+".approx"+ftz+".f32"] = singles(rounded(machine.ToNearest, arithmetic[name]), flush, finish)
		}
		all["rsqrt.approx"+ftz+".f32"] = throughDoubles(inverseRoot, flush)
		all["div.approx"+ftz+".f32"] = throughDoubles(quotientByReciprocal, flush)
	}
	return all
}()

func inverseRoot(s *Selection, f *float, x []machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	return s.New(encode.FDIV|f.size, f.constant(s, f.unit), s.New(encode.FSQRT|f.size, x[0]))
}

// quotientByReciprocal is the quotient. The reciprocal of a large divisor is too small for an f32, and counts as zero.
func quotientByReciprocal(s *Selection, f *float, x []machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	magnitude := f.magnitude(s, x[1])
	large := s.New(encode.AND, s.New(encode.CMHI|f.size, magnitude, f.constant(s, 0x47d0000000000000)), finiteNumber(s, f, x[1:]))
	zero := s.New(encode.AND, x[1], f.constant(s, f.sign))
	return s.choose(large, s.New(encode.FMUL|f.size, x[0], zero), s.New(encode.FDIV|f.size, x[0], x[1]))
}

// throughDoubles computes with f32 as f64, and rounds once more.
func throughDoubles(compute floatFunc, ftz bool) selector {
	return func(s *Selection, a []simt.ID) Value {
		var x []Value
		for _, id := range a {
			x = append(x, s.doubled(single.maybeFlushed(s, s.V(id), ftz)))
		}
		r := each(func(h int) machine.Register {
			var part []machine.Register
			for _, v := range x {
				part = append(part, v[h])
			}
			return compute(s, twofold, part)
		})
		return one(single.finish(s, s.narrowed(r, machine.ToNearest), ftz, false))
	}
}

// roughly computes with the upper words alone, of the operand and of the result.
func roughly(compute floatFunc) floatFunc {
	const upper, nan = 0xffffffff_00000000, 0x7fffffff_00000000
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		r := compute(s, f, []machine.Register{f.flush(s, s.New(encode.AND, x[0], s.Const64(upper)))})
		number := s.New(encode.AND, s.New(encode.FCMEQ|f.size, x[0], x[0]), s.New(encode.FCMEQ|f.size, r, r))
		return s.choose(number, f.flush(s, s.New(encode.AND, r, s.Const64(upper))), s.Const64(nan))
	}
}
