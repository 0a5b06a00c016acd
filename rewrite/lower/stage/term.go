package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Term is a number in every lane of a word: the value that a stage passes to the
// next one is the sum of one, two or three terms. Numbers are exact: a term never
// stands for more than its lane can hold, so the 9 bits of a sum of bytes are kept
// as two terms until a stage says what becomes of them.
type Term struct {
	V      word.Value
	Signed bool // how the lanes of v are read: -2^(w-1).. or 0..
	Neg    bool // the term is subtracted

	// The range of the number, not negated. It may be narrower than the lane.
	Lo, Hi int64
}

// Whole returns the term of a value whose lanes may hold anything.
func Whole(w builder.Lanes, v word.Value, signed bool) Term {
	t := Term{V: v, Signed: signed}
	t.Lo, t.Hi = Range(w, signed)
	return t
}

// Bounded is Whole, but uses what is known about v to narrow the range.
func (b *Builder) Bounded(w builder.Lanes, v word.Value, signed bool) Term {
	t := Whole(w, v, signed)
	k, constant := b.Constant(v)
	if signed && !constant && b.MayBe(v)&w.Top() != 0 {
		return t
	}
	t.Lo, t.Hi = t.Hi, t.Lo
	for i := range w.Count() {
		if constant {
			number := int64(word.Lane(k, i, int(w), signed))
			if !signed {
				number = int64(uint32(number))
			}
			t.Lo, t.Hi = min(t.Lo, number), max(t.Hi, number)
			continue
		}
		t.Lo = 0
		t.Hi = max(t.Hi, int64(builder.UpTo(uint32(word.Lane(b.MayBe(v), i, int(w), false)))))
	}
	return t
}

// Range returns the range of the numbers of w bits.
func Range(w builder.Lanes, signed bool) (lo, hi int64) {
	if signed {
		return -1 << (w - 1), 1<<(w-1) - 1
	}
	return 0, 1<<w - 1
}

// Negated returns -t.
func (t Term) Negated() Term {
	t.Neg = !t.Neg
	return t
}

// bounds returns the range of a term with its sign.
func (t Term) bounds() (lo, hi int64) {
	if t.Neg {
		return -t.Hi, -t.Lo
	}
	return t.Lo, t.Hi
}

// Within reports whether the range lies in that of the numbers of w bits.
func Within(lo, hi int64, w builder.Lanes, signed bool) bool {
	least, most := Range(w, signed)
	return lo >= least && hi <= most
}

// Alike returns how two terms can be read the same way; ok is false if one needs
// to be signed and the other unsigned.
func Alike(w builder.Lanes, x, y Term) (signed, ok bool) {
	if x.Signed == y.Signed {
		return x.Signed, true
	}
	for _, signed := range []bool{true, false} {
		if Within(x.Lo, x.Hi, w, signed) && Within(y.Lo, y.Hi, w, signed) {
			return signed, true
		}
	}
	return false, false
}

// Mixed orders two terms that are not alike: the unsigned one first.
func Mixed(x, y Term) (unsigned, signed Term) {
	if x.Signed {
		return y, x
	}
	return x, y
}

// Sum adds terms lane by lane, modulo 2^w.
func (b *Builder) Sum(w builder.Lanes, terms []Term) word.Value {
	total := b.Con(0)
	for _, t := range terms {
		if !t.Neg {
			total = b.Plus(w, total, t.V)
		}
	}
	for _, t := range terms {
		if t.Neg {
			total = b.Minus(w, total, t.V)
		}
	}
	return total
}

// Joined returns the sum of terms as one term, if a lane can hold it.
func (b *Builder) Joined(w builder.Lanes, terms []Term) (Term, bool) {
	if len(terms) == 1 && !terms[0].Neg {
		return terms[0], true
	}
	s := SpanOf(terms...)
	for _, signed := range []bool{false, true} {
		if s.Within(w, signed) {
			return Term{V: b.Sum(w, terms), Signed: signed, Lo: s.Lo, Hi: s.Hi}, true
		}
	}
	return Term{}, false
}

// PositivePart returns max(t, 0) of a signed term.
func (b *Builder) PositivePart(w builder.Lanes, t Term) Term {
	return Term{V: b.Larger(w, true, t.V, b.Con(0)), Lo: max(t.Lo, 0), Hi: t.Hi}
}

// negativePart returns min(t, 0) of a signed term.
func (b *Builder) negativePart(w builder.Lanes, t Term) Term {
	return Term{V: b.Smaller(w, true, t.V, b.Con(0)), Signed: true, Lo: t.Lo, Hi: min(t.Hi, 0)}
}
