package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// operate is stage 2: the operation of a form on two terms, lane by lane. The
// result is exact.
func (b *builder) operate(w lanes, kind isa.Kind, x, y term) []term {
	switch kind {
	case isa.Add:
		return []term{x, y}
	case isa.Sub:
		return []term{x, y.negated()}
	case isa.Min:
		return []term{b.minimum(w, x, y)}
	case isa.Max:
		return []term{b.maximum(w, x, y)}
	case isa.Absdiff:
		return b.absoluteDifference(w, x, y)
	case isa.Avrg:
		return b.roundedAverage(w, x, y)
	}
	panic("lower: operate: no operation on two terms")
}

// minimum of an unsigned x and a signed y is that of two signed numbers once x is
// limited to what y can reach.
func (b *builder) minimum(w lanes, x, y term) term {
	lo, hi := min(x.lo, y.lo), min(x.hi, y.hi)
	if signed, ok := alike(w, x, y); ok {
		return term{v: b.smaller(w, signed, x.v, y.v), signed: signed, lo: lo, hi: hi}
	}
	x, y = mixed(x, y)
	limited := b.smaller(w, false, x.v, b.con(w.top()-w.each(1)))
	return term{v: b.smaller(w, true, limited, y.v), signed: true, lo: lo, hi: hi}
}

// maximum of an unsigned x and a signed y is that of x and max(y, 0).
func (b *builder) maximum(w lanes, x, y term) term {
	lo, hi := max(x.lo, y.lo), max(x.hi, y.hi)
	if signed, ok := alike(w, x, y); ok {
		return term{v: b.larger(w, signed, x.v, y.v), signed: signed, lo: lo, hi: hi}
	}
	x, y = mixed(x, y)
	return term{v: b.larger(w, false, x.v, b.positivePart(w, y).v), lo: lo, hi: hi}
}

// absoluteDifference of an unsigned x and a signed y is |x - max(y, 0)| - min(y, 0):
// one of the two parts of y is 0, and below 0 y is farther from x.
func (b *builder) absoluteDifference(w lanes, x, y term) []term {
	most := max(x.hi-y.lo, y.hi-x.lo)
	if signed, ok := alike(w, x, y); ok {
		return []term{{v: b.distance(w, signed, x.v, y.v), lo: 0, hi: most}}
	}
	x, y = mixed(x, y)
	above, below := b.positivePart(w, y), b.negativePart(w, y)
	part := term{v: b.distance(w, false, x.v, above.v), lo: 0, hi: max(x.hi, y.hi)}
	return []term{part, below.negated()}
}

// roundedAverage of two lanes rounds halves away from zero (the pseudo-code of
// vavrg2 and vavrg4): up where the sum is not negative, else down.
//
// Signed lanes are flipped to unsigned ones, each of which is 2^(w-1) too large. The
// average is then too large by zero = 0, 2^(w-2) or 2^(w-1), and sums below 0 are
// those whose average, rounded down, is below zero. In words, bytes and halves
// leave room for the sum itself.
func (b *builder) roundedAverage(w lanes, x, y term) []term {
	if s := spanOf(x, y); w == 32 && s.lo < 0 && b.caps.PTX && s.within(averageBits, true) && b.choose(2) == 1 {
		return []term{b.averageByProduct(x, y)}
	}
	if sum, ok := b.joined(w, []term{x, y}); ok && w == 32 {
		v := b.do(word.Add, sum.v, b.con(1))
		if sum.signed {
			v = b.do(word.Add, v, b.shrS(sum.v, 31))
		}
		return []term{{v: b.shrS(v, 1), signed: sum.signed, lo: sum.lo >> 1, hi: (sum.hi + 1) >> 1}}
	}
	if x.signed != y.signed && b.choose(2) == 1 {
		return b.averageOfMixed(w, x, y)
	}
	signs := 0
	for _, t := range []*term{&x, &y} {
		if t.signed {
			t.v = b.flip(w, t.v)
			signs++
		}
	}
	if signs == 0 {
		return []term{whole(w, b.average(w, x.v, y.v), false)}
	}
	odd := b.andCon(b.xor(x.v, y.v), w.each(1))
	zero := uint32(1) << (int(w) - 3 + signs)
	var average word.Value
	if b.choose(2) == 0 {
		// Round up, then take the 1 back where the average is at most zero.
		up := b.average(w, x.v, y.v)
		above := b.greater(w, false, up, b.con(w.each(zero)))
		average = b.do(word.Sub, up, b.andNot(odd, b.mask(w, above)))
	} else {
		// Round down, then add 1 where the average is at least zero.
		down := b.halfSum(w, x.v, y.v)
		atLeast := down // its top bit says so where both are signed
		if signs == 1 {
			atLeast = b.greater(w, false, down, b.con(w.each(zero-1))).v
		}
		average = b.do(word.Add, down, b.and(b.shrU(atLeast, uint32(w-1)), odd))
	}
	if signs == 2 {
		return []term{whole(w, b.flip(w, average), true)}
	}
	offset := term{v: b.con(w.each(zero)), lo: int64(zero), hi: int64(zero), neg: true}
	return []term{whole(w, average, false), offset}
}

