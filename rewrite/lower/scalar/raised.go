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
	if high, ok := b.raisedFactors(f, x, y, c); ok && b.Choose(2) == 1 {
		return high, true
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

// raisedFactors is raisedMad of two parts that are raised as they are extracted, one by bytes and one by a weight, so that nothing multiplies them
// before. The 1 of .po comes with c. ok is false where the parts cannot be raised that far, or are of types that differ.
func (b *lowering) raisedFactors(f isa.Form, x, y, c stage.Term) (high word.Value, ok bool) {
	n := 32 - f.Scale.Shift()
	for _, pair := range [][2]stage.Term{{x, y}, {y, x}} {
		top, topOK := b.raisedByBytes(pair[0], n&^7)
		if !topOK || top.Signed != pair[1].Signed || !b.CanDot(pair[1].V, false) || f.NegA != f.NegB {
			continue
		}
		twice := b.Times(pair[1].V, b.Con(1<<(n&7)))
		op := word.MulWideU
		if top.Signed {
			op = word.MulWideS
		}
		start := b.raisedBy(n, c)
		if f.PlusOne {
			start = b.Do(word.AddWide, start, b.WideCon(1<<n))
		}
		high, _ = b.Halved(b.Do(word.AddWide, b.Do(op, top.V, twice), start))
		return high, true
	}
	return 0, false
}

// raisedByBytes returns a part times 2^n, n a multiple of 8; ok is false where a word does not hold it.
func (b *lowering) raisedByBytes(t stage.Term, n uint) (raised stage.Term, ok bool) {
	e, ok := b.ExtractOf(t.V)
	if !ok || int(e.Width)+int(n) > 32 {
		return t, false
	}
	picks := builder.PartOf(e.Src, e.Shift, int(e.Width), e.Signed)
	bytes := [4]builder.Pick{builder.ZeroByte, builder.ZeroByte, builder.ZeroByte, builder.ZeroByte}
	copy(bytes[n/8:], picks[:])
	return stage.Term{V: b.Bytes(bytes), Signed: t.Signed, Lo: t.Lo << n, Hi: t.Hi << n}, true
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
