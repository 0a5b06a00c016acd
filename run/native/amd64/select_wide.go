package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Integers of 64 bits.

func defineWide() {
	for _, t := range []string{"u64", "s64"} {
		both("add."+t, commutative(encode.VPADDQ))
		both("sub."+t, ordered(encode.VPSUBQ))
		both("mul.lo."+t, multiply64)
		both("mad.lo."+t, plus(encode.VPADDQ, multiply64))
		both("neg."+t, func(s *selection, a []operand) operand { return s.new(encode.VPSUBQ, s.zero(), a[0]) })
	}
	for t, o := range map[string]struct{ min, max encode.Op }{"u64": {encode.VPMINUQ, encode.VPMAXUQ}, "s64": {encode.VPMINSQ, encode.VPMAXSQ}} {
		signed := t == "s64"
		with512("min."+t, commutative(o.min))
		with512("max."+t, commutative(o.max))
		least := func(s *selection, a []operand) operand {
			return s.new(encode.VPBLENDVB, a[0], a[1], s.compareVectors(compareGreater, 8, signed, a[0], a[1]))
		}
		most := func(s *selection, a []operand) operand {
			return s.new(encode.VPBLENDVB, a[1], a[0], s.compareVectors(compareGreater, 8, signed, a[0], a[1]))
		}
		with2("min."+t, least)
		with2("max."+t, most)
		with512("sad."+t, sumDifference64(commutative(o.min), commutative(o.max)))
		with2("sad."+t, sumDifference64(least, most))
	}
	both("abs.u64", identity)
	with512("abs.s64", unary(encode.VPABSQ))
	with2("abs.s64", func(s *selection, a []operand) operand {
		sign := s.new(encode.VPCMPGTQ, s.zero(), a[0])
		return s.new(encode.VPSUBQ, s.xor(a[0], sign), sign)
	})
	for _, name := range []string{"and", "or", "xor"} {
		table := map[string]uint8{"and": tableX & tableY, "or": tableX | tableY, "xor": tableX ^ tableY}[name]
		both(name+".b64", func(s *selection, a []operand) operand { return s.logic(table, a[0], a[1]) })
	}
	both("not.b64", func(s *selection, a []operand) operand { return s.not64(a[0]) })

	groupBoth("cvt.s64.s32", func(s *selection) { s.giveWide(s.widenSigned(s.arg(0))) })
	both("widen.64", identity)
	for half, name := range []string{"narrow.32", "high.32"} {
		groupBoth(name, func(s *selection) {
			x := s.node.args[0]
			s.give(s.pick(s.wide(x), half, s.lastUse[x] == int32(s.nodeNumber) && !s.isKnown(s.wide(x)[0])))
		})
	}
	both("pack.64", func(s *selection, a []operand) operand {
		return s.or(a[0], s.new(encode.VPSLLQI, a[1], immediate(32)))
	})
	for t, o := range map[string]encode.Op{"u32": encode.VPMULUDQ, "s32": encode.VPMULDQ} {
		groupBoth("mul.wide."+t, func(s *selection) { s.giveWide(s.multiplyWide(o)) })
		groupBoth("mad.wide."+t, func(s *selection) {
			product, c := s.multiplyWide(o), s.wide(s.node.args[2])
			s.giveWide([2]operand{s.commuted(encode.VPADDQ, product[0], c[0]), s.commuted(encode.VPADDQ, product[1], c[1])})
		})
	}

	both("mul.hi.u64", func(s *selection, a []operand) operand { return s.multiplyHigh64(a[0], a[1]) })
	both("mad.hi.u64", func(s *selection, a []operand) operand {
		return s.commuted(encode.VPADDQ, s.multiplyHigh64(a[0], a[1]), a[2])
	})
	both("mul.hi.s64", func(s *selection, a []operand) operand { return s.multiplyHighSigned64(a[0], a[1]) })
	both("mad.hi.s64", func(s *selection, a []operand) operand {
		return s.commuted(encode.VPADDQ, s.multiplyHighSigned64(a[0], a[1]), a[2])
	})
}

// multiplyWide multiplies the node's first two arguments: o looks at the lower words of elements of
// 64 bits.
func (s *selection) multiplyWide(o encode.Op) [2]operand {
	x, y := s.lowWords(s.arg(0)), s.lowWords(s.arg(1))
	return [2]operand{s.commuted(o, x[0], y[0]), s.commuted(o, x[1], y[1])}
}

func sumDifference64(least, most partFunc) partFunc {
	return func(s *selection, a []operand) operand {
		return s.commuted(encode.VPADDQ, s.new(encode.VPSUBQ, most(s, a[:2]), least(s, a[:2])), a[2])
	}
}

// not64 is not for constants of 64 bits too.
func (s *selection) not64(x operand) operand {
	if bits, ok := s.const64Of(x); ok {
		return s.const64(^bits)
	}
	return s.not(x)
}

// multiply64 is the lower half of a product: AVX2 adds the products of words.
func multiply64(s *selection, a []operand) operand {
	if s.t.level == AVX512 {
		return s.commuted(encode.VPMULLQ, a[0], a[1])
	}
	cross := s.new(encode.VPADDQ, s.new(encode.VPMULUDQ, s.high(a[0]), a[1]), s.new(encode.VPMULUDQ, s.high(a[1]), a[0]))
	return s.new(encode.VPADDQ, s.new(encode.VPMULUDQ, a[0], a[1]), s.new(encode.VPSLLQI, cross, immediate(32)))
}

// high brings the upper words of elements of 64 bits to their lower ends.
func (s *selection) high(x operand) operand {
	if bits, ok := s.const64Of(x); ok {
		return s.const64(bits >> 32)
	}
	return s.new(encode.VPSRLQI, x, immediate(32))
}

// multiplyHigh64 is the upper half of the product of unsigned numbers: the four products of their
// words.
func (s *selection) multiplyHigh64(x, y operand) operand {
	xh, yh, low := s.high(x), s.high(y), s.const64(1<<32-1)
	ll, lh := s.new(encode.VPMULUDQ, x, y), s.new(encode.VPMULUDQ, x, yh)
	hl, hh := s.new(encode.VPMULUDQ, xh, y), s.new(encode.VPMULUDQ, xh, yh)
	middle := s.new(encode.VPADDQ, hl, s.high(ll))
	carried := s.new(encode.VPADDQ, lh, s.and(middle, low))
	return s.new(encode.VPADDQ, s.new(encode.VPADDQ, hh, s.high(middle)), s.high(carried))
}

// multiplyHighSigned64 corrects the unsigned product: a negative factor x stands there as x + 2^64.
func (s *selection) multiplyHighSigned64(x, y operand) operand {
	product := s.multiplyHigh64(x, y)
	sign := func(x operand) operand { return shiftRightSigned64.by(s, x, s.const64(63)) }
	return s.new(encode.VPSUBQ, s.new(encode.VPSUBQ, product, s.and(x, sign(y))), s.and(y, sign(x)))
}
