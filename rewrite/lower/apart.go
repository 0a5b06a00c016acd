package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// simdApart lowers vadd2 to vset4 with each lane in a word of its own. Types that
// differ cost nothing there, and lanes that are not in the mask are left out.
func (b *builder) simdApart(w lanes, f isa.Form) word.Value {
	var c word.Value
	if f.ReadsC() {
		c = b.input(2)
	}
	var word [4]pick
	for i := range word {
		word[i] = byteOf(c, i)
	}
	size := int(w) / 8
	short := b.caps.PTX && hasShort(f) && b.choose(2) == 1
	if short && f.Op.Kind() == isa.Set && f.Second == isa.NoSecond && f.Mask == isa.FullMask(f.Op) && b.choose(2) == 1 {
		if v, ok := b.signsApart(w, f); ok {
			return v
		}
	}
	if f.Sat && b.caps.PTX && b.caps.Has(packOps.of(f.DType.Signed()).at(w)) && b.choose(2) == 1 {
		return b.packedApart(w, f, short, word)
	}
	for i := range w.count() {
		if !f.Mask.Has(i) {
			continue
		}
		if f.Op.Kind() == isa.Set {
			if short && w == 8 && f.Second == isa.NoSecond {
				x, y := b.lanesOf(w, f, i)
				if v, ok := b.truthOnTop(w, f.Cmp, x, y); ok {
					word[i] = byteOf(v, 3)
					continue
				}
			}
			t := b.comparedLane(w, f, i, short)
			if f.Second == isa.SecondAdd {
				c = b.accumulatedTruth(32, t, 1, c)
				continue
			}
			v := b.zeroOrOne(32, t)
			for k := range size {
				word[i*size+k] = byteOf(v, k)
			}
			continue
		}
		terms := b.operatedLane(w, f, i, short)
		if f.Second == isa.SecondAdd {
			c = b.accumulated(32, terms, 1, c)
			continue
		}
		v := b.sum(32, terms)
		if f.Sat {
			t, _ := b.clamped(32, terms, w, f.DType.Signed()) // sums of parts fit a word
			v = t.v
		}
		for k := range size {
			word[i*size+k] = byteOf(v, k)
		}
	}
	if f.Second == isa.SecondAdd {
		return c
	}
	return b.bytes(word)
}

// packedApart is simdApart with .sat, where one instruction clamps two lanes and puts them side by side. Into picks go the bytes
// of the lanes in the mask.
func (b *builder) packedApart(w lanes, f isa.Form, short bool, picks [4]pick) word.Value {
	var sums []word.Value
	for i := range w.count() {
		if f.Mask.Has(i) {
			sums = append(sums, b.sum(32, b.operatedLane(w, f, i, short)))
		}
	}
	packed := b.packed(w, f.DType.Signed(), sums)
	n, size := 0, int(w)/8
	for i := range w.count() {
		if f.Mask.Has(i) {
			for k := range size {
				picks[i*size+k] = byteOf(packed, n*size+k)
			}
			n++
		}
	}
	return b.bytes(picks)
}

// packed clamps signed words to lanes and puts them side by side, the first one lowest.
func (b *builder) packed(w lanes, signed bool, words []word.Value) word.Value {
	var all [4]word.Value
	for i := range all {
		all[i] = b.con(0)
	}
	copy(all[:], words)
	op := packOps.of(signed).at(w)
	switch {
	case w == 16:
		return b.do(op, all[0], all[1])
	case len(words) > 2:
		return b.do(op, all[0], all[1], b.do(op, all[2], all[3], b.con(0)))
	}
	return b.do(op, all[0], all[1], b.con(0))
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
func (b *builder) place(w lanes, sel isa.Lanes, i int, typ isa.Type) place {
	from := sel.Lane(i)
	return place{b.input(from / w.count()), from % w.count() * int(w), w, typ.Signed()}
}

// lanesOf returns lane i of x and y, each in a word of its own.
func (b *builder) lanesOf(w lanes, f isa.Form, i int) (x, y term) {
	return b.partAt(b.place(w, f.ALane, i, f.AType)), b.partAt(b.place(w, f.BLane, i, f.BType))
}

// comparedLane compares lane i of x and y.
func (b *builder) comparedLane(w lanes, f isa.Form, i int, short bool) truth {
	x, y := b.lanesOf(w, f, i)
	if short {
		if t, ok := b.comparedByDifference(f.Cmp, x, y); ok {
			return t
		}
	}
	return b.compare(32, f.Cmp, x, y)
}

// operatedLane is stage 2 for lane i.
func (b *builder) operatedLane(w lanes, f isa.Form, i int, short bool) []term {
	p, q := b.place(w, f.ALane, i, f.AType), b.place(w, f.BLane, i, f.BType)
	kind := f.Op.Kind()
	if short && (kind == isa.Min || kind == isa.Max) {
		if t, ok := b.extremeOnTop(kind, p, q); ok {
			return []term{t}
		}
	}
	if short && f.Mask.Count() < 3 && (kind == isa.Min || kind == isa.Max) && b.canStayInPlace(p, q) {
		if way := b.choose(3); way == 1 {
			return []term{b.inPlace(kind, p, q)}
		} else if way == 2 {
			return []term{b.inPlace(kind, q, p)}
		}
	}
	x, y := b.lanesOf(w, f, i)
	if short && !f.Sat && f.Second == isa.NoSecond && (kind == isa.Add || kind == isa.Sub) {
		// Bits above the lane are of no account: the word does for its lowest lane.
		if kind == isa.Add && q.shift == 0 && b.choose(2) == 1 {
			y = whole(32, q.v, y.signed)
		} else if p.shift == 0 {
			x = whole(32, p.v, x.signed)
		}
	}
	return b.operate(32, kind, x, y)
}

// signsApart is a comparison of all lanes without .add: the signs of their differences, put together. ok is
// false where the signs do not mean the same in all lanes, or have no differences.
func (b *builder) signsApart(w lanes, f isa.Form) (v word.Value, ok bool) {
	var signs [4]pick
	not := false
	for i := range signs {
		t := b.comparedLane(w, f, i*8/int(w), true)
		if t.full || i > 0 && t.not != not {
			return 0, false
		}
		signs[i], not = signOf(t.v, 3), t.not
	}
	one := b.con(w.each(1))
	if not {
		return b.andNot(one, b.bytes(signs)), true
	}
	return b.and(b.bytes(signs), one), true
}
