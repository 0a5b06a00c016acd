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

// addedTo adds a term to a word, as a dot if it is one.
func (b *builder) addedTo(acc word.Value, t term) word.Value {
	if b.canDot(t.v, t.neg) {
		return b.dotted(t.v, t.neg, acc)
	}
	return b.addWord(acc, t.v, t.neg)
}

// truthByte compares parts of words so that the top byte of a value is 1 where the comparison is true, and 0 where it
// is false: the difference is added to a 1 there. ok is false where there is no such way.
func (b *builder) truthByte(cmp isa.Cmp, x, y term) (v word.Value, ok bool) {
	const one = 1 << 24
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
		return b.do(sad, x.v, y.v, b.con(one-1)), alike && b.caps.Has(sad)
	case isa.Eq:
		return 0, false
	}
	return b.addedTo(b.addedTo(b.con(start), x), y.negated()), true
}
