package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// approximations are those that package op computes with exact operations, so that code can be equal to it in every bit:
// reciprocals, roots, quotients, powers of two, logarithms and hyperbolic tangents; sine and cosine are in sine.go. Of two roundings, to f64 and to f32, such a result is as good as of one.
var approximations = func() map[string]selector {
	all := map[string]selector{
		"rsqrt.approx.f64": twice(func(s *Selection, f *float, x []machine.Register) machine.Register {
			return f.canonical(s, inverseRoot(s, f, x))
		}),
		"rcp.approx.ftz.f64": twice(roughly(rounded(machine.ToNearest, arithmetic["rcp"]))), "rsqrt.approx.ftz.f64": twice(roughly(inverseRoot)),
	}
	for _, ftz := range []string{"", ".ftz"} {
		flush := ftz != ""
		for _, name := range []string{"rcp", "sqrt"} {
			all[name+".approx"+ftz+".f32"] = singleResult(name, flush, false, rounded(machine.ToNearest, arithmetic[name]))
		}
		all["rsqrt.approx"+ftz+".f32"] = throughDoubles(inverseRoot, flush)
		all["div.approx"+ftz+".f32"] = throughDoubles(quotientByReciprocal, flush)
		for name, f := range map[string]floatFunc{"ex2": exponential, "lg2": logarithm, "tanh": tangent, "sin": sine, "cos": cosine} {
			all[name+".approx"+ftz+".f32"] = throughDoubles(f, flush)
		}
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

// exponential is 2^x of f64, as package op has it.
func exponential(s *Selection, f *float, x []machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	y := s.New(encode.FMAX|f.size, s.New(encode.FMIN|f.size, x[0], s.number(op.ExponentialMost)), s.number(op.ExponentialLeast))
	n := s.New(encode.FRINTN|f.size, y)
	sum := s.series(s.New(encode.FSUB|f.size, y, n), op.ExponentialTerms[:])
	power := s.NewImm(encode.SHL|f.size, 52, s.New(encode.FADD|f.size, n, s.number(op.ExponentialShift)))
	return s.choose(s.New(encode.FCMEQ|f.size, y, y), s.New(encode.FMUL|f.size, sum, power), y)
}

// tangent is the hyperbolic tangent of f64, as package op has it. For all f16 and bf16 it rounds as the exact one does.
func tangent(s *Selection, f *float, x []machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	power := exponential(s, f, []machine.Register{s.New(encode.FMUL|f.size, x[0], s.number(2*math.Log2E))})
	one := s.number(1)
	r := s.New(encode.FDIV|f.size, s.New(encode.FSUB|f.size, power, one), s.New(encode.FADD|f.size, power, one))
	return s.choose(s.New(encode.FCMGT|f.size, s.number(op.TangentLeast), f.magnitude(s, x[0])), x[0], r)
}

// logarithm is the logarithm to the base 2 of f64, as package op has it.
func logarithm(s *Selection, f *float, x []machine.Register) machine.Register {
	const one, fraction = 1023 << 52, 1<<52 - 1
	s.Round(machine.ToNearest)
	zero, infinity := s.Const64(0), s.Const64(f.infinity())
	q := s.New(encode.ADD|f.size, x[0], s.Const64(one-op.LogarithmLeast))
	exponent := s.New(encode.ORR, s.NewImm(encode.USHR|f.size, 52, q), s.Const64(0x433<<52))
	n := s.New(encode.FSUB|f.size, exponent, s.number(op.LogarithmScale))
	rest := s.New(encode.ADD|f.size, s.New(encode.AND, q, s.Const64(fraction)), s.Const64(op.LogarithmLeast))
	r := s.New(encode.FDIV|f.size, s.New(encode.FSUB|f.size, rest, s.number(1)), s.New(encode.FADD|f.size, rest, s.number(1)))
	sum := s.New(encode.FMUL|f.size, s.series(s.New(encode.FMUL|f.size, r, r), op.LogarithmTerms[:]), r)
	y := s.New(encode.FADD|f.size, n, sum)
	y = s.choose(s.New(encode.FCMGT|f.size, x[0], zero), y, s.Const64(f.nan))
	y = s.choose(s.New(encode.FCMEQ|f.size, x[0], zero), s.number(math.Inf(-1)), y)
	return s.choose(s.New(encode.FCMEQ|f.size, x[0], infinity), infinity, y)
}

// number is a constant of f64.
func (s *Selection) number(x float64) machine.Register { return s.Const64(math.Float64bits(x)) }

// series is a sum of powers of x, from 0 on, times numbers, each operation rounded by itself.
func (s *Selection) series(x machine.Register, numbers []float64) machine.Register {
	sum := s.number(numbers[len(numbers)-1])
	for k := len(numbers) - 2; k >= 0; k-- {
		sum = s.New(encode.FADD|encode.D2, s.New(encode.FMUL|encode.D2, sum, x), s.number(numbers[k]))
	}
	return sum
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
		return s.narrowResult(r, machine.ToNearest, ftz, false)
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
