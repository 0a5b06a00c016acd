package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// comparedByDifference compares parts of words by the sign of what they differ by. A dot extracts a part and
// adds or subtracts it at once, and what is done with the sign takes the shift in. ok is false
// where a word may not hold the difference.
func (b *builder) comparedByDifference(cmp isa.Cmp, x, y term) (t truth, ok bool) {
	switch cmp {
	case isa.Gt, isa.Ge: // x > y is y < x
		x, y = y, x
	}
	if s := spanOf(x, y.negated()); s.lo <= -1<<31 || s.hi >= 1<<31 {
		return truth{}, false
	}
	switch cmp {
	case isa.Eq, isa.Ne: // |x - y| - 1 is negative where they are equal
		signed, ok := alike(32, x, y)
		if !ok {
			return truth{}, false
		}
		sad := word.SadU
		if signed {
			sad = word.SadS
		}
		return truth{v: b.do(sad, x.v, y.v, b.con(0xffffffff)), not: cmp == isa.Ne}, b.caps.Has(sad)
	case isa.Lt, isa.Gt:
		return truth{v: b.sum(32, []term{x, y.negated()})}, true
	}
	// x <= y is x - y - 1 < 0
	return truth{v: b.addedTo(b.addedTo(b.con(0xffffffff), x), y.negated())}, true
}

// equalityByDifference returns 1 or 0 for x == y, or for x != y, by what they differ by: 1 shifted right by that is 1 only if it is 0, and
// the smaller of that and 1 is 0 only then, as a negative difference is a large number. No predicate is made. ok is false where words that
// differ may have a difference of 0 modulo 2^32.
func (b *builder) equalityByDifference(cmp isa.Cmp, x, y term) (v word.Value, ok bool) {
	if s := spanOf(x, y.negated()); s.lo <= -1<<32 || s.hi >= 1<<32 {
		return 0, false
	}
	if b.choose(2) == 1 { // a dot extracts what is subtracted
		x, y = y, x
	}
	difference := b.sum(32, []term{x, y.negated()})
	if cmp == isa.Eq {
		return b.do(word.ShrU, b.con(1), difference), true
	}
	return b.do(word.MinU, difference, b.con(1)), true
}

// equalityByDistances returns 1 or 0 for x == y, or for x != y. The distances of the bytes of two words are together less than 2^31, and 0 only if the
// words are equal, so that the top bit of their sum with 7fffffff says whether they differ, and that with ffffffff whether they are
// equal. Words of one type each are different numbers where the signed one is negative: that makes the 7fffffff a 80000000, and the ffffffff a 0. The
// shift comes with an addition. ok is false where the target has no such distances.
func (b *builder) equalityByDistances(cmp isa.Cmp, x, y term) (v word.Value, ok bool) {
	if !b.caps.Has(word.SadU8) {
		return 0, false
	}
	start := b.con(1<<31 - 1)
	if cmp == isa.Eq {
		start = b.con(1<<32 - 1)
	}
	if s := spanOf(x, y.negated()); s.lo <= -1<<32 || s.hi >= 1<<32 {
		_, signed := mixed(x, y)
		start = b.do(word.Add, b.shrU(signed.v, 31), start)
	}
	return b.shrU(b.do(word.SadU8, x.v, y.v, start), 31), true
}

// setWithoutPredicate is vset by what x and y differ by, on PTX targets. ok is false where another way is to be taken.
func (b *builder) setWithoutPredicate(f isa.Form, x, y term) (v word.Value, ok bool) {
	if !b.caps.PTX {
		return 0, false
	}
	if f.DSel.Bits() == 8 || f.DSel != isa.Word && (b.reading == isa.Manual || f.DSel != isa.H1) { // rule Q1 takes the high half
		width := lanes(f.DSel.Bits())
		if v, ok := b.truthOnTop(width, f.Cmp, x, y); ok && (width == 8 || b.choose(2) == 1) {
			return b.inserted(f.DSel, v, (32-int(width))/8), true
		}
	}
	way := 0
	if f.Cmp == isa.Eq || f.Cmp == isa.Ne {
		way = b.choose(3)
	}
	switch way {
	case 1:
		v, ok = b.equalityByDifference(f.Cmp, x, y)
	case 2:
		v, ok = b.equalityByDistances(f.Cmp, x, y)
	}
	if !ok {
		return 0, false
	}
	return b.finished(f, []term{{v: v, lo: 0, hi: 1}}), true
}

// addedTo adds a term to a word, as a dot if it is one.
func (b *builder) addedTo(acc word.Value, t term) word.Value {
	if b.canDot(t.v, t.neg) {
		return b.dotted(t.v, t.neg, acc)
	}
	return b.addWord(acc, t.v, t.neg)
}

// truthOnTop compares parts of words so that the top byte or half of a value is 1 where the comparison is true, and 0 where it
// is false: the difference is added to a 1 there. ok is false where there is no such way.
func (b *builder) truthOnTop(width lanes, cmp isa.Cmp, x, y term) (v word.Value, ok bool) {
	one := int64(1) << (32 - width)
	if s := spanOf(x, y.negated()); s.lo <= -one || s.hi >= one {
		return 0, false
	}
	start := uint32(one) // x >= y is x - y >= 0
	switch cmp {
	case isa.Le:
		x, y = y, x
	case isa.Gt:
		start--
	case isa.Lt:
		x, y, start = y, x, start-1
	case isa.Ne:
		signed, alike := alike(32, x, y)
		sad := word.SadU
		if signed {
			sad = word.SadS
		}
		return b.do(sad, x.v, y.v, b.con(start-1)), alike && b.caps.Has(sad)
	case isa.Eq:
		return 0, false
	}
	return b.addedTo(b.addedTo(b.con(start), x), y.negated()), true
}
