package compute

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// brainForms are arithmetic of bf16 and of two bf16 in a word (PTX ISA 9.7.4), the forms of f16 that came with it, and
// arithmetic of several formats at once (9.7.5).
var brainForms = builder.Table{
	{"add{.rn}.(bf16|bf16x2)", named("i:ii", nearest)},
	{"sub{.rn}.(bf16|bf16x2)", named("i:ii", nearest)},
	{"mul{.rn}.(bf16|bf16x2)", named("i:ii", nearest)},
	{"fma.rn{.relu}.(bf16|bf16x2)", named("i:iii", nearest)},
	{"fma.rn.oob{.relu}.(f16|f16x2|bf16|bf16x2)", named("i:iii", nearest)},
	{"neg.(bf16|bf16x2)", plain("i:i")},
	{"abs.(bf16|bf16x2)", plain("i:i")},
	{"min{.NaN}.(bf16|bf16x2)", plain("i:ii")},
	{"max{.NaN}.(bf16|bf16x2)", plain("i:ii")},
	{"min{.NaN}.xorsign.abs.(bf16|bf16x2)", plain("i:ii")},
	{"max{.NaN}.xorsign.abs.(bf16|bf16x2)", plain("i:ii")},
	{"min{.ftz}{.NaN}.xorsign.abs.(f16|f16x2)", plain("i:ii")},
	{"max{.ftz}{.NaN}.xorsign.abs.(f16|f16x2)", plain("i:ii")},
	{"min{.ftz}{.NaN}.xorsign.abs.f32", signedExtreme},
	{"max{.ftz}{.NaN}.xorsign.abs.f32", signedExtreme},
	{"tanh.approx.(f16|f16x2|bf16|bf16x2)", plain("i:i")},
	{"ex2.approx.(f16|f16x2)", plain("i:i")},
	{"ex2.approx.ftz.(f16|f16x2|bf16|bf16x2)", powerOfTwo},

	{"setp.<fcmp>{.(and|or|xor)}.bf16", setPredicate},
	{"setp.<fcmp>{.(and|or|xor)}{.ftz}.f16x2", setPredicates},
	{"setp.<fcmp>{.(and|or|xor)}.bf16x2", setPredicates},

	{"add{.<round>}{.sat}.f32.(f16|bf16)", mixed},
	{"sub{.<round>}{.sat}.f32.(f16|bf16)", mixed},
	{"fma.<round>{.sat}.f32.(f16|bf16)", mixed},
	{"add{.<round>}{.ftz}.f32x2", singles},
	{"sub{.<round>}{.ftz}.f32x2", singles},
	{"mul{.<round>}{.ftz}.f32x2", singles},
	{"fma.<round>{.ftz}.f32x2", singles},
}

// signedExtreme builds min and max of f32 with .xorsign.abs: that of the magnitudes, with the sign that the operands'
// signs have by xor, but for a NaN.
func signedExtreme(b *builder.Builder) {
	if !b.Count(3) {
		return
	}
	s := b.Sources(1, simt.B32, check.F32)
	magnitude, sign := b.Constant(simt.B32, 1<<31-1), b.Constant(simt.B32, 1<<31)
	m := b.Operation(b.Form.Without("xorsign", "abs"), b.Named("and.b32", s[0], magnitude), b.Named("and.b32", s[1], magnitude))
	if m == 0 {
		return
	}
	with := b.Named("or.b32", m, b.Named("and.b32", b.Named("xor.b32", s[0], s[1]), sign))
	b.Set(b.Operand(0), b.Named("selp.32", with, m, b.Named("setp.num.f32", m, m)))
}

// powerOfTwo builds ex2.approx.ftz of halves. The power of a subnormal number is 1, flushed or not.
func powerOfTwo(b *builder.Builder) {
	t := b.Form.LastType()
	b.Set(b.Operand(0), b.Operation("flush"+t.String(), b.Operation("ex2.approx"+t.String(), b.Source(b.Operand(1), simt.B32, t))))
}

// setPredicates builds setp of two halves at once: p is for the lower ones, q for the upper ones.
func setPredicates(b *builder.Builder) {
	o := b.Operand(0)
	if o.Kind != check.OpPair {
		b.Fail("its destination is one predicate, and there are two results")
		return
	}
	t := b.Form.LastType()
	x, y := b.Source(b.Operand(1), simt.B32, t), b.Source(b.Operand(2), simt.B32, t)
	half := map[check.Type]check.Type{check.F16x2: check.F16, check.BF16x2: check.BF16}[t]
	first := compareHalves(b, x, y, half)
	second := compareHalves(b, b.Named("high.16", x), b.Named("high.16", y), half)
	if first == 0 || second == 0 {
		return
	}
	p, q := combined(b, first), combined(b, second)
	b.Set(&o.Elems[0], p)
	b.Set(&o.Elems[1], q)
}

// compareHalves compares f16 or bf16 as the f32 that have the same values.
func compareHalves(b *builder.Builder, x, y simt.ID, t check.Type) simt.ID {
	if b.Form.Has("ftz") {
		x, y = b.Operation("flush"+t.String(), x), b.Operation("flush"+t.String(), y)
	}
	return b.Operation("setp."+b.Form.Modifiers[0]+".f32", b.Operation("cvt.f32"+t.String(), x), b.Operation("cvt.f32"+t.String(), y))
}

// mixed builds add, sub and fma of f32 whose factors or first operand are halves.
func mixed(b *builder.Builder) {
	n := map[bool]int{true: 4, false: 3}[b.Form.Name == "fma"]
	if !b.Count(n) {
		return
	}
	half := b.Form.LastType()
	var args []simt.ID
	for i := 1; i < n; i++ {
		if i == n-1 {
			args = append(args, b.Source(b.Operand(i), simt.B32, check.F32))
			continue
		}
		args = append(args, b.Operation("cvt.f32"+half.String(), b.Source(b.Operand(i), simt.B32, half)))
	}
	f := form.Form{Name: b.Form.Name, Modifiers: b.Form.Modifiers[:len(b.Form.Modifiers)-1]}
	b.Set(b.Operand(0), b.Operation(rounded(f), args...))
}

// singles builds arithmetic of the two f32 in a register of 64 bits.
func singles(b *builder.Builder) {
	n := map[bool]int{true: 4, false: 3}[b.Form.Name == "fma"]
	if !b.Count(n) {
		return
	}
	name := strings.TrimSuffix(rounded(b.Form), "x2")
	var low, high []simt.ID
	for i := 1; i < n; i++ {
		x := b.Source(b.Operand(i), simt.B64, check.B64)
		low, high = append(low, b.Named("narrow.32", x)), append(high, b.Named("high.32", x))
	}
	b.Set(b.Operand(0), b.Operation("pack.64", b.Operation(name, low...), b.Operation(name, high...)))
}
