package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// bf16 with AVX2, one or two to a word: the upper half of an f32. Arithmetic is that of f32 (see narrowArithmetic), whose bits
// are rounded as integers. Operations on one leave zeros above it.

// vexBrains are bf16 as integers.
var vexBrains = narrowFloat{infinity: 0x7f80, subnormal: 0x7f}

func defineAVX2Brain() {
	with2("cvt.f32.bf16", func(s *Selection, a []machine.Operand) machine.Operand {
		return vexSingles.canonical(s, s.lowerBrain(a[0]))
	})
	for mode := range roundings {
		with2("cvt."+mode+".bf16.f32", func(s *Selection, a []machine.Operand) machine.Operand { return s.brainOfSingle(a[0], mode) })
		define(onlyAVX2, "cvt."+mode+".bf16.f64", selector{group: func(s *Selection) {
			s.give(s.brainOfSingle(s.singleToOdd(s.wide(s.Node.Args[0])), mode))
		}})
		for _, t := range integerTypes[:6] {
			with2("cvt."+mode+".bf16."+t.name, func(s *Selection, a []machine.Operand) machine.Operand {
				x := s.extendTo(t, a[0])
				if t.bits < 32 {
					return s.topOfBits(s.roundedBits(s.New(encode.VCVTDQ2PS, x), mode))
				}
				return s.topOfBits(s.roundedBits(s.singleToOdd(s.doubleOfWord(t, x)), mode))
			})
		}
	}
	for _, size := range []string{".bf16", ".bf16x2"} {
		for name, compute := range narrowArithmetic {
			f := brainArithmetic(compute, size == ".bf16x2")
			with2(name+size, f)
			if name == "fma" {
				relu := func(s *Selection, a []machine.Operand) machine.Operand {
					return s.New(encode.VPMAXSW, f(s, a), s.Zero()) // the NaN has no sign
				}
				with2("fma.relu"+size, relu)
				with2("fma.oob"+size, vexBrains.outOfBounds(f))
				with2("fma.oob.relu"+size, vexBrains.outOfBounds(relu))
			}
		}
		for name, compute := range narrowApproximations {
			with2(name+size, brainArithmetic(compute, size == ".bf16x2"))
		}
		vexBrains.defineExtremes("", size)
		vexBrains.defineSigns("", size)
		with2("flush"+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand { return vexBrains.flush(s, a[0]) }))
	}
	vexBrains.defineLimits(".bf16")
}

// lowerBrain and upperBrain convert the halves of words.
func (s *Selection) lowerBrain(x machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(bits << 16)
	}
	return s.New(encode.VPSLLDI, x, machine.Immediate(16))
}

func (s *Selection) upperBrain(x machine.Operand) machine.Operand {
	const upper = 0xffff0000
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(bits & upper)
	}
	return s.And(x, s.Const32(upper))
}

// brainArithmetic makes a selector of an operation on f32, for one bf16 of a word or for both. Its NaNs are those of operands, or quiet
// without more bits: rounding leaves them NaNs.
func brainArithmetic(compute partFunc, wide bool) partFunc {
	half := func(s *Selection, a []machine.Operand, open func(s *Selection, x machine.Operand) machine.Operand) machine.Operand {
		x := make([]machine.Operand, len(a))
		for n := range x {
			x[n] = open(s, a[n])
		}
		return s.roundedBits(compute(s, x), "rn")
	}
	return func(s *Selection, a []machine.Operand) machine.Operand {
		r := s.topOfBits(half(s, a, (*Selection).lowerBrain))
		if wide {
			const odd = 0xaa
			r = s.New(encode.VPBLENDW, r, half(s, a, (*Selection).upperBrain), machine.Immediate(odd))
		}
		return vexBrains.canonical(s, r)
	}
}

// brainOfSingle rounds f32 to bf16, in words whose upper halves are zero.
func (s *Selection) brainOfSingle(x machine.Operand, mode string) machine.Operand {
	nan := vexSingles.compare(s, floatUnordered, x, x)
	return s.New(encode.VBLENDVPS, s.topOfBits(s.roundedBits(x, mode)), s.Const32(halfNaN), nan)
}

// topOfBits cuts off what bf16 has no bits for.
func (s *Selection) topOfBits(x machine.Operand) machine.Operand {
	return s.New(encode.VPSRLDI, x, machine.Immediate(16))
}

// roundedBits adds to the bits of f32 what lets them be rounded to bf16 when the lower halves are cut off. What is added carries into
// the exponent, and into infinity.
func (s *Selection) roundedBits(x machine.Operand, mode string) machine.Operand {
	const all = 0xffff
	negative := func() machine.Operand { return s.New(encode.VPSRADI, x, machine.Immediate(31)) }
	switch mode {
	case "rn": // to even
		last := s.And(s.topOfBits(x), s.Const32(1))
		return s.New(encode.VPADDD, s.New(encode.VPADDD, x, s.Const32(all/2)), last)
	case "rp":
		return s.New(encode.VPADDD, x, s.New(encode.VPANDN, negative(), s.Const32(all)))
	case "rm":
		return s.New(encode.VPADDD, x, s.And(negative(), s.Const32(all)))
	}
	return x
}
