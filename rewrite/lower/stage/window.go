package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// saturatedInFrame uses a saturating operation of the target on the operands'
// own lanes. Such an operation clamps to a window of 2^w numbers: unsigned lanes
// to 0 and up, signed ones to -2^(w-1) and up. Flipping an operand's top bits moves
// it by 2^(w-1), and the window of the sum with it:
//
//	clamp(x + y) to 0..255, x in 0..255 and y in -128..127
//	is AddSatS8(x - 128, y) + 128, and -128, +128 are flips.
//
// The window wanted is found among those that the operations offer; it may be
// larger than what is wanted where the rest is clamped or never reached.
func (b *Builder) saturatedInFrame(w builder.Lanes, x, y Term, signed bool) word.Value {
	if v, ok := b.saturatedComplement(w, x, y, signed); ok {
		return v
	}
	for _, exact := range []bool{true, false} {
		for _, signedOp := range []bool{false, true} {
			if signedOp && !b.Caps.Has(saturatingOps(y.Neg)[1].At(w)) {
				continue
			}
			start := windowStart(x, y, signedOp) // in units of 2^(w-1)
			if exact && start != targetStart(signed) || !exact && !windowHolds(start, x, y, signed) {
				continue
			}
			v := b.saturating(w, signedOp, y.Neg, b.inFrame(w, x, signedOp), b.inFrame(w, y, signedOp))
			if (start < 0) != signedOp {
				v = b.Flip(w, v)
			}
			return b.ClampedTerm(w, Whole(w, v, start < 0), w, signed).V
		}
	}
	return b.saturatedByFlags(w, x, y, signed)
}

// inFrame returns a term's lanes as numbers that are signed or not.
func (b *Builder) inFrame(w builder.Lanes, t Term, signed bool) word.Value {
	if t.Signed == signed {
		return t.V
	}
	return b.Flip(w, t.V)
}

// windowStart returns the lowest number, in units of 2^(w-1), of the window that a
// saturating operation clamps x + y (or x - y) to.
func windowStart(x, y Term, signedOp bool) int {
	moved := func(t Term) int { // how much larger the number is than its lane
		switch {
		case t.Signed && !signedOp:
			return -1
		case !t.Signed && signedOp:
			return 1
		}
		return 0
	}
	start := 0
	if signedOp {
		start = -1
	}
	if y.Neg {
		return start + moved(x) - moved(y)
	}
	return start + moved(x) + moved(y)
}

// targetStart is the lowest number to clamp to, in units of 2^(w-1).
func targetStart(signed bool) int {
	if signed {
		return -1
	}
	return 0
}

// windowHolds reports whether a window can be clamped further to the target:
// nothing of the target that the sum reaches may lie outside it.
func windowHolds(start int, x, y Term, signed bool) bool {
	xLo, xHi := targetStart(x.Signed), targetStart(x.Signed)+2
	yLo, yHi := targetStart(y.Signed), targetStart(y.Signed)+2
	if y.Neg {
		yLo, yHi = -yHi, -yLo
	}
	lo, hi := max(xLo+yLo, targetStart(signed)), min(xHi+yHi, targetStart(signed)+2)
	return (start == 0 || start == -1) && lo >= start && hi <= start+2
}

// saturatedComplement treats the two sums that fit no window. With ^y = -1 - y they are
//
//	x + y = (x - ^y) - 1, both signed, clamped to unsigned numbers
//	x - y = (x + ^y) + 1, y signed, x not, clamped to signed numbers
//
// and the 1 is subtracted or added with saturation too.
func (b *Builder) saturatedComplement(w builder.Lanes, x, y Term, signed bool) (word.Value, bool) {
	one := b.Con(w.Each(1))
	if !y.Neg && x.Signed && y.Signed && !signed {
		v := b.saturating(w, false, true, b.Flip(w, x.V), b.Flip(w, b.Not(y.V)))
		return b.saturating(w, false, true, v, one), true
	}
	if y.Neg && !x.Signed && y.Signed && signed {
		v := b.saturating(w, false, false, x.V, b.Flip(w, b.Not(y.V)))
		return b.Flip(w, b.saturating(w, false, false, v, one)), true
	}
	return 0, false
}

// saturatingOps returns the operations that add, or subtract, with saturation.
func saturatingOps(subtract bool) builder.Signedness {
	if subtract {
		return packed.MinusSatOps
	}
	return packed.PlusSatOps
}

// saturating adds or subtracts lanes with saturation. Without an operation for it,
// unsigned lanes are brought to where nothing overflows: min(x, ^y) + y, max(x, y) - y.
func (b *Builder) saturating(w builder.Lanes, signed, subtract bool, x, y word.Value) word.Value {
	if v, ok := b.Native(w, saturatingOps(subtract).Of(signed), x, y); ok {
		return v
	}
	if subtract && w == 8 && b.Caps.PTX && b.Caps.Has(word.AbsDiffU8) {
		return b.DifferenceAboveZero(x, y)
	}
	if subtract {
		return b.Do(word.Sub, b.Larger(w, false, x, y), y)
	}
	if b.HasDistances(w) && b.Choose(2) == 1 { // what x lacks of ff is lessened by y
		if b.Inst(y).Op == word.Xor { // what is flipped is inverted at once
			x, y = y, x
		}
		return b.Not(b.DifferenceAboveZero(b.Not(x), y))
	}
	limit := b.Not(y)
	if w == 8 && !b.Caps.Has(word.MinU8) {
		// Not the minimum by distances, which is as long here and takes solvers a hundred times as long.
		return b.Do(word.Add, b.Selected(w, b.Greater(w, false, x, limit), limit, x), y)
	}
	return b.Do(word.Add, b.Smaller(w, false, x, limit), y)
}
