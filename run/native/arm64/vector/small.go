package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

var unsigned16, signed16 = integerType{bits: 16}, integerType{bits: 16, signed: true}

// smalls are operations on integers that the word programs of video instructions do not have: of other types, and of 64 bits.
var smalls = map[string]selector{
	"add.u16": plain(encode.ADD | encode.S4), "add.s16": plain(encode.ADD | encode.S4), "add.s32": plain(encode.ADD | encode.S4),
	"sub.u16": plain(encode.SUB | encode.S4), "sub.s16": plain(encode.SUB | encode.S4), "sub.s32": plain(encode.SUB | encode.S4),
	"mul.lo.u16": plain(encode.MUL | encode.S4), "mul.lo.s16": plain(encode.MUL | encode.S4), "mul.lo.s32": plain(encode.MUL | encode.S4),
	"mad.lo.u16": multiplyAdd, "mad.lo.s16": multiplyAdd, "mad.lo.u32": multiplyAdd, "mad.lo.s32": multiplyAdd,
	"neg.s16": plain(encode.NEG | encode.S4), "neg.s32": plain(encode.NEG | encode.S4), "abs.s32": plain(encode.ABS | encode.S4),
	"add.s16x2": plain(encode.ADD | encode.H8),
	"and.b16":   plain(encode.AND), "or.b16": plain(encode.ORR), "xor.b16": plain(encode.EOR), "not.b16": plain(encode.NOT | encode.B16),
	"add.s64": pairs(encode.ADD | encode.D2), "sub.s64": pairs(encode.SUB | encode.D2),
	"and.b64": pairs(encode.AND), "or.b64": pairs(encode.ORR), "xor.b64": pairs(encode.EOR),
	"not.b64": halvesOf(encode.NOT | encode.B16), "neg.s64": halvesOf(encode.NEG | encode.D2), "abs.s64": halvesOf(encode.ABS | encode.D2),
	"mad.wide.u32": multiplyAddWide(encode.UMLAL, encode.UMLAL2), "mad.wide.s32": multiplyAddWide(encode.SMLAL, encode.SMLAL2),
	"mul.hi.u32": multiplyHigh(encode.UMULL, encode.UMULL2), "mul.hi.s32": multiplyHigh(encode.SMULL, encode.SMULL2),
	"max.u64": extreme(encode.CMHI, false), "shl.b64": shiftWide(encode.SHL, encode.USHL),
	"mul.lo.u64": multiply64, "mul.lo.s64": multiply64,
	"mul.wide.u16": multiplySmall(unsigned16), "mul.wide.s16": multiplySmall(signed16),
	"shl.b16": shift(encode.SHL, encode.USHL), "shr.u16": shiftSmall(encode.USHR, encode.USHL, unsigned16), "shr.s16": shiftSmall(encode.SSHR, encode.SSHL, signed16),
	"min.u16": extremeSmall(encode.UMIN, unsigned16), "max.u16": extremeSmall(encode.UMAX, unsigned16),
	"min.s16": extremeSmall(encode.SMIN, signed16), "max.s16": extremeSmall(encode.SMAX, signed16),
	"lop3.b32": logicOfThree,
}

func multiplyAdd(s *Selection, a []simt.ID) Value {
	return one(s.Change(encode.MLA|encode.S4, s.V(a[2]), s.V(a[0]), s.V(a[1])))
}

// halvesOf computes both vectors of a value from those of another.
func halvesOf(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := s.Both(a[0])
		return Value{s.New(o, x[0]), s.New(o, x[1])}
	}
}

func multiplyAddWide(lower, upper encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y, z := s.V(a[0]), s.V(a[1]), s.Both(a[2])
		return Value{s.Change(lower|encode.S4, z[0], x, y), s.Change(upper|encode.S4, z[1], x, y)}
	}
}

func multiplyHigh(lower, upper encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.V(a[0]), s.V(a[1])
		return one(s.New(encode.UZP2|encode.S4, s.New(lower|encode.S4, x, y), s.New(upper|encode.S4, x, y)))
	}
}

// multiply64 adds the products of the lower words and those of a lower and an upper one, times 2^32.
func multiply64(s *Selection, a []simt.ID) Value {
	x, y := s.Both(a[0]), s.Both(a[1])
	xl, xh := s.New(encode.UZP1|encode.S4, x[0], x[1]), s.New(encode.UZP2|encode.S4, x[0], x[1])
	yl, yh := s.New(encode.UZP1|encode.S4, y[0], y[1]), s.New(encode.UZP2|encode.S4, y[0], y[1])
	cross := s.Change(encode.MLA|encode.S4, s.New(encode.MUL|encode.S4, xl, yh), xh, yl)
	zero := s.Const32(0)
	return Value{
		s.Change(encode.UMLAL|encode.S4, s.New(encode.ZIP1|encode.S4, zero, cross), xl, yl),
		s.Change(encode.UMLAL2|encode.S4, s.New(encode.ZIP2|encode.S4, zero, cross), xl, yl),
	}
}

// multiplySmall is the product of 16 bits in 32.
func multiplySmall(t integerType) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.New(encode.MUL|encode.S4, s.extended(s.V(a[0]), t), s.extended(s.V(a[1]), t)))
	}
}

// extremeSmall is the smaller or larger of numbers of 16 bits.
func extremeSmall(o encode.Op, t integerType) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.New(o|encode.S4, s.extended(s.V(a[0]), t), s.extended(s.V(a[1]), t)))
	}
}

// shiftSmall shifts 16 bits, extended to words.
func shiftSmall(constant, variable encode.Op, t integerType) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.shifting(constant, variable, s.extended(s.V(a[0]), t), a[1]))
	}
}
