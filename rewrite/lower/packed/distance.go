package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Minima and maxima of bytes by their distance, where the range of one of them leaves room:
//
//	min(x, y) = (x + y - |x - y|) / 2        max(x, y) = min(x, y) + |x - y| = (x + y + |x - y|) / 2
//
// Twice the result is even in every lane, so that sums of whole words are halved: what one lane lends the next comes back.

// HasDistances reports whether the distances of lanes are one machine instruction each, signed or not, and their minimum and maximum are
// none.
func (b *Builder) HasDistances(w builder.Lanes) bool {
	return w == 8 && b.Caps.PTX && b.Caps.Has(word.AbsDiffU8) && b.Caps.Has(word.AbsDiffS8) && !b.Caps.Has(word.MinU8)
}

// SmallerOfShort is the minimum of bytes, of which those of y have no top bit. Without signs twice the minimum fits. With them a
// negative byte of x stands for 256 too much, which is what its minimum, negative as well, lacks of its top bit after the shift.
func (b *Builder) SmallerOfShort(signed bool, x, y word.Value) word.Value {
	half := b.ShrU(b.Do(word.Sub, b.Do(word.Add, x, y), b.Distance(8, signed, x, y)), 1)
	if signed {
		return b.Do(word.Add, half, b.AndCon(x, builder.Lanes(8).Top()))
	}
	return half
}

// LargerOfShort is the maximum of bytes, of which those of y have no top bit. With signs it has none either: the top
// bit of the half is what a negative byte of x is too large by.
func (b *Builder) LargerOfShort(signed bool, x, y word.Value) word.Value {
	distance := b.Distance(8, signed, x, y)
	if signed {
		return b.AndCon(b.ShrU(b.Do(word.Add, b.Do(word.Add, x, y), distance), 1), ^builder.Lanes(8).Top())
	}
	return b.Do(word.Add, b.ShrU(b.Do(word.Sub, b.Do(word.Add, x, y), distance), 1), distance)
}

// DifferenceAboveZero is max(x - y, 0) of unsigned bytes, of which x - y + |x - y| is the double. The
// sum of words needs 33 bits; every byte of it is even, so the shift moves nothing into the next.
func (b *Builder) DifferenceAboveZero(x, y word.Value) word.Value {
	wide := func(v word.Value) word.Value { return b.Do(word.WideU, v) }
	twice := b.Do(word.SubWide, b.Do(word.AddWide, wide(x), wide(b.Distance(8, false, x, y))), wide(y))
	return b.Do(word.Lo, b.DoImm(word.ShrWideU, 1, twice))
}

// SumBelowTop is min(x + y, ff) of unsigned bytes, of which those of y are at most 80: x + min(^x, y). Twice that minimum exceeds its lane
// only where y is 80 and x has no top bit. On top of the word it is lost then, and x gets the top bit instead.
func (b *Builder) SumBelowTop(x, y word.Value) word.Value {
	room := b.Not(x)
	added := b.ShrU(b.Do(word.Sub, b.Do(word.Add, room, y), b.Distance(8, false, room, y)), 1)
	return b.Do(word.Add, b.Or(x, b.AndCon(y, 1<<31)), added)
}
