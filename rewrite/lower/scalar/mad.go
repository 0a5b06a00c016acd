package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// mad lowers vmad: (a*b) + c, negated, plus one, scaled and clamped
// (9.7.18.1.3, rulings R3 to R7).
func (b *lowering) mad(f isa.Form) word.Value {
	negated := f.NegA != f.NegB
	signed := f.AType.Signed() || f.BType.Signed() || negated || f.NegC
	upperBits := f.Sat || f.Scale != isa.NoScale
	compiled := b.reading == isa.SM86 && upperBits
	if compiled {
		f = signedWords(f)
	}
	x := b.part(b.Input(0), f.ASel, f.AType)
	y := b.part(b.Input(1), f.BSel, f.BType)
	c := b.Bounded(32, b.Input(2), signed || compiled) // rule Q11
	c.Neg = f.NegC
	if f.Scale != isa.NoScale && b.Caps.PTX {
		if v, ok := b.raisedMad(f, x, y, c, signed); ok {
			return v
		}
	}
	if negated {
		x, y, negated = b.negatedFactor(x, y)
	}
	if !upperBits {
		product := b.Bounded(32, b.Times(x.V, y.V), signed)
		product.Neg = negated
		return b.Sum(32, b.plusOne(f, []stage.Term{product, c}))
	}
	if product, ok := b.shortProduct(x, y); ok {
		product.Neg = negated
		if v, ok := b.shortMad(f, product, c, signed); ok {
			return v
		}
	}
	if v, ok := b.plusOneRaised(f, x, y, c, signed); ok {
		return v
	}
	sum, excess := b.wideProduct(f, x, y)
	s := stage.Span{Lo: x.Lo, Hi: x.Hi}.Times(stage.Span{Lo: y.Lo, Hi: y.Hi})
	subtract := word.SubWide
	if negated {
		s = s.Negated()
		subtract = word.AddWide
	}
	terms := b.plusOne(f, []stage.Term{c})
	if f.PlusOne && c.Signed && b.Caps.PTX { // c + 1 is -^c
		inverse := stage.Term{V: b.Not(c.V), Signed: true, Lo: ^c.Hi, Hi: ^c.Lo, Neg: true}
		addend := b.wideTerm(inverse)
		if excess != builder.None {
			x, y := stage.Mixed(x, y)
			high := b.Do(word.Add, b.ShrS(inverse.V, 31), b.And(x.V, b.ShrS(y.V, 31)))
			addend = b.Do(word.AddWide, b.Do(word.WideU, inverse.V), b.Do(word.ShlWide, b.Do(word.WideU, high), b.WideCon(32)))
		}
		return b.scaled(f, b.Do(word.SubWide, sum, addend), s.Plus(stage.SpanOf(inverse)), f.Scale.Shift(), signed)
	}
	addends := make([]word.Value, len(terms))
	for n, t := range terms {
		addends[n] = b.addend(t)
	}
	if b.Caps.PTX && !c.Neg && f.NegA == f.NegB && (f.PlusOne || excess != builder.None) {
		// First what the product then takes in.
		addend := b.wideTerm(c)
		if excess != builder.None {
			addend = b.correction(f, x, y, c)
		}
		if f.PlusOne {
			addend = b.Do(word.AddWide, addend, b.WideCon(1))
		}
		return b.scaled(f, b.Do(word.AddWide, sum, addend), s.Plus(stage.SpanOf(terms...)), f.Scale.Shift(), signed)
	}
	for n, t := range terms {
		wide := addends[n]
		switch {
		case negated && t == c:
			sum = b.Do(word.SubWide, wide, sum)
		case t.Neg:
			sum = b.Do(word.SubWide, sum, wide)
		default:
			sum = b.Do(word.AddWide, sum, wide)
		}
		if t == c && excess != builder.None { // after c, which joins the product
			sum = b.Do(subtract, sum, excess)
		}
		s = s.Plus(stage.SpanOf(t))
	}
	return b.scaled(f, sum, s, f.Scale.Shift(), signed)
}

// correction is c less the excess of wideProduct, of which only the high word knows.
func (b *lowering) correction(f isa.Form, x, y, c stage.Term) word.Value {
	x, y = stage.Mixed(x, y)
	high := b.Con(0)
	if c.Signed {
		high = b.ShrS(c.V, 31)
	}
	if b.Is(high, 0) {
		high = b.Do(word.Sub, high, b.And(x.V, b.ShrS(y.V, 31)))
	} else { // comes with the product
		high = b.Do(word.Add, high, b.Do(word.Mul, b.ShrS(y.V, 31), x.V))
	}
	return b.Do(word.AddWide, b.Do(word.WideU, c.V), b.Do(word.ShlWide, b.Do(word.WideU, high), b.WideCon(32)))
}

// shortMad is the rest of vmad where a word holds the product. ok is false where 64 bits
// are better.
func (b *lowering) shortMad(f isa.Form, product, c stage.Term, signed bool) (v word.Value, ok bool) {
	if f.Scale == isa.NoScale {
		t, ok := b.shortSum(f, product, c, signed)
		return t.V, ok
	}
	sum, ok := b.Joined(32, b.plusOne(f, []stage.Term{product, c}))
	if !ok || !signed && sum.Lo < 0 { // as compiled a sum below 0 is shifted as a large number
		return 0, false
	}
	shift := word.ShrU
	if sum.Signed {
		shift = word.ShrS
	}
	s := stage.Span{Lo: sum.Lo, Hi: sum.Hi}.Shifted(f.Scale.Shift())
	t := stage.Term{V: b.Do(shift, sum.V, b.Con(uint32(f.Scale.Shift()))), Signed: sum.Signed, Lo: s.Lo, Hi: s.Hi}
	if f.Sat {
		t = b.ClampedTerm(32, t, 32, signed)
	}
	return t.V, true
}

