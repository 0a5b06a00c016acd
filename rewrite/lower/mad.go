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
	if f.Scale != isa.NoScale && b.caps.PTX {
		if v, ok := b.raisedMad(f, x, y, c, signed); ok {
			return v
		}
	}
	if negated {
		x, y, negated = b.negatedFactor(x, y)
	}
	if !upperBits {
		product := b.bounded(32, b.times(x.v, y.v), signed)
		product.neg = negated
		return b.sum(32, b.plusOne(f, []term{product, c}))
	}
	if product, ok := b.shortProduct(x, y); ok {
		product.neg = negated
		if v, ok := b.shortMad(f, product, c, signed); ok {
			return v
		}
	}
	if v, ok := b.plusOneRaised(f, x, y, c, signed); ok {
		return v
	}
	sum, excess := b.wideProduct(f, x, y)
	s := span{x.lo, x.hi}.times(span{y.lo, y.hi})
	subtract := word.SubWide
	if negated {
		s = s.negated()
		subtract = word.AddWide
	}
	terms := b.plusOne(f, []term{c})
	if f.PlusOne && c.signed && b.caps.PTX { // c + 1 is -^c
		inverse := term{v: b.not(c.v), signed: true, lo: ^c.hi, hi: ^c.lo, neg: true}
		addend := b.wideTerm(inverse)
		if excess != none {
			x, y := mixed(x, y)
			high := b.do(word.Add, b.shrS(inverse.v, 31), b.and(x.v, b.shrS(y.v, 31)))
			addend = b.do(word.AddWide, b.do(word.WideU, inverse.v), b.do(word.ShlWide, b.do(word.WideU, high), b.wideCon(32)))
		}
		return b.scaled(f, b.do(word.SubWide, sum, addend), s.plus(spanOf(inverse)), f.Scale.Shift(), signed)
	}
	addends := make([]word.Value, len(terms))
	for n, t := range terms {
		addends[n] = b.addend(t)
	}
	if b.caps.PTX && !c.neg && f.NegA == f.NegB && (f.PlusOne || excess != none) {
		// First what the product then takes in.
		addend := b.wideTerm(c)
		if excess != none {
			addend = b.correction(f, x, y, c)
		}
		if f.PlusOne {
			addend = b.do(word.AddWide, addend, b.wideCon(1))
		}
		return b.scaled(f, b.do(word.AddWide, sum, addend), s.plus(spanOf(terms...)), f.Scale.Shift(), signed)
	}
	for n, t := range terms {
		wide := addends[n]
		switch {
		case negated && t == c:
			sum = b.do(word.SubWide, wide, sum)
		case t.neg:
			sum = b.do(word.SubWide, sum, wide)
		default:
			sum = b.do(word.AddWide, sum, wide)
		}
		if t == c && excess != none { // after c, which joins the product
			sum = b.do(subtract, sum, excess)
		}
		s = s.plus(spanOf(t))
	}
	return b.scaled(f, sum, s, f.Scale.Shift(), signed)
}

// correction is c less the excess of wideProduct, of which only the high word knows.
func (b *builder) correction(f isa.Form, x, y, c term) word.Value {
	x, y = mixed(x, y)
	high := b.con(0)
	if c.signed {
		high = b.shrS(c.v, 31)
	}
	if b.is(high, 0) {
		high = b.do(word.Sub, high, b.and(x.v, b.shrS(y.v, 31)))
	} else { // comes with the product
		high = b.do(word.Add, high, b.do(word.Mul, b.shrS(y.v, 31), x.v))
	}
	return b.do(word.AddWide, b.do(word.WideU, c.v), b.do(word.ShlWide, b.do(word.WideU, high), b.wideCon(32)))
}

