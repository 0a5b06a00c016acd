package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// plain builds an instruction that is one operation of the same name. The shape gives the types
// of the destination and the sources as shapes of operations do; w stands for i or l, by the form's
// last type.
func plain(shape string) func(b *builder) { return named(shape, form.String) }

// named is plain for operations whose name is not quite that of the form.
//
// It is called for some hundred rows of tables: inlined, its function would be compiled for each of them.
//
//go:noinline
func named(shape string, name func(form) string) func(b *builder) {
	return func(b *builder) {
		t := b.meaning.last
		if !b.count(len(shape) - 1) {
			return
		}
		var args []simt.ID
		for i := 2; i < len(shape); i++ {
			args = append(args, b.source(b.operand(i-1), letterType(shape[i], t), t))
		}
		m := b.meaning
		if m.operation == 0 {
			m.operation = operationOf(name(b.inst))
		}
		b.set(b.operand(0), b.apply(m.operation, args))
	}
}

// letterType returns the type that a letter of a shape stands for in a form.
func letterType(letter byte, t check.Type) simt.Type {
	if letter == 'w' {
		return simt.TypeOf(t)
	}
	return simt.LetterType(letter)
}

// operation returns the value of an operation by its name. If there is none, or it is of another
// shape, the form is missing.
func (b *builder) operation(name string, args ...simt.ID) simt.ID {
	return b.apply(operationOf(name), args)
}

// operationOf returns the operation that a name of PTX stands for, or 0.
func operationOf(name string) op.Op {
	if same, ok := synonyms[name]; ok {
		name = same
	}
	o, _ := op.Find(name)
	return o
}

// apply is operation for an operation that has been found, 0 if there is none.
func (b *builder) apply(o op.Op, args []simt.ID) simt.ID {
	ok := o != 0
	if ok {
		shape := o.Shape()
		ok = len(shape)-2 == len(args)
		for i := range args {
			ok = ok && simt.LetterType(shape[2+i]) == b.Values[args[i]].Type
		}
	}
	if !ok {
		b.fail("")
		return 0
	}
	return b.compute(o, args...)
}

// synonyms are operations that are others under PTX's names, so that one name stands for each.
var synonyms = map[string]string{
	"cvt.u64.u32": "widen.64", "cvt.s64.u32": "widen.64", "cvt.u64.s32": "cvt.s64.s32",
	"cvt.u32.u64": "narrow.32", "cvt.s32.u64": "narrow.32", "cvt.u32.s64": "narrow.32", "cvt.s32.s64": "narrow.32",
	"cvt.u32.s32": "mov.32", "cvt.s32.u32": "mov.32", "cvt.u32.u32": "mov.32", "cvt.s32.s32": "mov.32",
	"cvt.u64.s64": "mov.64", "cvt.s64.u64": "mov.64", "cvt.u64.u64": "mov.64", "cvt.s64.s64": "mov.64",
	"add.s32": "add.u32", "sub.s32": "sub.u32", "mul.lo.s32": "mul.lo.u32", "mad.lo.s32": "mad.lo.u32",
	"add.s64": "add.u64", "sub.s64": "sub.u64", "mul.lo.s64": "mul.lo.u64", "mad.lo.s64": "mad.lo.u64",
	"add.s16": "add.u16", "sub.s16": "sub.u16", "mul.lo.s16": "mul.lo.u16", "mad.lo.s16": "mad.lo.u16",
	"setp.eq.s32": "setp.eq.u32", "setp.ne.s32": "setp.ne.u32", "setp.eq.s64": "setp.eq.u64", "setp.ne.s64": "setp.ne.u64",
}
