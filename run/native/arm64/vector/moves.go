package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// identity is the value itself.
func identity(s *Selection, a []simt.ID) Value { return s.Both(a[0]) }

// lower are the lower words of a value of 64 bits.
func lower(s *Selection, a []simt.ID) Value {
	x := s.Both(a[0])
	return one(s.New(encode.UZP1|encode.S4, x[0], x[1]))
}

// moves are moves and conversions between integers.
var moves = func() map[string]selector {
	all := map[string]selector{
		"mov.32": identity, "mov.64": identity, "mov.pred": identity,
		"high.32": func(s *Selection, a []simt.ID) Value {
			x := s.Both(a[0])
			return one(s.New(encode.UZP2|encode.S4, x[0], x[1]))
		},
		"pack.64": func(s *Selection, a []simt.ID) Value {
			x, y := s.V(a[0]), s.V(a[1])
			return Value{s.New(encode.ZIP1|encode.S4, x, y), s.New(encode.ZIP2|encode.S4, x, y)}
		},
		"high.16": func(s *Selection, a []simt.ID) Value { return one(s.NewImm(encode.USHR|encode.S4, 16, s.V(a[0]))) },
		"high.8":  func(s *Selection, a []simt.ID) Value { return one(s.NewImm(encode.USHR|encode.S4, 8, s.V(a[0]))) },
		"pack.32": func(s *Selection, a []simt.ID) Value { return one(s.New(encode.TRN1|encode.H8, s.V(a[0]), s.V(a[1]))) },
	}
	for _, to := range integerTypes {
		for _, from := range integerTypes {
			if name := "cvt." + to.name + "." + from.name; name != "cvt.s64.s32" {
				all[name] = func(s *Selection, a []simt.ID) Value { return s.convert(a[0], to, from) }
			}
		}
	}
	return all
}()

// integerType is a type of integers.
type integerType struct {
	name   string
	bits   int
	signed bool
}

var integerTypes = []integerType{
	{"u8", 8, false}, {"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false}, {"s8", 8, true}, {"s16", 16, true}, {"s32", 32, true}, {"s64", 64, true},
}

// extended extends the lowest bits of words.
func (s *Selection) extended(x machine.Register, t integerType) machine.Register {
	up := int64(32 - t.bits)
	switch {
	case up <= 0:
		return x
	case t.signed:
		return s.NewImm(encode.SSHR|encode.S4, up, s.NewImm(encode.SHL|encode.S4, up, x))
	}
	return s.New(encode.AND, x, s.Const32(1<<t.bits-1))
}

// convert takes the lowest bits as one type has them, and then as another one has them.
func (s *Selection) convert(id simt.ID, to, from integerType) Value {
	switch {
	case to.bits == 64 && from.bits == 64:
		return s.Both(id)
	case to.bits == 64:
		x := s.extended(s.V(id), from)
		if from.signed {
			return Value{s.NewImm(encode.SSHLL|encode.S4, 0, x), s.NewImm(encode.SSHLL2|encode.S4, 0, x)}
		}
		return Value{s.NewImm(encode.USHLL|encode.S4, 0, x), s.NewImm(encode.USHLL2|encode.S4, 0, x)}
	}
	x := s.V(id)
	if from.bits == 64 {
		x = lower(s, []simt.ID{id})[0]
	}
	if to.bits >= from.bits {
		x = s.extended(x, from)
	}
	return one(s.extended(x, to))
}

// predicates are operations on predicates, which are words of ones or zeros.
var predicates = map[string]selector{
	"and.pred": plain(encode.AND), "or.pred": plain(encode.ORR), "xor.pred": plain(encode.EOR), "not.pred": plain(encode.NOT | encode.B16),
	"selp.pred": func(s *Selection, a []simt.ID) Value { return one(s.choose(s.V(a[2]), s.V(a[0]), s.V(a[1]))) },
	"selp.64": func(s *Selection, a []simt.ID) Value {
		x, y, p := s.Both(a[0]), s.Both(a[1]), s.V(a[2])
		low, high := s.NewImm(encode.SSHLL|encode.S4, 0, p), s.NewImm(encode.SSHLL2|encode.S4, 0, p)
		return Value{s.choose(low, x[0], y[0]), s.choose(high, x[1], y[1])}
	},
	"slct.32.s32": func(s *Selection, a []simt.ID) Value {
		return one(s.choose(s.New(encode.CMGEZ|encode.S4, s.V(a[2])), s.V(a[0]), s.V(a[1])))
	},
}
