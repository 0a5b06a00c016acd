package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// The approximations that package op computes with exact operations, so that code can be equal to
// it in every bit: reciprocals, roots, quotients, powers of two, logarithms and hyperbolic tangents. Sine and cosine are in sine.go.

func defineApproximate() {
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		both("rcp.approx"+ending+".f32", singleResult("rcp", ftz, false, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(singles.div, s.Const32(uint32(singles.one)), a[0])
		}))
		both("sqrt.approx"+ending+".f32", singleResult("sqrt", ftz, false, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(singles.sqrt, a[0])
		}))
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
				return s.Merged(doubles.mul, finite, s.New(doubles.div, x[0], x[1]), x[0], zero)
			})
		})
	}
	for name, f := range map[string]func(s *Selection, x machine.Operand) machine.Operand{
		"ex2": (*Selection).exponential, "lg2": (*Selection).logarithm, "tanh": (*Selection).tangent, "sin": (*Selection).sine, "cos": (*Selection).cosine,
	} {
		for _, ending := range []string{"", ".ftz"} {
			groupBoth(name+".approx"+ending+".f32", func(s *Selection) {
				s.throughDoubles(ending != "", func(x []machine.Operand) machine.Operand { return f(s, x[0]) })
			})
		}
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
			r = s.Merged(doubles.move, nan, r, s.Const64(0x7fffffff_00000000))
			return s.Merged(doubles.move, doubles.isNaN(s, a[0]), r, s.Const64(0x7fffffff_00000000))
		})
	}
}

// throughDoubles computes with the node's arguments as f64 and rounds once more.
func (s *Selection) throughDoubles(ftz bool, compute func(x []machine.Operand) machine.Operand) {
	var wide [2][2]machine.Operand
	for k := range s.Node.Args[:s.Node.Count] {
		x := s.taken([]machine.Operand{s.arg(k)}, ftz)[0]
		wide[k] = s.Extend(encode.VCVTPS2PD, x)
	}
	var parts [2]machine.Operand
	for h := range parts {
		parts[h] = compute([]machine.Operand{wide[0][h], wide[1][h]})
	}
	s.give(s.narrowed(parts, ftz, false, func(x [2]machine.Operand) machine.Operand { return s.singleOfDoubles("rn", x) }))
}

// exponential is 2^x of f64, as package op has it. The minimum and the maximum have what is no number last, which they give then.
func (s *Selection) exponential(x machine.Operand) machine.Operand {
	x = s.New(doubles.min, s.double(op.ExponentialMost), x)
	x = s.New(doubles.max, s.double(op.ExponentialLeast), x)
	n := s.wholeDouble(x)
	sum := s.series(s.New(doubles.sub, x, n), op.ExponentialTerms[:])
	power := s.New(encode.VPSLLQI, s.New(doubles.add, n, s.double(op.ExponentialShift)), machine.Immediate(52))
	return s.New(doubles.mul, sum, power)
}

// wholeDouble is the nearest whole number.
func (s *Selection) wholeDouble(x machine.Operand) machine.Operand {
	round := encode.Op(encode.VROUNDPD)
	if s.Target.Level == amd64.AVX512 {
		round = doubles.scale
	}
	return s.New(round, x, machine.Immediate(8))
}

// logarithm is the logarithm to the base 2 of f64, as package op has it.
func (s *Selection) logarithm(x machine.Operand) machine.Operand {
	const one, fraction = 1023 << 52, 1<<52 - 1
	least := s.Const64(op.LogarithmLeast)
	q := s.New(encode.VPADDQ, x, s.Const64(one-op.LogarithmLeast))
	n := s.New(doubles.sub, s.Or(s.New(encode.VPSRLQI, q, machine.Immediate(52)), s.Const64(0x433<<52)), s.double(op.LogarithmScale))
	rest := s.New(encode.VPADDQ, s.And(q, s.Const64(fraction)), least)
	r := s.New(doubles.div, s.New(doubles.sub, rest, s.double(1)), s.New(doubles.add, rest, s.double(1)))
	sum := s.New(doubles.mul, s.series(s.New(doubles.mul, r, r), op.LogarithmTerms[:]), r)
	y := s.New(doubles.add, n, sum)
	const notAtLeast = 0x19
	infinity := s.double(math.Inf(1))
	y = s.doubleIf(floatEqual, x, s.Zero(), s.double(math.Inf(-1)), y)
	y = s.doubleIf(notAtLeast, x, s.Zero(), s.Const64(doubles.nan), y)
	return s.doubleIf(floatEqual, x, infinity, infinity, y)
}

// double is a constant in all elements.
func (s *Selection) double(x float64) machine.Operand { return s.Const64(math.Float64bits(x)) }

// series is a sum of powers of x, from 0 on, times numbers.
func (s *Selection) series(x machine.Operand, numbers []float64) machine.Operand {
	sum := s.double(numbers[len(numbers)-1])
	for k := len(numbers) - 2; k >= 0; k-- {
		sum = s.New(doubles.add, s.New(doubles.mul, x, sum), s.double(numbers[k]))
	}
	return sum
}

// narrowApproximations are functions of f32 with the values of f16 or bf16, rounded to odd. Package op has the functions of package
// math for them, which differ in the last places of f64: all results are the same once they are rounded, which a test of package native
// holds.
var narrowApproximations = map[string]partFunc{
	"ex2.approx":  oddThroughDoubles((*Selection).exponential),
	"tanh.approx": oddThroughDoubles((*Selection).tangent),
}

func oddThroughDoubles(compute func(s *Selection, x machine.Operand) machine.Operand) partFunc {
	return func(s *Selection, x []machine.Operand) machine.Operand {
		parts := s.Extend(encode.VCVTPS2PD, x[0])
		return s.singleToOdd([2]machine.Operand{compute(s, parts[0]), compute(s, parts[1])})
	}
}

// tangent is the hyperbolic tangent of f64, as package op has it.
func (s *Selection) tangent(x machine.Operand) machine.Operand {
	power := s.exponential(s.New(doubles.mul, x, s.double(2*math.Log2E)))
	r := s.New(doubles.div, s.New(doubles.sub, power, s.double(1)), s.New(doubles.add, power, s.double(1)))
	return s.doubleIf(floatGreater, s.double(op.TangentLeast), vexDoubles.magnitude(s, x), x, r)
}
