package compute

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// plain builds an instruction that is one operation of the same name. The shape gives the types
// of the destination and the sources as shapes of operations do; w stands for i or l, by the form's
// last type.
func plain(shape string) func(b *builder.Builder) { return named(shape, form.Form.String) }

// named is plain for operations whose name is not quite that of the form.
//
// It is called for some hundred rows of tables: inlined, its function would be compiled for each of them.
//
//go:noinline
func named(shape string, name func(form.Form) string) func(b *builder.Builder) {
	return func(b *builder.Builder) {
		t := b.Meaning.Last
		if !b.Count(len(shape) - 1) {
			return
		}
		var args []simt.ID
		for i := 2; i < len(shape); i++ {
			args = append(args, b.Source(b.Operand(i-1), letterType(shape[i], t), t))
		}
		m := b.Meaning
		if m.Operation == 0 {
			m.Operation = builder.OperationOf(name(b.Form))
		}
		b.Set(b.Operand(0), b.Apply(m.Operation, args))
	}
}

// letterType returns the type that a letter of a shape stands for in a form.
func letterType(letter byte, t check.Type) simt.Type {
	if letter == 'w' {
		return simt.TypeOf(t)
	}
	return simt.LetterType(letter)
}
