package builder

import "github.com/vop-ptx/vop/rewrite/word"

// ProductOps are dp4a and dp2a of two words that are not constant.
var ProductOps = []word.Op{word.DotU8U8, word.DotU8S8, word.DotS8S8, word.DotU16U8, word.DotU16S8, word.DotS16U8, word.DotS16S8}

// Times returns x * y modulo 2^32. Of two bytes, or of a half and a byte, of words dp4a and dp2a take the product where the parts
// stand: one word gives its part, and the other one all of it, once the part stands in the same lane between zeros. By a number that a byte
// holds the part is weighed as it is extracted.
func (b *Builder) Times(x, y word.Value) word.Value {
	if b.Later(x, y) { // a constant is last
		x, y = y, x
	}
	p, ok := b.ExtractOf(x)
	if k, constant := b.Constant(y); constant && b.Caps.PTX && k == uint32(int8(k)) && k > 1 && b.CanDot(x, false) {
		return b.DoImm(DotOps.Of(p.Signed).At(p.Width), uint64(uint8(k))<<(8*(p.Shift/int(p.Width))), p.Src, b.Con(0))
	}
	r, ok2 := b.ExtractOf(y)
	if !ok || !ok2 {
		return b.Do(word.Mul, x, y)
	}
	if r.Width > p.Width || r.Width == p.Width && p.Signed && !r.Signed {
		p, r = r, p
	}
	op := productOf(p, r)
	if r.Width != 8 || !b.Caps.Has(op) {
		return b.Do(word.Mul, x, y)
	}
	lane := p.Shift / int(p.Width)
	picks := [4]Pick{ZeroByte, ZeroByte, ZeroByte, ZeroByte}
	picks[lane] = ByteOf(r.Src, r.Shift/8)
	return b.Do(op, p.Src, b.Bytes(picks), b.Con(0))
}

// productOf returns the operation that adds products of such lanes; NoOp if there is none.
func productOf(x, y extract) word.Op {
	for _, op := range ProductOps {
		if op.Products() == (word.Lanes{Width: int(x.Width), SignedX: x.Signed, SignedY: y.Signed}) {
			return op
		}
	}
	return word.NoOp
}
