package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// bf16, one or two to a word: the upper half of an f32. Arithmetic is that of wider floats, whose results are rounded once more:
//
//   - A sum has no fewer than 2*8+1 bits in f32, so that two roundings are one; where exponents end, it is exact.
//   - A product is exact in f64, and goes by an f32 that is rounded to odd: f32 may have fewer bits of it where exponents end.
//   - A fused product is added in f64 to odd, as its summands may be of any sizes.

const (
	brainNaN      = 0x7fff
	brainExponent = 0x7f80
)

// brains are operations on bf16 and bf16x2. Those on one leave zeros above it.
var brains = func() map[string]selector {
	all := map[string]selector{
		"cvt.f32.bf16": vectors(func(s *Selection, x []machine.Register) machine.Register {
			return single.canonical(s, s.NewImm(encode.SHL|encode.S4, 16, x[0]))
		}),
	}
	for mode, round := range modes {
		all["cvt."+mode+".bf16.f32"] = vectors(func(s *Selection, x []machine.Register) machine.Register { return s.brainOfSingle(x[0], round) })
		all["cvt."+mode+".bf16.f64"] = func(s *Selection, a []simt.ID) Value {
			return one(s.brainOfSingle(s.narrowedToOdd(s.Both(a[0])), round))
		}
		for _, t := range integerTypes {
			all["cvt."+mode+".bf16."+t.name] = func(s *Selection, a []simt.ID) Value {
				if t.bits <= 16 {
					return one(s.brainOfSingle(s.New(t.toFloat()|encode.S4, s.extended(s.V(a[0]), t)), round))
				}
				return one(s.brainOfSingle(s.narrowedToOdd(s.doubleToOdd(a[0], t)), round))
			}
		}
	}
	for _, wide := range []bool{false, true} {
		// enter adds a function of halves; of one alone, the upper half is zero.
		enter := func(name string, f halvesFunc) {
			if wide {
				all[name+".bf16x2"] = vectors(f)
				return
			}
			all[name+".bf16"] = vectors(func(s *Selection, x []machine.Register) machine.Register {
				return s.New(encode.AND, f(s, x), s.Const32(0xffff))
			})
		}
		enter("ex2.approx", (&brainOperation{throughDouble(exponential), wide}).compute)
		enter("tanh.approx", (&brainOperation{throughDouble(tangent), wide}).compute)
		enter("neg", func(s *Selection, x []machine.Register) machine.Register {
			return s.New(encode.EOR, x[0], s.Const16(halfSign))
		})
		enter("abs", func(s *Selection, x []machine.Register) machine.Register {
			return s.New(encode.AND, x[0], s.Const16(halfMagnitude))
		})
		enter("flush", func(s *Selection, x []machine.Register) machine.Register {
			normal := s.New(encode.CMTST|encode.H8, x[0], s.Const16(brainExponent))
			return s.New(encode.AND, x[0], s.New(encode.ORR, normal, s.Const16(halfSign)))
		})
		for name, compute := range brainArithmetic {
			f := (&brainOperation{compute, wide}).compute
			enter(name, f)
			if name == "fma" {
				relu := func(s *Selection, x []machine.Register) machine.Register {
					r := f(s, x)
					return s.New(encode.BIC, r, s.New(encode.CMLTZ|encode.H8, r))
				}
				enter("fma.relu", relu)
				enter("fma.oob", outOfBounds(f))
				enter("fma.oob.relu", outOfBounds(relu))
			}
		}
		for name, compute := range brainExtremes {
			f := (&brainOperation{compute, wide}).exactly
			enter(name, f)
			enter(name+".xorsign.abs", xorSigned(f, brainExponent))
		}
	}
	return all
}()

// brainArithmetic are operations on f32 with the values of bf16; rounded once more they are rounded once.
var brainArithmetic = map[string]floatFunc{
	"add": instruction(encode.FADD), "sub": instruction(encode.FSUB),
	"mul": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.narrowedToOdd(s.products(x[0], x[1]))
	},
	"fma": func(s *Selection, f *float, x []machine.Register) machine.Register {
		product, z := s.products(x[0], x[1]), s.doubled(x[2])
		return s.narrowedToOdd(each(func(h int) machine.Register { return s.sumToOdd(product[h], z[h]) }))
	},
}

