package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// moveForms are the moves between registers (PTX ISA 9.7.9.1).
var moveForms = []row{
	{"mov.pred", movePredicate},
	{"mov.(b16|u16|s16|f16|b32|u32|s32|f32|f16x2|b64|u64|s64|f64)", move},
	{"mov.(v2|v4).(b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64)", moveVector},
}

// move builds mov: a copy, the packing of a vector's elements into one register, or
// their unpacking.
func move(b *builder) {
	t := b.inst.lastType()
	to, from := b.operand(0), b.operand(1)
	switch {
	case b.isVector(to) && b.isVector(from):
		b.fail("both operands are vectors")
	case b.isVector(to):
		b.unpack(b.vectorElements(to), b.source(from, simt.TypeOf(t), t), t)
	case b.isVector(from):
		b.set(to, b.pack(b.vectorElements(from), t))
	default:
		b.set(to, b.source(from, simt.TypeOf(t), t))
	}
}

// moveVector builds mov of vectors. An element that is written may be a source of another, so all are
// read before any is written.
func moveVector(b *builder) {
	t := b.inst.lastType()
	to, from := b.vectorElements(b.operand(0)), b.vectorElements(b.operand(1))
	if n := b.inst.elements(); len(to) != n || len(from) != n {
		b.fail("its operands have %d and %s", len(to), diag.Count(len(from), "element"))
		return
	}
	values := make([]simt.ID, len(from))
	for i := range from {
		values[i] = b.source(&from[i], simt.TypeOf(t), t)
	}
	for i := range to {
		b.set(&to[i], values[i])
	}
}

func movePredicate(b *builder) { b.set(b.operand(0), b.predicate(1)) }

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

// canPack reports whether a value of a type can be made of so many elements.
func (b *builder) canPack(elems []check.Operand, t check.Type) (piece check.Type, ok bool) {
	piece = pieces(t, max(len(elems), 1))
	if n := len(elems); piece == check.NoType || n < 2 || n&(n-1) != 0 {
		b.fail("a vector of %s", diag.Count(n, "element"))
		return piece, false
	}
	return piece, true
}

// pack puts elements, the lowest first, together two by two.
func (b *builder) pack(elems []check.Operand, t check.Type) simt.ID {
	piece, ok := b.canPack(elems, t)
	if !ok {
		return 0
	}
	var values []simt.ID
	for i := range elems {
		values = append(values, b.source(&elems[i], simt.B32, piece))
	}
	for width := piece.Bits(); len(values) > 1; width *= 2 {
		name := map[int]string{8: "pack.16", 16: "pack.32", 32: "pack.64"}[width]
		for i := range len(values) / 2 {
			values[i] = b.operation(name, values[2*i], values[2*i+1])
		}
		values = values[:len(values)/2]
	}
	return values[0]
}

// unpack takes a value apart into elements, the lowest first. One of the elements may be the
// source itself, so all are found before any is written.
func (b *builder) unpack(elems []check.Operand, v simt.ID, t check.Type) {
	if _, ok := b.canPack(elems, t); !ok {
		return
	}
	found := []simt.ID{v}
	for width := t.Bits(); len(found) < len(elems); width /= 2 {
		var next []simt.ID
		for _, whole := range found {
			low := whole // bits above the lower half do not matter
			if width == 64 {
				low = b.operation("narrow.32", whole)
			}
			high := map[int]string{64: "high.32", 32: "high.16", 16: "high.8"}[width]
			next = append(next, low, b.operation(high, whole))
		}
		found = next
	}
	for i := range elems {
		b.set(&elems[i], found[i])
	}
}
