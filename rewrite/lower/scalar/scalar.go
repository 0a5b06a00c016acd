package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// lowering is the builder of one form's programs under a reading.
type lowering struct {
	stage.Builder
	reading isa.Reading
}

// Program returns the program of a scalar instruction under a reading: the cheapest of all ways.
func Program(r isa.Reading, f isa.Form, caps word.Caps, operands builder.Operands) *word.Program {
	b := lowering{stage.New(caps, operands), r}
	return b.Cheapest(func() word.Value {
		if f.Op.Kind() == isa.Mad {
			return b.mad(f)
		}
		return b.scalar(f)
	})
}

// scalar lowers vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr and vset, which
// have one lane of 32 bits.
func (b *lowering) scalar(f isa.Form) word.Value {
	kind := f.Op.Kind()
	if b.sumsOfLowBits(f) && b.Choose(2) == 1 {
		x, y := b.loweredFor(f.DSel, 0, f.ASel, f.AType), b.loweredFor(f.DSel, 1, f.BSel, f.BType)
		return b.finished(f, b.Operate(32, kind, x, y))
	}
	if kind == isa.Min || kind == isa.Max {
		p := stage.PlaceOf(b.Input(0), f.ASel, f.AType)
		q := stage.PlaceOf(b.Input(1), f.BSel, f.BType)
		if t, ok := b.ExtremeOnTop(kind, p, q); ok && b.Choose(2) == 1 {
			return b.finished(f, []stage.Term{t})
		}
	}
	if kind == isa.Min || kind == isa.Max || kind == isa.Absdiff {
		p := stage.PlaceOf(b.Input(0), f.ASel, f.AType)
		q := stage.PlaceOf(b.Input(1), f.BSel, f.BType)
		if b.CanStayInPlace(p, q) {
			if way := b.Choose(3); way == 1 {
				return b.finished(f, []stage.Term{b.InPlace(kind, p, q)})
			} else if way == 2 {
				return b.finished(f, []stage.Term{b.InPlace(kind, q, p)})
			}
		}
	}
	x := b.part(b.Input(0), f.ASel, f.AType)
	y := b.part(b.Input(1), f.BSel, f.BType)
	switch kind {
	case isa.Set:
		if v, ok := b.setWithoutPredicate(f, x, y); ok {
			return v
		}
		t, ok := packed.Truth{}, false
		if alikeParts(f) {
			t, ok = b.compareOnTop(f)
		}
		if b.Caps.PTX && (!ok || f.Cmp != isa.Eq && f.Cmp != isa.Ne) {
			if byDifference, can := b.ComparedByDifference(f.Cmp, x, y); can {
				t, ok = byDifference, true
			}
		}
		if !ok {
			t = b.Compare(32, f.Cmp, x, y)
		}
		if f.Second == isa.SecondAdd {
			return b.AccumulatedTruth(32, t, 1, b.Input(2))
		}
		return b.finished(f, []stage.Term{{V: b.ZeroOrOne(32, t), Lo: 0, Hi: 1}})
	case isa.Shl, isa.Shr:
		return b.shifted32(f, x, y)
	}
	if t, ok := b.limitedParts(f, x, y); ok && b.Choose(2) == 1 {
		return b.finished(f, []stage.Term{t})
	}
	return b.finished(f, b.Operate(32, kind, x, y))
}

// part is stage 1: a byte, half or word of an operand, extended to a word.
func (b *lowering) part(v word.Value, sel isa.Part, typ isa.Type) stage.Term {
	return b.PartTerm(v, sel.Shift(), builder.Lanes(sel.Bits()), typ.Signed())
}

// limitedParts is LimitedFirst of two parts; not where compiled code takes other bits of the result, or clamps it otherwise.
func (b *lowering) limitedParts(f isa.Form, x, y stage.Term) (t stage.Term, ok bool) {
	least := min(x.Lo, y.Lo)
	if f.Op.Kind() == isa.Max {
		least = max(x.Lo, y.Lo)
	}
	if b.reading != isa.Manual && f.DSel != isa.Word && (f.DSel == isa.H1 || least < 0) { // rules Q1 and Q3
		return stage.Term{}, false
	}
	return b.LimitedFirst(32, f, x, y, builder.Lanes(f.DSel.Bits()))
}

// finished is stages 3 and 4: clamp, then the second operation or the merge.
func (b *lowering) finished(f isa.Form, terms []stage.Term) word.Value {
	if b.reading == isa.SM86 {
		return b.finishedAsCompiled(f, terms)
	}
	return b.finishedByManual(f, terms)
}

func (b *lowering) finishedByManual(f isa.Form, terms []stage.Term) word.Value {
	signed := f.DType.Signed()
	if stage.SpanOf(terms...).Within(builder.Lanes(f.DSel.Bits()), signed) {
		f.Sat = false // nothing exceeds it
	}
	if f.Sat && f.DSel != isa.Word && b.Caps.PTX && (spanFits(terms) || b.Choose(2) == 1) {
		if v, ok := b.narrowed(terms, builder.Lanes(f.DSel.Bits()), signed); ok {
			return b.inserted(f.DSel, v, 0)
		}
	}
	if f.Sat {
		t, ok := b.Clamped(32, terms, builder.Lanes(f.DSel.Bits()), signed)
		if !ok {
			return b.finishedWide(f, terms)
		}
		terms = []stage.Term{t}
	}
	switch f.Second {
	case isa.SecondAdd:
		if len(terms) > 1 && b.Caps.PTX { // a dot for each part
			total := b.Input(2)
			for _, t := range terms {
				total = b.AddedTo(total, t)
			}
			return total
		}
		return b.Sum(32, append(terms, b.Bounded(32, b.Input(2), signed)))
	case isa.SecondMin, isa.SecondMax:
		t, ok := b.Joined(32, terms)
		if !ok {
			if v, ok := b.secondOfSum(f, terms); ok {
				return v
			}
			return b.finishedWide(f, terms)
		}
		c := b.Bounded(32, b.Input(2), signed)
		if f.Second == isa.SecondMin {
			return b.Minimum(32, t, c).V
		}
		return b.Maximum(32, t, c).V
	}
	return b.inserted(f.DSel, b.Sum(32, terms), 0)
}

// inserted merges the part of v that starts at byte from into the selected part of c.
func (b *lowering) inserted(sel isa.Part, v word.Value, from int) word.Value {
	if sel == isa.Word {
		return v
	}
	c := b.Input(2)
	var word [4]builder.Pick
	for i := range word {
		word[i] = builder.ByteOf(c, i)
		if at := i - sel.Shift()/8; at >= 0 && at < sel.Bits()/8 {
			word[i] = builder.ByteOf(v, from+at)
		}
	}
	return b.Bytes(word)
}
