package scalar

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// spanFits reports whether a word holds the sum of terms.
func spanFits(terms []stage.Term) bool {
	_, ok := stage.SpanOf(terms...).Word()
	return ok
}

// narrowed clamps the sum of terms to fewer than 32 bits, of which nothing above the lowest is of account.
func (b *lowering) narrowed(terms []stage.Term, width builder.Lanes, signed bool) (v word.Value, ok bool) {
	t, ok := b.Joined(32, terms)
	switch {
	case ok:
	case b.Choose(2) == 1:
		if t, ok = b.ledToWord(terms, width, signed); ok {
			break
		}
		fallthrough
	default:
		if t, ok = b.Clamped(32, terms, 32, true); !ok {
			return 0, false
		}
	}
	lo, hi := stage.Range(width, signed)
	if op := packed.PackOps.Of(signed).At(width); t.Lo < lo && t.Hi > hi && stage.Within(t.Lo, t.Hi, 32, true) && b.Caps.Has(op) {
		// Both sides at once.
		if width == 16 {
			return b.Do(op, t.V, b.Con(0)), true
		}
		return b.Do(op, t.V, b.Con(0), b.Con(0)), true
	}
	return b.ClampedTerm(32, t, width, signed).V, true
}

// ledToWord limits the term with the larger range by constants so that a word holds the sum, as a signed
// number, and that the sum clamped to numbers of width bits stays what it is. ok is false where there
// are no such constants.
func (b *lowering) ledToWord(terms []stage.Term, width builder.Lanes, signed bool) (t stage.Term, ok bool) {
	if len(terms) != 2 {
		return stage.Term{}, false
	}
	v, other := terms[0], terms[1]
	if v.Hi-v.Lo < other.Hi-other.Lo {
		v, other = other, v
	}
	lo, hi := stage.Range(width, signed)
	least, most := stage.Range(32, true)
	s, add := stage.SpanOf(v, other), stage.SpanOf(other)
	if s.Hi > most {
		if v, ok = b.limitedBy(v, hi-add.Lo, !v.Neg); !ok {
			return stage.Term{}, false
		}
	}
	if s.Lo < least {
		if v, ok = b.limitedBy(v, lo-add.Hi, v.Neg); !ok {
			return stage.Term{}, false
		}
	}
	t, ok = b.Joined(32, []stage.Term{v, other})
	return t, ok && stage.Within(t.Lo, t.Hi, 32, true)
}

// limitedBy limits a term with its sign, by a constant: the number is not above it, or not below.
func (b *lowering) limitedBy(t stage.Term, bound int64, above bool) (limited stage.Term, ok bool) {
	if t.Neg {
		bound = -bound
	}
	if !stage.Within(bound, bound, 32, t.Signed) {
		return stage.Term{}, false
	}
	if above {
		t.V, t.Hi = b.Smaller(32, t.Signed, t.V, b.Con(uint32(bound))), min(t.Hi, bound)
	} else {
		t.V, t.Lo = b.Larger(32, t.Signed, t.V, b.Con(uint32(bound))), max(t.Lo, bound)
	}
	return t, true
}
