package compute

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// convertFloatForms are the conversions between floating-point formats and integers (PTX ISA 9.7.9.21) that are made of
// others: those of f16, which go by f32 or f64, and those that an f64 saturates in.
var convertFloatForms = builder.Table{
	{"cvt.(rni|rzi|rmi|rpi){.sat}.<all>.f16", convertInSteps},
	{"cvt.(rni|rzi|rmi|rpi){.sat}.f16.f16", convertInSteps},
	{"cvt{.sat}.f16.f16", convertInSteps},
	{"cvt.<round>{.sat}.f16.<all>", convertInSteps},
	{"cvt.<round>{.ftz}.sat.f16.f32", convertInSteps},
	{"cvt.<round>.sat.f16.f64", convertInSteps},
	{"cvt.ftz.f32.f16", convertInSteps},
	{"cvt{.ftz}.sat.f32.f16", convertInSteps},
	{"cvt.sat.f64.f16", convertInSteps},
	{"cvt.<round>.ftz{.sat}.f32.<all>", convertInSteps},
	{"cvt.<round>.sat.f64.<all>", convertInSteps},
	{"cvt.(rni|rzi|rmi|rpi).sat.f64.f64", convertInSteps},
	{"cvt{.sat}.f64.f64", convertInSteps},
	{"cvt{.ftz}.sat.f64.f32", convertInSteps},
}

// convertInSteps builds a conversion of several steps, each of which is exact but one. A flush concerns
// f32 alone.
func convertInSteps(b *builder.Builder) {
	types := b.Form.Types()
	to, from := types[0], types[1]
	rounding := strings.TrimSuffix(b.Form.Modifiers[0], "i")
	whole := strings.HasSuffix(b.Form.Modifiers[0], "i") // rounded to a whole number
	sat := b.Form.Has("sat")
	if rounding != "rn" && rounding != "rz" && rounding != "rm" && rounding != "rp" {
		rounding = "rn" // the conversion is exact
	}
	v := b.Source(b.Operand(1), simt.TypeOf(from), from)
	if from == check.F16 {
		v, from = b.Operation("cvt.f32.f16", v), check.F32
	}
	switch {
	case !to.IsFloat():
		v = b.Operation("cvt."+rounding+"i."+form.IntegerName(to)+".f32", v)
		convertedTo(b, v, to)
		return
	case !from.IsFloat(): // f64 has all integers that f16 and, but for some of 64 bits, other formats have
		v, from = fromInteger(b, v, rounding, from, to)
	case whole:
		v = b.Operation("cvt."+rounding+"i."+from.String()[1:]+from.String(), v)
	}
	if from == check.F32 && (sat || b.Form.Has("ftz")) {
		v = b.Operation("cvt"+b.Form.Flush()+map[bool]string{true: ".sat"}[sat]+".f32.f32", v)
		sat = false
	}
	if sat {
		v = saturated(b, v)
	}
	switch {
	case to == check.F16:
		v = b.Operation("cvt."+rounding+".f16"+from.String(), v)
	case to == check.F64 && from == check.F32:
		v = b.Operation("cvt.f64.f32", v)
	case to == check.F64 && !whole && b.Form.Types()[1] == check.F64:
		v = b.Operation("selp.64", v, b.Constant(simt.B64, 0xfff8000000000000), b.Operation("setp.num.f64", v, v))
	}
	convertedTo(b, v, to)
}

// fromInteger converts an integer to the format that a conversion to another goes by.
func fromInteger(b *builder.Builder, v simt.ID, rounding string, from, to check.Type) (simt.ID, check.Type) {
	if to == check.F32 {
		return b.Operation("cvt."+rounding+".f32."+from.String()[1:], v), check.F32
	}
	return b.Operation("cvt."+rounding+".f64."+from.String()[1:], v), check.F64
}

// saturated limits an f64 to 0 to 1. A NaN becomes 0.
func saturated(b *builder.Builder, v simt.ID) simt.ID {
	zero, one := b.Constant(simt.B64, 0), b.Constant(simt.B64, 0x3ff0000000000000)
	v = b.Operation("selp.64", v, zero, b.Operation("setp.gt.f64", v, zero))
	return b.Operation("selp.64", v, one, b.Operation("setp.lt.f64", v, one))
}
