package simt

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt/op"
)

// plain builds an instruction that is one operation of the same name. The shape gives the types
// of the destination and the sources as shapes of operations do; w stands for i or l, by the form's
// last type.
func plain(shape string) func(b *builder) { return named(shape, form.String) }

// named is plain for operations whose name is not quite that of the form.
func named(shape string, name func(form) string) func(b *builder) {
	return func(b *builder) {
		t := b.inst.lastType()
		if !b.count(len(shape) - 1) {
			return
		}
		var args []ID
		for i := 2; i < len(shape); i++ {
			args = append(args, b.source(b.operand(i-1), letterType(shape[i], t), t))
		}
		b.set(b.operand(0), b.operation(name(b.inst), args...))
	}
}

// letterType returns the type that a letter of a shape stands for in a form.
func letterType(letter byte, t check.Type) Type {
	if letter == 'w' {
		return typeFor(t)
	}
	return typeOf(letter)
}

// operation returns the value of an operation by its name. If there is none, or it is of another
// shape, the form is missing.
func (b *builder) operation(name string, args ...ID) ID {
	o, ok := op.Find(name)
	if ok {
		shape := o.Shape()
		ok = len(shape)-2 == len(args)
		for i := range args {
			ok = ok && typeOf(shape[2+i]) == b.Values[args[i]].Type
		}
	}
	if !ok {
		b.fail("")
		return 0
	}
	return b.compute(o, args...)
}
