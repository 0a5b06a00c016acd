package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// bf16, one or two to a word: the upper half of an f32. Arithmetic is that of f32 (see narrowArithmetic), whose bits
// are rounded as integers. Operations on one leave zeros above it.

// brainBits are bf16 as integers.
var brainBits = narrowFloat{infinity: 0x7f80, subnormal: 0x7f}

// brainCut is how many bits of an f32 bf16 does not have.
const brainCut = 16

func defineBrain() {
	both("cvt.f32.bf16", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.forms(vexSingles).canonical(s, s.lowerBrain(a[0]))
	})
	for mode := range roundings {
		both("cvt."+mode+".bf16.f32", func(s *Selection, a []machine.Operand) machine.Operand { return s.brainOfSingle(a[0], mode) })
		groupBoth("cvt."+mode+".bf16.f64", func(s *Selection) {
			s.give(s.brainOfSingle(s.singleToOdd(s.wide(s.Node.Args[0])), mode))
		})
		for _, t := range integerTypes {
			convert := func(s *Selection) machine.Operand { return s.topOfBits(s.roundedBits(s.oddSingle(t), mode, brainCut)) }
			if name := "cvt." + mode + ".bf16." + t.name; t.bits == 64 {
				groupBoth(name, func(s *Selection) { s.give(convert(s)) })
			} else {
				both(name, func(s *Selection, _ []machine.Operand) machine.Operand { return convert(s) })
			}
		}
	}
	both("cvt.rs.bf16.f32", func(s *Selection, a []machine.Operand) machine.Operand {
		// Random bits are added to those that are cut off.
		r := s.topOfBits(s.New(encode.VPADDD, a[0], s.low16(a[1])))
		return s.singleIf(floatUnordered, a[0], a[0], s.Const32(halfNaN), r)
	})
	for _, size := range []string{".bf16", ".bf16x2"} {
		for name, compute := range narrowArithmetic {
			f := brainArithmetic(compute, size == ".bf16x2")
			both(name+size, f)
			if name == "fma" {
				relu := func(s *Selection, a []machine.Operand) machine.Operand {
					return s.New(encode.VPMAXSW, f(s, a), s.Zero()) // the NaN has no sign
				}
				both("fma.relu"+size, relu)
				both("fma.oob"+size, outOfBounds(f))
				both("fma.oob.relu"+size, outOfBounds(relu))
			}
		}
		for name, compute := range narrowApproximations {
			both(name+size, brainArithmetic(compute, size == ".bf16x2"))
		}
		brainBits.defineExtremes("", size)
		brainBits.defineSigns("", size)
		both("flush"+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand { return brainBits.flush(s, a[0]) }))
	}
	brainBits.defineLimits(".bf16")
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
		return s.roundedBits(compute(s, x), "rn", brainCut)
	}
	return func(s *Selection, a []machine.Operand) machine.Operand {
		r := s.topOfBits(half(s, a, (*Selection).lowerBrain))
		if wide {
			r = s.withTop(r, half(s, a, (*Selection).upperBrain))
		}
		return brainBits.canonical(s, r)
	}
}

// brainOfSingle rounds f32 to bf16, in words whose upper halves are zero.
func (s *Selection) brainOfSingle(x machine.Operand, mode string) machine.Operand {
	return s.singleIf(floatUnordered, x, x, s.Const32(halfNaN), s.topOfBits(s.roundedBits(x, mode, brainCut)))
}

// oddSingle rounds the node's argument, an integer, to f32, to odd.
func (s *Selection) oddSingle(t integerType) machine.Operand {
	switch {
	case t.bits < 32: // exact
		return s.New(encode.VCVTDQ2PS, s.extendTo(t, s.arg(0)))
	case s.HasMasks():
		return s.oddOf(func(round embed) machine.Operand { return s.singleOf(t, round) })
	case t.bits == 32:
		return s.singleToOdd(s.doubleOfWord(t, s.arg(0)))
	}
	x := s.wide(s.Node.Args[0])
	return s.singleToOdd([2]machine.Operand{s.oddDouble(t.signed, x[0]), s.oddDouble(t.signed, x[1])})
}

// topOfBits cuts off what bf16 has no bits for.
func (s *Selection) topOfBits(x machine.Operand) machine.Operand {
	return s.by(encode.VPSRLDI, x, brainCut)
}

// withTop puts the upper halves of other words above words that have zeros there.
func (s *Selection) withTop(x, top machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Logic(emit.TableX|(emit.TableY&emit.TableZ), x, top, s.Const32(0xffff0000))
	}
	const odd = 0xaa
	return s.New(encode.VPBLENDW, x, top, machine.Immediate(odd))
}
