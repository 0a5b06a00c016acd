package simt

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// brainConvertForms are the conversions of bf16, tf32 and the formats of a byte, e4m3 and e5m2 (PTX ISA 9.7.9.21).
var brainConvertForms = []row{
	{"cvt.f32.bf16", convertBrain},
	{"cvt.f64.bf16", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.bf16.(f32|f16|f64)", convertBrain},
	{"cvt.(rm|rp).bf16.(f32|f16|f64)", convertBrain},
	{"cvt.<round>.bf16.<all>", convertBrain},
	{"cvt.(rni|rzi|rmi|rpi).<all>.bf16", convertBrain},
	{"cvt.(rn|rz).relu{.satfinite}.f16.f32", convertBrain},
	{"cvt.(rn|rz).satfinite.f16.f32", convertBrain},
	{"cvt.rna{.satfinite}.tf32.f32", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.tf32.f32", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.(f16x2|bf16x2).f32", convertPair},
	{"cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f32", convertPair},
	{"cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f16x2", convertPair},
	{"cvt.rn{.relu}.f16x2.(e4m3x2|e5m2x2)", convertPair},
}

// narrowed returns a number of a format, converted as the form says, of an f32 or f64.
func (b *builder) narrowed(v ID, format, from string) ID {
	v = b.operation("cvt."+b.inst.modifiers[0]+format+from, v)
	for _, m := range []string{"satfinite", "relu"} {
		if b.inst.has(m) && v != 0 {
			v = b.operation(m+format, v)
		}
	}
	return v
}

// convertBrain builds a conversion to or from bf16, or to tf32. All have the numbers of bf16 and f16 as f32.
func convertBrain(b *builder) {
	to, from := "."+b.inst.modifiers[len(b.inst.modifiers)-2], check.ParseType("."+b.inst.modifiers[len(b.inst.modifiers)-1])
	v := b.source(b.operand(1), typeFor(from), from)
	t := check.ParseType(to)
	if from == check.BF16 || from == check.F16 {
		v, from = b.operation("cvt.f32"+from.String(), v), check.F32
	}
	switch {
	case to == ".bf16" && !from.IsFloat():
		v = b.operation("cvt."+b.inst.modifiers[0]+".bf16"+from.String(), v)
	case to == ".bf16", to == ".f16", to == ".tf32":
		v = b.narrowed(v, to, from.String())
	case to == ".f64":
		v = b.operation("cvt.f64.f32", v)
	case !t.IsFloat():
		v = b.operation("cvt."+b.inst.modifiers[0]+to+".f32", v)
	}
	if to == ".tf32" {
		t = check.B32
	}
	b.convertedTo(v, t)
}

// convertPair builds a conversion of two numbers at once. Of two sources the first goes to the upper half.
func convertPair(b *builder) {
	modifiers := b.inst.modifiers
	to, from := strings.TrimSuffix(modifiers[len(modifiers)-2], "x2"), strings.TrimSuffix(modifiers[len(modifiers)-1], "x2")
	var low, high ID
	switch {
	case from == "f32":
		if !b.count(3) {
			return
		}
		high, low = b.source(b.operand(1), B32, check.F32), b.source(b.operand(2), B32, check.F32)
	default:
		if !b.count(2) {
			return
		}
		v := b.source(b.operand(1), B32, check.B32)
		upper := b.named(map[bool]string{true: "high.16", false: "high.8"}[from == "f16"], v)
		low, high = b.operation("cvt.f32."+from, v), b.operation("cvt.f32."+from, upper)
	}
	pack := map[bool]string{true: "pack.16", false: "pack.32"}[to == "e4m3" || to == "e5m2"]
	low, high = b.narrowed(low, "."+to, ".f32"), b.narrowed(high, "."+to, ".f32")
	if low != 0 && high != 0 {
		b.set(b.operand(0), b.operation(pack, low, high))
	}
}
