package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Where a word is too short for an exact intermediate result and no trick with
// words is known, the stages run on 64 bits.

// wideTerm returns the number of a term of one lane.
func (b *builder) wideTerm(t term) word.Value {
	if t.signed {
		return b.do(word.WideS, t.v)
	}
	return b.do(word.WideU, t.v)
}

// addend is wideTerm of what a wide product is added to.
func (b *builder) addend(t term) word.Value {
	if b.caps.PTX && !t.signed {
		return b.do(word.MulWideU, t.v, b.con(1)) // ptxas joins a product with the sum it goes into
	}
	return b.wideTerm(t)
}

// wideSum adds terms of one lane.
func (b *builder) wideSum(terms []term) word.Value {
	sum := b.wideCon(0)
	for _, t := range terms {
		if !t.neg {
			if wide := b.wideTerm(t); b.insts[sum] == (word.Inst{Op: word.WideConst}) {
				sum = wide
			} else {
				sum = b.do(word.AddWide, sum, wide)
			}
		}
	}
	for _, t := range terms {
		if t.neg {
			sum = b.do(word.SubWide, sum, b.wideTerm(t))
		}
	}
	return sum
}

// halved returns the high and the low word of a wide value.
func (b *builder) halved(v word.Value) (high, low word.Value) {
	return b.do(word.Lo, b.doImm(word.ShrWideU, 32, v)), b.do(word.Lo, v)
}

// wideClamped clamps a wide number to width bits. from says whether the wide number is
// signed, s what is known of it.
func (b *builder) wideClamped(v word.Value, from bool, s span, width lanes, signed bool) term {
	if as, ok := s.word(); ok {
		return b.clampedTerm(32, term{v: b.do(word.Lo, v), signed: as, lo: s.lo, hi: s.hi}, width, signed)
	}
	if b.choose(2) == 0 {
		high, low := b.halved(v)
		return b.clampedTerm(32, b.pairClamped(high, low, from, s, signed), width, signed)
	}
	lo, hi := span64(width, signed)
	switch {
	case !from:
		v = b.do(word.MinWideU, v, b.wideCon(uint64(hi)))
	case s.hi > hi:
		v = b.do(word.MinWideS, v, b.wideCon(uint64(hi)))
	}
	if from && s.lo < lo {
		v = b.do(word.MaxWideS, v, b.wideCon(uint64(lo)))
	}
	return term{v: b.do(word.Lo, v), signed: signed, lo: lo, hi: hi}
}

// fits compares the high word of a number with what its low word extends to.
func (b *builder) fits(high, low word.Value, signed bool) word.Value {
	extension := b.con(0)
	if signed {
		extension = b.shrS(low, 31)
	}
	return b.do(word.CmpEq, high, extension)
}

// pairClamped clamps a number of two words to one word. Where it does not fit, the
// high word's sign says which limit it is, if it is not known.
func (b *builder) pairClamped(high, low word.Value, from bool, s span, signed bool) term {
	limit := b.limitOfWide(high, from, s, signed)
	return whole(32, b.do(word.Select, b.fits(high, low, signed), low, limit), signed)
}

// limitOfWide returns the limit of a word that a number of more bits exceeds, if it does.
func (b *builder) limitOfWide(high word.Value, from bool, s span, signed bool) word.Value {
	switch lo, hi := span64(32, signed); {
	case !from || s.lo >= lo:
		return b.con(uint32(hi))
	case s.hi <= hi:
		return b.con(uint32(lo))
	}
	return b.limitBySign(high, signed, false)
}

// finishedWide is stages 3 and 4 on 64 bits, of a sum of terms.
func (b *builder) finishedWide(f isa.Form, terms []term) word.Value {
	v := b.wideSum(terms)
	signed := f.DType.Signed()
	if f.Sat {
		f.Sat = false // done
		return b.finishedByManual(f, []term{b.wideClamped(v, true, spanOf(terms...), lanes(f.DSel.Bits()), signed)})
	}
	switch f.Second {
	case isa.SecondAdd:
		return b.do(word.Add, b.do(word.Lo, v), b.input(2))
	case isa.SecondMin, isa.SecondMax:
		if b.choose(2) == 0 {
			high, low := b.halved(v)
			return b.pairSecond(f, high, low)
		}
		return b.secondOfWide(f, v, b.wideTerm(b.bounded(32, b.input(2), signed)))
	}
	return b.inserted(f.DSel, b.do(word.Lo, v), 0)
}

// pairSecond is .min or .max of a signed number of two words and c. Where the number
// fits a word the words are compared; else its sign says which is the smaller.
func (b *builder) pairSecond(f isa.Form, high, low word.Value) word.Value {
	signed := f.DType.Signed()
	c := b.input(2)
	negative := b.do(word.CmpLtS, high, b.con(0))
	var fitting, other word.Value
	if f.Second == isa.SecondMin {
		fitting, other = b.smaller(32, signed, low, c), b.do(word.Select, negative, low, c)
	} else {
		fitting, other = b.larger(32, signed, low, c), b.do(word.Select, negative, c, low)
	}
	return b.do(word.Select, b.fits(high, low, signed), fitting, other)
}
