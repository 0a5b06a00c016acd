package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// shiftedWide is vshl with a clamp or .min or .max where the bits above the word matter, from
// x shifted left on 64 bits. upper is the number of 34 bits without its lowest two: its range says whether
// the number fits a word, and its sign is that of the number.
func (b *lowering) shiftedWide(f isa.Form, x stage.Term, n word.Value) word.Value {
	if f.Sat && b.Choose(2) == 1 {
		// Shifted left by 30 beforehand the number has upper for its high word.
		raise := word.MulWideU
		if x.Signed {
			raise = word.MulWideS
		}
		raised := b.Do(word.ShlWide, b.Do(raise, x.V, b.Con(1<<30)), b.Do(word.WideU, n))
		upper, _ := b.Halved(raised)
		return b.shiftClamped(f, b.Do(word.Shl, x.V, n), upper)
	}
	shifted, ok := b.shiftedByProduct(f, x, n)
	if !ok {
		widen := word.WideU
		if x.Signed {
			widen = word.WideS
		}
		shifted = b.Do(word.ShlWide, b.Do(widen, x.V), b.Do(word.WideU, n))
	}
	signed, c := f.DType.Signed(), b.Input(2)
	switch {
	case b.reading == isa.SM86 && !f.Sat && signed: // rule Q10
		return b.secondOfWide(f, shifted, b.Do(word.WideS, c))
	case b.reading == isa.SM86 && !f.Sat:
		high, low := b.Halved(shifted)
		return b.secondOfPair(f, high, low)
	case !f.Sat:
		high, low := b.Halved(shifted)
		if signed && b.Choose(2) == 1 {
			return b.secondByUpper(f, b.Do(word.Lo, b.DoImm(word.ShrWideU, 2, shifted)), low)
		}
		return b.shiftedSecond(f, high, low)
	}
	if high, low := b.Halved(shifted); b.fillsByFunnel(f) && b.Choose(2) == 1 {
		return b.clampedByFunnel(f, high, low)
	}
	return b.shiftClamped(f, b.Do(word.Lo, shifted), b.Do(word.Lo, b.DoImm(word.ShrWideU, 2, shifted)))
}

// shiftedByFunnel is shiftedWide with funnel shifts, which hold the amount to 32 by themselves.
func (b *lowering) shiftedByFunnel(f isa.Form, x stage.Term, n word.Value) word.Value {
	low := b.Do(word.Shl, x.V, n)
	if f.Sat && (!b.fillsByFunnel(f) || b.Choose(2) == 0) {
		return b.shiftClamped(f, low, b.upperByFunnel(x, n))
	}
	if !f.Sat && f.DType.Signed() && b.reading == isa.Manual && b.Choose(2) == 1 {
		return b.secondByUpper(f, b.upperByFunnel(x, n), low)
	}
	above := b.Con(0)
	if x.Signed {
		above = b.ShrS(x.V, 31)
	}
	high := b.Do(word.FunnelL, x.V, above, n)
	switch {
	case f.Sat:
		return b.clampedByFunnel(f, high, low)
	case b.reading == isa.Manual:
		return b.shiftedSecond(f, high, low)
	case f.DType.Signed(): // rule Q10
		return b.secondOfWide(f, b.wideOfWords(high, low), b.Do(word.WideS, b.Input(2)))
	}
	return b.secondOfPair(f, high, low)
}

// upperByFunnel returns the number of 34 bits without its lowest two, x shifted left by n: what was shifted by 30 beforehand has them
// in its high word.
func (b *lowering) upperByFunnel(x stage.Term, n word.Value) word.Value {
	raise := word.MulWideU
	if x.Signed {
		raise = word.MulWideS
	}
	high, below := b.Halved(b.Do(raise, x.V, b.Con(1<<30)))
	return b.Do(word.FunnelL, below, high, n)
}

// fillsByFunnel reports whether clampedByFunnel computes a form.
func (b *lowering) fillsByFunnel(f isa.Form) bool {
	return f.Sat && !f.DType.Signed() && f.DSel == isa.Word && b.Caps.Has(word.FunnelR)
}

// clampedByFunnel clamps a number of 34 bits to a word without a sign, given as two words. The two bits above the
// word are brought to the top of another, which is 0 where the number fits, and else more than the 32 places by
// which a funnel shift takes the limit in.
func (b *lowering) clampedByFunnel(f isa.Form, high, low word.Value) word.Value {
	exceeds := b.Shl(high, 64-intermediateBits)
	clamped := b.Do(word.FunnelR, low, b.LimitBySign(exceeds, false, false), exceeds)
	return b.finished(f, []stage.Term{stage.Whole(32, clamped, false)})
}

