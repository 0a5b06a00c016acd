package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Integers of 64 bits.

func defineWide() {
	for _, t := range []string{"u64", "s64"} {
		both("add."+t, commutative(encode.VPADDQ))
		both("sub."+t, ordered(encode.VPSUBQ))
		both("mul.lo."+t, multiply64)
		both("mad.lo."+t, plus(encode.VPADDQ, multiply64))
		both("neg."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.New(encode.VPSUBQ, s.Zero(), a[0]) })
	}
	for t, o := range map[string]struct{ min, max encode.Op }{"u64": {encode.VPMINUQ, encode.VPMAXUQ}, "s64": {encode.VPMINSQ, encode.VPMAXSQ}} {
		signed := t == "s64"
		with512("min."+t, commutative(o.min))
		with512("max."+t, commutative(o.max))
		least := func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(encode.VPBLENDVB, a[0], a[1], s.compareVectors(CompareGreater, 8, signed, a[0], a[1]))
		}
		most := func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(encode.VPBLENDVB, a[1], a[0], s.compareVectors(CompareGreater, 8, signed, a[0], a[1]))
		}
		with2("min."+t, least)
		with2("max."+t, most)
		with512("sad."+t, sumDifference64(commutative(o.min), commutative(o.max)))
		with2("sad."+t, sumDifference64(least, most))
	}
	both("abs.u64", identity)
	with512("abs.s64", unary(encode.VPABSQ))
	with2("abs.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		sign := s.New(encode.VPCMPGTQ, s.Zero(), a[0])
		return s.New(encode.VPSUBQ, s.Xor(a[0], sign), sign)
	})
	for _, name := range []string{"and", "or", "xor"} {
		table := map[string]uint8{"and": emit.TableX & emit.TableY, "or": emit.TableX | emit.TableY, "xor": emit.TableX ^ emit.TableY}[name]
		both(name+".b64", func(s *Selection, a []machine.Operand) machine.Operand { return s.Logic(table, a[0], a[1]) })
	}
	both("not.b64", func(s *Selection, a []machine.Operand) machine.Operand { return s.not64(a[0]) })

	groupBoth("cvt.s64.s32", func(s *Selection) { s.giveWide(s.WidenSigned(s.arg(0))) })
	both("widen.64", identity)
	for half, name := range []string{"narrow.32", "high.32"} {
		groupBoth(name, func(s *Selection) {
			x := s.Node.Args[0]
			s.give(s.Pick(s.wide(x), half, s.LastUse[x] == int32(s.nodeNumber) && !s.IsKnown(s.wide(x)[0])))
		})
	}
	both("pack.64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Or(a[0], s.New(encode.VPSLLQI, a[1], machine.Immediate(32)))
	})
	for t, o := range map[string]encode.Op{"u32": encode.VPMULUDQ, "s32": encode.VPMULDQ} {
		groupBoth("mul.wide."+t, func(s *Selection) { s.giveWide(s.multiplyWide(o)) })
		groupBoth("mad.wide."+t, func(s *Selection) {
			product, c := s.multiplyWide(o), s.wide(s.Node.Args[2])
			s.giveWide([2]machine.Operand{s.Commuted(encode.VPADDQ, product[0], c[0]), s.Commuted(encode.VPADDQ, product[1], c[1])})
		})
	}

	both("mul.hi.u64", func(s *Selection, a []machine.Operand) machine.Operand { return s.multiplyHigh64(a[0], a[1]) })
	both("mad.hi.u64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Commuted(encode.VPADDQ, s.multiplyHigh64(a[0], a[1]), a[2])
	})
	both("mul.hi.s64", func(s *Selection, a []machine.Operand) machine.Operand { return s.multiplyHighSigned64(a[0], a[1]) })
	both("mad.hi.s64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Commuted(encode.VPADDQ, s.multiplyHighSigned64(a[0], a[1]), a[2])
	})
}

// multiplyWide multiplies the node's first two arguments: o looks at the lower words of elements of
// 64 bits.
func (s *Selection) multiplyWide(o encode.Op) [2]machine.Operand {
	x, y := s.lowWords(s.arg(0)), s.lowWords(s.arg(1))
	return [2]machine.Operand{s.Commuted(o, x[0], y[0]), s.Commuted(o, x[1], y[1])}
}

func sumDifference64(least, most partFunc) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Commuted(encode.VPADDQ, s.New(encode.VPSUBQ, most(s, a[:2]), least(s, a[:2])), a[2])
	}
}

// not64 is not for constants of 64 bits too.
func (s *Selection) not64(x machine.Operand) machine.Operand {
	if bits, ok := s.Const64Of(x); ok {
		return s.Const64(^bits)
	}
	return s.Not(x)
}

// multiply64 is the lower half of a product: AVX2 adds the products of words.
func multiply64(s *Selection, a []machine.Operand) machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		return s.Commuted(encode.VPMULLQ, a[0], a[1])
	}
	cross := s.New(encode.VPADDQ, s.New(encode.VPMULUDQ, s.high(a[0]), a[1]), s.New(encode.VPMULUDQ, s.high(a[1]), a[0]))
	return s.New(encode.VPADDQ, s.New(encode.VPMULUDQ, a[0], a[1]), s.New(encode.VPSLLQI, cross, machine.Immediate(32)))
}

// high brings the upper words of elements of 64 bits to their lower ends.
func (s *Selection) high(x machine.Operand) machine.Operand {
	if bits, ok := s.Const64Of(x); ok {
		return s.Const64(bits >> 32)
	}
	return s.New(encode.VPSRLQI, x, machine.Immediate(32))
}

// multiplyHigh64 is the upper half of the product of unsigned numbers: the four products of their
// words.
func (s *Selection) multiplyHigh64(x, y machine.Operand) machine.Operand {
	xh, yh, low := s.high(x), s.high(y), s.Const64(1<<32-1)
	ll, lh := s.New(encode.VPMULUDQ, x, y), s.New(encode.VPMULUDQ, x, yh)
	hl, hh := s.New(encode.VPMULUDQ, xh, y), s.New(encode.VPMULUDQ, xh, yh)
	middle := s.New(encode.VPADDQ, hl, s.high(ll))
	carried := s.New(encode.VPADDQ, lh, s.And(middle, low))
	return s.New(encode.VPADDQ, s.New(encode.VPADDQ, hh, s.high(middle)), s.high(carried))
}

// multiplyHighSigned64 corrects the unsigned product: a negative factor x stands there as x + 2^64.
func (s *Selection) multiplyHighSigned64(x, y machine.Operand) machine.Operand {
	product := s.multiplyHigh64(x, y)
	sign := func(x machine.Operand) machine.Operand { return shiftRightSigned64.by(s, x, s.Const64(63)) }
	return s.New(encode.VPSUBQ, s.New(encode.VPSUBQ, product, s.And(x, sign(y))), s.And(y, sign(x)))
}
