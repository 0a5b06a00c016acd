package compute

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// floatForms are the floating-point instructions (PTX ISA 9.7.3), and the comparisons,
// selections and conversions of floating-point numbers.
var floatForms = builder.Table{
	{"add{.<round>}{.ftz}{.sat}.f32", named("i:ii", rounded)},
	{"sub{.<round>}{.ftz}{.sat}.f32", named("i:ii", rounded)},
	{"mul{.<round>}{.ftz}{.sat}.f32", named("i:ii", rounded)},
	{"fma.<round>{.ftz}{.sat}.f32", named("i:iii", rounded)},
	{"mad{.<round>}{.ftz}{.sat}.f32", named("i:iii", fused)},
	{"div.<round>{.ftz}.f32", named("i:ii", rounded)},
	{"rcp.<round>{.ftz}.f32", named("i:i", rounded)},
	{"sqrt.<round>{.ftz}.f32", named("i:i", rounded)},
	{"min{.ftz}{.NaN}.f32", extremeOfSome},
	{"max{.ftz}{.NaN}.f32", extremeOfSome},
	{"min{.ftz}{.NaN}.abs.f32", extremeOfThree},
	{"max{.ftz}{.NaN}.abs.f32", extremeOfThree},
	{"neg{.ftz}.f32", plain("i:i")},
	{"abs{.ftz}.f32", plain("i:i")},
	{"copysign.f32", plain("i:ii")},
	{"testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64)", testFloat},

	{"add{.<round>}.f64", named("l:ll", rounded)},
	{"sub{.<round>}.f64", named("l:ll", rounded)},
	{"mul{.<round>}.f64", named("l:ll", rounded)},
	{"fma.<round>.f64", named("l:lll", rounded)},
	{"mad{.<round>}.f64", named("l:lll", fused)},
	{"div.<round>.f64", named("l:ll", rounded)},
	{"rcp.<round>.f64", named("l:l", rounded)},
	{"sqrt.<round>.f64", named("l:l", rounded)},
	{"min.f64", plain("l:ll")},
	{"max.f64", plain("l:ll")},
	{"neg.f64", plain("l:l")},
	{"abs.f64", plain("l:l")},
	{"copysign.f64", plain("l:ll")},

	{"div.approx{.ftz}.f32", plain("i:ii")},
	{"div.full{.ftz}.f32", named("i:ii", exactDivision)},
	{"rcp.approx{.ftz}.f32", plain("i:i")},
	{"sqrt.approx{.ftz}.f32", plain("i:i")},
	{"rsqrt.approx{.ftz}.f32", plain("i:i")},
	{"sin.approx{.ftz}.f32", plain("i:i")},
	{"cos.approx{.ftz}.f32", plain("i:i")},
	{"lg2.approx{.ftz}.f32", plain("i:i")},
	{"ex2.approx{.ftz}.f32", plain("i:i")},
	{"tanh.approx.f32", plain("i:i")},
	{"rcp.approx.ftz.f64", plain("l:l")},
	{"rsqrt.approx{.ftz}.f64", plain("l:l")},

	{"setp.<fcmp>{.(and|or|xor)}{.ftz}.(f32|f64)", setPredicate},
	{"set.<fcmp>{.(and|or|xor)}{.ftz}.(u32|s32|f32).(f32|f64)", setWord},
	{"set.<cmp>{.(and|or|xor)}.f32.(u16|u32|u64|s16|s32|s64|b16|b32|b64)", setWord},
	{"slct{.ftz}.(b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64).f32", selectSign},

	{"cvt.(rni|rzi|rmi|rpi){.ftz}{.sat}.<all>.f32", convert},
	{"cvt.(rni|rzi|rmi|rpi){.sat}.<all>.f64", convert},
	{"cvt.<round>{.sat}.f32.<all>", convert},
	{"cvt.<round>.f64.<all>", convert},
	{"cvt.(rni|rzi|rmi|rpi){.ftz}{.sat}.f32.f32", convert},
	{"cvt.(rni|rzi|rmi|rpi).f64.f64", convert},
	{"cvt{.ftz}{.sat}.f32.f32", convert},
	{"cvt{.ftz}.f64.f32", convert},
	{"cvt.<round>{.ftz}{.sat}.f32.f64", convert},
	{"cvt.(f32|f64).f16", convert},
	{"cvt.<round>{.ftz}.f16.f32", convert},
	{"cvt.<round>.f16.f64", convert},
}

// rounded is the name of the operation of a form, in which the rounding mode, .rn if none
// is written, comes first.
func rounded(f form.Form) string {
	for _, m := range f.Modifiers {
		if strings.Contains("rn rz rm rp", m) {
			return f.String()
		}
	}
	return f.Name + ".rn" + strings.TrimPrefix(f.String(), f.Name)
}

// fused is the operation of mad on floating-point numbers: that of fma (9.7.3.7).
func fused(f form.Form) string { return "fma" + strings.TrimPrefix(rounded(f), f.Name) }

// exactDivision is the operation of a division that may be less exact.
func exactDivision(f form.Form) string {
	return "div.rn" + strings.TrimPrefix(f.Without("full"), f.Name)
}

// testFloat builds testp.
func testFloat(b *builder.Builder) {
	t := b.Form.LastType()
	b.Set(b.Operand(0), b.Operation(b.Form.String(), b.Source(b.Operand(1), simt.TypeOf(t), t)))
}

var extremeOfTwo = plain("i:ii")

// extremeOfSome builds min and max of two f32, or of three.
func extremeOfSome(b *builder.Builder) {
	if len(b.Inst.Operands) == 4 {
		extremeOfThree(b)
		return
	}
	extremeOfTwo(b)
}

// extremeOfThree builds min and max of three f32, or of their magnitudes: that of the first two and the third.
func extremeOfThree(b *builder.Builder) {
	if !b.Count(4) {
		return
	}
	name := b.Form.Without("abs")
	s := b.Sources(1, simt.B32, check.F32)
	if b.Form.Has("abs") {
		for i := range s {
			s[i] = b.Named("and.b32", s[i], b.Constant(simt.B32, 1<<31-1))
		}
	}
	b.Set(b.Operand(0), b.Operation(name, b.Operation(name, s[0], s[1]), s[2]))
}
