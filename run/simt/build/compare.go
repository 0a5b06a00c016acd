package build

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// compareForms are comparison and selection (PTX ISA 9.7.6).
var compareForms = []row{
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
func (b *builder) comparison() simt.ID {
	t := b.inst.lastType()
	kind := simt.TypeOf(t)
	x, y := b.source(b.operand(1), kind, t), b.source(b.operand(2), kind, t)
	switch {
	case t == check.F16, t == check.BF16:
		return b.compareHalves(x, y, t)
	case t.IsFloat():
		return b.operation("setp."+b.inst.modifiers[0]+b.inst.flush()+t.String(), x, y)
	}
	return b.operation("setp."+comparisons[b.inst.modifiers[0]]+"."+integerName(t), x, y)
}

// flush is the part of an operation's name that .ftz makes.
func (f form) flush() string {
	if f.has("ftz") {
		return ".ftz"
	}
	return ""
}

// combined returns a comparison's result combined with a predicate, if the form asks for it.
func (b *builder) combined(result simt.ID) simt.ID {
	switch combine := b.inst.modifiers[1]; combine {
	case "and", "or", "xor":
		return b.operation(combine+".pred", result, b.predicate(3))
	}
	return result
}

// setPredicate builds setp: p|q = (a cmp b) op c, !(a cmp b) op c.
func setPredicate(b *builder) {
	p, q := b.operand(0), (*check.Operand)(nil)
	if p.Kind == check.OpPair {
		p, q = &p.Elems[0], &p.Elems[1]
	}
	result := b.comparison()
	if result == 0 {
		return
	}
	first, second := b.combined(result), simt.ID(0)
	if q != nil {
		second = b.combined(b.operation("not.pred", result))
	}
	b.set(p, first)
	if q != nil {
		b.set(q, second)
	}
}

// setWord builds set: all ones, or 1 as an f32, where the comparison holds, else 0.
func setWord(b *builder) {
	result := b.comparison()
	if result == 0 {
		return
	}
	b.set(b.operand(0), b.operation("selp.32", b.Constant(simt.B32, truths[b.inst.types()[0]]), b.Constant(simt.B32, 0), b.combined(result)))
}

// truths are what set gives of a type where the comparison holds: 1, or all ones in integers.
var truths = map[check.Type]uint64{
	check.U16: math.MaxUint16, check.S16: math.MaxUint16, check.U32: math.MaxUint32, check.S32: math.MaxUint32,
	check.F32: 0x3f800000, check.F16: 0x3c00, check.BF16: 0x3f80, check.F16x2: 0x3c00, check.BF16x2: 0x3f80,
}

// setHalves builds set of two halves at once. Of integers each half is 16 bits.
func setHalves(b *builder) {
	to, t := b.inst.types()[0], b.inst.lastType()
	yes := truths[to] & math.MaxUint16
	half := map[check.Type]check.Type{check.F16x2: check.F16, check.BF16x2: check.BF16}[t]
	x, y := b.source(b.operand(1), simt.B32, t), b.source(b.operand(2), simt.B32, t)
	low := b.compareHalves(x, y, half)
	high := b.compareHalves(b.named("high.16", x), b.named("high.16", y), half)
	if low == 0 || high == 0 {
		return
	}
	zero := b.Constant(simt.B32, 0)
	d := b.named("or.b32", b.named("selp.32", b.Constant(simt.B32, yes), zero, b.combined(low)), b.named("selp.32", b.Constant(simt.B32, yes<<16), zero, b.combined(high)))
	b.set(b.operand(0), d)
}

// selectPredicate builds selp.
func selectPredicate(b *builder) {
	t := b.inst.lastType()
	kind := simt.TypeOf(t)
	x, y := b.source(b.operand(1), kind, t), b.source(b.operand(2), kind, t)
	b.set(b.operand(0), b.operation("selp."+kind.String(), x, y, b.predicate(3)))
}

// selectSign builds slct: the sign of the last operand decides.
func selectSign(b *builder) {
	t, by := b.inst.types()[0], b.inst.lastType()
	kind := simt.TypeOf(t)
	x, y := b.source(b.operand(1), kind, t), b.source(b.operand(2), kind, t)
	b.set(b.operand(0), b.operation("slct."+kind.String()+b.inst.flush()+by.String(), x, y, b.source(b.operand(3), simt.B32, by)))
}
