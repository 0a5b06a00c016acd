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
		if onTop, ok := b.shiftedOnTop(f, op, n); ok && b.choose(2) == 1 {
			width := f.ASel.Bits()
			if f.Sat && b.caps.PTX && b.choose(2) == 1 {
				onTop, t = b.clampedOnTop(f, onTop, t)
			}
			if b.staysOnTop(f, t) {
				return b.inserted(f.DSel, onTop, (32-width)/8)
			}
			t.v = b.do(op, onTop, b.con(uint32(32-width)))
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
	if _, known := b.constant(n); !known && b.caps.Has(word.FunnelL) && b.choose(2) == 1 {
		return b.shiftedByFunnel(f, x, n)
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

// shiftedOnTop returns a word on whose top is what vshr gives: a shifted right with all that is below its part, if that is on top of a.
// Else, as .wrap looks at five bits of the amount alone, one permutation puts the part on top and the amount below it. ok is false
// where that saves nothing.
func (b *builder) shiftedOnTop(f isa.Form, op word.Op, n word.Value) (v word.Value, ok bool) {
	switch {
	case isTop(f.ASel):
		return b.do(op, b.input(0), n), true
	case b.caps.PTX && f.Mode == isa.Wrap && f.ASel != isa.Word && f.BSel.Shift() > 0:
		below := byteOf(b.input(1), f.BSel.Shift()/8)
		picks := [4]pick{below, below, below, below}
		size := f.ASel.Bits() / 8
		for i := range size {
			picks[4-size+i] = byteOf(b.input(0), f.ASel.Shift()/8+i)
		}
		both := b.bytes(picks)
		return b.do(op, both, b.andCon(both, 31)), true
	}
	return none, false
}

// clampedOnTop limits the number on top of a word to those of dtype, whatever stands below: the lowest of dtype with zeros below it, and the
// highest with ones. t is the number.
func (b *builder) clampedOnTop(f isa.Form, onTop word.Value, t term) (clamped word.Value, limited term) {
	below := uint(32 - f.ASel.Bits())
	lo, hi := span64(lanes(f.DSel.Bits()), f.DType.Signed())
	if t.lo < lo {
		onTop, t.lo = b.larger(32, t.signed, onTop, b.con(uint32(lo)<<below)), lo
	}
	if t.hi > hi {
		onTop, t.hi = b.smaller(32, t.signed, onTop, b.con(uint32(hi+1)<<below-1)), hi
	}
	return onTop, t
}

// staysOnTop reports whether what vshr merges into c is the top of what shiftedOnTop gives.
func (b *builder) staysOnTop(f isa.Form, shifted term) bool {
	width := lanes(f.DSel.Bits())
	return f.DSel != isa.Word && f.DSel.Bits() <= f.ASel.Bits() &&
		(!f.Sat || within(shifted.lo, shifted.hi, width, f.DType.Signed())) &&
		(b.reading == isa.Manual || f.DSel != isa.H1) // rule Q1 takes the high half
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
