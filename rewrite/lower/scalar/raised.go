package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// raisedMad is vmad with a scale where a word holds the product, and no clamp acts. The sum, of 33 bits, is shifted right by n as the
// high word of the sum times 2^(32-n), which ptxas makes of two wide products:
//
//	mul.wide t, c, 2^(32-n)
//	mad.wide t, product, 2^(32-n), t
//
// Where a word holds the sum as well, that is shifted. ok is false then, and where a product or a clamp needs more.
func (b *lowering) raisedMad(f isa.Form, x, y, c stage.Term, signed bool) (v word.Value, ok bool) {
	product, ok := b.shortProduct(x, y)
	if ok && f.PlusOne {
		product, ok = b.Joined(32, b.plusOne(f, []stage.Term{product}))
	}
	product.Neg = f.NegA != f.NegB
	s, n := stage.SpanOf(product, c), f.Scale.Shift()
	if _, fits := s.Word(); !ok || fits || product.Neg && c.Neg {
		return 0, false
	}
	if !signed && s.Lo < 0 || f.Sat && !s.Shifted(n).Within(32, signed) {
		return 0, false
	}
	if b.canRaiseHalves(f, x, y) && b.Choose(2) == 1 {
		return b.raisedHalves(f, x, y, c), true
	}
	var sum word.Value
	if product.Neg && !stage.Within(product.Lo, product.Hi, 32, true) {
		product.Neg = false
		sum = b.Do(word.SubWide, b.raisedBy(32-n, c), b.raisedBy(32-n, product))
	} else {
		sum = b.Do(word.AddWide, b.raisedBy(32-n, product), b.raisedBy(32-n, c))
	}
	return b.Do(word.Lo, b.DoImm(word.ShrWideU, 32, sum)), true
}

// raisedBy returns the product of a term, with its sign, and 2^n, of 64 bits. A negated term is one of signed words.
func (b *lowering) raisedBy(n uint, t stage.Term) word.Value {
	switch {
	case t.Neg:
		return b.Do(word.MulWideS, t.V, b.Con(-(uint32(1) << n)))
	case t.Signed:
		return b.Do(word.MulWideS, t.V, b.Con(1<<n))
	}
	return b.Do(word.MulWideU, t.V, b.Con(1<<n))
}

// canRaiseHalves reports whether raisedHalves computes a form: halves of one type, and a scale for which one is raised to the top of a word and the
// other by a weight.
func (b *lowering) canRaiseHalves(f isa.Form, x, y stage.Term) bool {
	e, ok := b.ExtractOf(x.V)
	return ok && e.Width == 16 && b.CanDot(y.V, false) && f.BSel.Bits() == 16 && x.Signed == y.Signed && f.NegA == f.NegB && f.Scale == isa.Shr15
}

// raisedHalves is raisedMad of two halves that are raised as they are extracted, so that nothing multiplies them
// before. The 1 of .po comes with c.
func (b *lowering) raisedHalves(f isa.Form, x, y, c stage.Term) (high word.Value) {
	n, op := 32-f.Scale.Shift(), word.MulWideU
	if x.Signed {
		op = word.MulWideS
	}
	e, _ := b.ExtractOf(x.V)
	top := b.Bytes([4]builder.Pick{builder.ZeroByte, builder.ZeroByte, builder.ByteOf(e.Src, e.Shift/8), builder.ByteOf(e.Src, e.Shift/8+1)})
	product := b.Do(op, top, b.Times(y.V, b.Con(1<<(n-16))))
	start := b.raisedBy(n, c)
	if f.PlusOne {
		start = b.Do(word.AddWide, start, b.WideCon(1<<n))
	}
	high, _ = b.Halved(b.Do(word.AddWide, product, start))
	return high
}

// partRaised is how far a part of a word is raised where that costs nothing: by a byte, as it is extracted.
const partRaised = 8

// plusOneRaised is vmad with .po of two factors of which one is a part, on 64 bits: the product is that of the part times 2^8, and c and
// the 1 come with it as c * 2^8 + 2^8, one wide product. ok is false where no factor is a part, or where only one of them has a sign and a word
// does not hold both alike.
func (b *lowering) plusOneRaised(f isa.Form, x, y, c stage.Term, signed bool) (v word.Value, ok bool) {
	if _, ok := b.ExtractOf(y.V); !ok {
		x, y = y, x
	}
	e, ok := b.ExtractOf(y.V)
	alike, can := stage.Alike(32, x, y)
	_, constant := b.Constant(c.V) // the 1 is then part of it
	if !ok || !can || constant || !f.PlusOne || !b.Caps.PTX || b.reading != isa.Manual && !signed {
		return 0, false
	}
	picks := builder.PartOf(e.Src, e.Shift, int(e.Width), e.Signed)
	raised := b.Bytes([4]builder.Pick{builder.ZeroByte, picks[0], picks[1], picks[2]})
	op := word.MulWideU
	if alike {
		op = word.MulWideS
	}
	c1 := b.Do(word.AddWide, b.raisedBy(partRaised, c), b.WideCon(1<<partRaised))
	sum := b.Do(word.AddWide, b.Do(op, x.V, raised), c1)
	s := stage.Span{Lo: x.Lo, Hi: x.Hi}.Times(stage.Span{Lo: y.Lo, Hi: y.Hi}).Plus(stage.SpanOf(c)).Plus(stage.Span{Lo: 1, Hi: 1})
	return b.scaled(f, sum, s.Times(stage.Span{Lo: 1 << partRaised, Hi: 1 << partRaised}), f.Scale.Shift()+partRaised, signed), true
}
