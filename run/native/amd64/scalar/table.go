package scalar

import (
	"strings"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Scalars: values that are the same in all lanes are in general registers, where they are computed once, as long
// as the operations are in the table below. Values of 32 bits have zeros above; predicates are 0 or 1.

// emitFunc emits an operation on scalars. The functions that return one are not inlined: each call would have a copy of it.
type emitFunc func(k *Compiler, a []simt.ID) machine.Operand

// selector is how an operation on scalars is emitted. counted says that its second operand, by which it
// shifts, must be a constant.
type selector struct {
	emit    emitFunc
	counted bool
}

// givesScalars reports whether an instruction defines scalars, if what it reads are scalars.
func (k *Compiler) givesScalars(i *simt.Inst, scalars func(ids []simt.ID) bool) bool {
	switch i.Kind {
	case simt.Compute:
		s := selectors()[i.Op]
		ok := s.emit != nil
		if s.counted {
			_, ok = k.ConstOf(i.Args[1])
		}
		return ok && scalars(i.Args)
	case simt.Load:
		return !i.Aux.(*simt.Access).AtOnce() && scalars(i.Args)
	}
	return true
}

// SelectScalar emits an operation on scalars.
func (k *Compiler) SelectScalar(i *simt.Inst) { k.generals[i.Defs[0]] = k.scalarOf(i) }

func (k *Compiler) scalarOf(i *simt.Inst) machine.Operand {
	return selectors()[i.Op].emit(k, i.Args)
}

// arithmetic emits an instruction that changes its first operand by its second; either is for operands that may change places.
//
//go:noinline
func arithmetic(o encode.Op) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand { return k.Change(o, k.General(a[0]), k.source(a[1])) }
}

//go:noinline
func either(o encode.Op) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		x, y := k.constantLast(a)
		return k.Change(o, k.General(x), k.source(y))
	}
}

// constantLast returns two operands, of which the first is no constant unless both are.
func (k *Compiler) constantLast(a []simt.ID) (x, y simt.ID) {
	if k.Values[a[0]].Kind == simt.Const {
		return a[1], a[0]
	}
	return a[0], a[1]
}

// adding emits a sum.
//
//go:noinline
func adding(wide bool) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		x, y := k.constantLast(a)
		return k.plus(k.General(x), y, wide)
	}
}

// plus adds a value to a register.
func (k *Compiler) plus(x machine.Operand, y simt.ID, wide bool) machine.Operand {
	e := &emitter{k: k}
	if n, ok := k.signedConst(y, wide); ok {
		return e.AddNumber(x, n, wide)
	}
	return e.Add(x, k.General(y), wide)
}

// signedConst returns what a constant is as a signed number.
func (k *Compiler) signedConst(id simt.ID, wide bool) (n int64, ok bool) {
	bits, ok := k.ConstOf(id)
	if !wide {
		return int64(int32(bits)), ok
	}
	return int64(bits), ok
}

// shifting emits a shift by a constant that is less than bits, or by as many as there are at most.
//
//go:noinline
func shifting(o encode.Op, bits uint64, keepsSign bool) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		n, _ := k.ConstOf(a[1])
		n = uint64(uint32(n))
		switch {
		case n == 0:
			return k.General(a[0])
		case n >= bits && !keepsSign:
			return k.loadImmediate(0)
		}
		return k.Change(o, k.General(a[0]), machine.Immediate(int(min(n, bits-1))))
	}
}

// comparing emits a comparison, and choosing takes the operand that it holds for.
//
//go:noinline
func comparing(o encode.Op, c encode.Cond) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		x, y := k.General(a[0]), k.source(a[1])
		k.Fixedly(o, x, y)
		return k.Compute(encode.MOVZX8|encode.S32, k.Compute(encode.SET.If(c)))
	}
}

//go:noinline
func choosing(size encode.Op, c encode.Cond) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		x, y := k.General(a[0]), k.General(a[1])
		k.Fixedly(encode.CMP|size, x, y)
		return k.Change(encode.CMOV.If(c)|size, x, y)
	}
}

// selecting takes the first operand where the third, a predicate, holds.
//
//go:noinline
func selecting(size encode.Op) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		x, y, p := k.General(a[0]), k.General(a[1]), k.General(a[2])
		k.Fixedly(encode.TEST|encode.S32, p, p)
		return k.Change(encode.CMOV.If(encode.CondNE)|size, y, x)
	}
}

// unchanged emits nothing.
func unchanged(k *Compiler, a []simt.ID) machine.Operand { return k.General(a[0]) }

// extending emits a move that extends its operand.
//
//go:noinline
func extending(o encode.Op) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand { return k.Compute(o, k.General(a[0])) }
}

// multiplying emits the product of words in 64 bits, of which plus adds the third operand, or high takes the
// upper half.
//
//go:noinline
func multiplying(signed bool) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		e := &emitter{k: k}
		first, second := k.constantLast(a)
		x := k.General(first)
		if signed {
			x = e.SignExtend(x)
		}
		if n, ok := k.ConstOf(second); ok {
			if signed {
				return e.TimesNumber(x, int64(int32(n)), true)
			}
			return e.TimesNumber(x, int64(uint32(n)), true)
		}
		y := k.General(second)
		if signed {
			y = e.SignExtend(y)
		}
		return e.Multiply(x, y, true)
	}
}

//go:noinline
func multiplyingLow(wide bool) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		e := &emitter{k: k}
		x, y := k.constantLast(a)
		if n, ok := k.signedConst(y, wide); ok {
			return e.TimesNumber(k.General(x), n, wide)
		}
		return e.Multiply(k.General(x), k.General(y), wide)
	}
}