// products multiplies f32 as f64.
func (s *Selection) products(x, y machine.Register) Value {
	a, b := s.doubled(x), s.doubled(y)
	return each(func(h int) machine.Register { return s.New(encode.FMUL|encode.D2, a[h], b[h]) })
}

// sumToOdd adds f64; the last bit is 1 where the sum is not exact. What rounding has left out is exact (Knuth's TwoSum): if that
// leads towards zero, the sum is cut off at the number before.
func (s *Selection) sumToOdd(x, y machine.Register) machine.Register {
	two := func(o encode.Op, a, b machine.Register) machine.Register { return s.New(o|encode.D2, a, b) }
	sum := two(encode.FADD, x, y)
	part := two(encode.FSUB, sum, x)
	rest := two(encode.FADD, two(encode.FSUB, x, two(encode.FSUB, sum, part)), two(encode.FSUB, y, part))
	below, above := two(encode.FCMGT, s.Const64(0), rest), two(encode.FCMGT, rest, s.Const64(0)) // not of a NaN, which infinities leave
	towards := s.New(encode.EOR, below, s.New(encode.CMLTZ|encode.D2, sum))
	odd := s.New(encode.ORR, two(encode.ADD, sum, towards), s.Const64(1))
	return s.choose(s.New(encode.ORR, below, above), odd, sum)
}

// brainExtremes are minima and maxima as operations on f32.
var brainExtremes = map[string]floatFunc{
	"min": extremeNumber(encode.FMINNM), "max": extremeNumber(encode.FMAXNM),
	"min.NaN": canonically(instruction(encode.FMIN)), "max.NaN": canonically(instruction(encode.FMAX)),
}

func canonically(compute floatFunc) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		return f.canonical(s, compute(s, f, x))
	}
}

// brainOperation is an operation on one bf16 of a word, or on both.
type brainOperation struct {
	single floatFunc
	wide   bool
}

// compute rounds the results.
func (o *brainOperation) compute(s *Selection, x []machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	return o.apply(s, x, func(r machine.Register) machine.Register { return s.brainOfSingle(r, machine.ToNearest) })
}

// exactly is compute for results that are bf16.
func (o *brainOperation) exactly(s *Selection, x []machine.Register) machine.Register {
	return o.apply(s, x, func(r machine.Register) machine.Register { return s.NewImm(encode.USHR|encode.S4, 16, r) })
}

func (o *brainOperation) apply(s *Selection, x []machine.Register, narrow func(r machine.Register) machine.Register) machine.Register {
	half := func(open func(x machine.Register) machine.Register) machine.Register {
		var opened []machine.Register
		for _, v := range x {
			opened = append(opened, open(v))
		}
		return narrow(o.single(s, single, opened))
	}
	low := half(func(x machine.Register) machine.Register { return s.NewImm(encode.SHL|encode.S4, 16, x) })
	if !o.wide {
		return low
	}
	high := half(func(x machine.Register) machine.Register { return s.New(encode.AND, x, s.Const32(0xffff0000)) })
	return s.ChangeImm(encode.SLI|encode.S4, low, 16, high)
}

// brainOfSingle rounds f32 to bf16, in words whose upper halves are zero. What is added to the bits carries into the exponent, and into
// infinity.
func (s *Selection) brainOfSingle(x machine.Register, round machine.Rounding) machine.Register {
	return s.choose(s.New(encode.FCMEQ|encode.S4, x, x), s.NewImm(encode.USHR|encode.S4, 16, s.roundedBits(x, 16, round)), s.Const32(brainNaN))
}

// roundedBits adds to the bits of f32 what lets them be rounded when the lowest of them are cut off.
func (s *Selection) roundedBits(x machine.Register, bits int64, round machine.Rounding) machine.Register {
	add := func(y machine.Register) machine.Register { return s.New(encode.ADD|encode.S4, x, y) }
	all := s.Const32(1<<bits - 1)
	switch round {
	case machine.ToNearest: // to even
		last := s.New(encode.AND, s.NewImm(encode.USHR|encode.S4, bits, x), s.Const32(1))
		return s.New(encode.ADD|encode.S4, add(s.Const32(1<<(bits-1)-1)), last)
	case machine.Upwards:
		return add(s.New(encode.BIC, all, s.New(encode.CMLTZ|encode.S4, x)))
	case machine.Downwards:
		return add(s.New(encode.AND, all, s.New(encode.CMLTZ|encode.S4, x)))
	}
	return x
}
