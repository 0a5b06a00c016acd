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
	if _, known := b.constant(n); !known && b.caps.PTX && (b.reading == isa.Manual || f.Sat) {
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

// shiftedWide is vshl with a clamp or .min or .max where the bits above the word matter, from
// x shifted left on 64 bits. upper is the number of 34 bits without its lowest two: its range says whether
// the number fits a word, and its sign is that of the number.
func (b *builder) shiftedWide(f isa.Form, x term, n word.Value) word.Value {
	widen := word.WideU
	if x.signed {
		widen = word.WideS
	}
	shifted := b.do(word.ShlWide, b.do(widen, x.v), b.do(word.WideU, n))
	low := b.do(word.Lo, shifted)
	upper := b.do(word.Lo, b.doImm(word.ShrWideU, 2, shifted))
	signed := f.DType.Signed()
	fits := b.do(word.CmpLtU, upper, b.con(1<<30))
	if signed {
		fits = b.do(word.CmpLtU, b.do(word.Add, upper, b.con(1<<29)), b.con(1<<30))
	}
	if f.Sat {
		clamped := b.do(word.Select, fits, low, b.limitBySign(upper, signed, false))
		return b.finished(f, []term{whole(32, clamped, signed)})
	}
	c := b.input(2)
	negative := b.do(word.CmpLtS, upper, b.con(0))
	if f.Second == isa.SecondMin {
		return b.do(word.Select, fits, b.smaller(32, signed, low, c), b.do(word.Select, negative, low, c))
	}
	return b.do(word.Select, fits, b.larger(32, signed, low, c), b.do(word.Select, negative, c, low))
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
