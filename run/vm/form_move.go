package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// moveForms are the moves between registers (PTX ISA 9.7.9.1).
var moveForms = []row{
	{"mov.pred", movePredicate},
	{"mov.(b16|u16|s16|f16|b32|u32|s32|f32|f16x2|b64|u64|s64|f64)", move},
}

func moveName(c class) string { return []string{"mov.32", "mov.64"}[c] }

// move builds mov: a copy, the packing of a vector's elements into one register, or
// their unpacking.
func move(b *builder) {
	t := b.inst.lastType()
	c := classOf(t)
	to, from := b.operand(0), b.operand(1)
	switch {
	case to.Kind == check.OpVector && from.Kind == check.OpVector:
		b.fail("both operands are vectors")
	case to.Kind == check.OpVector:
		b.unpack(to.Elems, b.source(from, c, t), t)
	case from.Kind == check.OpVector:
		b.pack(b.destination(to, c), from.Elems, t)
	default:
		b.emitPlain(moveName(c), b.destination(to, c), b.source(from, c, t))
	}
}

func movePredicate(b *builder) {
	d := b.destination(b.operand(0), flag)
	b.emitLogic1("mov", d, b.source(b.operand(1), flag, check.Pred))
}

// pieces is the type of each of n pieces of a value.
func pieces(t check.Type, n int) check.Type {
	switch t.Bits() / n {
	case 32:
		return check.B32
	case 16:
		return check.B16
	case 8:
		return check.B8
	}
	return check.NoType
}

// pack puts elements, the lowest first, together two by two.
func (b *builder) pack(d register, elems []check.Operand, t check.Type) {
	piece := pieces(t, max(len(elems), 1))
	if piece == check.NoType || !isPowerOfTwo(len(elems)) || len(elems) < 2 {
		b.fail("a vector of %s", diag.Count(len(elems), "element"))
		return
	}
	values := make([]register, len(elems))
	for i := range elems {
		values[i] = b.source(&elems[i], narrow, piece)
	}
	for width := piece.Bits(); len(values) > 2; width *= 2 {
		next := make([]register, len(values)/2)
		for i := range next {
			next[i] = b.newRegister(narrow)
			b.unguarded(func() { b.join(next[i], values[2*i], values[2*i+1], width) })
		}
		values = next
	}
	b.join(d, values[0], values[1], t.Bits()/2)
}

// join puts two values of a width together.
func (b *builder) join(d, low, high register, width int) {
	name := map[int]string{8: "pack.16", 16: "pack.32", 32: "pack.64"}[width]
	b.emitPlain(name, d, low, high)
}

// unpack takes a value apart into elements, the lowest first.
func (b *builder) unpack(elems []check.Operand, s register, t check.Type) {
	piece := pieces(t, max(len(elems), 1))
	if piece == check.NoType || !isPowerOfTwo(len(elems)) || len(elems) < 2 {
		b.fail("a vector of %s", diag.Count(len(elems), "element"))
		return
	}
	// One of the elements may be the source itself, so all are found before any is written.
	found := []register{s}
	for width := t.Bits(); len(found) < len(elems); width /= 2 {
		next := make([]register, 0, 2*len(found))
		for _, whole := range found {
			low, high := b.newRegister(narrow), b.newRegister(narrow)
			b.unguarded(func() { b.halve(low, high, whole, width) })
			next = append(next, low, high)
		}
		found = next
	}
	for i := range elems {
		if elems[i].Kind != check.OpSink {
			b.emitPlain("mov.32", b.destination(&elems[i], narrow), found[i])
		}
	}
}

// halve takes a value of a width apart. Bits above the halves do not matter.
func (b *builder) halve(low, high, whole register, width int) {
	lowName := "mov.32"
	if width == 64 {
		lowName = "narrow.32"
	}
	b.emitPlain(lowName, low, whole)
	b.emitPlain(map[int]string{64: "high.32", 32: "high.16", 16: "high.8"}[width], high, whole)
}
