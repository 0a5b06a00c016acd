package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Bytes are equal where their distance D is 0. With E, the distance of D from 1, 1 + E - D is then 2, and else 0, as E is D - 1. So words of
// these are added and subtracted as they are: no byte borrows from the next, and half of the sum is the comparison.

// canEqualByDistance reports whether equalByDistance can compute a form.
func (b *builder) canEqualByDistance(w lanes, f isa.Form, x, y term) bool {
	_, ok := alike(8, x, y)
	return ok && w == 8 && b.caps.PTX && b.caps.Has(word.AbsDiffU8) && b.caps.Has(word.SadU8) && f.Op.Kind() == isa.Set &&
		(f.Cmp == isa.Eq || f.Cmp == isa.Ne && f.Second != isa.SecondAdd)
}

// equalByDistance is vset4 with .eq, and with .ne but for .add.
func (b *builder) equalByDistance(f isa.Form, x, y term, c func() word.Value) word.Value {
	const each = 0x01010101
	if f.Second == isa.SecondAdd {
		return b.countedByDistance(f, x, y, c())
	}
	distance, one := b.distance(8, false, x.v, y.v), b.con(each)
	fromOne := b.distance(8, false, distance, one)
	twice := b.do(word.Sub, b.do(word.Add, fromOne, one), distance)
	if f.Cmp == isa.Ne {
		twice = b.do(word.Sub, b.do(word.Add, distance, one), fromOne)
	}
	return b.merged(8, b.shrU(twice, 1), f.Mask, c)
}

// countedByDistance adds the number of equal bytes to c. Those that are not in the mask are made equal, and taken off.
func (b *builder) countedByDistance(f isa.Form, x, y term, c word.Value) word.Value {
	const each = 0x01010101
	var picks [4]pick
	for i := range picks {
		picks[i] = byteOf(x.v, i)
		if f.Mask.Has(i) {
			picks[i] = byteOf(y.v, i)
		}
	}
	distance := b.distance(8, false, x.v, b.bytes(picks))
	start := b.con(4 - 2*uint32(4-f.Mask.Count()))
	twice := b.do(word.SadU8, distance, b.con(each), start)
	twice = b.doImm(word.DotU8, 0xffffffff, distance, twice)
	return b.do(word.Add, b.shrS(twice, 1), c)
}
