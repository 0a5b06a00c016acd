package simd

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// simdApart lowers vadd2 to vset4 with each lane in a word of its own. Types that
// differ cost nothing there, and lanes that are not in the mask are left out.
func (b *lowering) simdApart(w builder.Lanes, f isa.Form) word.Value {
	var c word.Value
	if f.ReadsC() {
		c = b.Input(2)
	}
	var picks [4]builder.Pick
	for i := range picks {
		picks[i] = builder.ByteOf(c, i)
	}
	size := int(w) / 8
	short := b.Caps.PTX && hasShort(f) && b.Choose(2) == 1
	if short && f.Op.Kind() == isa.Set && f.Second == isa.NoSecond && f.Mask == isa.FullMask(f.Op) && b.Choose(2) == 1 {
		if v, ok := b.signsApart(w, f); ok {
			return v
		}
	}
	if f.Sat && b.Caps.PTX && b.Caps.Has(packed.PackOps.Of(f.DType.Signed()).At(w)) && b.Choose(2) == 1 {
		return b.packedApart(w, f, short, picks)
	}
	equality := elsewise
	if short && f.Op.Kind() == isa.Set && (f.Cmp == isa.Eq || f.Cmp == isa.Ne) {
		equality = []equalityWay{elsewise, inPlace, byDifference}[b.Choose(3)]
	}
	for i := range w.Count() {
		if !f.Mask.Has(i) {
			continue
		}
		if v, at, ok := b.equalLane(w, f, i, equality); ok {
			if f.Second == isa.SecondAdd {
				c = b.Do(word.Add, c, b.ShrU(v, uint32(at)))
				continue
			}
			for k := range size {
				picks[i*size+k] = builder.ByteOf(v, at/8+k)
			}
			continue
		}
		if f.Op.Kind() == isa.Set {
			if short && w == 8 && f.Second == isa.NoSecond {
				x, y := b.lanesOf(w, f, i)
				if v, ok := b.TruthOnTop(w, f.Cmp, x, y); ok {
					picks[i] = builder.ByteOf(v, 3)
					continue
				}
			}
			t := b.comparedLane(w, f, i, short)
			if f.Second == isa.SecondAdd {
				c = b.AccumulatedTruth(32, t, 1, c)
				continue
			}
			v := b.ZeroOrOne(32, t)
			for k := range size {
				picks[i*size+k] = builder.ByteOf(v, k)
			}
			continue
		}
		terms := b.operatedLane(w, f, i, short)
		if f.Second == isa.SecondAdd {
			c = b.Accumulated(32, terms, 1, c)
			continue
		}
		v := b.Sum(32, terms)
		if f.Sat {
			t, _ := b.Clamped(32, terms, w, f.DType.Signed()) // sums of parts fit a word
			v = t.V
		}
		for k := range size {
			picks[i*size+k] = builder.ByteOf(v, k)
		}
	}
	if f.Second == isa.SecondAdd {
		return c
	}
	return b.Bytes(picks)
}

// packedApart is simdApart with .sat, where one instruction clamps two lanes and puts them side by side. Into picks go the bytes
// of the lanes in the mask.
func (b *lowering) packedApart(w builder.Lanes, f isa.Form, short bool, picks [4]builder.Pick) word.Value {
	var sums []word.Value
	for i := range w.Count() {
		if f.Mask.Has(i) {
			sums = append(sums, b.Sum(32, b.operatedLane(w, f, i, short)))
		}
	}
	packed := b.Pack(w, f.DType.Signed(), sums)
	n, size := 0, int(w)/8
	for i := range w.Count() {
		if f.Mask.Has(i) {
			for k := range size {
				picks[i*size+k] = builder.ByteOf(packed, n*size+k)
			}
			n++
		}
	}
	return b.Bytes(picks)
}

// hasShort reports whether there are ways that use the sign alone of lanes, or their lowest or highest bits.
func hasShort(f isa.Form) bool {
	switch f.Op.Kind() {
	case isa.Set:
		return f.Mask.Count() < 3 // packed comparisons are shorter
	case isa.Min, isa.Max:
		return true
	case isa.Add, isa.Sub:
		return !f.Sat && f.Second == isa.NoSecond
	}
	return false
}

// place returns where a selector takes a lane from.
func (b *lowering) place(w builder.Lanes, sel isa.Lanes, i int, typ isa.Type) stage.Place {
	from := sel.Lane(i)
	return stage.Place{V: b.Input(from / w.Count()), Shift: from % w.Count() * int(w), Width: w, Signed: typ.Signed()}
}

// lanesOf returns lane i of x and y, each in a word of its own.
func (b *lowering) lanesOf(w builder.Lanes, f isa.Form, i int) (x, y stage.Term) {
	return b.PartAt(b.place(w, f.ALane, i, f.AType)), b.PartAt(b.place(w, f.BLane, i, f.BType))
}

// comparedLane compares lane i of x and y.
func (b *lowering) comparedLane(w builder.Lanes, f isa.Form, i int, short bool) packed.Truth {
	x, y := b.lanesOf(w, f, i)
	if short {
		if t, ok := b.ComparedByDifference(f.Cmp, x, y); ok {
			return t
		}
	}
	return b.Compare(32, f.Cmp, x, y)
}

// operatedLane is stage 2 for lane i.
func (b *lowering) operatedLane(w builder.Lanes, f isa.Form, i int, short bool) []stage.Term {
	p, q := b.place(w, f.ALane, i, f.AType), b.place(w, f.BLane, i, f.BType)
	kind := f.Op.Kind()
	if short && (kind == isa.Min || kind == isa.Max) {
		if t, ok := b.ExtremeOnTop(kind, p, q); ok {
			return []stage.Term{t}
		}
	}
	if short && f.Mask.Count() < 3 && (kind == isa.Min || kind == isa.Max) && b.CanStayInPlace(p, q) {
		if way := b.Choose(3); way == 1 {
			return []stage.Term{b.InPlace(kind, p, q)}
		} else if way == 2 {
			return []stage.Term{b.InPlace(kind, q, p)}
		}
	}
	x, y := b.lanesOf(w, f, i)
	if short && !f.Sat && f.Second == isa.NoSecond && (kind == isa.Add || kind == isa.Sub) {
		// Bits above the lane are of no account: the word does for its lowest lane.
		if kind == isa.Add && q.Shift == 0 && b.Choose(2) == 1 {
			y = stage.Whole(32, q.V, y.Signed)
		} else if p.Shift == 0 {
			x = stage.Whole(32, p.V, x.Signed)
		}
	}
	return b.Operate(32, kind, x, y)
}

// signsApart is a comparison of all lanes without .add: the signs of their differences, put together. ok is
// false where the signs do not mean the same in all lanes, or have no differences.
func (b *lowering) signsApart(w builder.Lanes, f isa.Form) (v word.Value, ok bool) {
	var signs [4]builder.Pick
	not := false
	for i := range signs {
		t := b.comparedLane(w, f, i*8/int(w), true)
		if t.Full || i > 0 && t.Not != not {
			return 0, false
		}
		signs[i], not = builder.SignOf(t.V, 3), t.Not
	}
	one := b.Con(w.Each(1))
	if not {
		return b.AndNot(one, b.Bytes(signs)), true
	}
	return b.And(b.Bytes(signs), one), true
}
