package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// ComparedByDifference compares parts of words by the sign of what they differ by. A dot extracts a part and
// adds or subtracts it at once, and what is done with the sign takes the shift in. ok is false
// where a word may not hold the difference.
func (b *Builder) ComparedByDifference(cmp isa.Cmp, x, y Term) (t packed.Truth, ok bool) {
	switch cmp {
	case isa.Gt, isa.Ge: // x > y is y < x
		x, y = y, x
	}
	if s := SpanOf(x, y.Negated()); s.Lo <= -1<<31 || s.Hi >= 1<<31 {
		return packed.Truth{}, false
	}
	switch cmp {
	case isa.Eq, isa.Ne: // |x - y| - 1 is negative where they are equal
		signed, ok := Alike(32, x, y)
		if !ok {
			return packed.Truth{}, false
		}
		sad := word.SadU
		if signed {
			sad = word.SadS
		}
		return packed.Truth{V: b.Do(sad, x.V, y.V, b.Con(0xffffffff)), Not: cmp == isa.Ne}, b.Caps.Has(sad)
	case isa.Lt, isa.Gt:
		return packed.Truth{V: b.Sum(32, []Term{x, y.Negated()})}, true
	}
	// x <= y is x - y - 1 < 0
	return packed.Truth{V: b.AddedTo(b.AddedTo(b.Con(0xffffffff), x), y.Negated())}, true
}

// AddedTo adds a term to a word, as a dot if it is one.
func (b *Builder) AddedTo(acc word.Value, t Term) word.Value {
	if b.CanDot(t.V, t.Neg) {
		return b.Dotted(t.V, t.Neg, acc)
	}
	return b.addWord(acc, t.V, t.Neg)
}

// TruthOnTop compares parts of words so that the top byte or half of a value is 1 where the comparison is true, and 0 where it
// is false: the difference is added to a 1 there. ok is false where there is no such way.
func (b *Builder) TruthOnTop(width builder.Lanes, cmp isa.Cmp, x, y Term) (v word.Value, ok bool) {
	one := int64(1) << (32 - width)
	if s := SpanOf(x, y.Negated()); s.Lo <= -one || s.Hi >= one {
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
		signed, alike := Alike(32, x, y)
		sad := word.SadU
		if signed {
			sad = word.SadS
		}
		return b.Do(sad, x.V, y.V, b.Con(start-1)), alike && b.Caps.Has(sad)
	case isa.Eq:
		return 0, false
	}
	return b.AddedTo(b.AddedTo(b.Con(start), x), y.Negated()), true
}
