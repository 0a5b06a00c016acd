package lower

import "github.com/vop-ptx/vop/rewrite/word"

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
func (b *builder) saturatedInFrame(w lanes, x, y term, signed bool) word.Value {
	if v, ok := b.saturatedComplement(w, x, y, signed); ok {
		return v
	}
	for _, exact := range []bool{true, false} {
		for _, signedOp := range []bool{false, true} {
			if signedOp && !b.caps.Has(saturatingOps(y.neg)[1].at(w)) {
				continue
			}
			start := windowStart(x, y, signedOp) // in units of 2^(w-1)
			if exact && start != targetStart(signed) || !exact && !windowHolds(start, x, y, signed) {
				continue
			}
			v := b.saturating(w, signedOp, y.neg, b.inFrame(w, x, signedOp), b.inFrame(w, y, signedOp))
			if (start < 0) != signedOp {
				v = b.flip(w, v)
			}
			return b.clampedTerm(w, whole(w, v, start < 0), w, signed).v
		}
	}
	return b.saturatedByFlags(w, x, y, signed)
}

// inFrame returns a term's lanes as numbers that are signed or not.
func (b *builder) inFrame(w lanes, t term, signed bool) word.Value {
	if t.signed == signed {
		return t.v
	}
	return b.flip(w, t.v)
}

// windowStart returns the lowest number, in units of 2^(w-1), of the window that a
// saturating operation clamps x + y (or x - y) to.
func windowStart(x, y term, signedOp bool) int {
	moved := func(t term) int { // how much larger the number is than its lane
		switch {
		case t.signed && !signedOp:
			return -1
		case !t.signed && signedOp:
			return 1
		}
		return 0
	}
	start := 0
	if signedOp {
		start = -1
	}
	if y.neg {
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
func windowHolds(start int, x, y term, signed bool) bool {
	xLo, xHi := targetStart(x.signed), targetStart(x.signed)+2
	yLo, yHi := targetStart(y.signed), targetStart(y.signed)+2
	if y.neg {
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
func (b *builder) saturatedComplement(w lanes, x, y term, signed bool) (word.Value, bool) {
	one := b.con(w.each(1))
	if !y.neg && x.signed && y.signed && !signed {
		v := b.saturating(w, false, true, b.flip(w, x.v), b.flip(w, b.not(y.v)))
		return b.saturating(w, false, true, v, one), true
	}
	if y.neg && !x.signed && y.signed && signed {
		v := b.saturating(w, false, false, x.v, b.flip(w, b.not(y.v)))
		return b.flip(w, b.saturating(w, false, false, v, one)), true
	}
	return 0, false
}

// saturatingOps returns the operations that add, or subtract, with saturation.
func saturatingOps(subtract bool) signedness {
	if subtract {
		return minusSatOps
	}
	return plusSatOps
}

// saturating adds or subtracts lanes with saturation. Without an operation for it,
// unsigned lanes are brought to where nothing overflows: min(x, ^y) + y, max(x, y) - y.
func (b *builder) saturating(w lanes, signed, subtract bool, x, y word.Value) word.Value {
	if v, ok := b.native(w, saturatingOps(subtract).of(signed), x, y); ok {
		return v
	}
	if subtract && w == 8 && b.caps.PTX && b.caps.Has(word.AbsDiffU8) {
		return b.differenceAboveZero(x, y)
	}
	if subtract {
		return b.do(word.Sub, b.larger(w, false, x, y), y)
	}
	limit := b.not(y)
	if w == 8 && !b.caps.Has(word.MinU8) {
		// Not the minimum by distances, which is as long here and takes solvers a hundred times as long.
		return b.do(word.Add, b.selected(w, b.greater(w, false, x, limit), limit, x), y)
	}
	return b.do(word.Add, b.smaller(w, false, x, limit), y)
}

// differenceAboveZero is max(x - y, 0) of unsigned bytes, of which x - y + |x - y| is the double. The
// sum of words needs 33 bits; every byte of it is even, so the shift moves nothing into the next.
func (b *builder) differenceAboveZero(x, y word.Value) word.Value {
	wide := func(v word.Value) word.Value { return b.do(word.WideU, v) }
	twice := b.do(word.SubWide, b.do(word.AddWide, wide(x), wide(b.distance(8, false, x, y))), wide(y))
	return b.do(word.Lo, b.doImm(word.ShrWideU, 1, twice))
}
