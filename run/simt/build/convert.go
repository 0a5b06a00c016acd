package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// convertForms are the conversions (PTX ISA 9.7.9).
var convertForms = []row{
	{"cvt{.sat}.<all>.<all>", convert},
	{"cvta{.to}.(global|shared|local|const|param).(u32|u64)", convertAddress},
	{"cvt.pack.sat.(u16|s16).s32", packNumbers},
	{"cvt.pack.sat.(u8|s8|u4|s4|u2|s2).s32.b32", packNumbers},
}

// convert builds cvt. A destination register wider than the type takes the value extended by
// the type's sign, or by zeros if it is not an integer.
func convert(b *builder) {
	types := b.inst.types()
	to, from := types[0], types[1]
	b.convertedTo(b.operation(b.inst.String(), b.source(b.operand(1), simt.TypeOf(from), from)), to)
}

// convertedTo writes the result of a conversion.
func (b *builder) convertedTo(v simt.ID, to check.Type) {
	d := b.operand(0)
	if d.Kind != check.OpSink && b.typeOfOperand(d) == simt.B64 && simt.TypeOf(to) == simt.B32 && v != 0 {
		v = b.operation("cvt."+extendName(to)+"."+integerName(to), v)
	}
	b.set(d, v)
}

// extendName is the 64-bit type of the same sign.
func extendName(t check.Type) string {
	if check.S8 <= t && t <= check.S64 {
		return "s64"
	}
	return "u64"
}

// convertAddress builds cvta: windows are added to addresses in a space, and subtracted by cvta.to.
// Global and constant addresses are generic ones already.
func convertAddress(b *builder) {
	var window uint64
	switch {
	case b.inst.has("shared"):
		window = simt.SharedWindow
	case b.inst.has("local"):
		window = simt.LocalWindow
	case b.inst.has("param"):
		window = simt.ParamWindow
	}
	if b.inst.has("to") {
		window = -window
	}
	t := b.inst.lastType()
	v := b.source(b.operand(1), simt.TypeOf(t), t)
	if window != 0 {
		v = b.sum(v, int64(window))
	}
	b.set(b.operand(0), v)
}

// packNumbers builds cvt.pack (9.7.9.22).
func packNumbers(b *builder) {
	x, y, z := b.source(b.operand(1), simt.B32, check.S32), b.source(b.operand(2), simt.B32, check.S32), b.Constant(simt.B32, 0)
	if b.inst.has("b32") {
		z = b.source(b.operand(3), simt.B32, check.B32)
	}
	b.set(b.operand(0), b.operation("cvt.pack.sat."+b.inst.modifiers[2], x, y, z))
}
