package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// clamped is stage 3: the sum of one or two terms, clamped to the numbers of
// width bits, signed or not, width at most w. ok is false if words are too short to
// compute it.
func (b *builder) clamped(w lanes, terms []term, width lanes, signed bool) (t term, ok bool) {
	if t, ok := b.joined(w, terms); ok {
		return b.clampedTerm(w, t, width, signed), true
	}
	if len(terms) != 2 {
		return term{}, false
	}
	x, y := terms[0], terms[1]
	if x.neg {
		x, y = y, x
	}
	if x.neg {
		return term{}, false
	}
	full := signed // clamped to w bits first, signed or not: both hold a narrower result
	if width < w && !signed {
		full = b.choose(2) == 1
	}
	t = whole(w, b.saturatedSum(w, x, y, full), full)
	return b.clampedTerm(w, t, width, signed), true
}

// clampedTerm clamps one term.
func (b *builder) clampedTerm(w lanes, t term, width lanes, signed bool) term {
	lo, hi := span64(width, signed)
	t = b.notBelow(w, b.notAbove(w, t, hi), lo)
	if within(t.lo, t.hi, w, signed) {
		t.signed = signed
	}
	return t
}

// notAbove returns the smaller of a term and a limit.
func (b *builder) notAbove(w lanes, t term, limit int64) term {
	if t.hi > limit {
		t.v, t.hi = b.smaller(w, t.signed, t.v, b.con(w.each(uint32(limit)))), limit
		t.lo = min(t.lo, limit)
	}
	return t
}

// notBelow returns the greater of a term and a limit.
func (b *builder) notBelow(w lanes, t term, limit int64) term {
	if t.lo < limit {
		t.v, t.lo = b.larger(w, t.signed, t.v, b.con(w.each(uint32(limit)))), limit
		t.hi = max(t.hi, limit)
	}
	return t
}

// limitedFirst is operate of a form with .sat, for minima and maxima: those of numbers that are not below the lowest one of width bits, or not above the
// highest, need no clamp on that side afterwards, and are often of one type. ok is false where nothing is gained.
func (b *builder) limitedFirst(w lanes, f isa.Form, x, y term, width lanes) (t term, ok bool) {
	kind, signed := f.Op.Kind(), f.DType.Signed()
	least := min(x.lo, y.lo)
	if kind == isa.Max {
		least = max(x.lo, y.lo)
	}
	switch {
	case !f.Sat || kind != isa.Min && kind != isa.Max || w < 32 && x.signed == y.signed:
		return term{}, false
	case b.reading != isa.Manual && f.DSel != isa.Word && (f.DSel == isa.H1 || least < 0): // rules Q1 and Q3
		return term{}, false
	}
	lo, hi := span64(width, signed)
	for _, t := range []*term{&x, &y} {
		switch {
		case kind == isa.Min && t.lo < lo:
			*t, ok = b.notBelow(w, *t, lo), true
		case kind == isa.Max && t.hi > hi:
			*t, ok = b.notAbove(w, *t, hi), true
		}
	}
	if !ok {
		return term{}, false
	}
	return b.operate(w, kind, x, y)[0], true
}

// saturatedSum returns x + y, or x - y if y is negated, clamped to the numbers
// of w bits, signed or not.
func (b *builder) saturatedSum(w lanes, x, y term, signed bool) word.Value {
	if w < 32 && b.caps.Has(saturatingOps(y.neg)[0].at(w)) {
		return b.saturatedInFrame(w, x, y, signed)
	}
	ways := 2
	if w < 32 && b.caps.Has(word.PackSatS16) {
		ways = 3
	}
	var limits [][2]term
	if over, ok := oneSided(x, y, signed); ok && w == 32 {
		for _, pair := range [][2]term{{x, y}, {y, x}} {
			if canLimit(pair[0], pair[1], signed, over) {
				limits = append(limits, pair)
			}
		}
		ways += len(limits)
		if b.caps.PTX && canOrder(x, y, signed, over) {
			ways++
		}
	}
	switch way := b.choose(ways); {
	case way == 0:
		return b.saturatedByFlags(w, x, y, signed)
	case way == 1:
		return b.saturatedInFrame(w, x, y, signed)
	case w == 32 && way-2 < len(limits):
		v, _ := b.limited(limits[way-2][0], limits[way-2][1], signed)
		return v
	case w == 32:
		return b.ordered(x, y)
	}
	return b.saturatedApart(w, x, y, signed)
}

// saturatedApart adds each lane in a word of its own, and packs the sums.
func (b *builder) saturatedApart(w lanes, x, y term, signed bool) word.Value {
	sums := [4]word.Value{b.con(0), b.con(0), b.con(0), b.con(0)}
	if w == 8 && x.signed == y.signed {
		// Bytes side by side are added by one operation.
		weights := uint64(0x0101)
		if y.neg {
			weights = 0xff01
		}
		dot := dotOps.of(x.signed).at(w)
		for i := range 4 {
			first := i &^ 1
			pairs := b.bytes([4]pick{byteOf(x.v, first), byteOf(y.v, first), byteOf(x.v, first+1), byteOf(y.v, first+1)})
			sums[i] = b.doImm(dot, weights<<(16*(i&1))&(1<<32-1), pairs, sums[i])
		}
	} else {
		for i := range w.count() {
			for _, t := range []term{x, y} {
				sums[i], _ = b.accumulate(w, t, isa.Mask(1<<i), sums[i])
			}
		}
	}
	return b.packed(w, signed, sums[:w.count()])
}

// packOps clamp words and pack them.
var packOps = signedness{{word.PackSatU8, word.PackSatU16, word.NoOp}, {word.PackSatS8, word.PackSatS16, word.NoOp}}
