package lower

import "github.com/vop-ptx/vop/rewrite/word"

// A sum of words that can be too large, or too small, but not both, needs no look at its overflow:
// one term is brought to where the sum fits, by the other. So
//
//	clamp(x + y) = x + min(y, 7fffffff - x)    x not negative, y signed
//
// and parts of words, which dp4a adds to anything, are never extracted for it.

// limited returns the clamped sum of two terms, by limiting the first of them; ok is false where both sides
// can be exceeded, or where the limit is no number of the first term's type.
func (b *builder) limited(v, other term, signed bool) (sum word.Value, ok bool) {
	over, ok := oneSided(v, other, signed)
	if !ok || !canLimit(v, other, signed, over) {
		return 0, false
	}
	limit := b.limitOf(v, other, signed, over)
	ops := smallerOps
	if over == v.neg {
		ops = largerOps
	}
	v.v = b.do(ops.of(v.signed).op32, v.v, limit)
	return b.sum(32, []term{v, other}), true
}

// canOrder reports whether ordered can clamp x + y, or x - y if y is negated.
func canOrder(x, y term, signed, over bool) bool {
	switch {
	case !signed || over == y.neg:
		return false
	case y.neg:
		return x.signed && y.lo >= 0
	}
	return x.signed && y.lo >= 0 || y.signed && x.lo >= 0
}

// ordered returns the clamped sum of a signed term and of one that is not negative, or its difference. The sum modulo 2^32 is below the
// signed term where it is too large, and the difference above it where that is too small. The other term need not be known by itself, so that
// a product, or a part of a word, is added as it is computed.
func (b *builder) ordered(x, y term) word.Value {
	raw := b.sum(32, []term{x, y})
	if y.neg {
		return b.do(word.Select, b.do(word.CmpLtS, x.v, raw), b.con(1<<31), raw)
	}
	if !x.signed || y.lo < 0 {
		x = y
	}
	return b.do(word.Select, b.do(word.CmpLtS, raw, x.v), b.con(1<<31-1), raw)
}

// oneSided reports whether a sum can be too large, or too small, but not both.
func oneSided(x, y term, signed bool) (over, ok bool) {
	lo, hi := span64(32, signed)
	s := spanOf(x, y)
	return s.hi > hi, (s.hi > hi) != (s.lo < lo)
}

// canLimit reports whether limitOf is a number of v's type.
func canLimit(v, other term, signed, over bool) bool {
	return spanOf(limitTerms(v, other, signed, over)...).within(32, v.signed)
}

// limitOf returns the value of v from which on its sum with another term is the highest number of a word, or with
// over unset the lowest.
func (b *builder) limitOf(v, other term, signed, over bool) word.Value {
	terms := limitTerms(v, other, signed, over)
	for n := range terms {
		if terms[n].v == none {
			terms[n].v = b.con(uint32(terms[n].lo))
		}
	}
	return b.sum(32, terms)
}

// limitTerms gives limitOf as a sum. The value of the bound is none.
func limitTerms(v, other term, signed, over bool) []term {
	number, hi := span64(32, signed)
	if over {
		number = hi
	}
	bound := term{v: none, lo: number, hi: number}
	if v.neg { // -v + other <= bound is v >= other - bound
		return []term{other, bound.negated()}
	}
	return []term{bound, other.negated()} // v + other <= bound is v <= bound - other
}

// ledToWord limits the term with the larger range by constants so that a word holds the sum, as a signed
// number, and that the sum clamped to numbers of width bits stays what it is. ok is false where there
// are no such constants.
func (b *builder) ledToWord(terms []term, width lanes, signed bool) (t term, ok bool) {
	if len(terms) != 2 {
		return term{}, false
	}
	v, other := terms[0], terms[1]
	if v.hi-v.lo < other.hi-other.lo {
		v, other = other, v
	}
	lo, hi := span64(width, signed)
	least, most := span64(32, true)
	s, add := spanOf(v, other), spanOf(other)
	if s.hi > most {
		if v, ok = b.limitedBy(v, hi-add.lo, !v.neg); !ok {
			return term{}, false
		}
	}
	if s.lo < least {
		if v, ok = b.limitedBy(v, lo-add.hi, v.neg); !ok {
			return term{}, false
		}
	}
	t, ok = b.joined(32, []term{v, other})
	return t, ok && within(t.lo, t.hi, 32, true)
}

// limitedBy limits a term with its sign, by a constant: the number is not above it, or not below.
func (b *builder) limitedBy(t term, bound int64, above bool) (limited term, ok bool) {
	if t.neg {
		bound = -bound
	}
	if !within(bound, bound, 32, t.signed) {
		return term{}, false
	}
	if above {
		t.v, t.hi = b.smaller(32, t.signed, t.v, b.con(uint32(bound))), min(t.hi, bound)
	} else {
		t.v, t.lo = b.larger(32, t.signed, t.v, b.con(uint32(bound))), max(t.lo, bound)
	}
	return t, true
}

// spanFits reports whether a word holds the sum of terms.
func spanFits(terms []term) bool {
	_, ok := spanOf(terms...).word()
	return ok
}

// narrowed clamps the sum of terms to fewer than 32 bits, of which nothing above the lowest is of account.
func (b *builder) narrowed(terms []term, width lanes, signed bool) (v word.Value, ok bool) {
	t, ok := b.joined(32, terms)
	switch {
	case ok:
	case b.choose(2) == 1:
		if t, ok = b.ledToWord(terms, width, signed); ok {
			break
		}
		fallthrough
	default:
		if t, ok = b.clamped(32, terms, 32, true); !ok {
			return 0, false
		}
	}
	lo, hi := span64(width, signed)
	if op := packOps.of(signed).at(width); t.lo < lo && t.hi > hi && within(t.lo, t.hi, 32, true) && b.caps.Has(op) {
		// Both sides at once.
		if width == 16 {
			return b.do(op, t.v, b.con(0)), true
		}
		return b.do(op, t.v, b.con(0), b.con(0)), true
	}
	return b.clampedTerm(32, t, width, signed).v, true
}
