package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// sine and cosine are those of f64, as package op has them.
func sine(s *Selection, f *float, x []machine.Register) machine.Register {
	small := s.New(encode.FCMGT|f.size, s.number(op.SineLeast), f.magnitude(s, x[0]))
	return s.choose(small, x[0], sineAfter(s, f, x[0], 0))
}

func cosine(s *Selection, f *float, x []machine.Register) machine.Register {
	return sineAfter(s, f, x[0], 1)
}

// sineAfter is the sine of x and so many quarters of the circle.
func sineAfter(s *Selection, f *float, x machine.Register, quarters uint64) machine.Register {
	s.Round(machine.ToNearest)
	k := s.New(encode.FRINTN|f.size, s.New(encode.FMUL|f.size, x, s.number(op.TwoByPi)))
	less := func(x machine.Register, part float64) machine.Register { // by k times a part
		return s.Change(encode.FMLS|f.size, x, k, s.number(part))
	}
	r := less(less(x, op.HalfPi[0]), op.HalfPi[1])
	r = s.New(encode.FMAX|f.size, s.New(encode.FMIN|f.size, r, s.number(op.AngleMost)), s.number(-op.AngleMost))
	square := s.New(encode.FMUL|f.size, r, r)
	n := s.New(encode.ADD|f.size, s.New(encode.FADD|f.size, k, s.number(op.QuarterShift)), s.Const64(quarters))
	one := s.New(encode.FMUL|f.size, r, s.series(square, op.SineTerms[:]))
	odd := s.New(encode.CMTST|f.size, n, s.Const64(1))
	result := s.choose(odd, s.series(square, op.CosineTerms[:]), one)
	sign := s.New(encode.AND, s.NewImm(encode.SHL|f.size, 62, n), s.Const64(f.sign))
	return s.New(encode.EOR, result, sign)
}
