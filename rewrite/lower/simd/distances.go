package simd

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// canSumDistances reports whether summedDistances can compute a form.
func (b *lowering) canSumDistances(w builder.Lanes, f isa.Form, x, y stage.Term) bool {
	return f.Op.Kind() == isa.Absdiff && f.Second == isa.SecondAdd && x.Signed != y.Signed && f.Mask != isa.FullMask(f.Op) &&
		b.HasDistances(w) && b.Caps.Has(word.SadS8) && b.Caps.Has(word.DotU8)
}

// summedDistances is vabsdiff4 with .add of an unsigned x and a signed y, for some lanes: |x - max(y, 0)| + |y - max(y, 0)|. The sum of the second distances takes
// all lanes. In those that are not in the mask y stands for its maximum with 0, and has no distance from that.
func (b *lowering) summedDistances(f isa.Form, x, y stage.Term, c word.Value) word.Value {
	x, y = stage.Mixed(x, y)
	var negative [4]builder.Pick
	for i := range negative {
		negative[i] = builder.ZeroByte
		if f.Mask.Has(i) {
			negative[i] = builder.SignOf(y.V, i)
		}
	}
	above := b.AndNot(y.V, b.Bytes(negative))
	first := stage.Term{V: b.Distance(8, false, x.V, above)}
	return b.Accumulated(8, []stage.Term{first}, f.Mask, b.Do(word.SadS8, y.V, above, c))
}
