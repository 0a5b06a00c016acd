package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// intermediateBits is the width of the scalar instructions' intermediate result
// (9.7.18.1: ".s34", ruling R1). Only a left shift exceeds it.
const intermediateBits = 34

// shifted32 lowers vshl and vshr. Shift amounts above 31 leave zeros or copies of the
// sign in a word, as .clamp to 32 does on the 33-bit value.
func (b *lowering) shifted32(f isa.Form, x, amount stage.Term) word.Value {
	n := amount.V
	if f.Mode == isa.Wrap {
		n = b.AndCon(n, 31)
	}
	if f.Op.Kind() == isa.Shr {
		op := word.ShrU
		if x.Signed {
			op = word.ShrS
		}
		t := stage.Term{V: b.Do(op, x.V, n), Signed: x.Signed, Lo: min(x.Lo, 0), Hi: max(x.Hi, 0)}
		if isTop(f.ASel) && f.Mode == isa.Clamp && b.CanDot(n, false) {
			// From the top of the word it is farther, which is added as the amount is extracted.
			t.V = b.Do(op, b.Input(0), b.Dotted(n, false, b.Con(uint32(f.ASel.Shift()))))
		}
		if onTop, ok := b.shiftedOnTop(f, op, n); ok && b.Choose(2) == 1 {
			width := f.ASel.Bits()
			if f.Sat && b.Caps.PTX && b.Choose(2) == 1 {
				onTop, t = b.clampedOnTop(f, onTop, t)
			}
			if b.staysOnTop(f, t) {
				return b.inserted(f.DSel, onTop, (32-width)/8)
			}
			t.V = b.Do(op, onTop, b.Con(uint32(32-width)))
		}
		return b.finished(f, []stage.Term{t})
	}
	if k, ok := b.Constant(n); ok && k <= 31 && stage.Within(x.Lo<<k, x.Hi<<k, 32, x.Signed) {
		return b.finished(f, []stage.Term{{V: b.Do(word.Shl, x.V, n), Signed: x.Signed, Lo: x.Lo << k, Hi: x.Hi << k}})
	}
	if !f.Sat && f.Second != isa.SecondMin && f.Second != isa.SecondMax {
		// Only the low 32 bits matter.
		return b.finished(f, []stage.Term{stage.Whole(32, b.Do(word.Shl, x.V, n), x.Signed)})
	}
	if _, known := b.Constant(n); !known && b.Caps.Has(word.FunnelL) && b.Choose(2) == 1 {
		return b.shiftedByFunnel(f, x, n)
	}
	n = b.Do(word.MinU, n, b.Con(32))
	if _, known := b.Constant(n); !known && b.Caps.PTX {
		return b.shiftedWide(f, x, n)
	}
	high, low := b.shiftedPair(x, n)
	if !f.Sat && b.reading == isa.SM86 {
		return b.secondOfPair(f, high, low)
	}
	const unused = 64 - intermediateBits
	high = b.ShrS(b.Shl(high, unused), unused)
	if f.Sat {
		return b.finished(f, []stage.Term{b.pairClamped(high, low, true, b.shiftedSpan(x, n), f.DType.Signed())})
	}
	return b.pairSecond(f, high, low)
}

// shiftedOnTop returns a word on whose top is what vshr gives: a shifted right with all that is below its part, if that is on top of a.
// Else, as .wrap looks at five bits of the amount alone, one permutation puts the part on top and the amount below it. ok is false
// where that saves nothing.
func (b *lowering) shiftedOnTop(f isa.Form, op word.Op, n word.Value) (v word.Value, ok bool) {
	switch {
	case isTop(f.ASel):
		return b.Do(op, b.Input(0), n), true
	case b.Caps.PTX && f.Mode == isa.Wrap && f.ASel != isa.Word && f.BSel.Shift() > 0:
		below := builder.ByteOf(b.Input(1), f.BSel.Shift()/8)
		picks := [4]builder.Pick{below, below, below, below}
		size := f.ASel.Bits() / 8
		for i := range size {
			picks[4-size+i] = builder.ByteOf(b.Input(0), f.ASel.Shift()/8+i)
		}
		both := b.Bytes(picks)
		return b.Do(op, both, b.AndCon(both, 31)), true
	}
	return builder.None, false
}

// clampedOnTop limits the number on top of a word to those of dtype, whatever stands below: the lowest of dtype with zeros below it, and the
// highest with ones. t is the number.
func (b *lowering) clampedOnTop(f isa.Form, onTop word.Value, t stage.Term) (clamped word.Value, limited stage.Term) {
	below := uint(32 - f.ASel.Bits())
	lo, hi := stage.Range(builder.Lanes(f.DSel.Bits()), f.DType.Signed())
	if t.Lo < lo {
		onTop, t.Lo = b.Larger(32, t.Signed, onTop, b.Con(uint32(lo)<<below)), lo
	}
	if t.Hi > hi {
		onTop, t.Hi = b.Smaller(32, t.Signed, onTop, b.Con(uint32(hi+1)<<below-1)), hi
	}
	return onTop, t
}

// staysOnTop reports whether what vshr merges into c is the top of what shiftedOnTop gives.
func (b *lowering) staysOnTop(f isa.Form, shifted stage.Term) bool {
	width := builder.Lanes(f.DSel.Bits())
	return f.DSel != isa.Word && f.DSel.Bits() <= f.ASel.Bits() &&
		(!f.Sat || stage.Within(shifted.Lo, shifted.Hi, width, f.DType.Signed())) &&
		(b.reading == isa.Manual || f.DSel != isa.H1) // rule Q1 takes the high half
}

// shiftedPair shifts x left by n, 0 to 32, and returns the result in two words.
func (b *lowering) shiftedPair(x stage.Term, n word.Value) (high, low word.Value) {
	op := word.ShrU
	if x.Signed {
		op = word.ShrS
	}
	return b.Do(op, x.V, b.Do(word.Sub, b.Con(32), n)), b.Do(word.Shl, x.V, n)
}

// shiftedSpan returns what is known of x shifted left by n, of which 34 bits are kept.
func (b *lowering) shiftedSpan(x stage.Term, n word.Value) stage.Span {
	if k, ok := b.Constant(n); ok && k < 32 {
		if s := (stage.Span{Lo: x.Lo, Hi: x.Hi}).Times(stage.Span{Lo: 1 << k, Hi: 1 << k}); s.Within(intermediateBits, true) {
			return s
		}
	}
	lo, hi := stage.Range(intermediateBits, true)
	return stage.Span{Lo: lo, Hi: hi}
}
