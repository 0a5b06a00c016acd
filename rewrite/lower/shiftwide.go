package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// shiftedWide is vshl with a clamp or .min or .max where the bits above the word matter, from
// x shifted left on 64 bits. upper is the number of 34 bits without its lowest two: its range says whether
// the number fits a word, and its sign is that of the number.
func (b *builder) shiftedWide(f isa.Form, x term, n word.Value) word.Value {
	if f.Sat && b.choose(2) == 1 {
		// Shifted left by 30 beforehand the number has upper for its high word.
		raise := word.MulWideU
		if x.signed {
			raise = word.MulWideS
		}
		raised := b.do(word.ShlWide, b.do(raise, x.v, b.con(1<<30)), b.do(word.WideU, n))
		upper, _ := b.halved(raised)
		return b.shiftClamped(f, b.do(word.Shl, x.v, n), upper)
	}
	shifted, ok := b.shiftedByProduct(f, x, n)
	if !ok {
		widen := word.WideU
		if x.signed {
			widen = word.WideS
		}
		shifted = b.do(word.ShlWide, b.do(widen, x.v), b.do(word.WideU, n))
	}
	signed, c := f.DType.Signed(), b.input(2)
	switch {
	case b.reading == isa.SM86 && !f.Sat && signed: // rule Q10
		return b.secondOfWide(f, shifted, b.do(word.WideS, c))
	case b.reading == isa.SM86 && !f.Sat:
		high, low := b.halved(shifted)
		return b.secondOfPair(f, high, low)
	case !f.Sat:
		high, low := b.halved(shifted)
		if signed && b.choose(2) == 1 {
			return b.secondByUpper(f, b.do(word.Lo, b.doImm(word.ShrWideU, 2, shifted)), low)
		}
		return b.shiftedSecond(f, high, low)
	}
	if high, low := b.halved(shifted); b.fillsByFunnel(f) && b.choose(2) == 1 {
		return b.clampedByFunnel(f, high, low)
	}
	return b.shiftClamped(f, b.do(word.Lo, shifted), b.do(word.Lo, b.doImm(word.ShrWideU, 2, shifted)))
}

// shiftedByFunnel is shiftedWide with funnel shifts, which hold the amount to 32 by themselves.
func (b *builder) shiftedByFunnel(f isa.Form, x term, n word.Value) word.Value {
	low := b.do(word.Shl, x.v, n)
	if f.Sat && (!b.fillsByFunnel(f) || b.choose(2) == 0) {
		return b.shiftClamped(f, low, b.upperByFunnel(x, n))
	}
	if !f.Sat && f.DType.Signed() && b.reading == isa.Manual && b.choose(2) == 1 {
		return b.secondByUpper(f, b.upperByFunnel(x, n), low)
	}
	above := b.con(0)
	if x.signed {
		above = b.shrS(x.v, 31)
	}
	high := b.do(word.FunnelL, x.v, above, n)
	switch {
	case f.Sat:
		return b.clampedByFunnel(f, high, low)
	case b.reading == isa.Manual:
		return b.shiftedSecond(f, high, low)
	case f.DType.Signed(): // rule Q10
		return b.secondOfWide(f, b.wideOfWords(high, low), b.do(word.WideS, b.input(2)))
	}
	return b.secondOfPair(f, high, low)
}

// upperByFunnel returns the number of 34 bits without its lowest two, x shifted left by n: what was shifted by 30 beforehand has them
// in its high word.
func (b *builder) upperByFunnel(x term, n word.Value) word.Value {
	raise := word.MulWideU
	if x.signed {
		raise = word.MulWideS
	}
	high, below := b.halved(b.do(raise, x.v, b.con(1<<30)))
	return b.do(word.FunnelL, below, high, n)
}

// fillsByFunnel reports whether clampedByFunnel computes a form.
func (b *builder) fillsByFunnel(f isa.Form) bool {
	return f.Sat && !f.DType.Signed() && f.DSel == isa.Word && b.caps.Has(word.FunnelR)
}

