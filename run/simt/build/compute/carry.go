package compute

import (
	"strings"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// carryForms are extended-precision arithmetic (PTX ISA 9.7.2), whose instructions write and read the
// condition code register.
var carryForms = builder.Table{
	{"add.cc.(u32|s32|u64|s64)", carrying},
	{"addc{.cc}.(u32|s32|u64|s64)", carrying},
	{"sub.cc.(u32|s32|u64|s64)", carrying},
	{"subc{.cc}.(u32|s32|u64|s64)", carrying},
	{"mad.(lo|hi).cc.(u32|s32|u64|s64)", carrying},
	{"madc.(lo|hi){.cc}.(u32|s32|u64|s64)", carrying},
}

// carrying builds a sum or difference with a carry, of two operands or of a product and an operand.
func carrying(b *builder.Builder) {
	t := b.Form.LastType()
	kind := simt.TypeOf(t)
	product := b.Form.Name[0] == 'm'
	operands := 3
	if product {
		operands = 4
	}
	if !b.Count(operands) {
		return
	}
	s := b.Sources(1, kind, t)
	if product {
		s = []simt.ID{b.Operation("mul."+b.Form.Modifiers[0]+"."+form.IntegerName(t), s[0], s[1]), s[2]}
	}
	in := b.Constant(simt.Pred, 0)
	if strings.HasSuffix(b.Form.Name, "c") { // addc, subc, madc
		in = b.Carry()
	}
	name, unsigned := "add", map[simt.Type]string{simt.B32: ".u32", simt.B64: ".u64"}[kind]
	if b.Form.Name[0] == 's' {
		name = "sub"
	}
	out := simt.ID(0)
	if b.Form.Has("cc") {
		out = b.Operation("carry."+name+unsigned, s[0], s[1], in)
	}
	if k, ok := b.ConstOf(in); ok && k == 0 {
		b.Set(b.Operand(0), b.Operation(name+unsigned, s[0], s[1]))
	} else {
		b.Set(b.Operand(0), b.Operation(name+"c"+unsigned, s[0], s[1], in))
	}
	if out != 0 {
		b.SetCarry(out)
	}
}
