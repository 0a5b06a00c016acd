package kernel

import (
	"math"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Scalars: values that are the same in all lanes are in general registers, where they are computed once, as long
// as the operations are in the table below. Values of 32 bits have zeros above; predicates are 0 or 1.

// scalarFunc emits an operation on scalars.
type scalarFunc func(k *compiler, a []simt.ID) machine.Operand

// scalarSelector is how an operation on scalars is emitted. counted says that its second operand, by which it
// shifts, must be a constant.
type scalarSelector struct {
	emit    scalarFunc
	counted bool
}

// givesScalars reports whether an instruction defines scalars, if what it reads are scalars.
func (k *compiler) givesScalars(i *simt.Inst, scalars func(ids []simt.ID) bool) bool {
	switch i.Kind {
	case simt.Compute:
		s, ok := scalarSelectors()[i.Op]
		if ok && s.counted {
			_, ok = k.ConstOf(i.Args[1])
		}
		return ok && scalars(i.Args)
	case simt.Load:
		return scalars(i.Args)
	}
	return true
}

// scalarOf emits an operation on scalars.
func (k *compiler) scalarOf(i *simt.Inst) machine.Operand {
	return scalarSelectors()[i.Op].emit(k, i.Args)
}

// general returns the general register of a scalar or a constant.
func (k *compiler) general(id simt.ID) machine.Operand {
	if x := k.generals[id]; !x.None() {
		return x
	}
	v := &k.Values[id]
	var x machine.Operand
	switch v.Kind {
	case simt.Const:
		x = k.loadImmediate(v.Bits)
	case simt.Special:
		op := encode.MOV | encode.S32
		if v.Type == simt.B64 {
			op = encode.MOV | encode.S64
		}
		x = k.compute(op, machine.MemoryAt(machine.Fixed(homesReg), k.homes.Offset[id]))
	default:
		panic("amd64: a scalar is used before it is computed")
	}
	if !k.noKeep {
		k.generals[id] = x
		k.borrowed = append(k.borrowed, id)
	}
	return x
}

// loadImmediate loads a number into a general register.
func (k *compiler) loadImmediate(bits uint64) machine.Operand {
	switch {
	case bits <= math.MaxUint32:
		return k.compute(encode.MOV|encode.S32, machine.Fixed(encode.Imm(int64(bits))))
	case int64(bits) == int64(int32(bits)):
		return k.compute(encode.MOV|encode.S64, machine.Fixed(encode.Imm(int64(bits))))
	}
	return k.compute(encode.MOV|encode.S64, machine.Fixed(k.Asm.Const64(bits)))
}

// source returns an operand that an instruction of a size may have besides a register: a constant as an
// immediate.
func (k *compiler) source(id simt.ID) machine.Operand {
	if bits, ok := k.ConstOf(id); ok {
		switch {
		case k.Values[id].Type != simt.B64:
			return machine.Fixed(encode.Imm(int64(int32(bits))))
		case int64(bits) == int64(int32(bits)):
			return machine.Fixed(encode.Imm(int64(bits)))
		}
	}
	return k.general(id)
}

// compute emits an instruction that defines a general register, and change one that changes a copy of x.
//
//go:noinline
func (k *compiler) compute(op encode.Op, sources ...machine.Operand) machine.Operand {
	return k.groups[0].Put(machine.General, machine.Instr{Op: op}, sources)
}

//go:noinline
func (k *compiler) change(op encode.Op, x machine.Operand, sources ...machine.Operand) machine.Operand {
	return k.groups[0].Put(machine.General, machine.Instr{Op: op, Tie: x.Reg}, sources)
}

// maskOf makes a mask of a scalar predicate.
func (k *compiler) maskOf(s *group, id simt.ID) machine.Operand {
	return s.allOrNone(k.change(encode.NEG|encode.S32, k.general(id)))
}

// arithmetic emits an instruction that changes its first operand by its second.
func arithmetic(o encode.Op) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand { return k.change(o, k.general(a[0]), k.source(a[1])) }
}

// shifting emits a shift by a constant that is less than bits, or by as many as there are at most.
func shifting(o encode.Op, bits uint64, keepsSign bool) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		n, _ := k.ConstOf(a[1])
		n = uint64(uint32(n))
		switch {
		case n == 0:
			return k.general(a[0])
		case n >= bits && !keepsSign:
			return k.loadImmediate(0)
		}
		return k.change(o, k.general(a[0]), machine.Immediate(int(min(n, bits-1))))
	}
}

// comparing emits a comparison, and choosing takes the operand that it holds for.
func comparing(o encode.Op, c encode.Cond) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		x, y := k.general(a[0]), k.source(a[1])
		k.fixedly(o, x, y)
		return k.compute(encode.MOVZX8|encode.S32, k.compute(encode.SET.If(c)))
	}
}

func choosing(size encode.Op, c encode.Cond) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		x, y := k.general(a[0]), k.general(a[1])
		k.fixedly(encode.CMP|size, x, y)
		return k.change(encode.CMOV.If(c)|size, x, y)
	}
}

// selecting takes the first operand where the third, a predicate, holds.
func selecting(size encode.Op) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		x, y, p := k.general(a[0]), k.general(a[1]), k.general(a[2])
		k.fixedly(encode.TEST|encode.S32, p, p)
		return k.change(encode.CMOV.If(encode.CondNE)|size, y, x)
	}
}

// unchanged emits nothing.
func unchanged(k *compiler, a []simt.ID) machine.Operand { return k.general(a[0]) }

