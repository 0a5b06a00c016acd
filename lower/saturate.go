package lower

import "github.com/vop-ptx/vop/isa"

// clamped is stage 3: the sum of one or two terms, clamped to the numbers of
// width bits, signed or not, width at most w. ok is false if words are too short to
// compute it.
func (b *builder) clamped(w lanes, terms []term, width lanes, signed bool) (t term, ok bool) {
	if t, ok := b.joined(w, terms); ok {
		return b.clampedTerm(w, t, width, signed), true
	}
	if len(terms) != 2 {
		return term{}, false
	}
	x, y := terms[0], terms[1]
	if x.neg {
		x, y = y, x
	}
	if x.neg {
		return term{}, false
	}
	full := signed // clamped to w bits first, signed or not: both hold a narrower result
	if width < w && !signed {
		full = b.choose(2) == 1
	}
	t = whole(w, b.saturatedSum(w, x, y, full), full)
	return b.clampedTerm(w, t, width, signed), true
}

// clampedTerm clamps one term.
func (b *builder) clampedTerm(w lanes, t term, width lanes, signed bool) term {
	lo, hi := span64(width, signed)
	if t.hi > hi {
		t.v, t.hi = b.smaller(w, t.signed, t.v, b.con(w.each(uint32(hi)))), hi
		t.lo = min(t.lo, hi)
	}
	if t.lo < lo {
		t.v, t.lo = b.larger(w, t.signed, t.v, b.con(w.each(uint32(lo)))), lo
		t.hi = max(t.hi, lo)
	}
	if within(t.lo, t.hi, w, signed) {
		t.signed = signed
	}
	return t
}

