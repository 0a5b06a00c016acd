package compute

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// convertForms are the conversions (PTX ISA 9.7.9).
var convertForms = builder.Table{
	{"cvt{.sat}.<all>.<all>", convert},
	{"cvta{.to}.(global|shared|shared::cta|shared::cluster|local|const|param).(u32|u64)", convertAddress},
	{"cvt.pack.sat.(u16|s16).s32", packNumbers},
	{"cvt.pack.sat.(u8|s8|u4|s4|u2|s2).s32.b32", packNumbers},
}

// convert builds cvt. A destination register wider than the type takes the value extended by
// the type's sign, or by zeros if it is not an integer.
func convert(b *builder.Builder) {
	types := b.Form.Types()
	to, from := types[0], types[1]
	convertedTo(b, b.Operation(b.Form.String(), b.Source(b.Operand(1), simt.TypeOf(from), from)), to)
}

// convertedTo writes the result of a conversion.
func convertedTo(b *builder.Builder, v simt.ID, to check.Type) {
	d := b.Operand(0)
	if d.Kind != check.OpSink && b.TypeOf(d) == simt.B64 && simt.TypeOf(to) == simt.B32 && v != 0 {
		v = b.Operation("cvt."+extendName(to)+"."+form.IntegerName(to), v)
	}
	b.Set(d, v)
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
func convertAddress(b *builder.Builder) {
	var window uint64
	switch b.Form.Space() {
	case check.Shared:
		window = simt.SharedWindow
	case check.Local:
		window = simt.LocalWindow
	case check.Param:
		window = simt.ParamWindow
	}
	if b.Form.Has("to") {
		window = -window
	}
	t := b.Form.LastType()
	v := b.Source(b.Operand(1), simt.TypeOf(t), t)
	if window != 0 {
		v = b.Sum(v, int64(window))
	}
	b.Set(b.Operand(0), v)
}

// packNumbers builds cvt.pack (9.7.9.22).
func packNumbers(b *builder.Builder) {
	x, y, z := b.Source(b.Operand(1), simt.B32, check.S32), b.Source(b.Operand(2), simt.B32, check.S32), b.Constant(simt.B32, 0)
	if b.Form.Has("b32") {
		z = b.Source(b.Operand(3), simt.B32, check.B32)
	}
	b.Set(b.Operand(0), b.Operation("cvt.pack.sat."+b.Form.Modifiers[2], x, y, z))
}
