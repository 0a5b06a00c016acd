package compute

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// moveForms are the moves between registers (PTX ISA 9.7.9.1).
var moveForms = builder.Table{
	{"mov.pred", movePredicate},
	{"mov.(b16|u16|s16|f16|b32|u32|s32|f32|f16x2|b64|u64|s64|f64)", move},
	{"mov.b128", moveWide},
	{"mov.v2.(b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64)", moveVector},
	{"mov.v4.(b16|u16|s16|b32|u32|s32|f32)", moveVector},
}

// move builds mov: a copy, the packing of a vector's elements into one register, or
// their unpacking.
func move(b *builder.Builder) {
	t := b.Form.LastType()
	to, from := b.Operand(0), b.Operand(1)
	switch {
	case b.IsVector(to) && b.IsVector(from):
		b.Fail("both operands are vectors")
	case b.IsVector(to):
		unpack(b, b.Elements(to), b.Source(from, simt.TypeOf(t), t), t)
	case b.IsVector(from):
		b.Set(to, pack(b, b.Elements(from), t))
	default:
		b.Set(to, b.Source(from, simt.TypeOf(t), t))
	}
}

// moveWide builds mov of 128 bits: a copy, or packing and unpacking of two elements or four. All are read before any is written.
func moveWide(b *builder.Builder) {
	to, from := b.Operand(0), b.Operand(1)
	var halves []simt.ID
	switch {
	case b.IsVector(to) && b.IsVector(from):
		b.Fail("both operands are vectors")
		return
	case b.IsVector(from):
		elems := b.Elements(from)
		if n := len(elems); n != 2 && n != 4 {
			b.Fail("a vector of %s", diag.Count(n, "element"))
			return
		}
		for _, half := range split(elems) {
			if len(half) == 1 {
				halves = append(halves, b.Source(&half[0], simt.B64, check.B64))
			} else {
				halves = append(halves, pack(b, half, check.B64))
			}
		}
	default:
		for _, half := range b.Halves(from) {
			halves = append(halves, b.Source(&half, simt.B64, check.B64))
		}
	}
	if !b.IsVector(to) {
		for i, half := range b.Halves(to) {
			b.Set(&half, halves[i])
		}
		return
	}
	elems := b.Elements(to)
	if n := len(elems); n != 2 && n != 4 {
		b.Fail("a vector of %s", diag.Count(n, "element"))
		return
	}
	for i, half := range split(elems) {
		if len(half) == 1 {
			b.Set(&half[0], halves[i])
		} else {
			unpack(b, half, halves[i], check.B64)
		}
	}
}

// split returns the two halves of a list.
func split(elems []check.Operand) [2][]check.Operand {
	n := len(elems) / 2
	return [2][]check.Operand{elems[:n], elems[n:]}
}

// moveVector builds mov of vectors. An element that is written may be a source of another, so all are
// read before any is written.
func moveVector(b *builder.Builder) {
	t := b.Form.LastType()
	to, from := b.Elements(b.Operand(0)), b.Elements(b.Operand(1))
	if n := b.Form.Elements(); len(to) != n || len(from) != n {
		b.Fail("its operands have %d and %s", len(to), diag.Count(len(from), "element"))
		return
	}
	values := make([]simt.ID, len(from))
	for i := range from {
		values[i] = b.Source(&from[i], simt.TypeOf(t), t)
	}
	for i := range to {
		b.Set(&to[i], values[i])
	}
}

func movePredicate(b *builder.Builder) { b.Set(b.Operand(0), b.Predicate(1)) }

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
func canPack(b *builder.Builder, elems []check.Operand, t check.Type) (piece check.Type, ok bool) {
	piece = pieces(t, max(len(elems), 1))
	if n := len(elems); piece == check.NoType || n < 2 || n&(n-1) != 0 {
		b.Fail("a vector of %s", diag.Count(n, "element"))
		return piece, false
	}
	return piece, true
}

// pack puts elements, the lowest first, together two by two.
func pack(b *builder.Builder, elems []check.Operand, t check.Type) simt.ID {
	piece, ok := canPack(b, elems, t)
	if !ok {
		return 0
	}
	var values []simt.ID
	for i := range elems {
		values = append(values, b.Source(&elems[i], simt.B32, piece))
	}
	for width := piece.Bits(); len(values) > 1; width *= 2 {
		name := map[int]string{8: "pack.16", 16: "pack.32", 32: "pack.64"}[width]
		for i := range len(values) / 2 {
			values[i] = b.Operation(name, values[2*i], values[2*i+1])
		}
		values = values[:len(values)/2]
	}
	return values[0]
}

// unpack takes a value apart into elements, the lowest first. One of the elements may be the
// source itself, so all are found before any is written.
func unpack(b *builder.Builder, elems []check.Operand, v simt.ID, t check.Type) {
	if _, ok := canPack(b, elems, t); !ok {
		return
	}
	found := []simt.ID{v}
	for width := t.Bits(); len(found) < len(elems); width /= 2 {
		var next []simt.ID
		for _, whole := range found {
			low := whole // bits above the lower half do not matter
			if width == 64 {
				low = b.Operation("narrow.32", whole)
			}
			high := map[int]string{64: "high.32", 32: "high.16", 16: "high.8"}[width]
			next = append(next, low, b.Operation(high, whole))
		}
		found = next
	}
	for i := range elems {
		b.Set(&elems[i], found[i])
	}
}
