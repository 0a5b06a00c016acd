package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Results of .ftz are zeros where they are less than the least normal number, when they are rounded as if exponents had no end
// (ruling O2). The processor's own mode flushes what is less before it is rounded. So results that may be inexact are computed
// once more, 2^64 times as large, to be compared: an f32 is not subnormal there. Sums and roots are exact where they are so small.

// flushBelow makes zeros of x, with its sign, where the magnitude of y is less than a limit. Both are f32.
func (s *Selection) flushBelow(limit float32, x, y machine.Register) machine.Register {
	sign := s.Const32(uint32(single.sign))
	keep := s.New(encode.CMHS|encode.S4, single.magnitude(s, y), s.Const32(math.Float32bits(limit))) // NaNs too
	return s.New(encode.AND, x, s.New(encode.ORR, keep, sign))
}

// singleResult makes a selector of an operation on f32 with its modifiers.
func singleResult(name string, ftz, sat bool, compute floatFunc) selector {
	return func(s *Selection, a []simt.ID) Value {
		var x []machine.Register
		for _, id := range a {
			x = append(x, single.maybeFlushed(s, s.V(id), ftz))
		}
		r := compute(s, single, x)
		if ftz {
			if powers := op.Raising[name]; powers == nil {
				r = single.flush(s, r)
			} else {
				r = s.flushBelow(op.LeastRaised, r, compute(s, single, s.raised(x, powers)))
			}
		}
		return one(single.finish(s, r, sat))
	}
}

// raised multiplies f32 by powers of two. What is too large becomes infinite: in a mode that gives the largest number instead, a sum
// with it could be zero.
func (s *Selection) raised(x []machine.Register, powers []int) []machine.Register {
	s.Round(machine.ToNearest)
	r := make([]machine.Register, len(x))
	for n, v := range x {
		if r[n] = v; powers[n] != 0 {
			r[n] = s.New(encode.FMUL|encode.S4, v, s.power(int64(powers[n])))
		}
	}
	return r
}

// narrowResult rounds f64 to f32, and does what the modifiers ask for.
func (s *Selection) narrowResult(x Value, round machine.Rounding, ftz, sat bool) Value {
	r := s.narrowed(x, round)
	if ftz {
		raised := each(func(h int) machine.Register { return s.New(encode.FMUL|encode.D2, x[h], s.number(0x1p64)) })
		r = s.flushBelow(op.LeastRaised, r, s.narrowed(raised, round))
	}
	return one(single.finish(s, r, sat))
}
