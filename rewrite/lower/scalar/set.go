package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// setWithoutPredicate is vset by what x and y differ by, on PTX targets. ok is false where another way is to be taken.
func (b *lowering) setWithoutPredicate(f isa.Form, x, y stage.Term) (v word.Value, ok bool) {
	if !b.Caps.PTX {
		return 0, false
	}
	if f.DSel.Bits() == 8 || f.DSel != isa.Word && (b.reading == isa.Manual || f.DSel != isa.H1) { // rule Q1 takes the high half
		width := builder.Lanes(f.DSel.Bits())
		if v, ok := b.TruthOnTop(width, f.Cmp, x, y); ok && (width == 8 || b.Choose(2) == 1) {
			return b.inserted(f.DSel, v, (32-int(width))/8), true
		}
	}
	way := 0
	if f.Cmp == isa.Eq || f.Cmp == isa.Ne {
		way = b.Choose(4)
	}
	switch way {
	case 3:
		p, q := stage.PlaceOf(b.Input(0), f.ASel, f.AType), stage.PlaceOf(b.Input(1), f.BSel, f.BType)
		var at int
		if v, at, ok = b.EqualityInPlace(f.Cmp, p, q); ok {
			v = b.ShrU(v, uint32(at))
		}
	case 1:
		v, ok = b.equalityByDifference(f.Cmp, x, y)
	case 2:
		v, ok = b.equalityByDistances(f.Cmp, x, y)
	}
	if !ok {
		return 0, false
	}
	return b.finished(f, []stage.Term{{V: v, Lo: 0, Hi: 1}}), true
}

// equalityByDifference returns 1 or 0 for x == y, or for x != y, by what they differ by. ok is false where words that
// differ may have a difference of 0 modulo 2^32.
func (b *lowering) equalityByDifference(cmp isa.Cmp, x, y stage.Term) (v word.Value, ok bool) {
	if s := stage.SpanOf(x, y.Negated()); s.Lo <= -1<<32 || s.Hi >= 1<<32 {
		return 0, false
	}
	if b.Choose(2) == 1 { // a dot extracts what is subtracted
		x, y = y, x
	}
	return b.EqualityOf(cmp, b.Sum(32, []stage.Term{x, y.Negated()})), true
}

// equalityByDistances returns 1 or 0 for x == y, or for x != y. The distances of the bytes of two words are together less than 2^31, and 0 only if the
// words are equal, so that the top bit of their sum with 7fffffff says whether they differ, and that with ffffffff whether they are
// equal. Words of one type each are different numbers where the signed one is negative: that makes the 7fffffff a 80000000, and the ffffffff a 0. The
// shift comes with an addition. ok is false where the target has no such distances.
func (b *lowering) equalityByDistances(cmp isa.Cmp, x, y stage.Term) (v word.Value, ok bool) {
	if !b.Caps.Has(word.SadU8) {
		return 0, false
	}
	start := b.Con(1<<31 - 1)
	if cmp == isa.Eq {
		start = b.Con(1<<32 - 1)
	}
	if s := stage.SpanOf(x, y.Negated()); s.Lo <= -1<<32 || s.Hi >= 1<<32 {
		_, signed := stage.Mixed(x, y)
		start = b.Do(word.Add, b.ShrU(signed.V, 31), start)
	}
	return b.ShrU(b.Do(word.SadU8, x.V, y.V, start), 31), true
}
