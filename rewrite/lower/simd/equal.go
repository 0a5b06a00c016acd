package simd

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Bytes are equal where their distance D is 0. With E, the distance of D from 1, 1 + E - D is then 2, and else 0, as E is D - 1. So words of
// these are added and subtracted as they are: no byte borrows from the next, and half of the sum is the comparison.

// canEqualByDistance reports whether equalByDistance can compute a form.
func (b *lowering) canEqualByDistance(w builder.Lanes, f isa.Form, x, y stage.Term) bool {
	_, ok := stage.Alike(8, x, y)
	return ok && w == 8 && b.Caps.PTX && b.Caps.Has(word.AbsDiffU8) && b.Caps.Has(word.SadU8) && f.Op.Kind() == isa.Set &&
		(f.Cmp == isa.Eq || f.Cmp == isa.Ne && f.Second != isa.SecondAdd)
}

// equalByDistance is vset4 with .eq, and with .ne but for .add.
func (b *lowering) equalByDistance(f isa.Form, x, y stage.Term, c func() word.Value) word.Value {
	const each = 0x01010101
	if f.Second == isa.SecondAdd {
		return b.countedByDistance(f, x, y, c())
	}
	distance, one := b.Distance(8, false, x.V, y.V), b.Con(each)
	fromOne := b.Distance(8, false, distance, one)
	twice := b.Do(word.Sub, b.Do(word.Add, fromOne, one), distance)
	if f.Cmp == isa.Ne {
		twice = b.Do(word.Sub, b.Do(word.Add, distance, one), fromOne)
	}
	return b.merged(8, b.ShrU(twice, 1), f.Mask, c)
}

// countedByDistance adds the number of equal bytes to c. Those that are not in the mask are made equal, and taken off.
func (b *lowering) countedByDistance(f isa.Form, x, y stage.Term, c word.Value) word.Value {
	const each = 0x01010101
	var picks [4]builder.Pick
	for i := range picks {
		picks[i] = builder.ByteOf(x.V, i)
		if f.Mask.Has(i) {
			picks[i] = builder.ByteOf(y.V, i)
		}
	}
	distance := b.Distance(8, false, x.V, b.Bytes(picks))
	start := b.Con(4 - 2*uint32(4-f.Mask.Count()))
	twice := b.Do(word.SadU8, distance, b.Con(each), start)
	twice = b.DoImm(word.DotU8, 0xffffffff, distance, twice)
	return b.Do(word.Add, b.ShrS(twice, 1), c)
}

// An equalityWay says how equalLane compares lanes.
type equalityWay uint8

const (
	elsewise     equalityWay = iota // it does not
	inPlace                         // by the bits that differ, where the lanes stand
	byDifference                    // by the difference of lanes in words of their own
)

// equalLane is lane i of .eq or .ne without a predicate. The 1 or 0 is in bit at. ok is false where there is another way.
func (b *lowering) equalLane(w builder.Lanes, f isa.Form, i int, way equalityWay) (v word.Value, at int, ok bool) {
	p, q := b.place(w, f.ALane, i, f.AType), b.place(w, f.BLane, i, f.BType)
	switch way {
	case byDifference:
		x, y := b.PartAt(p), b.PartAt(q)
		return b.EqualityOf(f.Cmp, b.Sum(32, []stage.Term{x, y.Negated()})), 0, true
	case inPlace:
		return b.EqualityInPlace(f.Cmp, p, q)
	}
	return 0, 0, false
}
