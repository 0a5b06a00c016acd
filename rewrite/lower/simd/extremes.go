package simd

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// canSumExtremes reports whether summedExtremes can compute a form.
func (b *lowering) canSumExtremes(w builder.Lanes, f isa.Form, x, y stage.Term) bool {
	kind := f.Op.Kind()
	signed := x.Signed && y.Signed
	return w == 8 && (kind == isa.Max || kind == isa.Min && x.Signed == y.Signed) && f.Second == isa.SecondAdd &&
		b.Caps.PTX && b.Caps.Has(sumOfDistances(signed)) && b.Caps.Has(builder.DotOps.Of(signed).At(w)) && !b.Caps.NonNegativeDotS8
}

// sumOfDistances is the operation that adds the distances of all bytes.
func sumOfDistances(signed bool) word.Op {
	if signed {
		return word.SadS8
	}
	return word.SadU8
}

// summedExtremes is vmin4 or vmax4 with .add. The sum of the maxima is half of what the sums of
// both operands and of their distances are together. What the distances are more than both operands is
// minus twice the sum of the minima. Lanes that are not in the mask are made equal, and so have no distance. Of types that differ it is the maximum of the unsigned lanes and
// the others' positive parts.
func (b *lowering) summedExtremes(f isa.Form, x, y stage.Term, c word.Value) word.Value {
	if x.Signed != y.Signed { // the maximum is not negative
		x, y = stage.Mixed(x, y)
		y = b.PositivePart(8, y)
	}
	var picks [4]builder.Pick
	weights := uint64(0)
	for i := range picks {
		picks[i] = builder.ByteOf(x.V, i)
		if f.Mask.Has(i) {
			picks[i] = builder.ByteOf(y.V, i)
			weights |= 1 << (8 * i)
		}
	}
	twice := b.Do(sumOfDistances(x.Signed), x.V, b.Bytes(picks), b.Con(0))
	dot := builder.DotOps.Of(x.Signed).At(8)
	if f.Op.Kind() == isa.Min {
		weights *= 0xff
		return b.lessHalf(c, b.DoImm(dot, weights, y.V, b.DoImm(dot, weights, x.V, twice)))
	}
	twice = b.DoImm(dot, weights, y.V, b.DoImm(dot, weights, x.V, twice))
	half := word.ShrU
	if x.Signed {
		half = word.ShrS
	}
	return b.Do(word.Add, b.Do(half, twice, b.Con(1)), c)
}

// lessHalf is c - twice / 2 of an even number with a sign: the high word of its product with -2^31, which takes in c.
func (b *lowering) lessHalf(c, twice word.Value) word.Value {
	product := b.Do(word.MulWideS, twice, b.Con(1<<31))
	high, _ := b.Halved(b.Do(word.AddWide, product, b.Do(word.ShlWide, b.Do(word.WideU, c), b.WideCon(32))))
	return high
}
