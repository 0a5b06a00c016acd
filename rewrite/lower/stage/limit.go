package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// A sum of words that can be too large, or too small, but not both, needs no look at its overflow:
// one term is brought to where the sum fits, by the other. So
//
//	clamp(x + y) = x + min(y, 7fffffff - x)    x not negative, y signed
//
// and parts of words, which dp4a adds to anything, are never extracted for it.

// Limited returns the clamped sum of two terms, by limiting the first of them; ok is false where both sides
// can be exceeded, or where the limit is no number of the first term's type.
func (b *Builder) Limited(v, other Term, signed bool) (sum word.Value, ok bool) {
	over, ok := OneSided(v, other, signed)
	if !ok || !CanLimit(v, other, signed, over) {
		return 0, false
	}
	limit := b.LimitOf(v, other, signed, over)
	ops := packed.SmallerOps
	if over == v.Neg {
		ops = packed.LargerOps
	}
	v.V = b.Do(ops.Of(v.Signed).At(32), v.V, limit)
	return b.Sum(32, []Term{v, other}), true
}

// canOrder reports whether ordered can clamp x + y, or x - y if y is negated.
func canOrder(x, y Term, signed, over bool) bool {
	switch {
	case !signed || over == y.Neg:
		return false
	case y.Neg:
		return x.Signed && y.Lo >= 0
	}
	return x.Signed && y.Lo >= 0 || y.Signed && x.Lo >= 0
}

// ordered returns the clamped sum of a signed term and of one that is not negative, or its difference. The sum modulo 2^32 is below the
// signed term where it is too large, and the difference above it where that is too small. The other term need not be known by itself, so that
// a product, or a part of a word, is added as it is computed.
func (b *Builder) ordered(x, y Term) word.Value {
	raw := b.Sum(32, []Term{x, y})
	if y.Neg {
		return b.Do(word.Select, b.Do(word.CmpLtS, x.V, raw), b.Con(1<<31), raw)
	}
	if !x.Signed || y.Lo < 0 {
		x = y
	}
	return b.Do(word.Select, b.Do(word.CmpLtS, raw, x.V), b.Con(1<<31-1), raw)
}

// OneSided reports whether a sum can be too large, or too small, but not both.
func OneSided(x, y Term, signed bool) (over, ok bool) {
	lo, hi := Range(32, signed)
	s := SpanOf(x, y)
	return s.Hi > hi, (s.Hi > hi) != (s.Lo < lo)
}

// CanLimit reports whether LimitOf is a number of v's type.
func CanLimit(v, other Term, signed, over bool) bool {
	return SpanOf(limitTerms(v, other, signed, over)...).Within(32, v.Signed)
}

// LimitOf returns the value of v from which on its sum with another term is the highest number of a word, or with
// over unset the lowest.
func (b *Builder) LimitOf(v, other Term, signed, over bool) word.Value {
	terms := limitTerms(v, other, signed, over)
	for n := range terms {
		if terms[n].V == builder.None {
			terms[n].V = b.Con(uint32(terms[n].Lo))
		}
	}
	return b.Sum(32, terms)
}

// limitTerms gives LimitOf as a sum. The value of the bound is none.
func limitTerms(v, other Term, signed, over bool) []Term {
	number, hi := Range(32, signed)
	if over {
		number = hi
	}
	bound := Term{V: builder.None, Lo: number, Hi: number}
	if v.Neg { // -v + other <= bound is v >= other - bound
		return []Term{other, bound.Negated()}
	}
	return []Term{bound, other.Negated()} // v + other <= bound is v <= bound - other
}
