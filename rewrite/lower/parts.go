package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Parts that stand on top of their word are compared there: words whose top bytes differ are
// in the order of those, whatever stands below. So nothing is extracted, or only one of two.

// isTop reports whether a part is the top byte or half of its word.
func isTop(sel isa.Part) bool { return sel.Shift()+sel.Bits() == 32 && sel != isa.Word }

// alikeParts reports whether a and b are shorter than a word, of one width and type.
func alikeParts(f isa.Form) bool {
	return f.ASel != isa.Word && f.ASel.Bits() == f.BSel.Bits() && f.AType == f.BType
}

// raised returns a part on top of a word, with anything below.
func (b *builder) raised(v word.Value, shift int, width lanes) word.Value {
	return b.shl(v, uint32(32-int(width)-shift))
}

// raisedOn returns a part on top of a word whose other bits are those of a constant.
func (b *builder) raisedOn(v word.Value, sel isa.Part, below uint32) word.Value {
	var picks [4]pick
	size := sel.Bits() / 8
	for i := range picks {
		picks[i] = byteOf(b.con(below), i)
		if at := i - (4 - size); at >= 0 {
			picks[i] = byteOf(v, sel.Shift()/8+at)
		}
	}
	return b.bytes(picks)
}

// A place is a part of an operand: the value, the part's lowest bit and its width, and whether it has a sign.
type place struct {
	v      word.Value
	shift  int
	width  lanes
	signed bool
}

// isTop reports whether a place is on top of its word.
func (p place) isTop() bool { return p.shift+int(p.width) == 32 }

// partAt returns what stands at a place, extended to a word.
func (b *builder) partAt(p place) term { return b.partTerm(p.v, p.shift, p.width, p.signed) }

// extremeOnTop is the minimum or maximum of two parts, as that of words: of numbers with anything below the part of which
// the greater number is on top. ok is false where the greater part stands elsewhere, and no part of its width on top.
func (b *builder) extremeOnTop(kind isa.Kind, p, q place) (t term, ok bool) {
	width := max(p.width, q.width)
	if width == 32 || !(p.isTop() && p.width == width) && !(q.isTop() && q.width == width) {
		return term{}, false
	}
	x, y := b.raisedTerm(p, width), b.raisedTerm(q, width)
	if kind == isa.Min {
		t = b.minimum(32, x, y)
	} else {
		t = b.maximum(32, x, y)
	}
	down := word.ShrU
	if t.signed {
		down = word.ShrS
	}
	shift := uint32(32 - width)
	s := span{t.lo, t.hi}.shifted(uint(shift))
	return term{v: b.do(down, t.v, b.con(shift)), signed: t.signed, lo: s.lo, hi: s.hi}, true
}

// canStayInPlace reports whether inPlace can compute with two parts: those without a sign and of one width.
func (b *builder) canStayInPlace(p, q place) bool {
	return b.caps.PTX && !p.signed && !q.signed && p.width == q.width && p.width < 32 && b.caps.Has(word.SadU)
}

// inPlace is the minimum, maximum or distance of two parts without a sign where the first one stands: of its word and the same word with the other part
// in that place, which differ in nothing else.
func (b *builder) inPlace(kind isa.Kind, p, q place) term {
	var picks [4]pick
	for i := range picks {
		picks[i] = byteOf(p.v, i)
		if at := i - p.shift/8; at >= 0 && at < int(p.width)/8 {
			picks[i] = byteOf(q.v, q.shift/8+at)
		}
	}
	other := b.bytes(picks)
	switch kind {
	case isa.Min:
		return b.partTerm(b.do(word.MinU, p.v, other), p.shift, p.width, false)
	case isa.Max:
		return b.partTerm(b.do(word.MaxU, p.v, other), p.shift, p.width, false)
	}
	distance := b.do(word.SadU, p.v, other, b.con(0)) // nothing stands beside it
	return term{v: b.shrU(distance, uint32(p.shift)), lo: 0, hi: 1<<p.width - 1}
}

// raisedTerm returns the number of a part with a part of some width on top: with anything below if that is its
// own width, else with zeros.
func (b *builder) raisedTerm(p place, width lanes) term {
	if p.width == width {
		return whole(32, b.raised(p.v, p.shift, width), p.signed)
	}
	picks := partOf(p.v, p.shift, int(p.width), p.signed)
	size := (32 - int(width)) / 8
	var raised [4]pick
	for i := range raised {
		raised[i] = zeroByte
		if i >= size {
			raised[i] = picks[i-size]
		}
	}
	t := b.partAt(p)
	return term{v: b.bytes(raised), signed: p.signed, lo: t.lo << (32 - width), hi: t.hi << (32 - width)}
}

// compareOnTop compares two parts; ok is false where none stands so that it helps. With
// anything below y, x > y if x with zeros below is the larger word; with anything below x, if y
// with ones below is the smaller one.
func (b *builder) compareOnTop(f isa.Form) (t truth, ok bool) {
	x, y, xSel, ySel := b.input(0), b.input(1), f.ASel, f.BSel
	t = truth{full: true, not: f.Cmp == isa.Ne || f.Cmp == isa.Le || f.Cmp == isa.Ge}
	op := word.CmpLtU
	if f.AType.Signed() {
		op = word.CmpLtS
	}
	switch f.Cmp {
	case isa.Eq, isa.Ne:
		if isTop(xSel) && isTop(ySel) {
			t.v = b.do(word.CmpLtU, b.xor(x, y), b.con(1<<(32-ySel.Bits())))
			return t, true
		}
		return t, false
	case isa.Lt, isa.Ge:
		x, y, xSel, ySel = y, x, ySel, xSel
	}
	switch {
	case isTop(ySel):
		t.v = b.do(op, y, b.raisedOn(x, xSel, 0))
	case isTop(xSel):
		t.v = b.do(op, b.raisedOn(y, ySel, 0xffffffff), x)
	default:
		return t, false
	}
	return t, true
}

// sumsOfLowBits reports whether only bits of a sum matter that depend on nothing above one of the parts, or both.
func (b *builder) sumsOfLowBits(f isa.Form) bool {
	kind := f.Op.Kind()
	return (kind == isa.Add || kind == isa.Sub) && !f.Sat && f.DSel != isa.Word &&
		f.DSel.Bits() <= max(f.ASel.Bits(), f.BSel.Bits()) &&
		(b.reading == isa.Manual || f.DSel != isa.H1) // rule Q1 takes the high half
}

// loweredFor is a part of an operand, with anything above it if only as many bits of a sum matter as it has.
func (b *builder) loweredFor(d isa.Part, operand int, sel isa.Part, typ isa.Type) term {
	if d.Bits() > sel.Bits() {
		return b.part(b.input(operand), sel, typ)
	}
	return whole(32, b.shrU(b.input(operand), uint32(sel.Shift())), typ.Signed())
}
