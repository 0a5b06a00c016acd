package lower

import "github.com/vop-ptx/vop/rewrite/word"

// term is a number in every lane of a word: the value that a stage passes to the
// next one is the sum of one, two or three terms. Numbers are exact: a term never
// stands for more than its lane can hold, so the 9 bits of a sum of bytes are kept
// as two terms until a stage says what becomes of them.
type term struct {
	v      word.Value
	signed bool // how the lanes of v are read: -2^(w-1).. or 0..
	neg    bool // the term is subtracted

	// The range of the number, not negated. It may be narrower than the lane.
	lo, hi int64
}

// whole returns the term of a value whose lanes may hold anything.
func whole(w lanes, v word.Value, signed bool) term {
	t := term{v: v, signed: signed}
	t.lo, t.hi = span64(w, signed)
	return t
}

// bounded is whole, but uses what is known about v to narrow the range.
func (b *builder) bounded(w lanes, v word.Value, signed bool) term {
	t := whole(w, v, signed)
	k, constant := b.constant(v)
	if signed && !constant && b.maybe[v]&w.top() != 0 {
		return t
	}
	t.lo, t.hi = t.hi, t.lo
	for i := range w.count() {
		if constant {
			number := int64(word.Lane(k, i, int(w), signed))
			if !signed {
				number = int64(uint32(number))
			}
			t.lo, t.hi = min(t.lo, number), max(t.hi, number)
			continue
		}
		t.lo = 0
		t.hi = max(t.hi, int64(upTo(uint32(word.Lane(b.maybe[v], i, int(w), false)))))
	}
	return t
}

// span64 returns the range of the numbers of w bits.
func span64(w lanes, signed bool) (lo, hi int64) {
	if signed {
		return -1 << (w - 1), 1<<(w-1) - 1
	}
	return 0, 1<<w - 1
}

// negated returns -t.
func (t term) negated() term {
	t.neg = !t.neg
	return t
}

// bounds returns the range of a term with its sign.
func (t term) bounds() (lo, hi int64) {
	if t.neg {
		return -t.hi, -t.lo
	}
	return t.lo, t.hi
}

// within reports whether the range lies in that of the numbers of w bits.
func within(lo, hi int64, w lanes, signed bool) bool {
	least, most := span64(w, signed)
	return lo >= least && hi <= most
}

// alike returns how two terms can be read the same way; ok is false if one needs
// to be signed and the other unsigned.
func alike(w lanes, x, y term) (signed, ok bool) {
	if x.signed == y.signed {
		return x.signed, true
	}
	for _, signed := range []bool{true, false} {
		if within(x.lo, x.hi, w, signed) && within(y.lo, y.hi, w, signed) {
			return signed, true
		}
	}
	return false, false
}

// mixed orders two terms that are not alike: the unsigned one first.
func mixed(x, y term) (unsigned, signed term) {
	if x.signed {
		return y, x
	}
	return x, y
}

// sum adds terms lane by lane, modulo 2^w.
func (b *builder) sum(w lanes, terms []term) word.Value {
	total := b.con(0)
	for _, t := range terms {
		if !t.neg {
			total = b.plus(w, total, t.v)
		}
	}
	for _, t := range terms {
		if t.neg {
			total = b.minus(w, total, t.v)
		}
	}
	return total
}

// joined returns the sum of terms as one term, if a lane can hold it.
func (b *builder) joined(w lanes, terms []term) (term, bool) {
	if len(terms) == 1 && !terms[0].neg {
		return terms[0], true
	}
	s := spanOf(terms...)
	for _, signed := range []bool{false, true} {
		if s.within(w, signed) {
			return term{v: b.sum(w, terms), signed: signed, lo: s.lo, hi: s.hi}, true
		}
	}
	return term{}, false
}

// positivePart returns max(t, 0) of a signed term.
func (b *builder) positivePart(w lanes, t term) term {
	return term{v: b.larger(w, true, t.v, b.con(0)), lo: max(t.lo, 0), hi: t.hi}
}

// negativePart returns min(t, 0) of a signed term.
func (b *builder) negativePart(w lanes, t term) term {
	return term{v: b.smaller(w, true, t.v, b.con(0)), signed: true, lo: t.lo, hi: min(t.hi, 0)}
}
