package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Operate is stage 2: the operation of a form on two terms, lane by lane. The
// result is exact.
func (b *Builder) Operate(w builder.Lanes, kind isa.Kind, x, y Term) []Term {
	switch kind {
	case isa.Add:
		return []Term{x, y}
	case isa.Sub:
		return []Term{x, y.Negated()}
	case isa.Min:
		return []Term{b.Minimum(w, x, y)}
	case isa.Max:
		return []Term{b.Maximum(w, x, y)}
	case isa.Absdiff:
		return b.absoluteDifference(w, x, y)
	case isa.Avrg:
		return b.roundedAverage(w, x, y)
	}
	panic("lower: operate: no operation on two terms")
}

// Minimum of an unsigned x and a signed y is that of two signed numbers once x is
// limited to what y can reach.
func (b *Builder) Minimum(w builder.Lanes, x, y Term) Term {
	lo, hi := min(x.Lo, y.Lo), min(x.Hi, y.Hi)
	if signed, ok := Alike(w, x, y); ok {
		v, ok := b.extremeOfShort(w, b.SmallerOfShort, signed, x, y)
		if !ok {
			v = b.Smaller(w, signed, x.V, y.V)
		}
		return Term{V: v, Signed: signed, Lo: lo, Hi: hi}
	}
	x, y = Mixed(x, y)
	if b.HasDistances(w) {
		return b.Minimum(w, b.notAbove(w, x, 1<<(w-1)-1), y)
	}
	limited := b.Smaller(w, false, x.V, b.Con(w.Top()-w.Each(1)))
	return Term{V: b.Smaller(w, true, limited, y.V), Signed: true, Lo: lo, Hi: hi}
}

// Maximum of an unsigned x and a signed y is that of x and max(y, 0).
func (b *Builder) Maximum(w builder.Lanes, x, y Term) Term {
	lo, hi := max(x.Lo, y.Lo), max(x.Hi, y.Hi)
	if signed, ok := Alike(w, x, y); ok {
		v, ok := b.extremeOfShort(w, b.LargerOfShort, signed, x, y)
		if !ok {
			v = b.Larger(w, signed, x.V, y.V)
		}
		return Term{V: v, Signed: signed, Lo: lo, Hi: hi}
	}
	x, y = Mixed(x, y)
	if b.HasDistances(w) {
		return b.Maximum(w, x, b.PositivePart(w, y))
	}
	return Term{V: b.Larger(w, false, x.V, b.PositivePart(w, y).V), Lo: lo, Hi: hi}
}

// extremeOfShort computes a minimum or maximum by distance; ok is false where neither term lacks the top bit.
func (b *Builder) extremeOfShort(w builder.Lanes, extreme func(signed bool, x, y word.Value) word.Value, signed bool, x, y Term) (v word.Value, ok bool) {
	if !b.HasDistances(w) {
		return 0, false
	}
	for _, pair := range [][2]Term{{x, y}, {y, x}} {
		if short := pair[1]; short.Lo >= 0 && Within(short.Lo, short.Hi, w, true) {
			return extreme(signed, pair[0].V, short.V), true
		}
	}
	return 0, false
}

// absoluteDifference of an unsigned x and a signed y is |x - max(y, 0)| - min(y, 0):
// one of the two parts of y is 0, and below 0 y is farther from x.
func (b *Builder) absoluteDifference(w builder.Lanes, x, y Term) []Term {
	most := max(x.Hi-y.Lo, y.Hi-x.Lo)
	if signed, ok := Alike(w, x, y); ok {
		return []Term{{V: b.Distance(w, signed, x.V, y.V), Lo: 0, Hi: most}}
	}
	x, y = Mixed(x, y)
	above := b.PositivePart(w, y)
	part := Term{V: b.Distance(w, false, x.V, above.V), Lo: 0, Hi: max(x.Hi, y.Hi)}
	if b.HasDistances(w) && b.Choose(2) == 1 { // -min(y, 0) is how far y is from max(y, 0)
		return []Term{part, {V: b.Distance(w, true, y.V, above.V), Lo: 0, Hi: -y.Lo}}
	}
	return []Term{part, b.negativePart(w, y).Negated()}
}

// Compare compares two terms as numbers.
func (b *Builder) Compare(w builder.Lanes, cmp isa.Cmp, x, y Term) packed.Truth {
	not := cmp == isa.Ne || cmp == isa.Le || cmp == isa.Ge
	switch cmp {
	case isa.Lt, isa.Ge: // x < y is y > x
		x, y = y, x
	}
	var t packed.Truth
	signed, ok := Alike(w, x, y)
	switch equality := cmp == isa.Eq || cmp == isa.Ne; {
	case ok && w < 32 && b.Caps.Has(packed.SmallerOps[0].At(w)) && !b.Caps.Has(packed.EqualOps.At(w)):
		t = b.ByExtremes(w, equality, signed, x.V, y.V)
	case equality && ok:
		t = b.Equal(w, x.V, y.V)
	case equality:
		t = b.equalMixed(w, x, y)
	case ok:
		t = b.Greater(w, signed, x.V, y.V)
	case x.Signed:
		t = b.signedGreater(w, x, y)
	default:
		t = b.unsignedGreater(w, x, y)
	}
	t.Not = t.Not != not
	return t
}

// equalMixed compares an unsigned and a signed term: equal lanes are equal
// numbers unless their top bit is set.
func (b *Builder) equalMixed(w builder.Lanes, x, y Term) packed.Truth {
	t := b.Equal(w, x.V, y.V)
	if w == 32 && b.Caps.PTX { // the top bit of y where they are equal, else a 1
		return packed.Truth{V: b.Do(word.Select, t.V, y.V, b.Con(0xffffffff)), Not: true}
	}
	if t.Not {
		return packed.Truth{V: b.Or(t.V, y.V), Not: true}
	}
	return packed.Truth{V: b.AndNot(t.V, y.V)}
}

// signedGreater compares x > y, x signed and y not: it is false where x is negative.
func (b *Builder) signedGreater(w builder.Lanes, x, y Term) packed.Truth {
	if b.Choose(2) == 0 {
		return b.Greater(w, false, b.PositivePart(w, x).V, y.V)
	}
	t := b.Greater(w, false, x.V, y.V)
	return packed.Truth{V: b.AndNot(t.V, x.V)}
}

// unsignedGreater compares x > y, y signed and x not: it is true where y is negative.
func (b *Builder) unsignedGreater(w builder.Lanes, x, y Term) packed.Truth {
	if w == 32 && b.Caps.PTX && y.Hi < 1<<31-1 { // not x < y + 1, where y + 1 is at least 0
		t := b.Greater(w, false, b.Do(word.MaxS, b.AddedTo(b.Con(1), y), b.Con(0)), x.V)
		t.Not = true
		return t
	}
	if w == 32 && b.Choose(2) == 0 { // not x < y + 1, where y + 1 is at least 0
		next := b.Do(word.Add, b.Do(word.MaxS, y.V, b.Con(0xffffffff)), b.Con(1))
		t := b.Greater(w, false, next, x.V)
		t.Not = true
		return t
	}
	t := b.Greater(w, false, x.V, y.V)
	return packed.Truth{V: b.Or(t.V, y.V)}
}
