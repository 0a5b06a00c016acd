package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// The stages of the scalar instructions that the reading isa.SM86 has instead of the
// manual's. They are the manual's on other terms wherever that can be said; the names
// Q1 to Q11 are those of docs/rulings.md.

// finishedAsCompiled is [lowering.finished] as ptxas compiles it.
func (b *lowering) finishedAsCompiled(f isa.Form, terms []stage.Term) word.Value {
	f, terms = b.saturatedAsCompiled(f, terms)
	switch {
	case f.DSel == isa.H1: // rule Q1
		return b.inserted(isa.H1, b.Sum(32, terms), 2)
	case f.Second == isa.SecondMin, f.Second == isa.SecondMax:
		return b.secondAsCompiled(f, terms)
	}
	return b.finishedByManual(f, terms)
}

// saturatedAsCompiled is the clamp of stage 3 where it is not the manual's. It
// returns what is left to do.
func (b *lowering) saturatedAsCompiled(f isa.Form, terms []stage.Term) (isa.Form, []stage.Term) {
	signed := f.DType.Signed()
	sum := stage.SpanOf(terms...)
	if f.Op == isa.Vabsdiff && f.Second == isa.SecondMin {
		sum.Hi = 1<<32 - 1 // no distance above that is the smaller
	}
	switch {
	case !f.Sat:
		return f, terms
	case f.DSel != isa.Word && f.Mode != isa.NoMode: // rule Q8
		terms = []stage.Term{b.clampedTo(32, terms, signed)}
	case f.DSel != isa.Word && sum.Lo < 0: // rule Q3
		_, most := stage.Range(builder.Lanes(f.DSel.Bits()), signed)
		t := b.clampedTo(32, terms, true)
		terms = []stage.Term{{V: b.Do(word.MinU, t.V, b.Con(uint32(most))), Lo: 0, Hi: most}}
	case f.DSel == isa.H1: // rule Q1 takes its high half
		terms = []stage.Term{b.clampedTo(builder.Lanes(f.DSel.Bits()), terms, signed)}
	case f.DSel == isa.Word && f.Mode == isa.NoMode && !signed && sum.Hi > 1<<32-1: // rule Q4
		if sum.Lo < 0 {
			o := stage.Overflows(32, terms[0], terms[1], false)
			o.Over = 0
			terms = []stage.Term{stage.Whole(32, b.SaturatedWord(o, terms[0], terms[1], false), false)}
		}
	default:
		return f, terms
	}
	f.Sat = false // done
	return f, terms
}

// clampedTo clamps a sum of terms to the numbers of some width.
func (b *lowering) clampedTo(width builder.Lanes, terms []stage.Term, signed bool) stage.Term {
	t, ok := b.Clamped(32, terms, width, signed)
	if !ok {
		t = b.wideClamped(b.wideSum(terms), true, stage.SpanOf(terms...), width, signed)
	}
	sum := stage.SpanOf(terms...)
	t.Lo, t.Hi = max(t.Lo, min(sum.Lo, t.Hi)), min(t.Hi, max(sum.Hi, t.Lo))
	return t
}

// secondAsCompiled is .min and .max.
func (b *lowering) secondAsCompiled(f isa.Form, terms []stage.Term) word.Value {
	if f.Op == isa.Vset { // rule Q7
		f.DType = f.AType
		return b.finishedByManual(f, terms)
	}
	signed := f.DType.Signed()
	if f.Sat {
		f.Sat = false // done
		terms = []stage.Term{b.clampedTo(32, terms, signed)}
		if f.Mode != isa.NoMode {
			terms = []stage.Term{b.lowWord(terms)}
		}
	}
	if f.Op == isa.Vadd || f.Op == isa.Vsub {
		terms = []stage.Term{b.lowWord(terms)}
	}
	if stage.SpanOf(terms...).Lo >= 0 || signed {
		return b.finishedByManual(f, terms)
	}
	// Rule Q5. What may be negative is one signed word: sums are, by rule Q9, and
	// distances are not negative.
	v, c := terms[0].V, b.Input(2)
	negative := b.Do(word.CmpLtS, v, b.Con(0))
	if f.Second == isa.SecondMin {
		return b.Do(word.Select, negative, c, b.Do(word.MinU, v, c))
	}
	return b.Do(word.Select, negative, v, b.Do(word.MaxU, v, c))
}

// lowWord returns the low word of a sum of terms as a signed number: rule Q9.
func (b *lowering) lowWord(terms []stage.Term) stage.Term {
	if t, ok := b.Joined(32, terms); ok && stage.Within(t.Lo, t.Hi, 32, true) {
		return t
	}
	return stage.Whole(32, b.Sum(32, terms), true)
}

// secondOfPair is .min or .max of a number of two words and c: all 64 bits are
// compared (rule Q10), as unsigned ones if dtype is (rule Q5).
func (b *lowering) secondOfPair(f isa.Form, high, low word.Value) word.Value {
	if f.DType.Signed() {
		return b.pairSecond(f, high, low)
	}
	c := b.Input(2)
	equalHigh := b.Do(word.CmpEq, high, b.Con(0))
	if f.Second == isa.SecondMin {
		return b.Do(word.Select, equalHigh, b.Do(word.MinU, low, c), c)
	}
	return b.Do(word.Select, equalHigh, b.Do(word.MaxU, low, c), low)
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