// extending emits a move that extends its operand.
func extending(o encode.Op) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand { return k.compute(o, k.general(a[0])) }
}

// multiplying emits the product of words in 64 bits, of which plus adds the third operand, or high takes the
// upper half.
func multiplying(signed bool) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		x, y := k.general(a[0]), k.general(a[1])
		if signed {
			x, y = k.compute(encode.MOVSXD|encode.S64, x), k.compute(encode.MOVSXD|encode.S64, y)
		}
		return k.change(encode.IMUL2|encode.S64, x, y)
	}
}

func multiplyingLow(size encode.Op) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		if y := k.source(a[1]); y.Reg == 0 {
			return k.compute(encode.IMUL3|size, k.general(a[0]), y)
		}
		return k.change(encode.IMUL2|size, k.general(a[0]), k.general(a[1]))
	}
}

func plusThird(product scalarFunc, size encode.Op) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		return k.change(encode.ADD|size, product(k, a), k.source(a[2]))
	}
}

func highHalf(product scalarFunc) scalarFunc {
	return func(k *compiler, a []simt.ID) machine.Operand {
		return k.change(encode.SHR|encode.S64, product(k, a), machine.Immediate(32))
	}
}

// scalarSelectors are the operations on scalars.
var scalarSelectors = sync.OnceValue(func() map[op.Op]scalarSelector {
	all := map[op.Op]scalarSelector{}
	add := func(names string, f scalarFunc) {
		for _, name := range strings.Fields(names) {
			all[op.Must(name)] = scalarSelector{emit: f}
		}
	}
	shift := func(name string, f scalarFunc) { all[op.Must(name)] = scalarSelector{f, true} }

	add("add.u16 add.s16 add.u32 add.s32", arithmetic(encode.ADD|encode.S32))
	add("add.u64 add.s64", arithmetic(encode.ADD|encode.S64))
	add("sub.u16 sub.s16 sub.u32 sub.s32", arithmetic(encode.SUB|encode.S32))
	add("sub.u64 sub.s64", arithmetic(encode.SUB|encode.S64))
	add("and.b16 and.b32 and.pred", arithmetic(encode.AND|encode.S32))
	add("or.b16 or.b32 or.pred", arithmetic(encode.OR|encode.S32))
	add("xor.b16 xor.b32 xor.pred", arithmetic(encode.XOR|encode.S32))
	add("and.b64", arithmetic(encode.AND|encode.S64))
	add("or.b64", arithmetic(encode.OR|encode.S64))
	add("xor.b64", arithmetic(encode.XOR|encode.S64))
	for size, names := range map[encode.Op][2]string{encode.S32: {"not.b16 not.b32", "neg.s16 neg.s32"}, encode.S64: {"not.b64", "neg.s64"}} {
		add(names[0], func(k *compiler, a []simt.ID) machine.Operand { return k.change(encode.NOT|size, k.general(a[0])) })
		add(names[1], func(k *compiler, a []simt.ID) machine.Operand { return k.change(encode.NEG|size, k.general(a[0])) })
	}
	add("not.pred", func(k *compiler, a []simt.ID) machine.Operand {
		return k.change(encode.XOR|encode.S32, k.general(a[0]), machine.Immediate(1))
	})
	add("mov.32 mov.64 mov.pred widen.64 cvt.u64.u32 cvt.u32.u32 cvt.s32.s32 cvt.u32.s32 cvt.s32.u32 cvt.u64.u64 cvt.s64.s64", unchanged)
	add("narrow.32 cvt.u32.u64 cvt.s32.s64 cvt.u32.s64 cvt.s32.u64", extending(encode.MOV|encode.S32))
	add("cvt.s64.s32 cvt.u64.s32", extending(encode.MOVSXD|encode.S64))
	add("cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", extending(encode.MOVZX8|encode.S32))
	add("cvt.u32.u16 cvt.s32.u16 cvt.u64.u16 cvt.s64.u16", extending(encode.MOVZX16|encode.S32))
	add("cvt.s32.s8 cvt.u32.s8", extending(encode.MOVSX8|encode.S32))
	add("cvt.s32.s16 cvt.u32.s16", extending(encode.MOVSX16|encode.S32))
	add("high.32", func(k *compiler, a []simt.ID) machine.Operand {
		return k.change(encode.SHR|encode.S64, k.general(a[0]), machine.Immediate(32))
	})
	add("pack.64", func(k *compiler, a []simt.ID) machine.Operand {
		high := k.change(encode.SHL|encode.S64, k.general(a[1]), machine.Immediate(32))
		return k.change(encode.OR|encode.S64, high, k.general(a[0]))
	})

	add("mul.lo.u16 mul.lo.s16 mul.lo.u32 mul.lo.s32", multiplyingLow(encode.S32))
	add("mul.lo.u64 mul.lo.s64", multiplyingLow(encode.S64))
	add("mad.lo.u16 mad.lo.s16 mad.lo.u32 mad.lo.s32", plusThird(multiplyingLow(encode.S32), encode.S32))
	add("mad.lo.u64 mad.lo.s64", plusThird(multiplyingLow(encode.S64), encode.S64))
	add("mul.wide.u32", multiplying(false))
	add("mul.wide.s32", multiplying(true))
	add("mad.wide.u32", plusThird(multiplying(false), encode.S64))
	add("mad.wide.s32", plusThird(multiplying(true), encode.S64))
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
