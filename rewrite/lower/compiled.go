package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// The stages of the scalar instructions that the reading isa.SM86 has instead of the
// manual's. They are the manual's on other terms wherever that can be said; the names
// Q1 to Q11 are those of docs/rulings.md.

// finishedAsCompiled is [builder.finished] as ptxas compiles it.
func (b *builder) finishedAsCompiled(f isa.Form, terms []term) word.Value {
	f, terms = b.saturatedAsCompiled(f, terms)
	switch {
	case f.DSel == isa.H1: // rule Q1
		return b.inserted(isa.H1, b.sum(32, terms), 2)
	case f.Second == isa.SecondMin, f.Second == isa.SecondMax:
		return b.secondAsCompiled(f, terms)
	}
	return b.finishedByManual(f, terms)
}

// saturatedAsCompiled is the clamp of stage 3 where it is not the manual's. It
// returns what is left to do.
func (b *builder) saturatedAsCompiled(f isa.Form, terms []term) (isa.Form, []term) {
	signed := f.DType.Signed()
	sum := spanOf(terms...)
	if f.Op == isa.Vabsdiff && f.Second == isa.SecondMin {
		sum.hi = 1<<32 - 1 // no distance above that is the smaller
	}
	switch {
	case !f.Sat:
		return f, terms
	case f.DSel != isa.Word && f.Mode != isa.NoMode: // rule Q8
		terms = []term{b.clampedTo(32, terms, signed)}
	case f.DSel != isa.Word && sum.lo < 0: // rule Q3
		_, most := span64(lanes(f.DSel.Bits()), signed)
		t := b.clampedTo(32, terms, true)
		terms = []term{{v: b.do(word.MinU, t.v, b.con(uint32(most))), lo: 0, hi: most}}
	case f.DSel == isa.H1: // rule Q1 takes its high half
		terms = []term{b.clampedTo(lanes(f.DSel.Bits()), terms, signed)}
	case f.DSel == isa.Word && f.Mode == isa.NoMode && !signed && sum.hi > 1<<32-1: // rule Q4
		if sum.lo < 0 {
			o := overflows(32, terms[0], terms[1], false)
			o.over = 0
			terms = []term{whole(32, b.saturatedWord(o, terms[0], terms[1], false), false)}
		}
	default:
		return f, terms
	}
	f.Sat = false // done
	return f, terms
}

// clampedTo clamps a sum of terms to the numbers of some width.
func (b *builder) clampedTo(width lanes, terms []term, signed bool) term {
	t, ok := b.clamped(32, terms, width, signed)
	if !ok {
		t = b.wideClamped(b.wideSum(terms), true, spanOf(terms...), width, signed)
	}
	sum := spanOf(terms...)
	t.lo, t.hi = max(t.lo, min(sum.lo, t.hi)), min(t.hi, max(sum.hi, t.lo))
	return t
}

// secondAsCompiled is .min and .max.
func (b *builder) secondAsCompiled(f isa.Form, terms []term) word.Value {
	if f.Op == isa.Vset { // rule Q7
		f.DType = f.AType
		return b.finishedByManual(f, terms)
	}
	signed := f.DType.Signed()
	if f.Sat {
		f.Sat = false // done
		terms = []term{b.clampedTo(32, terms, signed)}
		if f.Mode != isa.NoMode {
			terms = []term{b.lowWord(terms)}
		}
	}
	if f.Op == isa.Vadd || f.Op == isa.Vsub {
		terms = []term{b.lowWord(terms)}
	}
	if spanOf(terms...).lo >= 0 || signed {
		return b.finishedByManual(f, terms)
	}
	// Rule Q5. What may be negative is one signed word: sums are, by rule Q9, and
	// distances are not negative.
	v, c := terms[0].v, b.input(2)
	negative := b.do(word.CmpLtS, v, b.con(0))
	if f.Second == isa.SecondMin {
		return b.do(word.Select, negative, c, b.do(word.MinU, v, c))
	}
	return b.do(word.Select, negative, v, b.do(word.MaxU, v, c))
}

// lowWord returns the low word of a sum of terms as a signed number: rule Q9.
func (b *builder) lowWord(terms []term) term {
	if t, ok := b.joined(32, terms); ok && within(t.lo, t.hi, 32, true) {
		return t
	}
	return whole(32, b.sum(32, terms), true)
}

// secondOfPair is .min or .max of a number of two words and c: all 64 bits are
// compared (rule Q10), as unsigned ones if dtype is (rule Q5).
func (b *builder) secondOfPair(f isa.Form, high, low word.Value) word.Value {
	if f.DType.Signed() {
		return b.pairSecond(f, high, low)
	}
	c := b.input(2)
	equalHigh := b.do(word.CmpEq, high, b.con(0))
	if f.Second == isa.SecondMin {
		return b.do(word.Select, equalHigh, b.do(word.MinU, low, c), c)
	}
	return b.do(word.Select, equalHigh, b.do(word.MaxU, low, c), low)
}

// signedWords returns the form of vmad whose a and b are multiplied as ptxas does:
// whole words are signed (rule Q6).
func signedWords(f isa.Form) isa.Form {
	if f.ASel == isa.Word {
		f.AType = isa.S32
	}
	if f.BSel == isa.Word {
		f.BType = isa.S32
	}
	return f
}