// shortMad is the rest of vmad where a word holds the product. ok is false where 64 bits
// are better.
func (b *builder) shortMad(f isa.Form, product, c term, signed bool) (v word.Value, ok bool) {
	if f.Scale == isa.NoScale {
		t, ok := b.shortSum(f, product, c, signed)
		return t.v, ok
	}
	sum, ok := b.joined(32, b.plusOne(f, []term{product, c}))
	if !ok || !signed && sum.lo < 0 { // as compiled a sum below 0 is shifted as a large number
		return 0, false
	}
	shift := word.ShrU
	if sum.signed {
		shift = word.ShrS
	}
	s := span{sum.lo, sum.hi}.shifted(f.Scale.Shift())
	t := term{v: b.do(shift, sum.v, b.con(uint32(f.Scale.Shift()))), signed: sum.signed, lo: s.lo, hi: s.hi}
	if f.Sat {
		t = b.clampedTerm(32, t, 32, signed)
	}
	return t.v, true
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
	s := span{x.lo, x.hi}.times(span{y.lo, y.hi})
	signed, ok := s.word()
	if !ok {
		return term{}, false
	}
	return term{v: b.times(x.v, y.v), signed: signed, lo: s.lo, hi: s.hi}, true
}

// negatedFactor makes the factors of -(x * y) those of a product without a sign, if the target
// takes a part from its word and negates it at once.
func (b *builder) negatedFactor(x, y term) (p, q term, negated bool) {
	if b.caps.PTX {
		for _, t := range []*term{&x, &y} {
			if b.canDot(t.v, true) {
				*t = term{v: b.do(word.Sub, b.con(0), t.v), signed: true, lo: -t.hi, hi: -t.lo}
				return x, y, false
			}
		}
	}
	return x, y, true
}

// none is the value of what there is not.
const none word.Value = -1

// wideProduct multiplies words to 64 bits. If there is an excess, the product is that much
// too large.
func (b *builder) wideProduct(f isa.Form, x, y term) (product, excess word.Value) {
	signed, ok := alike(32, x, y)
	if ok && signed {
		return b.do(word.MulWideS, x.v, y.v), none
	}
	if ok {
		product := b.do(word.MulWideU, x.v, y.v)
		if f.Sat && (f.NegA != f.NegB || f.NegC) && (span{x.lo, x.hi}).times(span{y.lo, y.hi}).hi >= far {
			// The sum is signed, but the product may not fit 63 bits. Clamping makes no
			// difference between products from 2^62 on.
			product = b.do(word.MinWideU, product, b.wideCon(1<<62))
		}
		return product, none
	}
	// Where y is negative its word is 2^32 too large, and the product x << 32.
	x, y = mixed(x, y)
	high := b.and(x.v, b.shrS(y.v, 31))
	return b.do(word.MulWideU, x.v, y.v), b.do(word.ShlWide, b.do(word.WideU, high), b.wideCon(32))
}

// scaled shifts the wide sum right by n and clamps it. s is what is known of the sum.
func (b *builder) scaled(f isa.Form, sum word.Value, s span, n uint, signed bool) word.Value {
	shift, from := word.ShrWideU, signed
	if signed {
		shift = word.ShrWideS
	}
	if b.reading == isa.SM86 && f.Scale == isa.NoScale {
		from = true // as compiled an unscaled sum may be negative whatever its type
	}
	if !from && s.lo < 0 {
		s = anything // below 0 the 64 bits are read as a large number
	}
	if f.Sat && n > 0 && b.caps.PTX && !s.shifted(n).within(32, signed) {
		return b.scaledByHigh(sum, s, n, signed)
	}
	sum = b.doImm(shift, uint64(n), sum)
	if f.Sat {
		return b.wideClamped(sum, from, s.shifted(n), 32, signed).v
	}
	return b.do(word.Lo, sum)
}

// scaledByHigh shifts the wide sum right by n and clamps it to a word, which the high word of the sum says
// before it is shifted. s is what is known of the sum.
func (b *builder) scaledByHigh(sum word.Value, s span, n uint, signed bool) word.Value {
	high, _ := b.halved(sum)
	if !signed {
		low := b.do(word.Lo, b.doImm(word.ShrWideU, uint64(n), sum))
		return b.do(word.Select, b.do(word.CmpLtU, high, b.con(1<<n)), low, b.con(0xffffffff))
	}
	low := b.do(word.Lo, b.doImm(word.ShrWideS, uint64(n), sum))
	fits := b.do(word.CmpLtU, b.do(word.Add, high, b.con(1<<(n-1))), b.con(1<<n))
	return b.do(word.Select, fits, low, b.limitOfWide(high, true, s.shifted(n), true))
}