// averageBits is how long a sum may be for averageByProduct.
const averageBits = 24

// averageByProduct is the average of two lanes in words, rounded away from zero, as the high word of one wide product and sum. With s for
// x + y it is
//
//	(2 * s * (2^30 + 1) + 2^31) >> 32 = (s * 2^31 + 2 * s + 2^31) >> 32
//
// which is s/2 where s is even, as 2 * s is too small to change it. Where s is odd, the multiples of 2^31 are a multiple of 2^32, and 2 * s takes
// one from it where it is negative.
func (b *builder) averageByProduct(x, y term) term {
	s := spanOf(x, y)
	twice := b.do(word.Add, b.times(x.v, b.con(2)), b.times(y.v, b.con(2)))
	product := b.do(word.MulWideS, twice, b.con(1<<30+1))
	high, _ := b.halved(b.do(word.AddWide, product, b.wideCon(1<<31)))
	return term{v: high, signed: true, lo: (s.lo - 1) >> 1, hi: (s.hi + 1) >> 1}
}

// averageOfMixed is roundedAverage of an unsigned and a signed lane, from the average h of both read as unsigned, rounded down. Where y is negative, h is
// 2^(w-1) too large; the sum is not negative if y is not, or if h has its top bit, which is then the carry of the sum.
func (b *builder) averageOfMixed(w lanes, x, y term) []term {
	x, y = mixed(x, y)
	h := b.halfSum(w, x.v, y.v)
	odd := b.shl(b.andCon(b.xor(x.v, y.v), w.each(1)), uint32(w-1))
	up := b.andNot(odd, b.andNot(y.v, h))
	v := b.do(word.Add, h, b.shrU(up, uint32(w-1)))
	half := int64(1) << (w - 1)
	return []term{whole(w, v, false), {v: b.andCon(y.v, w.top()), signed: true, lo: -half, hi: 0}}
}

// compare compares two terms as numbers.
func (b *builder) compare(w lanes, cmp isa.Cmp, x, y term) truth {
	not := cmp == isa.Ne || cmp == isa.Le || cmp == isa.Ge
	switch cmp {
	case isa.Lt, isa.Ge: // x < y is y > x
		x, y = y, x
	}
	var t truth
	signed, ok := alike(w, x, y)
	switch equality := cmp == isa.Eq || cmp == isa.Ne; {
	case ok && w < 32 && b.caps.Has(smallerOps[0].at(w)) && !b.caps.Has(equalOps.at(w)):
		t = b.byExtremes(w, equality, signed, x.v, y.v)
	case equality && ok:
		t = b.equal(w, x.v, y.v)
	case equality:
		t = b.equalMixed(w, x, y)
	case ok:
		t = b.greater(w, signed, x.v, y.v)
	case x.signed:
		t = b.signedGreater(w, x, y)
	default:
		t = b.unsignedGreater(w, x, y)
	}
	t.not = t.not != not
	return t
}

// equalMixed compares an unsigned and a signed term: equal lanes are equal
// numbers unless their top bit is set.
func (b *builder) equalMixed(w lanes, x, y term) truth {
	t := b.equal(w, x.v, y.v)
	if w == 32 && b.caps.PTX { // the top bit of y where they are equal, else a 1
		return truth{v: b.do(word.Select, t.v, y.v, b.con(0xffffffff)), not: true}
	}
	if t.not {
		return truth{v: b.or(t.v, y.v), not: true}
	}
	return truth{v: b.andNot(t.v, y.v)}
}

// signedGreater compares x > y, x signed and y not: it is false where x is negative.
func (b *builder) signedGreater(w lanes, x, y term) truth {
	if b.choose(2) == 0 {
		return b.greater(w, false, b.positivePart(w, x).v, y.v)
	}
	t := b.greater(w, false, x.v, y.v)
	return truth{v: b.andNot(t.v, x.v)}
}

// unsignedGreater compares x > y, y signed and x not: it is true where y is negative.
func (b *builder) unsignedGreater(w lanes, x, y term) truth {
	if w == 32 && b.caps.PTX && y.hi < 1<<31-1 { // not x < y + 1, where y + 1 is at least 0
		t := b.greater(w, false, b.do(word.MaxS, b.addedTo(b.con(1), y), b.con(0)), x.v)
		t.not = true
		return t
	}
	if w == 32 && b.choose(2) == 0 { // not x < y + 1, where y + 1 is at least 0
		next := b.do(word.Add, b.do(word.MaxS, y.v, b.con(0xffffffff)), b.con(1))
		t := b.greater(w, false, next, x.v)
		t.not = true
		return t
	}
	t := b.greater(w, false, x.v, y.v)
	return truth{v: b.or(t.v, y.v)}
}
