package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Arithmetic of the two halves or the four bytes of words (PTX ISA 9.7.1, from 8.0 and 9.2 on).

// packedName is the operation of a packed form. Those of word programs have names of their own.
func packedName(f form) string {
	name := f.name
	if f.has("sat") {
		name += ".sat"
	}
	switch last := f.modifiers[len(f.modifiers)-1]; {
	case last == "u8x4", last == "s8x4":
		if name == "add" || name == "sub" {
			return "word." + name + ".8"
		}
		return "word." + name + "." + last[:2]
	case f.has("sat"):
		return "word." + name + "." + last[:3]
	default:
		return name + "." + last
	}
}

// packedOperands returns the sources of a packed form.
func (b *builder) packedOperands() (x, y simt.ID, ok bool) {
	if !b.count(3) {
		return 0, 0, false
	}
	s := b.sources(1, simt.B32, check.B32)
	return s[0], s[1], true
}

// packed builds an operation on the parts of words.
func packed(b *builder) {
	if x, y, ok := b.packedOperands(); ok {
		b.set(b.operand(0), b.operation(packedName(b.inst), x, y))
	}
}

// negateBytes builds neg.s8x4.
func negateBytes(b *builder) {
	if b.count(2) {
		b.set(b.operand(0), b.operation("word.sub.8", b.Constant(simt.B32, 0), b.source(b.operand(1), simt.B32, check.B32)))
	}
}

// rectified builds min and max of signed integers. With .relu what is negative becomes 0.
func rectified(b *builder) {
	x, y, ok := b.packedOperands()
	if !ok {
		return
	}
	v := b.operation(packedName(b.inst), x, y)
	if b.inst.has("relu") && v != 0 {
		larger := packedName(form{"max", b.inst.modifiers[len(b.inst.modifiers)-1:]})
		v = b.operation(larger, v, b.Constant(simt.B32, 0))
	}
	b.set(b.operand(0), v)
}
