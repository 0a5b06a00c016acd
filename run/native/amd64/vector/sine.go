package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// sine and cosine are those of f64, as package op has them.
func (s *Selection) sine(x machine.Operand) machine.Operand {
	return s.doubleIf(floatGreater, s.double(op.SineLeast), vexDoubles.magnitude(s, x), x, s.sineAfter(x, 0))
}

func (s *Selection) cosine(x machine.Operand) machine.Operand { return s.sineAfter(x, 1) }

// sineAfter is the sine of x and so many quarters of the circle. The minimum and the maximum have what is no number last, which they
// give then.
func (s *Selection) sineAfter(x machine.Operand, quarters uint64) machine.Operand {
	k := s.wholeDouble(s.New(doubles.mul, x, s.double(op.TwoByPi)))
	less := func(x machine.Operand, part float64) machine.Operand { // by k times a part
		return s.Change(vexDoubles.lessFused, k, s.double(part), x)
	}
	r := less(less(x, op.HalfPi[0]), op.HalfPi[1])
	r = s.New(doubles.max, s.double(-op.AngleMost), s.New(doubles.min, s.double(op.AngleMost), r))
	square := s.New(doubles.mul, r, r)
	n := s.New(encode.VPADDQ, s.New(doubles.add, k, s.double(op.QuarterShift)), s.Const64(quarters))
	sine := s.New(doubles.mul, r, s.series(square, op.SineTerms[:]))
	// All ones where the number of quarters is odd.
	odd := s.New(encode.VPSUBQ, s.Zero(), s.And(n, s.Const64(1)))
	result := s.Xor(sine, s.And(s.Xor(sine, s.series(square, op.CosineTerms[:])), odd))
	return s.Xor(result, s.And(s.by(encode.VPSLLQI, n, 62), s.Const64(doubles.sign)))
}
