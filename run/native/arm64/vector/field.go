package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// fields take and put fields of bits, whose position and length are the lowest bytes of operands.
var fields = map[string]selector{
	"bfe.u32": takeField, "bfe.s32": takeSignedField, "bfi.b32": putField,
	"bfe.u64": takeWideField(encode.USHR), "bfe.s64": takeWideField(encode.SSHR), "bfi.b64": putWideField,
}

// amount is the lowest byte of an operand, 32 at most.
func (s *Selection) amount(id simt.ID) machine.Register {
	if k, ok := s.ConstOf(id); ok {
		return s.Const32(uint32(min(k&0xff, 32)))
	}
	return s.New(encode.UMIN|encode.S4, s.New(encode.AND, s.V(id), s.Const32(0xff)), s.Const32(32))
}

// ones are words whose lowest bits, so many, are ones.
func (s *Selection) ones(count machine.Register) machine.Register {
	return s.New(encode.NOT|encode.B16, s.New(encode.USHL|encode.S4, s.Const32(1<<32-1), count))
}

// constants returns the lowest bytes of two operands that are constants.
func (s *Selection) constants(from, count simt.ID) (f, c uint64, ok bool) {
	f, ok = s.ConstOf(from)
	c, both := s.ConstOf(count)
	return f & 0xff, c & 0xff, ok && both
}

// takeField is bfe.u32: what is beyond the top are zeros.
func takeField(s *Selection, a []simt.ID) Value {
	x := s.V(a[0])
	if from, count, ok := s.constants(a[1], a[2]); ok {
		x = s.shiftBy(encode.USHR, x, uint32(from))
		if from+count < 32 {
			x = s.New(encode.AND, x, s.Const32(1<<count-1))
		}
		return one(x)
	}
	shifted := s.New(encode.USHL|encode.S4, x, s.New(encode.NEG|encode.S4, s.amount(a[1])))
	return one(s.New(encode.AND, shifted, s.ones(s.amount(a[2]))))
}

// takeSignedField is bfe.s32: the field goes to the top, and from there down; what is beyond the top are signs.
func takeSignedField(s *Selection, a []simt.ID) Value {
	x := s.V(a[0])
	if from, count, ok := s.constants(a[1], a[2]); ok {
		switch {
		case count == 0:
			return one(s.Const32(0))
		case from+count > 31:
			return one(s.shiftBy(encode.SSHR, x, uint32(from)))
		}
		return one(s.shiftBy(encode.SSHR, s.shiftBy(encode.SHL, x, uint32(32-from-count)), uint32(32-count)))
	}
	from, count := s.amount(a[1]), s.amount(a[2])
	up := s.New(encode.SUB|encode.S4, s.Const32(32), s.New(encode.ADD|encode.S4, from, count))
	up = s.New(encode.SMAX|encode.S4, up, s.Const32(0))
	down := s.New(encode.UMIN|encode.S4, s.New(encode.ADD|encode.S4, up, from), s.Const32(32))
	x = s.New(encode.USHL|encode.S4, x, up)
	x = s.New(encode.SSHL|encode.S4, x, s.New(encode.NEG|encode.S4, down))
	return one(s.New(encode.BIC, x, s.New(encode.CMEQZ|encode.S4, count)))
}

// putField is bfi.b32.
func putField(s *Selection, a []simt.ID) Value {
	x, y := s.V(a[0]), s.V(a[1])
	if from, count, ok := s.constants(a[2], a[3]); ok {
		field := uint32((uint64(1)<<min(count, 32) - 1) << min(from, 32))
		return one(s.bits(s.Const32(field), s.shiftBy(encode.SHL, x, uint32(from)), y))
	}
	from := s.amount(a[2])
	field := s.New(encode.USHL|encode.S4, s.ones(s.amount(a[3])), from)
	return one(s.Change(encode.BIT, y, s.New(encode.USHL|encode.S4, x, from), field))
}

// wideAmount is the lowest byte of an operand as a doubleword, 64 at most.
func (s *Selection) wideAmount(id simt.ID) Value {
	byte := s.New(encode.AND, s.V(id), s.Const32(0xff))
	return s.widened(s.New(encode.UMIN|encode.S4, byte, s.Const32(64)), false)
}

// wideOnes are doublewords whose lowest bits, so many, are ones.
func (s *Selection) wideOnes(count machine.Register) machine.Register {
	return s.New(encode.NOT|encode.B16, s.New(encode.USHL|encode.D2, s.Const64(1<<64-1), count))
}

// takeWideFieldBy is bfe of 64 bits by operands that vary, as takeField and takeSignedField have it.
func (s *Selection) takeWideFieldBy(x, from, count machine.Register, down encode.Op) machine.Register {
	two := func(o encode.Op, x, y machine.Register) machine.Register { return s.New(o|encode.D2, x, y) }
	opposite := func(x machine.Register) machine.Register { return s.New(encode.NEG|encode.D2, x) }
	if down == encode.USHR {
		return s.New(encode.AND, two(encode.USHL, x, opposite(from)), s.wideOnes(count))
	}
	up := two(encode.SUB, s.Const64(64), two(encode.ADD, from, count))
	up = s.New(encode.AND, up, s.New(encode.CMGTZ|encode.D2, up))
	x = two(encode.SSHL, two(encode.USHL, x, up), opposite(two(encode.ADD, up, from))) // 64 leaves signs, as more would
	return s.New(encode.BIC, x, s.New(encode.CMEQZ|encode.D2, count))
}

// takeWideField is bfe of 64 bits.
func takeWideField(down encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := s.Both(a[0])
		from, count, ok := s.constants(a[1], a[2])
		switch {
		case !ok:
			f, c := s.wideAmount(a[1]), s.wideAmount(a[2])
			return each(func(h int) machine.Register { return s.takeWideFieldBy(x[h], f[h], c[h], down) })
		case count == 0 || from > 63 && down == encode.USHR:
			return Value{s.Const32(0), s.Const32(0)}
		case from+count > 63 && from == 0:
			return x
		case from+count > 63:
			return each(func(h int) machine.Register { return s.NewImm(down|encode.D2, int64(min(from, 63)), x[h]) })
		}
		return each(func(h int) machine.Register {
			return s.NewImm(down|encode.D2, int64(64-count), s.NewImm(encode.SHL|encode.D2, int64(64-from-count), x[h]))
		})
	}
}

// putWideField is bfi.b64.
func putWideField(s *Selection, a []simt.ID) Value {
	x, y := s.Both(a[0]), s.Both(a[1])
	from, count, ok := s.constants(a[2], a[3])
	if !ok {
		f, c := s.wideAmount(a[2]), s.wideAmount(a[3])
		return each(func(h int) machine.Register {
			field := s.New(encode.USHL|encode.D2, s.wideOnes(c[h]), f[h])
			return s.Change(encode.BIT, y[h], s.New(encode.USHL|encode.D2, x[h], f[h]), field)
		})
	}
	field := s.Const64((uint64(1)<<count - 1) << from)
	return each(func(h int) machine.Register {
		shifted := x[h]
		if from > 0 && from < 64 {
			shifted = s.NewImm(encode.SHL|encode.D2, int64(from), shifted)
		}
		return s.bits(field, shifted, y[h])
	})
}
