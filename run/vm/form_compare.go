package vm

import "github.com/vop-ptx/vop/read/check"

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

// comparison emits the comparison of operands 1 and 2 to a predicate.
func (b *builder) comparison(d register) {
	t := b.inst.lastType()
	if t == check.F16 {
		b.compareHalves(d)
		return
	}
	c := classOf(t)
	name := "setp." + comparisons[b.inst.modifiers[0]] + "." + integerName(t)
	if t.IsFloat() {
		name = "setp." + b.inst.modifiers[0] + b.inst.flush() + t.String()
	}
	b.emitPlain(name, d, b.source(b.operand(1), c, t), b.source(b.operand(2), c, t))
}

// integerName is a type's name; untyped bits are compared as unsigned integers.
func integerName(t check.Type) string {
	switch t {
	case check.B8:
		return "u8"
	case check.B16, check.F16:
		return "u16"
	case check.B32, check.F32, check.F16x2:
		return "u32"
	case check.B64, check.F64:
		return "u64"
	}
	return t.String()[1:]
}

// setPredicate builds setp: p|q = (a cmp b) op c, !(a cmp b) op c.
func setPredicate(b *builder) {
	outputs := []*check.Operand{b.operand(0)}
	if outputs[0].Kind == check.OpPair {
		outputs = []*check.Operand{&outputs[0].Elems[0], &outputs[0].Elems[1]}
	}
	combine := b.inst.modifiers[1]
	_, combines := logic2s[combine]
	if !combines && len(outputs) == 1 {
		b.comparison(b.destination(outputs[0], flag))
		return
	}
	result := b.newRegister(flag)
	b.unguarded(func() { b.comparison(result) })
	other := noRegister
	if combines {
		other = b.source(b.operand(3), flag, check.Pred)
	}
	if len(outputs) == 1 {
		b.emitLogic2(combine, b.destination(outputs[0], flag), result, other)
		return
	}
	// The first predicate may be c, or the guard: what is written is found before anything is, and
	// the guard is written last.
	values := []register{result, b.invert(result)}
	if combines {
		for i, from := range values {
			values[i] = b.newRegister(flag)
			b.unguarded(func() { b.emitLogic2(combine, values[i], from, other) })
		}
	}
	p, q := b.destination(outputs[0], flag), b.destination(outputs[1], flag)
	if p == b.guard {
		b.emitLogic1("mov", q, values[1])
		b.emitLogic1("mov", p, values[0])
		return
	}
	b.emitLogic1("mov", p, values[0])
	b.emitLogic1("mov", q, values[1])
}

// flush is the part of an operation's name that .ftz makes.
func (f form) flush() string {
	if f.has("ftz") {
		return ".ftz"
	}
	return ""
}

// setWord builds set: all ones, or 1 as an f32, where the comparison holds, else 0.
func setWord(b *builder) {
	result := b.newRegister(flag)
	b.unguarded(func() { b.comparison(result) })
	if combine := b.inst.modifiers[1]; logic2s[combine] != nil {
		other := b.source(b.operand(3), flag, check.Pred)
		both := b.newRegister(flag)
		b.unguarded(func() { b.emitLogic2(combine, both, result, other) })
		result = both
	}
	d := b.destination(b.operand(0), narrow)
	yes := uint64(0xffffffff)
	if b.inst.types()[0] == check.F32 {
		yes = floatOne
	}
	b.emitPlain("selp.32", d, b.constant(narrow, yes), b.constant(narrow, 0), result)
}

// selectPredicate builds selp.
func selectPredicate(b *builder) {
	t := b.inst.lastType()
	c := classOf(t)
	d := b.destination(b.operand(0), c)
	x, y := b.source(b.operand(1), c, t), b.source(b.operand(2), c, t)
	b.emitPlain("selp."+[]string{"32", "64"}[c], d, x, y, b.source(b.operand(3), flag, check.Pred))
}

// selectSign builds slct: the sign of the last operand decides.
func selectSign(b *builder) {
	t := b.inst.types()[0]
	c := classOf(t)
	d := b.destination(b.operand(0), c)
	x, y := b.source(b.operand(1), c, t), b.source(b.operand(2), c, t)
	by := b.inst.lastType()
	b.emitPlain("slct."+[]string{"32", "64"}[c]+b.inst.flush()+by.String(), d, x, y, b.source(b.operand(3), narrow, by))
}
