package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// carries are sums and differences with a carry, and the carries that they give. A predicate that holds is -1 as a word.
var carries = map[string]selector{
	"addc.u32": withCarry(encode.SUB), "subc.u32": withCarry(encode.ADD), "addc.u64": withCarryWide(encode.SUB), "subc.u64": withCarryWide(encode.ADD),
	"carry.add.u32": func(s *Selection, a []simt.ID) Value {
		return one(s.carryOfSum(encode.S4, s.V(a[0]), s.V(a[1]), s.V(a[2])))
	},
	"carry.sub.u32": func(s *Selection, a []simt.ID) Value {
		return one(s.borrow(encode.S4, s.V(a[0]), s.V(a[1]), s.V(a[2])))
	},
	"carry.add.u64": carryWide((*Selection).carryOfSum), "carry.sub.u64": carryWide((*Selection).borrow),
	"cnot.b32": func(s *Selection, a []simt.ID) Value { return one(s.isNone(encode.S4, s.V(a[0]))) },
	"cnot.b16": func(s *Selection, a []simt.ID) Value {
		return one(s.isNone(encode.S4, s.extended(s.V(a[0]), unsigned16)))
	},
	"cnot.b64": func(s *Selection, a []simt.ID) Value {
		x := s.Both(a[0])
		return each(func(h int) machine.Register { return s.isNone(encode.D2, x[h]) })
	},
}

// isNone is 1 where there is a 0.
func (s *Selection) isNone(size encode.Op, x machine.Register) machine.Register {
	bits := int64(31)
	if size == encode.D2 {
		bits = 63
	}
	return s.NewImm(encode.USHR|size, bits, s.New(encode.CMEQZ|size, x))
}

// less is the instruction that takes the carry, -1, in; the sum or difference comes before.
func withCarry(in encode.Op) selector {
	out := encode.Op(encode.ADD)
	if in == encode.ADD {
		out = encode.SUB
	}
	return func(s *Selection, a []simt.ID) Value {
		return one(s.New(in|encode.S4, s.New(out|encode.S4, s.V(a[0]), s.V(a[1])), s.V(a[2])))
	}
}

func withCarryWide(in encode.Op) selector {
	out := encode.Op(encode.ADD)
	if in == encode.ADD {
		out = encode.SUB
	}
	return func(s *Selection, a []simt.ID) Value {
		x, y, carry := s.Both(a[0]), s.Both(a[1]), s.widened(s.V(a[2]), true)
		return each(func(h int) machine.Register { return s.New(in|encode.D2, s.New(out|encode.D2, x[h], y[h]), carry[h]) })
	}
}

// carryOfSum holds where x > ^y, or they are equal and there is a carry.
func (s *Selection) carryOfSum(size encode.Op, x, y, carry machine.Register) machine.Register {
	return s.borrow(size, s.New(encode.NOT|encode.B16, y), x, carry)
}

// borrow holds where x < y, or they are equal and there is one already.
func (s *Selection) borrow(size encode.Op, x, y, carry machine.Register) machine.Register {
	same := s.New(encode.AND, s.New(encode.CMEQ|size, x, y), carry)
	return s.New(encode.ORR, s.New(encode.CMHI|size, y, x), same)
}

func carryWide(f func(s *Selection, size encode.Op, x, y, carry machine.Register) machine.Register) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y, carry := s.Both(a[0]), s.Both(a[1]), s.widened(s.V(a[2]), true)
		d := each(func(h int) machine.Register { return f(s, encode.D2, x[h], y[h], carry[h]) })
		return one(s.New(encode.UZP1|encode.S4, d[0], d[1]))
	}
}
