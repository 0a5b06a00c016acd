package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// isTop reports whether a part is the top byte or half of its word.
func isTop(sel isa.Part) bool { return sel.Shift()+sel.Bits() == 32 && sel != isa.Word }

// compareOnTop compares two parts; ok is false where none stands so that it helps. With
// anything below y, x > y if x with zeros below is the larger word; with anything below x, if y
// with ones below is the smaller one.
func (b *lowering) compareOnTop(f isa.Form) (t packed.Truth, ok bool) {
	x, y, xSel, ySel := b.Input(0), b.Input(1), f.ASel, f.BSel
	t = packed.Truth{Full: true, Not: f.Cmp == isa.Ne || f.Cmp == isa.Le || f.Cmp == isa.Ge}
	op := word.CmpLtU
	if f.AType.Signed() {
		op = word.CmpLtS
	}
	switch f.Cmp {
	case isa.Eq, isa.Ne:
		if isTop(xSel) && isTop(ySel) {
			t.V = b.Do(word.CmpLtU, b.Xor(x, y), b.Con(1<<(32-ySel.Bits())))
			return t, true
		}
		return t, false
	case isa.Lt, isa.Ge:
		x, y, xSel, ySel = y, x, ySel, xSel
	}
	switch {
	case isTop(ySel):
		t.V = b.Do(op, y, b.raisedOn(x, xSel, 0))
	case isTop(xSel):
		t.V = b.Do(op, b.raisedOn(y, ySel, 0xffffffff), x)
	default:
		return t, false
	}
	return t, true
}

// sumsOfLowBits reports whether only bits of a sum matter that depend on nothing above one of the parts, or both.
func (b *lowering) sumsOfLowBits(f isa.Form) bool {
	kind := f.Op.Kind()
	return (kind == isa.Add || kind == isa.Sub) && !f.Sat && f.DSel != isa.Word &&
		f.DSel.Bits() <= max(f.ASel.Bits(), f.BSel.Bits()) &&
		(b.reading == isa.Manual || f.DSel != isa.H1) // rule Q1 takes the high half
}

// loweredFor is a part of an operand, with anything above it if only as many bits of a sum matter as it has.
func (b *lowering) loweredFor(d isa.Part, operand int, sel isa.Part, typ isa.Type) stage.Term {
	if d.Bits() > sel.Bits() {
		return b.part(b.Input(operand), sel, typ)
	}
	return stage.Whole(32, b.ShrU(b.Input(operand), uint32(sel.Shift())), typ.Signed())
}

// raisedOn returns a part on top of a word whose other bits are those of a constant.
func (b *lowering) raisedOn(v word.Value, sel isa.Part, below uint32) word.Value {
	var picks [4]builder.Pick
	size := sel.Bits() / 8
	for i := range picks {
		picks[i] = builder.ByteOf(b.Con(below), i)
		if at := i - (4 - size); at >= 0 {
			picks[i] = builder.ByteOf(v, sel.Shift()/8+at)
		}
	}
	return b.Bytes(picks)
}

// alikeParts reports whether a and b are shorter than a word, of one width and type.
func alikeParts(f isa.Form) bool {
	return f.ASel != isa.Word && f.ASel.Bits() == f.BSel.Bits() && f.AType == f.BType
}