// plusOne adds the 1 of .po.
func (b *lowering) plusOne(f isa.Form, terms []stage.Term) []stage.Term {
	if !f.PlusOne {
		return terms
	}
	return append(terms, stage.Term{V: b.Con(1), Lo: 1, Hi: 1})
}

// shortSum clamps the sum of a product of one word, c and the 1 of .po. Words clamp two
// terms, so the 1 joins the product or, where that has no room for it (a whole word times
// 1), c. ok is false where neither has: the sum then needs 64 bits.
func (b *lowering) shortSum(f isa.Form, product, c stage.Term, signed bool) (t stage.Term, ok bool) {
	if f.PlusOne {
		first, room := b.Joined(32, b.plusOne(f, []stage.Term{product}))
		switch {
		case room:
			product = first
		case c.Signed: // c + 1 is -^c
			c = stage.Term{V: b.Not(c.V), Signed: true, Lo: ^c.Hi, Hi: ^c.Lo, Neg: true}
		default:
			return stage.Term{}, false
		}
	}
	return b.Clamped(32, []stage.Term{product, c}, 32, signed)
}

// shortProduct multiplies parts so short that a word holds the product.
func (b *lowering) shortProduct(x, y stage.Term) (stage.Term, bool) {
	s := stage.Span{Lo: x.Lo, Hi: x.Hi}.Times(stage.Span{Lo: y.Lo, Hi: y.Hi})
	signed, ok := s.Word()
	if !ok {
		return stage.Term{}, false
	}
	return stage.Term{V: b.Times(x.V, y.V), Signed: signed, Lo: s.Lo, Hi: s.Hi}, true
}

// negatedFactor makes the factors of -(x * y) those of a product without a sign, if the target
// takes a part from its word and negates it at once.
func (b *lowering) negatedFactor(x, y stage.Term) (p, q stage.Term, negated bool) {
	if b.Caps.PTX {
		for _, t := range []*stage.Term{&x, &y} {
			if b.CanDot(t.V, true) {
				*t = stage.Term{V: b.Do(word.Sub, b.Con(0), t.V), Signed: true, Lo: -t.Hi, Hi: -t.Lo}
				return x, y, false
			}
		}
	}
	return x, y, true
}

// wideProduct multiplies words to 64 bits. If there is an excess, the product is that much
// too large.
func (b *lowering) wideProduct(f isa.Form, x, y stage.Term) (product, excess word.Value) {
	signed, ok := stage.Alike(32, x, y)
	if ok && signed {
		return b.Do(word.MulWideS, x.V, y.V), builder.None
	}
	if ok {
		product := b.Do(word.MulWideU, x.V, y.V)
		if f.Sat && (f.NegA != f.NegB || f.NegC) && (stage.Span{Lo: x.Lo, Hi: x.Hi}).Times(stage.Span{Lo: y.Lo, Hi: y.Hi}).Hi >= stage.Far {
			// The sum is signed, but the product may not fit 63 bits. Clamping makes no
			// difference between products from 2^62 on.
			product = b.Do(word.MinWideU, product, b.WideCon(1<<62))
		}
		return product, builder.None
	}
	// Where y is negative its word is 2^32 too large, and the product x << 32.
	x, y = stage.Mixed(x, y)
	high := b.And(x.V, b.ShrS(y.V, 31))
	return b.Do(word.MulWideU, x.V, y.V), b.Do(word.ShlWide, b.Do(word.WideU, high), b.WideCon(32))
}

// scaled shifts the wide sum right by n and clamps it. s is what is known of the sum.
func (b *lowering) scaled(f isa.Form, sum word.Value, s stage.Span, n uint, signed bool) word.Value {
	shift, from := word.ShrWideU, signed
	if signed {
		shift = word.ShrWideS
	}
	if b.reading == isa.SM86 && f.Scale == isa.NoScale {
		from = true // as compiled an unscaled sum may be negative whatever its type
	}
	if !from && s.Lo < 0 {
		s = stage.Anything // below 0 the 64 bits are read as a large number
	}
	if f.Sat && n > 0 && b.Caps.PTX && !s.Shifted(n).Within(32, signed) {
		return b.scaledByHigh(sum, s, n, signed)
	}
	sum = b.DoImm(shift, uint64(n), sum)
	if f.Sat {
		return b.wideClamped(sum, from, s.Shifted(n), 32, signed).V
	}
	return b.Do(word.Lo, sum)
}

// scaledByHigh shifts the wide sum right by n and clamps it to a word, which the high word of the sum says
// before it is shifted. s is what is known of the sum.
func (b *lowering) scaledByHigh(sum word.Value, s stage.Span, n uint, signed bool) word.Value {
	high, _ := b.Halved(sum)
	if !signed {
		low := b.Do(word.Lo, b.DoImm(word.ShrWideU, uint64(n), sum))
		return b.Do(word.Select, b.Do(word.CmpLtU, high, b.Con(1<<n)), low, b.Con(0xffffffff))
	}
	low := b.Do(word.Lo, b.DoImm(word.ShrWideS, uint64(n), sum))
	fits := b.Do(word.CmpLtU, b.Do(word.Add, high, b.Con(1<<(n-1))), b.Con(1<<n))
	return b.Do(word.Select, fits, low, b.limitOfWide(high, true, s.Shifted(n), true))
}
