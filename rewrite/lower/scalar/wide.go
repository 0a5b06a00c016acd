package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Where a word is too short for an exact intermediate result and no trick with
// words is known, the stages run on 64 bits.

// wideTerm returns the number of a term of one lane.
func (b *lowering) wideTerm(t stage.Term) word.Value {
	if t.Signed {
		return b.Do(word.WideS, t.V)
	}
	return b.Do(word.WideU, t.V)
}

// addend is wideTerm of what a wide product is added to.
func (b *lowering) addend(t stage.Term) word.Value {
	if b.Caps.PTX && !t.Signed {
		return b.Do(word.MulWideU, t.V, b.Con(1)) // ptxas joins a product with the sum it goes into
	}
	return b.wideTerm(t)
}

// wideSum adds terms of one lane.
func (b *lowering) wideSum(terms []stage.Term) word.Value {
	sum := b.WideCon(0)
	for _, t := range terms {
		if !t.Neg {
			if wide := b.wideTerm(t); b.IsWideZero(sum) {
				sum = wide
			} else {
				sum = b.Do(word.AddWide, sum, wide)
			}
		}
	}
	for _, t := range terms {
		if t.Neg {
			sum = b.Do(word.SubWide, sum, b.wideTerm(t))
		}
	}
	return sum
}

// wideClamped clamps a wide number to width bits. from says whether the wide number is
// signed, s what is known of it.
func (b *lowering) wideClamped(v word.Value, from bool, s stage.Span, width builder.Lanes, signed bool) stage.Term {
	if as, ok := s.Word(); ok {
		return b.ClampedTerm(32, stage.Term{V: b.Do(word.Lo, v), Signed: as, Lo: s.Lo, Hi: s.Hi}, width, signed)
	}
	if b.Choose(2) == 0 {
		high, low := b.Halved(v)
		return b.ClampedTerm(32, b.pairClamped(high, low, from, s, signed), width, signed)
	}
	lo, hi := stage.Range(width, signed)
	switch {
	case !from:
		v = b.Do(word.MinWideU, v, b.WideCon(uint64(hi)))
	case s.Hi > hi:
		v = b.Do(word.MinWideS, v, b.WideCon(uint64(hi)))
	}
	if from && s.Lo < lo {
		v = b.Do(word.MaxWideS, v, b.WideCon(uint64(lo)))
	}
	return stage.Term{V: b.Do(word.Lo, v), Signed: signed, Lo: lo, Hi: hi}
}

// fits compares the high word of a number with what its low word extends to.
func (b *lowering) fits(high, low word.Value, signed bool) word.Value {
	extension := b.Con(0)
	if signed {
		extension = b.ShrS(low, 31)
	}
	return b.Do(word.CmpEq, high, extension)
}

// pairClamped clamps a number of two words to one word. Where it does not fit, the
// high word's sign says which limit it is, if it is not known.
func (b *lowering) pairClamped(high, low word.Value, from bool, s stage.Span, signed bool) stage.Term {
	limit := b.limitOfWide(high, from, s, signed)
	return stage.Whole(32, b.Do(word.Select, b.fits(high, low, signed), low, limit), signed)
}

// limitOfWide returns the limit of a word that a number of more bits exceeds, if it does.
func (b *lowering) limitOfWide(high word.Value, from bool, s stage.Span, signed bool) word.Value {
	switch lo, hi := stage.Range(32, signed); {
	case !from || s.Lo >= lo:
		return b.Con(uint32(hi))
	case s.Hi <= hi:
		return b.Con(uint32(lo))
	}
	return b.LimitBySign(high, signed, false)
}

// finishedWide is stages 3 and 4 on 64 bits, of a sum of terms.
func (b *lowering) finishedWide(f isa.Form, terms []stage.Term) word.Value {
	v := b.wideSum(terms)
	signed := f.DType.Signed()
	if f.Sat {
		f.Sat = false // done
		return b.finishedByManual(f, []stage.Term{b.wideClamped(v, true, stage.SpanOf(terms...), builder.Lanes(f.DSel.Bits()), signed)})
	}
	switch f.Second {
	case isa.SecondAdd:
		return b.Do(word.Add, b.Do(word.Lo, v), b.Input(2))
	case isa.SecondMin, isa.SecondMax:
		if b.Choose(2) == 0 {
			high, low := b.Halved(v)
			return b.pairSecond(f, high, low)
		}
		return b.secondOfWide(f, v, b.wideTerm(b.Bounded(32, b.Input(2), signed)))
	}
	return b.inserted(f.DSel, b.Do(word.Lo, v), 0)
}

// pairSecond is .min or .max of a signed number of two words and c. Where the number
// fits a word the words are compared; else its sign says which is the smaller.
func (b *lowering) pairSecond(f isa.Form, high, low word.Value) word.Value {
	signed := f.DType.Signed()
	c := b.Input(2)
	negative := b.Do(word.CmpLtS, high, b.Con(0))
	var fitting, other word.Value
	if f.Second == isa.SecondMin {
		fitting, other = b.Smaller(32, signed, low, c), b.Do(word.Select, negative, low, c)
	} else {
		fitting, other = b.Larger(32, signed, low, c), b.Do(word.Select, negative, c, low)
	}
	return b.Do(word.Select, b.fits(high, low, signed), fitting, other)
}
