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
	if t.hi > hi {
		t.v, t.hi = b.smaller(w, t.signed, t.v, b.con(w.each(uint32(hi)))), hi
		t.lo = min(t.lo, hi)
	}
	if t.lo < lo {
		t.v, t.lo = b.larger(w, t.signed, t.v, b.con(w.each(uint32(lo)))), lo
		t.hi = max(t.hi, lo)
	}
	if within(t.lo, t.hi, w, signed) {
		t.signed = signed
	}
	return t
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