// clampedByFunnel clamps a number of 34 bits to a word without a sign, given as two words. The two bits above the
// word are brought to the top of another, which is 0 where the number fits, and else more than the 32 places by
// which a funnel shift takes the limit in.
func (b *builder) clampedByFunnel(f isa.Form, high, low word.Value) word.Value {
	exceeds := b.shl(high, 64-intermediateBits)
	clamped := b.do(word.FunnelR, low, b.limitBySign(exceeds, false, false), exceeds)
	return b.finished(f, []term{whole(32, clamped, false)})
}

// wideOfWords returns the wide value of two words.
func (b *builder) wideOfWords(high, low word.Value) word.Value {
	return b.do(word.AddWide, b.do(word.WideU, low), b.do(word.ShlWide, b.do(word.WideU, high), b.wideCon(32)))
}

// shiftClamped clamps a number of 34 bits, given as its low word and as upper.
func (b *builder) shiftClamped(f isa.Form, low, upper word.Value) word.Value {
	signed := f.DType.Signed()
	if f.DSel != isa.Word && b.reading == isa.Manual {
		limit := b.limitOfWidth(lanes(f.DSel.Bits()), upper, signed)
		return b.inserted(f.DSel, b.do(word.Select, b.isShort(upper, lanes(f.DSel.Bits()), signed), low, limit), 0)
	}
	clamped := b.do(word.Select, b.isShort(upper, 32, signed), low, b.limitBySign(upper, signed, false))
	return b.finished(f, []term{whole(32, clamped, signed)})
}

// isShort reports whether a number is one of width bits, given without its lowest two.
func (b *builder) isShort(upper word.Value, width lanes, signed bool) word.Value {
	if signed {
		upper = b.do(word.Add, upper, b.con(1<<(width-3)))
	}
	return b.do(word.CmpLtU, upper, b.con(1<<(width-2)))
}

// limitOfWidth returns the limit of numbers of some width on the side of a number's sign. What is above the
// width is of no account.
func (b *builder) limitOfWidth(width lanes, number word.Value, signed bool) word.Value {
	if !signed {
		return b.limitBySign(number, false, false)
	}
	return b.do(word.Add, b.shrU(number, 31), b.con(1<<(width-1)-1))
}

// shiftedByProduct returns x shifted left by at most 31 as its product with a power of two, which takes
// one instruction for both words. The power of 31 is not a signed word, but its negative is, as is that of
// a byte or a half. ok is false of a signed word.
func (b *builder) shiftedByProduct(f isa.Form, x term, n word.Value) (shifted word.Value, ok bool) {
	switch {
	case f.Mode != isa.Wrap:
		return none, false
	case !x.signed:
		return b.do(word.MulWideU, x.v, b.do(word.Shl, b.con(1), n)), true
	case within(x.lo, x.hi, 16, true):
		return b.do(word.MulWideS, b.sum(32, []term{x.negated()}), b.do(word.Shl, b.con(0xffffffff), n)), true
	}
	return none, false
}

// shiftedSecond is .min or .max of the lowest 34 bits of a number of two words and c, compared on 64 bits. Above the word the two
// bits stand on top, where they are in the same order, or are extended if c has a sign.
func (b *builder) shiftedSecond(f isa.Form, high, low word.Value) word.Value {
	const unused = 64 - intermediateBits
	high = b.shl(high, unused)
	c := b.do(word.WideU, b.input(2))
	if f.DType.Signed() {
		high = b.shrS(high, unused)
		c = b.do(word.WideS, b.input(2))
	}
	return b.secondOfWide(f, b.wideOfWords(high, low), c)
}

// secondByUpper is .min or .max of a number of 34 bits and a signed c, given as its low word and as upper. c loses its lowest two bits as
// well: where the rest is equal the low words, which have these, say which is greater, and the low word of the greater is the
// result. So neither c nor the bits above the word are extended.
func (b *builder) secondByUpper(f isa.Form, upper, low word.Value) word.Value {
	c := b.input(2)
	return b.secondOfWide(f, b.wideOfWords(upper, low), b.wideOfWords(b.shrS(c, 2), c))
}

// secondOfWide is .min or .max of wide numbers.
func (b *builder) secondOfWide(f isa.Form, x, c word.Value) word.Value {
	op := word.MinWideS
	if f.Second == isa.SecondMax {
		op = word.MaxWideS
	}
	return b.do(word.Lo, b.do(op, x, c))
}