// wideOfWords returns the wide value of two words.
func (b *lowering) wideOfWords(high, low word.Value) word.Value {
	return b.Do(word.AddWide, b.Do(word.WideU, low), b.Do(word.ShlWide, b.Do(word.WideU, high), b.WideCon(32)))
}

// shiftClamped clamps a number of 34 bits, given as its low word and as upper.
func (b *lowering) shiftClamped(f isa.Form, low, upper word.Value) word.Value {
	signed := f.DType.Signed()
	if f.DSel != isa.Word && b.reading == isa.Manual {
		limit := b.limitOfWidth(builder.Lanes(f.DSel.Bits()), upper, signed)
		return b.inserted(f.DSel, b.Do(word.Select, b.isShort(upper, builder.Lanes(f.DSel.Bits()), signed), low, limit), 0)
	}
	clamped := b.Do(word.Select, b.isShort(upper, 32, signed), low, b.LimitBySign(upper, signed, false))
	return b.finished(f, []stage.Term{stage.Whole(32, clamped, signed)})
}

// isShort reports whether a number is one of width bits, given without its lowest two.
func (b *lowering) isShort(upper word.Value, width builder.Lanes, signed bool) word.Value {
	if signed {
		upper = b.Do(word.Add, upper, b.Con(1<<(width-3)))
	}
	return b.Do(word.CmpLtU, upper, b.Con(1<<(width-2)))
}

// limitOfWidth returns the limit of numbers of some width on the side of a number's sign. What is above the
// width is of no account.
func (b *lowering) limitOfWidth(width builder.Lanes, number word.Value, signed bool) word.Value {
	if !signed {
		return b.LimitBySign(number, false, false)
	}
	return b.Do(word.Add, b.ShrU(number, 31), b.Con(1<<(width-1)-1))
}

// shiftedByProduct returns x shifted left by at most 31 as its product with a power of two, which takes
// one instruction for both words. The power of 31 is not a signed word, but its negative is, as is that of
// a byte or a half. ok is false of a signed word.
func (b *lowering) shiftedByProduct(f isa.Form, x stage.Term, n word.Value) (shifted word.Value, ok bool) {
	switch {
	case f.Mode != isa.Wrap:
		return builder.None, false
	case !x.Signed:
		return b.Do(word.MulWideU, x.V, b.Do(word.Shl, b.Con(1), n)), true
	case stage.Within(x.Lo, x.Hi, 16, true):
		return b.Do(word.MulWideS, b.Sum(32, []stage.Term{x.Negated()}), b.Do(word.Shl, b.Con(0xffffffff), n)), true
	}
	return builder.None, false
}

// shiftedSecond is .min or .max of the lowest 34 bits of a number of two words and c, compared on 64 bits. Above the word the two
// bits stand on top, where they are in the same order, or are extended if c has a sign.
func (b *lowering) shiftedSecond(f isa.Form, high, low word.Value) word.Value {
	const unused = 64 - intermediateBits
	high = b.Shl(high, unused)
	c := b.Do(word.WideU, b.Input(2))
	if f.DType.Signed() {
		high = b.ShrS(high, unused)
		c = b.Do(word.WideS, b.Input(2))
	}
	return b.secondOfWide(f, b.wideOfWords(high, low), c)
}

// secondByUpper is .min or .max of a number of 34 bits and a signed c, given as its low word and as upper. c loses its lowest two bits as
// well: where the rest is equal the low words, which have these, say which is greater, and the low word of the greater is the
// result. So neither c nor the bits above the word are extended.
func (b *lowering) secondByUpper(f isa.Form, upper, low word.Value) word.Value {
	c := b.Input(2)
	return b.secondOfWide(f, b.wideOfWords(upper, low), b.wideOfWords(b.ShrS(c, 2), c))
}

// secondOfWide is .min or .max of wide numbers.
func (b *lowering) secondOfWide(f isa.Form, x, c word.Value) word.Value {
	op := word.MinWideS
	if f.Second == isa.SecondMax {
		op = word.MaxWideS
	}
	return b.Do(word.Lo, b.Do(op, x, c))
}
