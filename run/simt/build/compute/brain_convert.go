package compute

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// brainConvertForms are the conversions of bf16 and tf32, and of formats of which several are in a register (PTX ISA 9.7.9.21).
var brainConvertForms = builder.Table{
	{"cvt{.sat}.(f32|f64).bf16", convertBrain},
	{"cvt.bf16.bf16", convertBrain},
	{"cvt.(rn|rz).relu{.satfinite}.bf16.f32", convertBrain},
	{"cvt.(rn|rz).satfinite.bf16.f32", convertBrain},
	{"cvt.<round>.bf16.(f32|f16|f64)", convertBrain},
	{"cvt.<round>.bf16.<all>", convertBrain},
	{"cvt.(rni|rzi|rmi|rpi).<all>.bf16", convertBrain},
	{"cvt.(rni|rzi|rmi|rpi).bf16.bf16", convertBrain},
	{"cvt.<round>.f16.bf16", convertBrain},
	{"cvt.(rn|rz).relu{.satfinite}.f16.f32", convertBrain},
	{"cvt.(rn|rz).satfinite.f16.f32", convertBrain},
	{"cvt.rna{.satfinite}.tf32.f32", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.tf32.f32", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.(f16x2|bf16x2).f32", convertPair},
	{"cvt.rn.satfinite{.relu}.<packed>.(f32|f16x2|bf16x2)", convertPair},
	{"cvt.rn{.relu}.f16x2.<packed>", convertPair},
	{"cvt.(rz|rp){.satfinite}.ue8m0x2.(f32|bf16x2)", convertPair},
	{"cvt.rn.bf16x2.ue8m0x2", convertPair},
	{"cvt.rs{.relu}{.satfinite}.(f16x2|bf16x2).f32", convertStochastic},
	{"cvt.rs{.relu}.satfinite.(e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4).f32", convertStochastic},
}

// narrowed returns a number of a format, converted as the form says, of an f32 or f64.
func narrowed(b *builder.Builder, v simt.ID, format, from string) simt.ID {
	n := b.Operation("cvt."+b.Form.Modifiers[0]+format+from, v)
	if format == ".ue8m0" && b.Form.Has("satfinite") {
		return b.Operation("satfinite.ue8m0.f32", n, v)
	}
	return limited(b, n, format)
}

// limited does to a number of a format what .satfinite and .relu say.
func limited(b *builder.Builder, v simt.ID, format string) simt.ID {
	for _, m := range []string{"satfinite", "relu"} {
		if b.Form.Has(m) && v != 0 {
			v = b.Operation(m+format, v)
		}
	}
	return v
}

// convertBrain builds a conversion to or from bf16, or to tf32. All have the numbers of bf16 and f16 as f32.
func convertBrain(b *builder.Builder) {
	to, from := "."+b.Form.Modifiers[len(b.Form.Modifiers)-2], check.ParseType("."+b.Form.Modifiers[len(b.Form.Modifiers)-1])
	v := b.Source(b.Operand(1), simt.TypeOf(from), from)
	t := check.ParseType(to)
	if from == check.BF16 || from == check.F16 {
		v, from = b.Operation("cvt.f32"+from.String(), v), check.F32
	}
	if b.Form.Has("sat") {
		v = b.Operation("cvt.sat.f32.f32", v)
	}
	switch {
	case to == ".bf16" && !from.IsFloat():
		v = b.Operation("cvt."+b.Form.Modifiers[0]+".bf16"+from.String(), v)
	case to == ".bf16" && b.Form.Modifiers[0] == "bf16":
		v = b.Operation("cvt.rn.bf16.f32", v)
	case to == ".bf16" && len(b.Form.Modifiers[0]) == 3 && strings.HasSuffix(b.Form.Modifiers[0], "i"): // to a whole number
		v = b.Operation("cvt.rn.bf16.f32", b.Operation("cvt."+b.Form.Modifiers[0]+".f32.f32", v))
	case to == ".bf16", to == ".f16", to == ".tf32":
		v = narrowed(b, v, to, from.String())
	case to == ".f64":
		v = b.Operation("cvt.f64.f32", v)
	case !t.IsFloat():
		v = b.Operation("cvt."+b.Form.Modifiers[0]+to+".f32", v)
	}
	if to == ".tf32" {
		t = check.B32
	}
	convertedTo(b, v, t)
}

// convertPair builds a conversion of two numbers at once. Of two sources the first goes to the upper half.
func convertPair(b *builder.Builder) {
	modifiers := b.Form.Modifiers
	to, from := strings.TrimSuffix(modifiers[len(modifiers)-2], "x2"), strings.TrimSuffix(modifiers[len(modifiers)-1], "x2")
	var low, high simt.ID
	switch {
	case from == "f32":
		if !b.Count(3) {
			return
		}
		high, low = b.Source(b.Operand(1), simt.B32, check.F32), b.Source(b.Operand(2), simt.B32, check.F32)
	default:
		if !b.Count(2) {
			return
		}
		v := b.Source(b.Operand(1), simt.B32, check.B32)
		upper := b.Named("shr.u32", v, b.Constant(simt.B32, uint64(partBits(from))))
		low, high = b.Operation("cvt.f32."+from, v), b.Operation("cvt.f32."+from, upper)
	}
	low, high = narrowed(b, low, "."+to, ".f32"), narrowed(b, high, "."+to, ".f32")
	if low != 0 && high != 0 {
		b.Set(b.Operand(0), b.Joined(partBits(to), low, high))
	}
}

// partBits is how many bits of a register a number of a format has.
func partBits(format string) int {
	switch format {
	case "f16", "bf16":
		return 16
	case "e2m1":
		return 4
	}
	return 8
}

// convertStochastic builds cvt.rs: of two f32, or of four in a vector. The last operand is random bits.
func convertStochastic(b *builder.Builder) {
	if len(b.Inst.Operands) < 3 {
		b.Count(3)
		return
	}
	to := b.Form.Modifiers[len(b.Form.Modifiers)-2]
	format, count := to[:len(to)-2], int(to[len(to)-1]-'0')
	sources, last := b.Inst.Operands[1:len(b.Inst.Operands)-1], len(b.Inst.Operands)-1
	if count == 4 {
		sources = b.Elements(b.Operand(1))
	}
	if len(sources) != count || count == 4 && last != 2 {
		b.Fail("its source has %s", diag.Count(len(sources), "element"))
		return
	}
	random := randomBits(b, b.Source(b.Operand(last), simt.B32, check.B32), count, format)
	parts := make([]simt.ID, count)
	for i := range sources { // the last is the lowest
		v := b.Source(&sources[i], simt.B32, check.F32)
		parts[count-1-i] = limited(b, b.Operation("cvt.rs."+format+".f32", v, random[i]), "."+format)
	}
	b.Set(b.Operand(0), b.Joined(partBits(format), parts...))
}

// randomBits tells which random bits, from the lowest on, each of two or four numbers gets. Of four the first and the second share
// 16 bits, and the others the rest: the first and the third have them in reverse (ruling O11).
func randomBits(b *builder.Builder, r simt.ID, count int, format string) (random []simt.ID) {
	if count == 2 {
		return []simt.ID{b.Named("high.16", r), r}
	}
	if format == "e2m1" { // the upper bytes of the halves are for the first two numbers, the lower ones for the others
		r = b.Named("prmt.b32", r, b.Constant(simt.B32, 0), b.Constant(simt.B32, 0x3120))
	}
	reverse := b.Named("brev.b32", r)
	return []simt.ID{reverse, b.Named("high.16", r), b.Named("high.16", reverse), r}
}