//go:noinline
func plusThird(product emitFunc, wide bool) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand { return k.plus(product(k, a), a[2], wide) }
}

//go:noinline
func highHalf(product emitFunc) emitFunc {
	return func(k *Compiler, a []simt.ID) machine.Operand {
		return k.Change(encode.SHR|encode.S64, product(k, a), machine.Immediate(32))
	}
}

// selectors are by operation those on scalars.
var selectors = sync.OnceValue(func() []selector {
	all := make([]selector, op.All())
	add := func(names string, f emitFunc) {
		for _, name := range strings.Fields(names) {
			all[op.Must(name)] = selector{emit: f}
		}
	}
	shift := func(name string, f emitFunc) { all[op.Must(name)] = selector{f, true} }

	add("add.u16 add.s16 add.u32 add.s32", adding(false))
	add("add.u64 add.s64", adding(true))
	add("sub.u16 sub.s16 sub.u32 sub.s32", arithmetic(encode.SUB|encode.S32))
	add("sub.u64 sub.s64", arithmetic(encode.SUB|encode.S64))
	add("and.b16 and.b32 and.pred", either(encode.AND|encode.S32))
	add("or.b16 or.b32 or.pred", either(encode.OR|encode.S32))
	add("xor.b16 xor.b32 xor.pred", either(encode.XOR|encode.S32))
	add("and.b64", either(encode.AND|encode.S64))
	add("or.b64", either(encode.OR|encode.S64))
	add("xor.b64", either(encode.XOR|encode.S64))
	for size, names := range map[encode.Op][2]string{encode.S32: {"not.b16 not.b32", "neg.s16 neg.s32"}, encode.S64: {"not.b64", "neg.s64"}} {
		add(names[0], func(k *Compiler, a []simt.ID) machine.Operand { return k.Change(encode.NOT|size, k.General(a[0])) })
		add(names[1], func(k *Compiler, a []simt.ID) machine.Operand { return k.Change(encode.NEG|size, k.General(a[0])) })
	}
	add("not.pred", func(k *Compiler, a []simt.ID) machine.Operand {
		return k.Change(encode.XOR|encode.S32, k.General(a[0]), machine.Immediate(1))
	})
	add("mov.32 mov.64 mov.pred widen.64 cvt.u64.u32 cvt.u32.u32 cvt.s32.s32 cvt.u32.s32 cvt.s32.u32 cvt.u64.u64 cvt.s64.s64", unchanged)
	add("narrow.32 cvt.u32.u64 cvt.s32.s64 cvt.u32.s64 cvt.s32.u64", extending(encode.MOV|encode.S32))
	add("cvt.s64.s32 cvt.u64.s32", extending(encode.MOVSXD|encode.S64))
	add("cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", extending(encode.MOVZX8|encode.S32))
	add("cvt.u32.u16 cvt.s32.u16 cvt.u64.u16 cvt.s64.u16", extending(encode.MOVZX16|encode.S32))
	add("cvt.s32.s8 cvt.u32.s8", extending(encode.MOVSX8|encode.S32))
	add("cvt.s32.s16 cvt.u32.s16", extending(encode.MOVSX16|encode.S32))
	add("high.32", func(k *Compiler, a []simt.ID) machine.Operand {
		return k.Change(encode.SHR|encode.S64, k.General(a[0]), machine.Immediate(32))
	})
	add("pack.64", func(k *Compiler, a []simt.ID) machine.Operand {
		high := k.Change(encode.SHL|encode.S64, k.General(a[1]), machine.Immediate(32))
		return k.Change(encode.OR|encode.S64, high, k.General(a[0]))
	})

	add("mul.lo.u16 mul.lo.s16 mul.lo.u32 mul.lo.s32", multiplyingLow(false))
	add("mul.lo.u64 mul.lo.s64", multiplyingLow(true))
	add("mad.lo.u16 mad.lo.s16 mad.lo.u32 mad.lo.s32", plusThird(multiplyingLow(false), false))
	add("mad.lo.u64 mad.lo.s64", plusThird(multiplyingLow(true), true))
	add("mul.wide.u32", multiplying(false))
	add("mul.wide.s32", multiplying(true))
	add("mad.wide.u32", plusThird(multiplying(false), true))
	add("mad.wide.s32", plusThird(multiplying(true), true))
	add("mul.hi.u32", highHalf(multiplying(false)))
	add("mul.hi.s32", highHalf(multiplying(true)))

	shift("shl.b16", shifting(encode.SHL|encode.S32, 32, false))
	shift("shl.b32", shifting(encode.SHL|encode.S32, 32, false))
	shift("shl.b64", shifting(encode.SHL|encode.S64, 64, false))
	shift("shr.u32", shifting(encode.SHR|encode.S32, 32, false))
	shift("shr.u64", shifting(encode.SHR|encode.S64, 64, false))
	shift("shr.s32", shifting(encode.SAR|encode.S32, 32, true))
	shift("shr.s64", shifting(encode.SAR|encode.S64, 64, true))

	for typ, size := range map[string]encode.Op{"u32": encode.S32, "s32": encode.S32, "u64": encode.S64, "s64": encode.S64} {
		less, greater := encode.CondB, encode.CondA
		if typ[0] == 's' {
			less, greater = encode.CondL, encode.CondG
		}
		for name, c := range map[string]encode.Cond{"eq": encode.CondE, "ne": encode.CondNE, "lt": less, "gt": greater, "le": greater.Not(), "ge": less.Not()} {
			add("setp."+name+"."+typ, comparing(encode.CMP|size, c))
		}
		add("min."+typ, choosing(size, greater))
		add("max."+typ, choosing(size, less))
	}
	add("selp.32", selecting(encode.S32))
	add("selp.64", selecting(encode.S64))
	return all
})
