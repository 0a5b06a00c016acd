package kernel

import (
	"strings"
	"sync"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// scalarInst is an operation on scalars: a result and its operands in registers.
type scalarInst struct {
	*compiler
	d    encode.Operand
	x    [4]encode.Operand
	args []simt.ID
}

// scalarSelector is how an operation on scalars is written. counted says that its second operand, by which it shifts,
// must be a constant.
type scalarSelector struct {
	emit    func(s *scalarInst)
	counted bool
}

// two is an instruction on two operands.
func two(o encode.Op) func(s *scalarInst) {
	return func(s *scalarInst) { s.Emit(o, s.d, s.x[0], s.x[1]) }
}

// unary is an instruction on one operand.
func unary(o encode.Op) func(s *scalarInst) {
	return func(s *scalarInst) { s.Emit(o, s.d, s.x[0]) }
}

// field takes the lowest bits of a register, extended to 32 or 64.
func field(o encode.Op, bits int64) func(s *scalarInst) {
	return func(s *scalarInst) { s.Emit(o, s.d, s.x[0], encode.Imm(0), encode.Imm(bits-1)) }
}

// added adds the third operand to what an instruction gives.
func added(first, add encode.Op) func(s *scalarInst) {
	return func(s *scalarInst) {
		s.Emit(first, encode.X(0), s.x[0], s.x[1])
		s.Emit(add, s.d, encode.X(0), s.x[2])
	}
}

// upper takes the upper word of a product.
func upper(o encode.Op) func(s *scalarInst) {
	return func(s *scalarInst) {
		s.Emit(o, s.d, s.x[0], s.x[1])
		s.Emit(encode.UBFMX, s.d, s.d, encode.Imm(32), encode.Imm(63))
	}
}

// compared sets a condition, and chosen takes one of two values by one.
func compared(compare encode.Op, condition int64) func(s *scalarInst) {
	return func(s *scalarInst) {
		s.Emit(compare, s.x[0], s.x[1])
		s.Emit(encode.CSET, s.d, encode.Imm(condition))
	}
}

func chosen(compare, choose encode.Op, condition int64) func(s *scalarInst) {
	return func(s *scalarInst) {
		s.Emit(compare, s.x[0], s.x[1])
		s.Emit(choose, s.d, s.x[0], s.x[1], encode.Imm(condition))
	}
}

// selected takes the first value where the third, a predicate, holds.
func selected(choose encode.Op) func(s *scalarInst) {
	return func(s *scalarInst) {
		s.Emit(encode.TSTW, s.x[2], s.x[2])
		s.Emit(choose, s.d, s.x[0], s.x[1], encode.Imm(encode.NE))
	}
}

// shifted shifts by a constant.
func shifted(o encode.Op, width uint64, left, signed bool) func(s *scalarInst) {
	return func(s *scalarInst) {
		n, _ := s.ConstOf(s.args[1])
		n = uint64(uint32(n))
		if n >= width && !signed {
			s.number(s.d, 0)
			return
		}
		n = min(n, width-1)
		if left {
			s.Emit(o, s.d, s.x[0], encode.Imm(int64((width-n)%width)), encode.Imm(int64(width-1-n)))
			return
		}
		s.Emit(o, s.d, s.x[0], encode.Imm(int64(n)), encode.Imm(int64(width-1)))
	}
}

// scalarTable are the operations on scalars.
var scalarTable = sync.OnceValue(func() map[op.Op]scalarSelector {
	all := map[op.Op]scalarSelector{}
	add := func(names string, f func(s *scalarInst)) {
		for _, name := range strings.Fields(names) {
			all[op.Must(name)] = scalarSelector{emit: f}
		}
	}
	shift := func(names string, f func(s *scalarInst)) {
		for _, name := range strings.Fields(names) {
			all[op.Must(name)] = scalarSelector{f, true}
		}
	}
	add("add.u16 add.s16 add.u32 add.s32", two(encode.ADDW))
	add("add.u64 add.s64", two(encode.ADDX))
	add("sub.u16 sub.s16 sub.u32 sub.s32", two(encode.SUBW))
	add("sub.u64 sub.s64", two(encode.SUBX))
	add("and.b16 and.b32 and.pred", two(encode.ANDW))
	add("or.b16 or.b32 or.pred", two(encode.ORRW))
	add("xor.b16 xor.b32 xor.pred", two(encode.EORW))
	add("and.b64", two(encode.ANDX))
	add("or.b64", two(encode.ORRX))
	add("xor.b64", two(encode.EORX))
	add("not.b16 not.b32", unary(encode.MVNW))
	add("not.b64", unary(encode.MVNX))
	add("neg.s16 neg.s32", unary(encode.NEGW))
	add("neg.s64", unary(encode.NEGX))
	add("not.pred", func(s *scalarInst) {
		s.number(encode.X(0), 1)
		s.Emit(encode.EORW, s.d, s.x[0], encode.X(0))
	})
	add("mov.32 mov.64 mov.pred widen.64 cvt.u64.u32 cvt.u32.u32 cvt.s32.s32 cvt.u32.s32 cvt.s32.u32 cvt.u64.u64 cvt.s64.s64", unary(encode.MOVX))
	add("narrow.32 cvt.u32.u64 cvt.s32.s64 cvt.u32.s64 cvt.s32.u64", unary(encode.MOVW))
	add("cvt.s64.s32 cvt.u64.s32", field(encode.SBFMX, 32))
	add("cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", field(encode.UBFMW, 8))
	add("cvt.u32.u16 cvt.s32.u16 cvt.u64.u16 cvt.s64.u16", field(encode.UBFMW, 16))
	add("cvt.s32.s8 cvt.u32.s8", field(encode.SBFMW, 8))
	add("cvt.s32.s16 cvt.u32.s16", field(encode.SBFMW, 16))
	add("high.32", func(s *scalarInst) { s.Emit(encode.UBFMX, s.d, s.x[0], encode.Imm(32), encode.Imm(63)) })
	add("pack.64", func(s *scalarInst) {
		s.Emit(encode.UBFMX, encode.X(0), s.x[1], encode.Imm(32), encode.Imm(31))
		s.Emit(encode.ORRX, s.d, encode.X(0), s.x[0])
	})

	add("mul.lo.u16 mul.lo.s16 mul.lo.u32 mul.lo.s32", two(encode.MULW))
	add("mul.lo.u64 mul.lo.s64", two(encode.MULX))
	add("mad.lo.u16 mad.lo.s16 mad.lo.u32 mad.lo.s32", added(encode.MULW, encode.ADDW))
	add("mad.lo.u64 mad.lo.s64", added(encode.MULX, encode.ADDX))
	add("mul.wide.u32", two(encode.UMULLX))
	add("mul.wide.s32", two(encode.SMULLX))
	add("mad.wide.u32", added(encode.UMULLX, encode.ADDX))
	add("mad.wide.s32", added(encode.SMULLX, encode.ADDX))
	add("mul.hi.u32", upper(encode.UMULLX))
	add("mul.hi.s32", upper(encode.SMULLX))

	for _, o := range divisions {
		add(o.name, divided(o))
	}
	add("mul.hi.u64", two(encode.UMULHX))
	add("mul.hi.s64", two(encode.SMULHX))
	add("mad.hi.u64", added(encode.UMULHX, encode.ADDX))
	add("mad.hi.s64", added(encode.SMULHX, encode.ADDX))

	shift("shl.b16 shl.b32", shifted(encode.UBFMW, 32, true, false))
	shift("shl.b64", shifted(encode.UBFMX, 64, true, false))
	shift("shr.u32", shifted(encode.UBFMW, 32, false, false))
	shift("shr.u64", shifted(encode.UBFMX, 64, false, false))
	shift("shr.s32", shifted(encode.SBFMW, 32, false, true))
	shift("shr.s64", shifted(encode.SBFMX, 64, false, true))

	for _, size := range []struct {
		unsigned, signed string
		compare, choose  encode.Op
	}{{"u32", "s32", encode.CMPW, encode.CSELW}, {"u64", "s64", encode.CMPX, encode.CSELX}} {
		for name, c := range map[string][2]int64{
			"eq": {encode.EQ, encode.EQ}, "ne": {encode.NE, encode.NE}, "lt": {encode.LO, encode.LT}, "le": {encode.LS, encode.LE},
			"gt": {encode.HI, encode.GT}, "ge": {encode.HS, encode.GE},
		} {
			add("setp."+name+"."+size.unsigned, compared(size.compare, c[0]))
			add("setp."+name+"."+size.signed, compared(size.compare, c[1]))
		}
		add("min."+size.unsigned, chosen(size.compare, size.choose, encode.LS))
		add("max."+size.unsigned, chosen(size.compare, size.choose, encode.HS))
		add("min."+size.signed, chosen(size.compare, size.choose, encode.LE))
		add("max."+size.signed, chosen(size.compare, size.choose, encode.GE))
	}
	add("selp.32", selected(encode.CSELW))
	add("selp.64", selected(encode.CSELX))
	return all
})
