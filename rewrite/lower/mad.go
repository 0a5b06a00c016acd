package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// mad lowers vmad: (a*b) + c, negated, plus one, scaled and clamped
// (9.7.18.1.3, rulings R3 to R7).
func (b *builder) mad(f isa.Form) word.Value {
	negated := f.NegA != f.NegB
	signed := f.AType.Signed() || f.BType.Signed() || negated || f.NegC
	upperBits := f.Sat || f.Scale != isa.NoScale
	compiled := b.reading == isa.SM86 && upperBits
	if compiled {
		f = signedWords(f)
	}
	x := b.part(b.input(0), f.ASel, f.AType)
	y := b.part(b.input(1), f.BSel, f.BType)
	c := b.bounded(32, b.input(2), signed || compiled) // rule Q11
	c.neg = f.NegC
	if !upperBits {
		product := b.bounded(32, b.do(word.Mul, x.v, y.v), signed)
		product.neg = negated
		return b.sum(32, b.plusOne(f, []term{product, c}))
	}
	if product, ok := b.shortProduct(x, y); ok && f.Scale == isa.NoScale {
		product.neg = negated
		if t, ok := b.shortSum(f, product, c, signed); ok {
			return t.v
		}
	}
	sum := b.wideProduct(f, x, y)
	for _, t := range b.plusOne(f, []term{c}) {
		wide := b.wideTerm(t)
		switch {
		case t.neg:
			sum = b.do(word.SubWide, sum, wide)
		case negated && t == c:
			sum = b.do(word.SubWide, wide, sum)
		default:
			sum = b.do(word.AddWide, sum, wide)
		}
	}
	return b.scaled(f, sum, signed)
}

// plusOne adds the 1 of .po.
func (b *builder) plusOne(f isa.Form, terms []term) []term {
	if !f.PlusOne {
		return terms
	}
	return append(terms, term{v: b.con(1), lo: 1, hi: 1})
}

// shortSum clamps the sum of a product of one word, c and the 1 of .po. Words clamp two
// terms, so the 1 joins the product or, where that has no room for it (a whole word times
// 1), c. ok is false where neither has: the sum then needs 64 bits.
func (b *builder) shortSum(f isa.Form, product, c term, signed bool) (t term, ok bool) {
	if f.PlusOne {
		first, room := b.joined(32, b.plusOne(f, []term{product}))
		switch {
		case room:
			product = first
		case c.signed: // c + 1 is -^c
			c = term{v: b.not(c.v), signed: true, lo: ^c.hi, hi: ^c.lo, neg: true}
		default:
			return term{}, false
		}
	}
	return b.clamped(32, []term{product, c}, 32, signed)
}

// shortProduct multiplies parts so short that a word holds the product.
func (b *builder) shortProduct(x, y term) (term, bool) {
	corners := []int64{x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}
	lo, hi := min(corners[0], corners[1], corners[2], corners[3]), max(corners[0], corners[1], corners[2], corners[3])
	if max(x.hi, -x.lo) > 1<<31 || max(y.hi, -y.lo) > 1<<31 {
		return term{}, false // the corners themselves may not fit 64 bits
	}
	for _, signed := range []bool{false, true} {
		if within(lo, hi, 32, signed) {
			return term{v: b.do(word.Mul, x.v, y.v), signed: signed, lo: lo, hi: hi}, true
		}
	}
	return term{}, false
}

// wideProduct multiplies words to 64 bits.
func (b *builder) wideProduct(f isa.Form, x, y term) word.Value {
	signed, ok := alike(32, x, y)
	if ok && signed {
		return b.do(word.MulWideS, x.v, y.v)
	}
	if ok {
		product := b.do(word.MulWideU, x.v, y.v)
		if f.Sat && (f.NegA != f.NegB || f.NegC) {
			// The sum is signed, but the product may not fit 63 bits. Clamping makes no
			// difference between products from 2^62 on.
			product = b.do(word.MinWideU, product, b.wideCon(1<<62))
		}
		return product
	}
	// Where y is negative its word is 2^32 too large, and the product x << 32.
	x, y = mixed(x, y)
	excess := b.and(x.v, b.shrS(y.v, 31))
	return b.do(word.SubWide, b.do(word.MulWideU, x.v, y.v), b.do(word.ShlWide, b.do(word.WideU, excess), b.wideCon(32)))
}

// scaled shifts the wide sum right and clamps it.
func (b *builder) scaled(f isa.Form, sum word.Value, signed bool) word.Value {
	shift := word.ShrWideU
	if signed {
		shift = word.ShrWideS
	}
	sum = b.doImm(shift, uint64(f.Scale.Shift()), sum)
	if f.Sat {
		// As compiled an unscaled sum may be negative whatever its type.
		from := signed || b.reading == isa.SM86 && f.Scale == isa.NoScale
		return b.wideClamped(sum, from, 32, signed).v
	}
	return b.do(word.Lo, sum)
}
