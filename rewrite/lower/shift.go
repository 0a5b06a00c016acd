package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// intermediateBits is the width of the scalar instructions' intermediate result
// (9.7.18.1: ".s34", ruling R1). Only a left shift exceeds it.
const intermediateBits = 34

// shifted32 lowers vshl and vshr. Shift amounts above 31 leave zeros or copies of the
// sign in a word, as .clamp to 32 does on the 33-bit value.
func (b *builder) shifted32(f isa.Form, x, amount term) word.Value {
	n := amount.v
	if f.Mode == isa.Wrap {
		n = b.andCon(n, 31)
	}
	if f.Op.Kind() == isa.Shr {
		op := word.ShrU
		if x.signed {
			op = word.ShrS
		}
		t := term{v: b.do(op, x.v, n), signed: x.signed, lo: min(x.lo, 0), hi: max(x.hi, 0)}
		if isTop(f.ASel) && f.Mode == isa.Clamp && b.canDot(n, false) {
			// From the top of the word it is farther, which is added as the amount is extracted.
			t.v = b.do(op, b.input(0), b.dotted(n, false, b.con(uint32(f.ASel.Shift()))))
		}
		if b.staysOnTop(f, t) && b.choose(2) == 1 {
			return b.inserted(f.DSel, b.do(op, b.input(0), n), f.ASel.Shift()/8)
		}
		return b.finished(f, []term{t})
	}
	if k, ok := b.constant(n); ok && k <= 31 && within(x.lo<<k, x.hi<<k, 32, x.signed) {
		return b.finished(f, []term{{v: b.do(word.Shl, x.v, n), signed: x.signed, lo: x.lo << k, hi: x.hi << k}})
	}
	if !f.Sat && f.Second != isa.SecondMin && f.Second != isa.SecondMax {
		// Only the low 32 bits matter.
		return b.finished(f, []term{whole(32, b.do(word.Shl, x.v, n), x.signed)})
	}
	n = b.do(word.MinU, n, b.con(32))
	if _, known := b.constant(n); !known && b.caps.PTX {
		return b.shiftedWide(f, x, n)
	}
	high, low := b.shiftedPair(x, n)
	if !f.Sat && b.reading == isa.SM86 {
		return b.secondOfPair(f, high, low)
	}
	const unused = 64 - intermediateBits
	high = b.shrS(b.shl(high, unused), unused)
	if f.Sat {
		return b.finished(f, []term{b.pairClamped(high, low, true, b.shiftedSpan(x, n), f.DType.Signed())})
	}
	return b.pairSecond(f, high, low)
}

// staysOnTop reports whether what vshr merges into c is on top of a shifted right with all that is below the part.
func (b *builder) staysOnTop(f isa.Form, shifted term) bool {
	width := lanes(f.DSel.Bits())
	return isTop(f.ASel) && f.DSel != isa.Word && f.DSel.Bits() <= f.ASel.Bits() &&
		(!f.Sat || within(shifted.lo, shifted.hi, width, f.DType.Signed())) &&
		(b.reading == isa.Manual || f.DSel != isa.H1) // rule Q1 takes the high half
}

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
		return b.shiftedSecond(f, shifted)
	}
	return b.shiftClamped(f, b.do(word.Lo, shifted), b.do(word.Lo, b.doImm(word.ShrWideU, 2, shifted)))
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

// shiftedSecond is .min or .max of the lowest 34 bits of a wide number and c, compared on 64 bits. Above the word the two
// bits stand on top, where they are in the same order, or are extended if c has a sign.
func (b *builder) shiftedSecond(f isa.Form, v word.Value) word.Value {
	const unused = 64 - intermediateBits
	high, low := b.halved(v)
	high = b.shl(high, unused)
	c := b.do(word.WideU, b.input(2))
	if f.DType.Signed() {
		high = b.shrS(high, unused)
		c = b.do(word.WideS, b.input(2))
	}
	number := b.do(word.AddWide, b.do(word.WideU, low), b.do(word.ShlWide, b.do(word.WideU, high), b.wideCon(32)))
	return b.secondOfWide(f, number, c)
}

// secondOfWide is .min or .max of wide numbers.
func (b *builder) secondOfWide(f isa.Form, x, c word.Value) word.Value {
	op := word.MinWideS
	if f.Second == isa.SecondMax {
		op = word.MaxWideS
	}
	return b.do(word.Lo, b.do(op, x, c))
}

// shiftedPair shifts x left by n, 0 to 32, and returns the result in two words.
func (b *builder) shiftedPair(x term, n word.Value) (high, low word.Value) {
	op := word.ShrU
	if x.signed {
		op = word.ShrS
	}
	return b.do(op, x.v, b.do(word.Sub, b.con(32), n)), b.do(word.Shl, x.v, n)
}

// shiftedSpan returns what is known of x shifted left by n, of which 34 bits are kept.
func (b *builder) shiftedSpan(x term, n word.Value) span {
	if k, ok := b.constant(n); ok && k < 32 {
		if s := (span{x.lo, x.hi}).times(span{1 << k, 1 << k}); s.within(intermediateBits, true) {
			return s
		}
	}
	lo, hi := span64(intermediateBits, true)
	return span{lo, hi}
}
