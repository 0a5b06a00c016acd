package stage

import "github.com/vop-ptx/vop/rewrite/word"

// saturatedByDistance is the clamped sum of two terms of bytes where that is short by their distances; ok is false of others.
func (b *Builder) saturatedByDistance(x, y Term, signed bool) (v word.Value, ok bool) {
	if !y.Neg && x.Signed || !y.Neg && y.Hi > x.Hi && !y.Signed {
		x, y = y, x
	}
	switch {
	case x.Signed:
		return 0, false
	case y.Signed && !signed:
		return b.sumOfMagnitude(x, y), true
	case y.Signed || y.Neg || y.Hi > 0x80:
		return 0, false
	case !signed:
		return b.SumBelowTop(x.V, y.V), true
	}
	// Once x is limited no lane carries into the next.
	limit := b.Con(0x7f7f7f7f)
	return b.Smaller(8, false, b.Do(word.Add, b.Smaller(8, false, x.V, limit), y.V), limit), true
}

// sumOfMagnitude is x + y, or x - y, of unsigned and signed bytes, clamped to unsigned ones. Where y is subtracted it is max(x - |y|, 0), and where
// it is added ^max(^x - |y|, 0).
func (b *Builder) sumOfMagnitude(x, y Term) word.Value {
	added := b.Spread(8, y.V)
	if !y.Neg {
		added = b.Not(added)
	}
	magnitude := b.Distance(8, true, y.V, b.Con(0))
	return b.Xor(b.DifferenceAboveZero(b.Xor(x.V, added), magnitude), added)
}