// saturatedSum returns x + y, or x - y if y is negated, clamped to the numbers
// of w bits, signed or not.
func (b *builder) saturatedSum(w lanes, x, y term, signed bool) Value {
	if w < 32 && b.caps.Has(plusSatOps[0].at(w)) {
		return b.saturatedInFrame(w, x, y, signed)
	}
	ways := 2
	if w < 32 && b.caps.Has(PackSatS16) {
		ways = 3
	}
	switch b.choose(ways) {
	case 0:
		return b.saturatedByFlags(w, x, y, signed)
	case 1:
		return b.saturatedInFrame(w, x, y, signed)
	}
	return b.saturatedApart(w, x, y, signed)
}

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
func (b *builder) saturatedInFrame(w lanes, x, y term, signed bool) Value {
	if v, ok := b.saturatedComplement(w, x, y, signed); ok {
		return v
	}
	for _, exact := range []bool{true, false} {
		for _, signedOp := range []bool{false, true} {
			if signedOp && !b.caps.Has(plusSatOps[1].at(w)) {
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
func (b *builder) inFrame(w lanes, t term, signed bool) Value {
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
func (b *builder) saturatedComplement(w lanes, x, y term, signed bool) (Value, bool) {
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

// saturating adds or subtracts lanes with saturation. Without an operation for it,
// unsigned lanes are brought to where nothing overflows: min(x, ^y) + y, max(x, y) - y.
func (b *builder) saturating(w lanes, signed, subtract bool, x, y Value) Value {
	ops := plusSatOps
	if subtract {
		ops = minusSatOps
	}
	if v, ok := b.native(w, ops.of(signed), x, y); ok {
		return v
	}
	if subtract {
		return b.do(Sub, b.larger(w, false, x, y), y)
	}
	return b.do(Add, b.smaller(w, false, x, b.not(y)), y)
}

// saturatedApart adds each lane in a word of its own, and packs the sums.
func (b *builder) saturatedApart(w lanes, x, y term, signed bool) Value {
	sums := [4]Value{b.con(0), b.con(0), b.con(0), b.con(0)}
	if w == 8 && x.signed == y.signed {
		// Bytes side by side are added by one operation.
		weights := uint64(0x0101)
		if y.neg {
			weights = 0xff01
		}
		dot := dotOps.of(x.signed).at(w)
		for i := range 4 {
			first := i &^ 1
			pairs := b.bytes([4]pick{byteOf(x.v, first), byteOf(y.v, first), byteOf(x.v, first+1), byteOf(y.v, first+1)})
			sums[i] = b.doImm(dot, weights<<(16*(i&1))&(1<<32-1), pairs, sums[i])
		}
	} else {
		for i := range w.count() {
			for _, t := range []term{x, y} {
				sums[i], _ = b.accumulate(w, t, isa.Mask(1<<i), sums[i])
			}
		}
	}
	op := packOps.of(signed).at(w)
	if w == 16 {
		return b.do(op, sums[0], sums[1])
	}
	return b.do(op, sums[0], sums[1], b.do(op, sums[2], sums[3], b.con(0)))
}

// packOps clamp words and pack them.
var packOps = signedness{{PackSatU8, PackSatU16, NoOp}, {PackSatS8, PackSatS16, NoOp}}

// overflow says what the top bits of x, y and of their raw sum tell about the sum: three
// tables as for Logic3.
type overflow struct {
	over, under uint8
	top         uint8 // the top bit of the clamped sum
}

// overflows finds the tables by going through the eight cases. The raw sum is the
// plain one of words (w = 32), or for shorter lanes the one whose top bit is the
// carry of the bits below (a sum) or the missing borrow (a difference).
func overflows(w lanes, x, y term, signed bool) overflow {
	var o overflow
	for row := range 8 {
		xTop, yTop, rawTop := row>>2, row>>1&1, row&1
		carry := rawTop
		switch {
		case w == 32:
			carry = rawTop ^ xTop ^ yTop
		case y.neg:
			carry = 1 - rawTop
		}
		multiple := func(t term, top int) int { // in units of 2^(w-1)
			if t.signed {
				return -top
			}
			return top
		}
		number := multiple(x, xTop) + multiple(y, yTop) + carry
		if y.neg {
			number = multiple(x, xTop) - multiple(y, yTop) - carry
		}
		bit := uint8(1) << row
		top := number&1 != 0
		if start := targetStart(signed); number > start+1 {
			o.over |= bit
			top = !signed
		} else if number < start {
			o.under |= bit
			top = signed
		}
		if top {
			o.top |= bit
		}
	}
	return o
}

// saturatedByFlags computes the sum modulo 2^w and puts the limit where the top bits
// show that it is exceeded.
func (b *builder) saturatedByFlags(w lanes, x, y term, signed bool) Value {
	o := overflows(w, x, y, signed)
	if w == 32 {
		return b.saturatedWord(o, x, y, signed)
	}
	top := w.top()
	var raw Value
	if y.neg {
		raw = b.do(Sub, b.or(x.v, b.con(top)), b.andCon(y.v, ^top))
	} else {
		raw = b.do(Add, b.andCon(x.v, ^top), b.andCon(y.v, ^top))
	}
	exceeded := b.spread(w, b.table(o.over|o.under, x.v, y.v, raw))
	if !signed && o.over == 0 {
		return b.andNot(b.sum(w, []term{x, y}), exceeded)
	}
	if !signed && o.under == 0 {
		return b.or(b.sum(w, []term{x, y}), exceeded)
	}
	var low Value // right below the top bit
	switch {
	case o.under == 0:
		low = b.or(raw, exceeded)
	case o.over == 0:
		low = b.andNot(raw, exceeded)
	default:
		fill, inverted := b.overSign(o, x.v, y.v, raw)
		fill = b.spread(w, fill)
		if inverted {
			fill = b.not(fill)
		}
		low = b.or(b.and(exceeded, fill), b.andNot(raw, exceeded))
	}
	return b.or(b.andCon(low, ^top), b.andCon(b.table(o.top, x.v, y.v, raw), top))
}

// saturatedWord is saturatedByFlags for whole words.
func (b *builder) saturatedWord(o overflow, x, y term, signed bool) Value {
	raw := b.sum(32, []term{x, y})
	flag := b.table(o.over|o.under, x.v, y.v, raw)
	limits := uint32(0) // what over, all ones, and under, all zeros, are XORed with
	if signed {
		limits = 1 << 31
	}
	switch {
	case o.over|o.under == 0:
		return raw
	case !signed && o.over == 0:
		return b.andNot(raw, b.shrS(flag, 31))
	case !signed && o.under == 0:
		return b.or(raw, b.shrS(flag, 31))
	case o.over == 0:
		return b.do(Select, b.do(CmpLtS, flag, b.con(0)), b.con(limits), raw)
	case o.under == 0:
		return b.do(Select, b.do(CmpLtS, flag, b.con(0)), b.con(^limits), raw)
	}
	fill, inverted := b.overSign(o, x.v, y.v, raw)
	if inverted {
		limits = ^limits
	}
	limit := b.xorCon(b.shrS(fill, 31), limits)
	return b.do(Select, b.do(CmpLtS, flag, b.con(0)), limit, raw)
}

// overSign returns a value whose top bits are 1 where the sum is too large and 0
// where it is too small, or the inverse.
func (b *builder) overSign(o overflow, x, y, raw Value) (v Value, inverted bool) {
	for n, v := range []Value{raw, x, y} {
		t := []uint8{tableZ, tableX, tableY}[n]
		if o.over&^t == 0 && o.under&t == 0 {
			return v, false
		}
		if o.over&t == 0 && o.under&^t == 0 {
			return v, true
		}
	}
	return b.table(o.over, x, y, raw), false
}
