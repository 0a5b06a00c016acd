package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// productOps are dp4a and dp2a of two words that are not constant.
var productOps = []word.Op{word.DotU8U8, word.DotU8S8, word.DotS8S8, word.DotU16U8, word.DotU16S8, word.DotS16U8, word.DotS16S8}

// times returns x * y modulo 2^32. Of two bytes, or of a half and a byte, of words dp4a and dp2a take the product where the parts
// stand: one word gives its part, and the other one all of it, once the part stands in the same lane between zeros. By a number that a byte
// holds the part is weighed as it is extracted.
func (b *builder) times(x, y word.Value) word.Value {
	if b.later(x, y) { // a constant is last
		x, y = y, x
	}
	p, ok := b.extractOf(x)
	if k, constant := b.constant(y); constant && b.caps.PTX && k == uint32(int8(k)) && k > 1 && b.canDot(x, false) {
		return b.doImm(dotOps.of(p.signed).at(p.width), uint64(uint8(k))<<(8*(p.shift/int(p.width))), p.src, b.con(0))
	}
	r, ok2 := b.extractOf(y)
	if !ok || !ok2 {
		return b.do(word.Mul, x, y)
	}
	if r.width > p.width || r.width == p.width && p.signed && !r.signed {
		p, r = r, p
	}
	op := productOf(p, r)
	if r.width != 8 || !b.caps.Has(op) {
		return b.do(word.Mul, x, y)
	}
	lane := p.shift / int(p.width)
	picks := [4]pick{zeroByte, zeroByte, zeroByte, zeroByte}
	picks[lane] = byteOf(r.src, r.shift/8)
	return b.do(op, p.src, b.bytes(picks), b.con(0))
}

// productOf returns the operation that adds products of such lanes; NoOp if there is none.
func productOf(x, y extract) word.Op {
	for _, op := range productOps {
		if op.Products() == (word.Lanes{Width: int(x.width), SignedX: x.signed, SignedY: y.signed}) {
			return op
		}
	}
	return word.NoOp
}

// raisedMad is vmad with a scale where a word holds the product, and no clamp acts. The sum, of 33 bits, is shifted right by n as the
// high word of the sum times 2^(32-n), which ptxas makes of two wide products:
//
//	mul.wide t, c, 2^(32-n)
//	mad.wide t, product, 2^(32-n), t
//
// Where a word holds the sum as well, that is shifted. ok is false then, and where a product or a clamp needs more.
func (b *builder) raisedMad(f isa.Form, x, y, c term, signed bool) (v word.Value, ok bool) {
	product, ok := b.shortProduct(x, y)
	if ok && f.PlusOne {
		product, ok = b.joined(32, b.plusOne(f, []term{product}))
	}
	product.neg = f.NegA != f.NegB
	s, n := spanOf(product, c), f.Scale.Shift()
	if _, fits := s.word(); !ok || fits || product.neg && c.neg {
		return 0, false
	}
	if !signed && s.lo < 0 || f.Sat && !s.shifted(n).within(32, signed) {
		return 0, false
	}
	var sum word.Value
	if product.neg && !within(product.lo, product.hi, 32, true) {
		product.neg = false
		sum = b.do(word.SubWide, b.raisedBy(32-n, c), b.raisedBy(32-n, product))
	} else {
		sum = b.do(word.AddWide, b.raisedBy(32-n, product), b.raisedBy(32-n, c))
	}
	return b.do(word.Lo, b.doImm(word.ShrWideU, 32, sum)), true
}

// raisedBy returns the product of a term, with its sign, and 2^n, of 64 bits. A negated term is one of signed words.
func (b *builder) raisedBy(n uint, t term) word.Value {
	switch {
	case t.neg:
		return b.do(word.MulWideS, t.v, b.con(-(uint32(1) << n)))
	case t.signed:
		return b.do(word.MulWideS, t.v, b.con(1<<n))
	}
	return b.do(word.MulWideU, t.v, b.con(1<<n))
}

// partRaised is how far a part of a word is raised where that costs nothing: by a byte, as it is extracted.
const partRaised = 8

// plusOneRaised is vmad with .po of two factors of which one is a part, on 64 bits: the product is that of the part times 2^8, and c and
// the 1 come with it as c * 2^8 + 2^8, one wide product. ok is false where no factor is a part, or where only one of them has a sign and a word
// does not hold both alike.
func (b *builder) plusOneRaised(f isa.Form, x, y, c term, signed bool) (v word.Value, ok bool) {
	if _, ok := b.extractOf(y.v); !ok {
		x, y = y, x
	}
	e, ok := b.extractOf(y.v)
	alike, can := alike(32, x, y)
	_, constant := b.constant(c.v) // the 1 is then part of it
	if !ok || !can || constant || !f.PlusOne || !b.caps.PTX || b.reading != isa.Manual && !signed {
		return 0, false
	}
	picks := partOf(e.src, e.shift, int(e.width), e.signed)
	raised := b.bytes([4]pick{zeroByte, picks[0], picks[1], picks[2]})
	op := word.MulWideU
	if alike {
		op = word.MulWideS
	}
	c1 := b.do(word.AddWide, b.raisedBy(partRaised, c), b.wideCon(1<<partRaised))
	sum := b.do(word.AddWide, b.do(op, x.v, raised), c1)
	s := span{x.lo, x.hi}.times(span{y.lo, y.hi}).plus(spanOf(c)).plus(span{1, 1})
	return b.scaled(f, sum, s.times(span{1 << partRaised, 1 << partRaised}), f.Scale.Shift()+partRaised, signed), true
}
