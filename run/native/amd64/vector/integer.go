package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Integer arithmetic. Of values of 16 bits the upper halves of elements do not matter, so additions
// and products are those of 32 bits, and comparisons are those of halves.

func defineInteger() {
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		both("add."+t, commutative(encode.VPADDD))
		both("sub."+t, subtract)
		both("mul.lo."+t, multiply)
		both("mad.lo."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Commuted(encode.VPADDD, multiply(s, a), a[2])
		})
		both("neg."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.New(encode.VPSUBD, s.Zero(), a[0]) })
	}
	for t, o := range map[string]struct{ min, max encode.Op }{
		"u16": {encode.VPMINUW, encode.VPMAXUW}, "s16": {encode.VPMINSW, encode.VPMAXSW},
		"u32": {encode.VPMINUD, encode.VPMAXUD}, "s32": {encode.VPMINSD, encode.VPMAXSD},
	} {
		both("min."+t, commutative(o.min))
		both("max."+t, commutative(o.max))
		both("sad."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			difference := s.New(encode.VPSUBD, s.Commuted(o.max, a[0], a[1]), s.Commuted(o.min, a[0], a[1]))
			return s.Commuted(encode.VPADDD, difference, a[2])
		})
	}
	both("abs.u16", identity)
	both("abs.u32", identity)
	both("abs.s16", unary(encode.VPABSW))
	both("abs.s32", unary(encode.VPABSD))

	both("mul.hi.u16", commutative(encode.VPMULHUW))
	both("mul.hi.s16", commutative(encode.VPMULHW))
	both("mad.hi.u16", plus(encode.VPADDD, commutative(encode.VPMULHUW)))
	both("mad.hi.s16", plus(encode.VPADDD, commutative(encode.VPMULHW)))
	both("mul.wide.u16", multiplyWide16)
	both("mad.wide.u16", plus(encode.VPADDD, multiplyWide16))
	both("mul.wide.s16", multiplyWideSigned16)
	both("mad.wide.s16", plus(encode.VPADDD, multiplyWideSigned16))

	both("mul.hi.u32", multiplyHigh(encode.VPMULUDQ))
	both("mul.hi.s32", multiplyHigh(encode.VPMULDQ))
	both("mad.hi.u32", plus(encode.VPADDD, multiplyHigh(encode.VPMULUDQ)))
	both("mad.hi.s32", plus(encode.VPADDD, multiplyHigh(encode.VPMULDQ)))
	for t, extend := range map[string]partFunc{
		"u32": func(s *Selection, a []machine.Operand) machine.Operand { return s.And(a[0], s.Const32(1<<24-1)) },
		"s32": func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(encode.VPSRADI, s.New(encode.VPSLLDI, a[0], machine.Immediate(8)), machine.Immediate(8))
		},
	} {
		both("mul24.lo."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Commuted(encode.VPMULLD, extend(s, a[:1]), extend(s, a[1:]))
		})
	}
	for t, o := range map[string]encode.Op{"u32": encode.VPMULUDQ, "s32": encode.VPMULDQ} {
		// Bits 16 to 47 of a product are the upper half of that of the factors shifted by 8.
		both("mul24.hi."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			return multiplyHigh(o)(s, []machine.Operand{s.New(encode.VPSLLDI, a[0], machine.Immediate(8)), s.New(encode.VPSLLDI, a[1], machine.Immediate(8))})
		})
	}
	with512("add.sat.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		sum := s.Commuted(encode.VPADDD, a[0], a[1])
		// The sum has overflown where its sign is that of neither operand.
		return s.saturateOverflow(a[0], sum, s.Logic((emit.TableX^emit.TableZ)&(emit.TableY^emit.TableZ), a[0], a[1], sum))
	})
	with512("sub.sat.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		difference := s.New(encode.VPSUBD, a[0], a[1])
		return s.saturateOverflow(a[0], difference, s.Logic((emit.TableX^emit.TableY)&(emit.TableX^emit.TableZ), a[0], a[1], difference))
	})
}

// plus makes a selector that adds the third operand to a result.
func plus(add encode.Op, product partFunc) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Commuted(add, product(s, a[:2]), a[2])
	}
}

func subtract(s *Selection, a []machine.Operand) machine.Operand {
	if k, ok := s.Const32Of(a[1]); ok {
		return s.Commuted(encode.VPADDD, a[0], s.Const32(-k))
	}
	return s.New(encode.VPSUBD, a[0], a[1])
}

// multiply takes shifts and sums for products with constants of one or two bits.
func multiply(s *Selection, a []machine.Operand) machine.Operand {
	x, y := a[0], a[1]
	if s.IsKnown(x) {
		x, y = y, x
	}
	if k, ok := s.Const32Of(y); ok && !s.IsKnown(x) {
		switch low := trailing(k); {
		case k == 0:
			return y
		case k == 1:
			return x
		case k&(k-1) == 0:
			return s.New(encode.VPSLLDI, x, machine.Immediate(low))
		case k == 1<<low+1<<trailing(k-1<<low):
			sum := s.New(encode.VPADDD, x, s.New(encode.VPSLLDI, x, machine.Immediate(trailing(k-1<<low)-low)))
			if low == 0 {
				return sum
			}
			return s.New(encode.VPSLLDI, sum, machine.Immediate(low))
		}
	}
	return s.Commuted(encode.VPMULLD, x, y)
}

func trailing(k uint32) (n int) {
	for ; n < 31 && k>>n&1 == 0; n++ {
	}
	return n
}

func multiplyWide16(s *Selection, a []machine.Operand) machine.Operand {
	low := s.Const32(0xffff)
	return s.Commuted(encode.VPMULLD, s.And(a[0], low), s.And(a[1], low))
}

// multiplyWideSigned16 adds nothing to the products of the lower halves.
func multiplyWideSigned16(s *Selection, a []machine.Operand) machine.Operand {
	return s.Commuted(encode.VPMADDWD, s.And(a[0], s.Const32(0xffff)), a[1])
}

// multiplyHigh makes a selector of the upper halves of products of words: o multiplies the lower
// word of elements of 64 bits.
func multiplyHigh(o encode.Op) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		even := s.New(o, a[0], a[1])
		odd := s.New(o, s.New(encode.VPSRLQI, a[0], machine.Immediate(32)), s.New(encode.VPSRLQI, a[1], machine.Immediate(32)))
		even = s.New(encode.VPSRLQI, even, machine.Immediate(32))
		if s.Target.Level == amd64.AVX2 {
			return s.New(encode.VPBLENDD, even, odd, machine.Immediate(0xaa))
		}
		return s.Logic(emit.TableX|emit.TableY&emit.TableZ, even, odd, s.Const64(0xffffffff_00000000))
	}
}

// saturateOverflow returns the value where the top bit of overflow is clear, and elsewhere the
// limit of the sign that x has.
func (s *Selection) saturateOverflow(x, value, overflow machine.Operand) machine.Operand {
	limit := s.Xor(s.New(encode.VPSRADI, x, machine.Immediate(31)), s.Const32(1<<31-1))
	return s.Merged(encode.VMOVDQA32, s.Test(encode.VPMOVD2M, overflow), value, limit)
}
