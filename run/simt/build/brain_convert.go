package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// brainConvertForms are the conversions of bf16 and tf32, and of formats of which several are in a register (PTX ISA 9.7.9.21).
var brainConvertForms = []row{
	{"cvt.f32.bf16", convertBrain},
	{"cvt.f64.bf16", convertBrain},
	{"cvt.(rn|rz){.relu}{.satfinite}.bf16.(f32|f16|f64)", convertBrain},
	{"cvt.(rm|rp).bf16.(f32|f16|f64)", convertBrain},
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
func (b *builder) narrowed(v simt.ID, format, from string) simt.ID {
	n := b.operation("cvt."+b.inst.modifiers[0]+format+from, v)
	if format == ".ue8m0" && b.inst.has("satfinite") {
		return b.operation("satfinite.ue8m0.f32", n, v)
	}
	return b.limited(n, format)
}

// limited does to a number of a format what .satfinite and .relu say.
func (b *builder) limited(v simt.ID, format string) simt.ID {
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
	v := b.source(b.operand(1), simt.TypeOf(from), from)
	t := check.ParseType(to)
	if from == check.BF16 || from == check.F16 {
		v, from = b.operation("cvt.f32"+from.String(), v), check.F32
	}
	switch {
	case to == ".bf16" && !from.IsFloat():
		v = b.operation("cvt."+b.inst.modifiers[0]+".bf16"+from.String(), v)
	case to == ".bf16" && len(b.inst.modifiers[0]) == 3 && strings.HasSuffix(b.inst.modifiers[0], "i"): // to a whole number
		v = b.operation("cvt.rn.bf16.f32", b.operation("cvt."+b.inst.modifiers[0]+".f32.f32", v))
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
	var low, high simt.ID
	switch {
	case from == "f32":
		if !b.count(3) {
			return
		}
		high, low = b.source(b.operand(1), simt.B32, check.F32), b.source(b.operand(2), simt.B32, check.F32)
	default:
		if !b.count(2) {
			return
		}
		v := b.source(b.operand(1), simt.B32, check.B32)
		upper := b.named("shr.u32", v, b.Constant(simt.B32, uint64(partBits(from))))
		low, high = b.operation("cvt.f32."+from, v), b.operation("cvt.f32."+from, upper)
	}
	low, high = b.narrowed(low, "."+to, ".f32"), b.narrowed(high, "."+to, ".f32")
	if low != 0 && high != 0 {
		b.set(b.operand(0), b.joined(partBits(to), low, high))
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

// joined puts numbers of so many bits, the lowest first, side by side.
func (b *builder) joined(bits int, parts ...simt.ID) simt.ID {
	v := parts[0]
	for i, p := range parts[1:] {
		v = b.named("or.b32", v, b.named("shl.b32", p, b.Constant(simt.B32, uint64((i+1)*bits))))
	}
	return v
}

// convertStochastic builds cvt.rs: of two f32, or of four in a vector. The last operand is random bits.
func convertStochastic(b *builder) {
	if len(b.current.Operands) < 3 {
		b.count(3)
		return
	}
	to := b.inst.modifiers[len(b.inst.modifiers)-2]
	format, count := to[:len(to)-2], int(to[len(to)-1]-'0')
	sources, last := b.current.Operands[1:len(b.current.Operands)-1], len(b.current.Operands)-1
	if count == 4 {
		sources = b.vectorElements(b.operand(1))
	}
	if len(sources) != count || count == 4 && last != 2 {
		b.fail("its source has %s", diag.Count(len(sources), "element"))
		return
	}
	random := b.randomBits(b.source(b.operand(last), simt.B32, check.B32), count, format)
	parts := make([]simt.ID, count)
	for i := range sources { // the last is the lowest
		v := b.source(&sources[i], simt.B32, check.F32)
		parts[count-1-i] = b.limited(b.operation("cvt.rs."+format+".f32", v, random[i]), "."+format)
	}
	b.set(b.operand(0), b.joined(partBits(format), parts...))
}

// randomBits tells which random bits, from the lowest on, each of two or four numbers gets. Of four the first and the second share
// 16 bits, and the others the rest: the first and the third have them in reverse (ruling O11).
func (b *builder) randomBits(r simt.ID, count int, format string) (random []simt.ID) {
	if count == 2 {
		return []simt.ID{b.named("high.16", r), r}
	}
	if format == "e2m1" { // the upper bytes of the halves are for the first two numbers, the lower ones for the others
		r = b.named("prmt.b32", r, b.Constant(simt.B32, 0), b.Constant(simt.B32, 0x3120))
	}
	reverse := b.named("brev.b32", r)
	return []simt.ID{reverse, b.named("high.16", r), b.named("high.16", reverse), r}
}
