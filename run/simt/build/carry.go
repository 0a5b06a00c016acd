package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// carryForms are extended-precision arithmetic (PTX ISA 9.7.2), whose instructions write and read the
// condition code register.
var carryForms = []row{
	{"add.cc.(u32|s32|u64|s64)", carrying},
	{"addc{.cc}.(u32|s32|u64|s64)", carrying},
	{"sub.cc.(u32|s32|u64|s64)", carrying},
	{"subc{.cc}.(u32|s32|u64|s64)", carrying},
	{"mad.(lo|hi).cc.(u32|s32|u64|s64)", carrying},
	{"madc.(lo|hi){.cc}.(u32|s32|u64|s64)", carrying},
}

// carrying builds a sum or difference with a carry, of two operands or of a product and an operand.
func carrying(b *builder) {
	t := b.inst.lastType()
	kind := simt.TypeOf(t)
	product := b.inst.name[0] == 'm'
	operands := 3
	if product {
		operands = 4
	}
	if !b.count(operands) {
		return
	}
	s := b.sources(1, kind, t)
	if product {
		s = []simt.ID{b.operation("mul."+b.inst.modifiers[0]+"."+integerName(t), s[0], s[1]), s[2]}
	}
	in := b.Constant(simt.Pred, 0)
	if strings.HasSuffix(b.inst.name, "c") { // addc, subc, madc
		in = b.vars.read(b.carry, b.block)
		if b.literal {
			b.noteRead(simt.Read{At: b.at, Register: "the condition code", Value: in})
		}
	}
	name, unsigned := "add", map[simt.Type]string{simt.B32: ".u32", simt.B64: ".u64"}[kind]
	if b.inst.name[0] == 's' {
		name = "sub"
	}
	out := simt.ID(0)
	if b.inst.has("cc") {
		out = b.operation("carry."+name+unsigned, s[0], s[1], in)
	}
	if k, ok := b.ConstOf(in); ok && k == 0 {
		b.set(b.operand(0), b.operation(name+unsigned, s[0], s[1]))
	} else {
		b.set(b.operand(0), b.operation(name+"c"+unsigned, s[0], s[1], in))
	}
	if out != 0 {
		b.setVariable(b.carry, out)
	}
}

// integerName is a type's name; untyped bits count as unsigned integers.
func integerName(t check.Type) string {
	switch t {
	case check.B8:
		return "u8"
	case check.B16, check.F16, check.BF16:
		return "u16"
	case check.B32, check.F32, check.F16x2, check.BF16x2:
		return "u32"
	case check.B64, check.F64:
		return "u64"
	}
	return t.String()[1:]
}
