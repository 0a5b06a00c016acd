package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Parts that stand on top of their word are compared there: words whose top bytes differ are
// in the order of those, whatever stands below. So nothing is extracted, or only one of two.

// raised returns a part on top of a word, with anything below.
func (b *Builder) raised(v word.Value, shift int, width builder.Lanes) word.Value {
	return b.Shl(v, uint32(32-int(width)-shift))
}

// A Place is a part of an operand: the value, the part's lowest bit and its width, and whether it has a sign.
type Place struct {
	V      word.Value
	Shift  int
	Width  builder.Lanes
	Signed bool
}

// PlaceOf returns the place of the part that a scalar instruction selects of an operand.
func PlaceOf(operand word.Value, sel isa.Part, typ isa.Type) Place {
	return Place{operand, sel.Shift(), builder.Lanes(sel.Bits()), typ.Signed()}
}

// isTop reports whether a place is on top of its word.
func (p Place) isTop() bool { return p.Shift+int(p.Width) == 32 }

// PartAt returns what stands at a place, extended to a word.
func (b *Builder) PartAt(p Place) Term { return b.PartTerm(p.V, p.Shift, p.Width, p.Signed) }

// ExtremeOnTop is the minimum or maximum of two parts, as that of words: of numbers with anything below the part of which
// the greater number is on top. ok is false where the greater part stands elsewhere, and no part of its width on top.
func (b *Builder) ExtremeOnTop(kind isa.Kind, p, q Place) (t Term, ok bool) {
	width := max(p.Width, q.Width)
	if width == 32 || !(p.isTop() && p.Width == width) && !(q.isTop() && q.Width == width) {
		return Term{}, false
	}
	x, y := b.raisedTerm(p, width), b.raisedTerm(q, width)
	if kind == isa.Min {
		t = b.Minimum(32, x, y)
	} else {
		t = b.Maximum(32, x, y)
	}
	down := word.ShrU
	if t.Signed {
		down = word.ShrS
	}
	shift := uint32(32 - width)
	s := Span{t.Lo, t.Hi}.Shifted(uint(shift))
	return Term{V: b.Do(down, t.V, b.Con(shift)), Signed: t.Signed, Lo: s.Lo, Hi: s.Hi}, true
}

// CanStayInPlace reports whether InPlace can compute with two parts: those without a sign and of one width.
func (b *Builder) CanStayInPlace(p, q Place) bool {
	return b.Caps.PTX && !p.Signed && !q.Signed && p.Width == q.Width && p.Width < 32 && b.Caps.Has(word.SadU)
}

// InPlace is the minimum, maximum or distance of two parts without a sign where the first one stands: of its word and the same word with the other part
// in that place, which differ in nothing else.
func (b *Builder) InPlace(kind isa.Kind, p, q Place) Term {
	var picks [4]builder.Pick
	for i := range picks {
		picks[i] = builder.ByteOf(p.V, i)
		if at := i - p.Shift/8; at >= 0 && at < int(p.Width)/8 {
			picks[i] = builder.ByteOf(q.V, q.Shift/8+at)
		}
	}
	other := b.Bytes(picks)
	switch kind {
	case isa.Min:
		return b.PartTerm(b.Do(word.MinU, p.V, other), p.Shift, p.Width, false)
	case isa.Max:
		return b.PartTerm(b.Do(word.MaxU, p.V, other), p.Shift, p.Width, false)
	}
	distance := b.Do(word.SadU, p.V, other, b.Con(0)) // nothing stands beside it
	return Term{V: b.ShrU(distance, uint32(p.Shift)), Lo: 0, Hi: 1<<p.Width - 1}
}

// raisedTerm returns the number of a part with a part of some width on top: with anything below if that is its
// own width, else with zeros.
func (b *Builder) raisedTerm(p Place, width builder.Lanes) Term {
	if p.Width == width {
		return Whole(32, b.raised(p.V, p.Shift, width), p.Signed)
	}
	picks := builder.PartOf(p.V, p.Shift, int(p.Width), p.Signed)
	size := (32 - int(width)) / 8
	var raised [4]builder.Pick
	for i := range raised {
		raised[i] = builder.ZeroByte
		if i >= size {
			raised[i] = picks[i-size]
		}
	}
	t := b.PartAt(p)
	return Term{V: b.Bytes(raised), Signed: p.Signed, Lo: t.Lo << (32 - width), Hi: t.Hi << (32 - width)}
}

// PartTerm is the part of a value that is width bits long and starts at bit shift.
func (b *Builder) PartTerm(v word.Value, shift int, width builder.Lanes, signed bool) Term {
	t := b.Bounded(32, b.Bytes(builder.PartOf(v, shift, int(width), signed)), signed)
	lo, hi := Range(width, signed)
	t.Lo, t.Hi = max(t.Lo, lo), min(t.Hi, hi)
	return t
}
