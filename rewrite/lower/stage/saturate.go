package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Clamped is stage 3: the sum of one or two terms, clamped to the numbers of
// width bits, signed or not, width at most w. ok is false if words are too short to
// compute it.
func (b *Builder) Clamped(w builder.Lanes, terms []Term, width builder.Lanes, signed bool) (t Term, ok bool) {
	if t, ok := b.Joined(w, terms); ok {
		return b.ClampedTerm(w, t, width, signed), true
	}
	if len(terms) != 2 {
		return Term{}, false
	}
	x, y := terms[0], terms[1]
	if x.Neg {
		x, y = y, x
	}
	if x.Neg {
		return Term{}, false
	}
	full := signed // clamped to w bits first, signed or not: both hold a narrower result
	if width < w && !signed {
		full = b.Choose(2) == 1
	}
	t = Whole(w, b.saturatedSum(w, x, y, full), full)
	return b.ClampedTerm(w, t, width, signed), true
}

// ClampedTerm clamps one term.
func (b *Builder) ClampedTerm(w builder.Lanes, t Term, width builder.Lanes, signed bool) Term {
	lo, hi := Range(width, signed)
	t = b.notBelow(w, b.notAbove(w, t, hi), lo)
	if Within(t.Lo, t.Hi, w, signed) {
		t.Signed = signed
	}
	return t
}

// notAbove returns the smaller of a term and a limit.
func (b *Builder) notAbove(w builder.Lanes, t Term, limit int64) Term {
	if t.Hi > limit {
		t.V, t.Hi = b.Smaller(w, t.Signed, t.V, b.Con(w.Each(uint32(limit)))), limit
		t.Lo = min(t.Lo, limit)
	}
	return t
}

// notBelow returns the greater of a term and a limit.
func (b *Builder) notBelow(w builder.Lanes, t Term, limit int64) Term {
	if t.Lo < limit {
		t.V, t.Lo = b.Larger(w, t.Signed, t.V, b.Con(w.Each(uint32(limit)))), limit
		t.Hi = max(t.Hi, limit)
	}
	return t
}

// LimitedFirst is operate of a form with .sat, for minima and maxima: those of numbers that are not below the lowest one of width bits, or not above the
// highest, need no clamp on that side afterwards, and are often of one type. Averages for unsigned lanes are limited as they are made. ok is false where nothing is gained.
func (b *Builder) LimitedFirst(w builder.Lanes, f isa.Form, x, y Term, width builder.Lanes) (t Term, ok bool) {
	kind, signed := f.Op.Kind(), f.DType.Signed()
	switch {
	case !f.Sat:
		return Term{}, false
	case kind == isa.Avrg && w < 32 && !signed && (x.Signed || y.Signed):
		return b.averageForUnsigned(w, x, y), true
	case kind == isa.Avrg && w < 32 && signed && x.Signed != y.Signed:
		return b.averageForSigned(w, x, y), true
	case kind != isa.Min && kind != isa.Max:
		return Term{}, false
	}
	lo, hi := Range(width, signed)
	if w < 32 && x.Signed == y.Signed {
		// Limiting one is enough, and leaves it no top bit.
		switch {
		case !b.HasDistances(w):
			return Term{}, false
		case kind == isa.Min && x.Hi > hi:
			x = b.notAbove(w, x, hi)
		case kind == isa.Max && x.Lo < lo:
			x = b.notBelow(w, x, lo)
		default:
			return Term{}, false
		}
		return b.Operate(w, kind, x, y)[0], true
	}
	for _, t := range []*Term{&x, &y} {
		switch {
		case kind == isa.Min && t.Lo < lo:
			*t, ok = b.notBelow(w, *t, lo), true
		case kind == isa.Max && t.Hi > hi:
			*t, ok = b.notAbove(w, *t, hi), true
		}
	}
	if !ok {
		return Term{}, false
	}
	return b.Operate(w, kind, x, y)[0], true
}

// saturatedSum returns x + y, or x - y if y is negated, clamped to the numbers
// of w bits, signed or not.
func (b *Builder) saturatedSum(w builder.Lanes, x, y Term, signed bool) word.Value {
	if w < 32 && b.Caps.Has(saturatingOps(y.Neg)[0].At(w)) {
		return b.saturatedInFrame(w, x, y, signed)
	}
	if b.HasDistances(w) && b.Choose(2) == 1 {
		if v, ok := b.saturatedByDistance(x, y, signed); ok {
			return v
		}
	}
	ways := 2
	if w < 32 && b.Caps.Has(word.PackSatS16) {
		ways = 3
	}
	var limits [][2]Term
	if over, ok := OneSided(x, y, signed); ok && w == 32 {
		for _, pair := range [][2]Term{{x, y}, {y, x}} {
			if CanLimit(pair[0], pair[1], signed, over) {
				limits = append(limits, pair)
			}
		}
		ways += len(limits)
		if b.Caps.PTX && canOrder(x, y, signed, over) {
			ways++
		}
	}
	switch way := b.Choose(ways); {
	case way == 0:
		return b.saturatedByFlags(w, x, y, signed)
	case way == 1:
		return b.saturatedInFrame(w, x, y, signed)
	case w == 32 && way-2 < len(limits):
		v, _ := b.Limited(limits[way-2][0], limits[way-2][1], signed)
		return v
	case w == 32:
		return b.ordered(x, y)
	}
	return b.saturatedApart(w, x, y, signed)
}

// saturatedApart adds each lane in a word of its own, and packs the sums.
func (b *Builder) saturatedApart(w builder.Lanes, x, y Term, signed bool) word.Value {
	sums := [4]word.Value{b.Con(0), b.Con(0), b.Con(0), b.Con(0)}
	if w == 8 && x.Signed == y.Signed {
		// Bytes side by side are added by one operation.
		weights := uint64(0x0101)
		if y.Neg {
			weights = 0xff01
		}
		dot := builder.DotOps.Of(x.Signed).At(w)
		for i := range 4 {
			first := i &^ 1
			pairs := b.Bytes([4]builder.Pick{builder.ByteOf(x.V, first), builder.ByteOf(y.V, first), builder.ByteOf(x.V, first+1), builder.ByteOf(y.V, first+1)})
			sums[i] = b.DoImm(dot, weights<<(16*(i&1))&(1<<32-1), pairs, sums[i])
		}
	} else {
		for i := range w.Count() {
			for _, t := range []Term{x, y} {
				sums[i], _ = b.accumulate(w, t, isa.Mask(1<<i), sums[i])
			}
		}
	}
	return b.Pack(w, signed, sums[:w.Count()])
}
