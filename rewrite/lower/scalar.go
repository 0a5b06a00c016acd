package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// scalar lowers vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr and vset, which
// have one lane of 32 bits.
func (b *builder) scalar(f isa.Form) word.Value {
	kind := f.Op.Kind()
	if b.sumsOfLowBits(f) && b.choose(2) == 1 {
		x, y := b.loweredFor(f.DSel, 0, f.ASel, f.AType), b.loweredFor(f.DSel, 1, f.BSel, f.BType)
		return b.finished(f, b.operate(32, kind, x, y))
	}
	if kind == isa.Min || kind == isa.Max {
		p := place{b.input(0), f.ASel.Shift(), lanes(f.ASel.Bits()), f.AType.Signed()}
		q := place{b.input(1), f.BSel.Shift(), lanes(f.BSel.Bits()), f.BType.Signed()}
		if t, ok := b.extremeOnTop(kind, p, q); ok && b.choose(2) == 1 {
			return b.finished(f, []term{t})
		}
	}
	if kind == isa.Min || kind == isa.Max || kind == isa.Absdiff {
		p := place{b.input(0), f.ASel.Shift(), lanes(f.ASel.Bits()), f.AType.Signed()}
		q := place{b.input(1), f.BSel.Shift(), lanes(f.BSel.Bits()), f.BType.Signed()}
		if b.canStayInPlace(p, q) {
			if way := b.choose(3); way == 1 {
				return b.finished(f, []term{b.inPlace(kind, p, q)})
			} else if way == 2 {
				return b.finished(f, []term{b.inPlace(kind, q, p)})
			}
		}
	}
	x := b.part(b.input(0), f.ASel, f.AType)
	y := b.part(b.input(1), f.BSel, f.BType)
	switch kind {
	case isa.Set:
		if v, ok := b.setWithoutPredicate(f, x, y); ok {
			return v
		}
		t, ok := truth{}, false
		if alikeParts(f) {
			t, ok = b.compareOnTop(f)
		}
		if b.caps.PTX && (!ok || f.Cmp != isa.Eq && f.Cmp != isa.Ne) {
			if byDifference, can := b.comparedByDifference(f.Cmp, x, y); can {
				t, ok = byDifference, true
			}
		}
		if !ok {
			t = b.compare(32, f.Cmp, x, y)
		}
		if f.Second == isa.SecondAdd {
			return b.accumulatedTruth(32, t, 1, b.input(2))
		}
		return b.finished(f, []term{{v: b.zeroOrOne(32, t), lo: 0, hi: 1}})
	case isa.Shl, isa.Shr:
		return b.shifted32(f, x, y)
	}
	if t, ok := b.limitedFirst(32, f, x, y, lanes(f.DSel.Bits())); ok && b.choose(2) == 1 {
		return b.finished(f, []term{t})
	}
	return b.finished(f, b.operate(32, kind, x, y))
}

// part is stage 1: a byte, half or word of an operand, extended to a word.
func (b *builder) part(v word.Value, sel isa.Part, typ isa.Type) term {
	return b.partTerm(v, sel.Shift(), lanes(sel.Bits()), typ.Signed())
}

// partTerm is the part of a value that is width bits long and starts at bit shift.
func (b *builder) partTerm(v word.Value, shift int, width lanes, signed bool) term {
	t := b.bounded(32, b.bytes(partOf(v, shift, int(width), signed)), signed)
	lo, hi := span64(width, signed)
	t.lo, t.hi = max(t.lo, lo), min(t.hi, hi)
	return t
}

// finished is stages 3 and 4: clamp, then the second operation or the merge.
func (b *builder) finished(f isa.Form, terms []term) word.Value {
	if b.reading == isa.SM86 {
		return b.finishedAsCompiled(f, terms)
	}
	return b.finishedByManual(f, terms)
}

func (b *builder) finishedByManual(f isa.Form, terms []term) word.Value {
	signed := f.DType.Signed()
	if spanOf(terms...).within(lanes(f.DSel.Bits()), signed) {
		f.Sat = false // nothing exceeds it
	}
	if f.Sat && f.DSel != isa.Word && b.caps.PTX && (spanFits(terms) || b.choose(2) == 1) {
		if v, ok := b.narrowed(terms, lanes(f.DSel.Bits()), signed); ok {
			return b.inserted(f.DSel, v, 0)
		}
	}
	if f.Sat {
		t, ok := b.clamped(32, terms, lanes(f.DSel.Bits()), signed)
		if !ok {
			return b.finishedWide(f, terms)
		}
		terms = []term{t}
	}
	switch f.Second {
	case isa.SecondAdd:
		if len(terms) > 1 && b.caps.PTX { // a dot for each part
			total := b.input(2)
			for _, t := range terms {
				total = b.addedTo(total, t)
			}
			return total
		}
		return b.sum(32, append(terms, b.bounded(32, b.input(2), signed)))
	case isa.SecondMin, isa.SecondMax:
		t, ok := b.joined(32, terms)
		if !ok {
			if v, ok := b.secondOfSum(f, terms); ok {
				return v
			}
			return b.finishedWide(f, terms)
		}
		c := b.bounded(32, b.input(2), signed)
		if f.Second == isa.SecondMin {
			return b.minimum(32, t, c).v
		}
		return b.maximum(32, t, c).v
	}
	return b.inserted(f.DSel, b.sum(32, terms), 0)
}

// inserted merges the part of v that starts at byte from into the selected part of c.
func (b *builder) inserted(sel isa.Part, v word.Value, from int) word.Value {
	if sel == isa.Word {
		return v
	}
	c := b.input(2)
	var word [4]pick
	for i := range word {
		word[i] = byteOf(c, i)
		if at := i - sel.Shift()/8; at >= 0 && at < sel.Bits()/8 {
			word[i] = byteOf(v, from+at)
		}
	}
	return b.bytes(word)
}
