package compute

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// Arithmetic of the two halves or the four bytes of words (PTX ISA 9.7.1, from 8.0 and 9.2 on).

// packedName is the operation of a packed form. Those of word programs have names of their own.
func packedName(f form.Form) string {
	name := f.Name
	if f.Has("sat") {
		name += ".sat"
	}
	switch last := f.Modifiers[len(f.Modifiers)-1]; {
	case last == "u8x4", last == "s8x4":
		if name == "add" || name == "sub" {
			return "word." + name + ".8"
		}
		return "word." + name + "." + last[:2]
	case f.Has("sat"):
		return "word." + name + "." + last[:3]
	default:
		return name + "." + last
	}
}

// packedOperands returns the sources of a packed form.
func packedOperands(b *builder.Builder) (x, y simt.ID, ok bool) {
	if !b.Count(3) {
		return 0, 0, false
	}
	s := b.Sources(1, simt.B32, check.B32)
	return s[0], s[1], true
}

// packed builds an operation on the parts of words.
func packed(b *builder.Builder) {
	if x, y, ok := packedOperands(b); ok {
		b.Set(b.Operand(0), b.Operation(packedName(b.Form), x, y))
	}
}

// negateBytes builds neg.s8x4.
func negateBytes(b *builder.Builder) {
	if b.Count(2) {
		b.Set(b.Operand(0), b.Operation("word.sub.8", b.Constant(simt.B32, 0), b.Source(b.Operand(1), simt.B32, check.B32)))
	}
}

// rectified builds min and max of signed integers. With .relu what is negative becomes 0.
func rectified(b *builder.Builder) {
	x, y, ok := packedOperands(b)
	if !ok {
		return
	}
	v := b.Operation(packedName(b.Form), x, y)
	if b.Form.Has("relu") && v != 0 {
		larger := packedName(form.Form{Name: "max", Modifiers: b.Form.Modifiers[len(b.Form.Modifiers)-1:]})
		v = b.Operation(larger, v, b.Constant(simt.B32, 0))
	}
	b.Set(b.Operand(0), v)
}
