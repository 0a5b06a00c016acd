package compute

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// integerForms are integer arithmetic (PTX ISA 9.7.1), and
// the logic and shift instructions (9.7.8).
var integerForms = builder.Table{
	{"add.<int>", plain("w:ww")},
	{"add.sat.s32", plain("i:ii")},
	{"sub.<int>", plain("w:ww")},
	{"sub.sat.s32", plain("i:ii")},
	{"mul.(lo|hi).<int>", plain("w:ww")},
	{"mul.wide.(u16|s16)", plain("i:ii")},
	{"mul.wide.(u32|s32)", plain("l:ii")},
	{"mul24.(lo|hi).(u32|s32)", plain("i:ii")},
	{"mad.(lo|hi).<int>", plain("w:www")},
	{"mad.wide.(u16|s16)", plain("i:iii")},
	{"mad.wide.(u32|s32)", plain("l:iil")},
	{"mad24.(lo|hi).(u32|s32)", multiplyAdd24},
	{"sad.<int>", plain("w:www")},
	{"div.<int>", plain("w:ww")},
	{"rem.<int>", plain("w:ww")},
	{"abs.(s16|s32|s64)", plain("w:w")},
	{"neg.(s16|s32|s64)", plain("w:w")},
	{"min.<int>", plain("w:ww")},
	{"max.<int>", plain("w:ww")},
	{"mad.hi.sat.s32", addSaturated},
	{"mad24.hi.sat.s32", addSaturated},
	{"add.sat.u32", addSaturatedUnsigned},
	{"min.relu.s32", rectified},
	{"max.relu.s32", rectified},

	{"add{.sat}.(u16x2|s16x2|u8x4|s8x4)", packed},
	{"sub{.sat}.(u8x4|s8x4)", packed},
	{"neg.s8x4", negateBytes},
	{"min.(u16x2|u8x4)", packed},
	{"max.(u16x2|u8x4)", packed},
	{"min{.relu}.(s16x2|s8x4)", rectified},
	{"max{.relu}.(s16x2|s8x4)", rectified},

	{"and.<bits>", plain("w:ww")},
	{"or.<bits>", plain("w:ww")},
	{"xor.<bits>", plain("w:ww")},
	{"not.<bits>", plain("w:w")},
	{"cnot.<bits>", plain("w:w")},
	{"and.pred", predicates},
	{"or.pred", predicates},
	{"xor.pred", predicates},
	{"not.pred", invertPredicate},
	{"shl.<bits>", plain("w:wi")},
	{"shr.<int>", plain("w:wi")},
	{"shr.<bits>", named("w:wi", unsignedName)},
	{"shf.(l|r).(clamp|wrap).b32", plain("i:iii")},
	{"lop3.b32", plain("i:iiii")},
	{"lop3.(and|or).b32", logicPredicate},

	{"popc.(b32|b64)", plain("i:w")},
	{"clz.(b32|b64)", plain("i:w")},
	{"brev.(b32|b64)", plain("w:w")},
	{"bfind{.shiftamt}.(u32|s32|u64|s64)", plain("i:w")},
	{"bfe.(u32|s32|u64|s64)", plain("w:wii")},
	{"bfi.(b32|b64)", plain("w:wwii")},
	{"szext.(clamp|wrap).(u32|s32)", extend},
	{"bmsk.(clamp|wrap).b32", plain("i:ii")},
	{"fns.b32", plain("i:iii")},
	{"prmt.b32{.(f4e|b4e|rc8|ecl|ecr|rc16)}", plain("i:iii")},
	{"dp4a.(u32|s32).(u32|s32)", plain("i:iii")},
	{"dp2a.(lo|hi).(u32|s32).(u32|s32)", plain("i:iii")},
}

// unsignedName is the name of the operation on unsigned integers that does what the form
// says of untyped bits.
func unsignedName(f form.Form) string {
	return f.Name + ".u" + f.Modifiers[len(f.Modifiers)-1][1:]
}

// multiplyAdd24 builds mad24 as a product and a sum.
func multiplyAdd24(b *builder.Builder) {
	s := b.Sources(1, simt.B32, b.Form.LastType())
	if b.Count(4) {
		product := b.Operation("mul24."+b.Form.Modifiers[0]+"."+b.Form.Modifiers[1], s[0], s[1])
		b.Set(b.Operand(0), b.Operation("add.u32", product, s[2]))
	}
}

// predicates builds an operation on two predicates.
func predicates(b *builder.Builder) {
	b.Set(b.Operand(0), b.Operation(b.Form.Name+".pred", b.Predicate(1), b.Predicate(2)))
}

func invertPredicate(b *builder.Builder) {
	b.Set(b.Operand(0), b.Operation("not.pred", b.Source(b.Operand(1), simt.Pred, check.Pred)))
}

// addSaturated builds mad.hi and mad24.hi with .sat: the product, and a sum that stays in range.
func addSaturated(b *builder.Builder) {
	if !b.Count(4) {
		return
	}
	s := b.Sources(1, simt.B32, check.S32)
	b.Set(b.Operand(0), b.Operation("add.sat.s32", b.Operation(map[string]string{"mad": "mul.hi.s32", "mad24": "mul24.hi.s32"}[b.Form.Name], s[0], s[1]), s[2]))
}

// addSaturatedUnsigned builds add.sat.u32: where the sum is less than an operand, it has wrapped.
func addSaturatedUnsigned(b *builder.Builder) {
	if !b.Count(3) {
		return
	}
	s := b.Sources(1, simt.B32, check.U32)
	sum := b.Named("add.u32", s[0], s[1])
	b.Set(b.Operand(0), b.Named("selp.32", b.Constant(simt.B32, 1<<32-1), sum, b.Named("setp.lt.u32", sum, s[0])))
}

// extend builds szext (9.7.1.21): the field of so many bits, from the lowest on. With .clamp all 32 may be taken.
func extend(b *builder.Builder) {
	if !b.Count(3) {
		return
	}
	s := b.Sources(1, simt.B32, check.B32)
	size := b.Named("and.b32", s[1], b.Constant(simt.B32, 31))
	if b.Form.Has("clamp") {
		size = b.Named("min.u32", s[1], b.Constant(simt.B32, 32))
	}
	b.Set(b.Operand(0), b.Operation("bfe."+b.Form.LastType().String()[1:], s[0], b.Constant(simt.B32, 0), size))
}

// logicPredicate builds lop3 with a predicate besides: whether the result is not 0, combined with another one.
func logicPredicate(b *builder.Builder) {
	o := b.Operand(0)
	if o.Kind != check.OpPair || !b.Count(6) {
		b.Fail("its destination is not a pair")
		return
	}
	args := make([]simt.ID, 4)
	for i := range args {
		args[i] = b.Source(b.Operand(1+i), simt.B32, check.B32)
	}
	d := b.Operation("lop3.b32", args...)
	if d == 0 {
		return
	}
	p := b.Operation(b.Form.Modifiers[0]+".pred", b.Named("setp.ne.u32", d, b.Constant(simt.B32, 0)), b.Predicate(5))
	b.Set(&o.Elems[0], d)
	b.Set(&o.Elems[1], p)
}
