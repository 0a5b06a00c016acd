package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// productOps are dp4a and dp2a of two words that are not constant.
var productOps = []word.Op{word.DotU8U8, word.DotU8S8, word.DotS8S8, word.DotU16U8, word.DotU16S8, word.DotS16U8, word.DotS16S8}

// times returns x * y modulo 2^32. Of two bytes, or of a half and a byte, of words dp4a and dp2a take the product where the parts
// stand: one word gives its part, and the other one all of it, once the part stands in the same lane between zeros.
func (b *builder) times(x, y word.Value) word.Value {
	p, ok := b.extractOf(x)
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
	raised := func(t term) word.Value {
		op := word.MulWideU
		if t.signed {
			op = word.MulWideS
		}
		return b.do(op, t.v, b.con(1<<(32-n)))
	}
	p, q := raised(product), raised(c)
	var sum word.Value
	switch {
	case product.neg:
		sum = b.do(word.SubWide, q, p)
	case c.neg:
		sum = b.do(word.SubWide, p, q)
	default:
		sum = b.do(word.AddWide, p, q)
	}
	return b.do(word.Lo, b.doImm(word.ShrWideU, 32, sum)), true
}
