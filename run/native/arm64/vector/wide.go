package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// wides are operations on numbers of 64 bits.
var wides = map[string]selector{
	"add.u64": pairs(encode.ADD | encode.D2), "sub.u64": pairs(encode.SUB | encode.D2),
	"widen.64":     extend(encode.USHLL, encode.USHLL2),
	"cvt.s64.s32":  extend(encode.SSHLL, encode.SSHLL2),
	"mul.wide.u32": multiplyWide(encode.UMULL, encode.UMULL2), "mul.wide.s32": multiplyWide(encode.SMULL, encode.SMULL2),
	"shr.u64": shiftWide(encode.USHR, encode.USHL), "shr.s64": shiftWide(encode.SSHR, encode.SSHL), "word.shl.wide": shiftLeftWide,
	"min.u64": extreme(encode.CMHI, true), "min.s64": extreme(encode.CMGT, true), "max.s64": extreme(encode.CMGT, false),
	"narrow.32": func(s *Selection, a []simt.ID) Value {
		x := s.Both(a[0])
		return one(s.New(encode.UZP1|encode.S4, x[0], x[1]))
	},
}

// each computes both vectors of a value.
func each(f func(h int) machine.Register) Value { return Value{f(0), f(1)} }

func pairs(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.Both(a[0]), s.Both(a[1])
		return each(func(h int) machine.Register { return s.New(o, x[h], y[h]) })
	}
}

// extend widens the lower and the upper words.
func extend(lower, upper encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := s.V(a[0])
		return Value{s.NewImm(lower|encode.S4, 0, x), s.NewImm(upper|encode.S4, 0, x)}
	}
}

func multiplyWide(lower, upper encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.V(a[0]), s.V(a[1])
		return Value{s.New(lower|encode.S4, x, y), s.New(upper|encode.S4, x, y)}
	}
}

// shiftWide shifts numbers of 64 bits by a word.
func shiftWide(o, variable encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := s.Both(a[0])
		k, ok := s.ConstOf(a[1])
		switch {
		case !ok:
			amount := s.New(encode.UMIN|encode.S4, s.V(a[1]), s.Const32(64))
			if o != encode.SHL {
				amount = s.New(encode.NEG|encode.S4, amount)
			}
			return Value{
				s.New(variable|encode.D2, x[0], s.NewImm(encode.SSHLL|encode.S4, 0, amount)),
				s.New(variable|encode.D2, x[1], s.NewImm(encode.SSHLL2|encode.S4, 0, amount)),
			}
		case k == 0:
			return x
		case k > 63 && o != encode.SSHR:
			return Value{s.Const32(0), s.Const32(0)}
		}
		return each(func(h int) machine.Register { return s.NewImm(o|encode.D2, int64(min(k, 63)), x[h]) })
	}
}

// shiftLeftWide shifts by numbers of 64 bits: those above 63 leave nothing.
func shiftLeftWide(s *Selection, a []simt.ID) Value {
	x := s.Both(a[0])
	if k, ok := s.ConstOf(a[1]); ok {
		switch {
		case k == 0:
			return x
		case k > 63:
			return Value{s.Const32(0), s.Const32(0)}
		}
		return each(func(h int) machine.Register { return s.NewImm(encode.SHL|encode.D2, int64(k), x[h]) })
	}
	by := s.Both(a[1])
	return each(func(h int) machine.Register {
		shifted := s.New(encode.USHL|encode.D2, x[h], by[h])
		return s.New(encode.AND, shifted, s.New(encode.CMHI|encode.D2, s.Const64(64), by[h]))
	})
}

// extreme is the smaller or the larger number: there are no such instructions on 64 bits.
func extreme(greater encode.Op, smaller bool) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.Both(a[0]), s.Both(a[1])
		return each(func(h int) machine.Register {
			mask := s.New(greater|encode.D2, x[h], y[h])
			if smaller {
				return s.choose(mask, y[h], x[h])
			}
			return s.choose(mask, x[h], y[h])
		})
	}
}
