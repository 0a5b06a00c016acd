package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Results of .ftz are zeros where they are less than the least normal number, when they are rounded as if exponents had no end
// (ruling O2), and subnormal operands count as zeros. The processor has a mode that does just so, for all instructions: code of
// functions all of whose operations agree with it runs in that mode (see Flushes). In others, operands are flushed, and
// results that may be inexact are computed once more, 2^64 times as large, to be compared: an f32 is not subnormal
// there. Sums and roots are exact where they are so small.

// flushBelow makes zeros of x, with its sign, where the magnitude of y is less than a limit. Both are f32.
func (s *Selection) flushBelow(limit float32, x, y machine.Operand) machine.Operand {
	return s.singleIf(floatLess, vexSingles.magnitude(s, y), s.Const32(math.Float32bits(limit)), s.And(x, s.Const32(1<<31)), x)
}

// singleResult is an operation of f32 with its modifiers.
func singleResult(name string, ftz, sat bool, compute partFunc) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		forms := s.forms(vexSingles)
		if ftz && s.Flushing {
			return forms.finish(s, compute(s, a), sat)
		}
		a = forms.operands(s, a, ftz)
		r := compute(s, a)
		if ftz {
			if powers := op.Raising[name]; powers == nil {
				r = forms.flush(s, r)
			} else {
				r = s.flushBelow(op.LeastRaised, r, compute(s, s.raised(a, powers)))
			}
		}
		return forms.finish(s, r, sat)
	}
}

// raised multiplies f32 by powers of two.
func (s *Selection) raised(a []machine.Operand, powers []int) []machine.Operand {
	r := make([]machine.Operand, len(a))
	for n, x := range a {
		if r[n] = x; powers[n] != 0 {
			r[n] = s.New(singles.mul, x, s.Const32(math.Float32bits(float32(math.Ldexp(1, powers[n])))))
		}
	}
	return r
}

// narrowed rounds f64 to f32 by a function, and does what the modifiers ask for.
func (s *Selection) narrowed(x [2]machine.Operand, ftz, sat bool, round func(x [2]machine.Operand) machine.Operand) machine.Operand {
	r := round(x)
	if ftz && !s.Flushing {
		var raised [2]machine.Operand
		for h := range x {
			raised[h] = s.New(doubles.mul, x[h], s.double(0x1p64))
		}
		r = s.flushBelow(op.LeastRaised, r, round(raised))
	}
	return s.forms(vexSingles).finish(s, r, sat)
}

// flushed is x with zeros for subnormal numbers, and with quiet NaNs perhaps.
func (s *Selection) flushed(forms floatForms, x machine.Operand) machine.Operand {
	if s.Flushing {
		return s.New(singles.mul, x, s.Const32(uint32(singles.one)))
	}
	return forms.flush(s, x)
}

// flushedBits is f32 with zeros for subnormal numbers, if that is asked for, and with all other bits as they are.
func (s *Selection) flushedBits(x machine.Operand, ftz bool) machine.Operand {
	if !ftz {
		return x
	}
	return s.forms(vexSingles).flush(s, x)
}

// taken are f32 that are compared or converted to f64, with .ftz if that is asked for. Where the processor flushes, these instructions take
// subnormal numbers for zeros.
func (s *Selection) taken(a []machine.Operand, ftz bool) []machine.Operand {
	return s.forms(vexSingles).operands(s, a, ftz && !s.Flushing)
}
