package compute

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// compareForms are comparison and selection (PTX ISA 9.7.6).
var compareForms = builder.Table{
	{"setp.<cmp>{.(and|or|xor)}.(u16|u32|u64|s16|s32|s64|b16|b32|b64)", setPredicate},
	{"set.<cmp>{.(and|or|xor)}.(u32|s32).(u16|u32|u64|s16|s32|s64|b16|b32|b64)", setWord},
	{"selp.(b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64|f16)", selectPredicate},
	{"slct.(b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64).s32", selectSign},
}

// comparisons are the operations that comparisons are made with. lo to hi are lt to gt of
// unsigned integers.
var comparisons = map[string]string{
	"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
	"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge",
}

// comparison returns the comparison of operands 1 and 2.
func comparison(b *builder.Builder) simt.ID {
	t := b.Form.LastType()
	kind := simt.TypeOf(t)
	x, y := b.Source(b.Operand(1), kind, t), b.Source(b.Operand(2), kind, t)
	switch {
	case t == check.F16, t == check.BF16:
		return compareHalves(b, x, y, t)
	case t.IsFloat():
		return b.Operation("setp."+b.Form.Modifiers[0]+b.Form.Flush()+t.String(), x, y)
	}
	return b.Operation("setp."+comparisons[b.Form.Modifiers[0]]+"."+form.IntegerName(t), x, y)
}

// combined returns a comparison's result combined with a predicate, if the form asks for it.
func combined(b *builder.Builder, result simt.ID) simt.ID {
	switch combine := b.Form.Modifiers[1]; combine {
	case "and", "or", "xor":
		return b.Operation(combine+".pred", result, b.Predicate(3))
	}
	return result
}

// setPredicate builds setp: p|q = (a cmp b) op c, !(a cmp b) op c.
func setPredicate(b *builder.Builder) {
	p, q := b.Operand(0), (*check.Operand)(nil)
	if p.Kind == check.OpPair {
		p, q = &p.Elems[0], &p.Elems[1]
	}
	result := comparison(b)
	if result == 0 {
		return
	}
	first, second := combined(b, result), simt.ID(0)
	if q != nil {
		second = combined(b, b.Operation("not.pred", result))
	}
	b.Set(p, first)
	if q != nil {
		b.Set(q, second)
	}
}

// setWord builds set: all ones, or 1 as an f32, where the comparison holds, else 0.
func setWord(b *builder.Builder) {
	result := comparison(b)
	if result == 0 {
		return
	}
	b.Set(b.Operand(0), b.Operation("selp.32", b.Constant(simt.B32, truths[b.Form.Types()[0]]), b.Constant(simt.B32, 0), combined(b, result)))
}

// truths are what set gives of a type where the comparison holds: 1, or all ones in integers.
var truths = map[check.Type]uint64{
	check.U16: math.MaxUint16, check.S16: math.MaxUint16, check.U32: math.MaxUint32, check.S32: math.MaxUint32,
	check.F32: 0x3f800000, check.F16: 0x3c00, check.BF16: 0x3f80, check.F16x2: 0x3c00, check.BF16x2: 0x3f80,
}

// setHalves builds set of two halves at once. Of integers each half is 16 bits.
func setHalves(b *builder.Builder) {
	to, t := b.Form.Types()[0], b.Form.LastType()
	yes := truths[to] & math.MaxUint16
	half := map[check.Type]check.Type{check.F16x2: check.F16, check.BF16x2: check.BF16}[t]
	x, y := b.Source(b.Operand(1), simt.B32, t), b.Source(b.Operand(2), simt.B32, t)
	low := compareHalves(b, x, y, half)
	high := compareHalves(b, b.Named("high.16", x), b.Named("high.16", y), half)
	if low == 0 || high == 0 {
		return
	}
	zero := b.Constant(simt.B32, 0)
	d := b.Named("or.b32", b.Named("selp.32", b.Constant(simt.B32, yes), zero, combined(b, low)), b.Named("selp.32", b.Constant(simt.B32, yes<<16), zero, combined(b, high)))
	b.Set(b.Operand(0), d)
}

// selectPredicate builds selp.
func selectPredicate(b *builder.Builder) {
	t := b.Form.LastType()
	kind := simt.TypeOf(t)
	x, y := b.Source(b.Operand(1), kind, t), b.Source(b.Operand(2), kind, t)
	b.Set(b.Operand(0), b.Operation("selp."+kind.String(), x, y, b.Predicate(3)))
}

// selectSign builds slct: the sign of the last operand decides.
func selectSign(b *builder.Builder) {
	t, by := b.Form.Types()[0], b.Form.LastType()
	kind := simt.TypeOf(t)
	x, y := b.Source(b.Operand(1), kind, t), b.Source(b.Operand(2), kind, t)
	b.Set(b.Operand(0), b.Operation("slct."+kind.String()+b.Form.Flush()+by.String(), x, y, b.Source(b.Operand(3), simt.B32, by)))
}
