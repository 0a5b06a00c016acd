package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// roundedAverage of two lanes rounds halves away from zero (the pseudo-code of
// vavrg2 and vavrg4): up where the sum is not negative, else down.
//
// Signed lanes are flipped to unsigned ones, each of which is 2^(w-1) too large. The
// average is then too large by zero = 0, 2^(w-2) or 2^(w-1), and sums below 0 are
// those whose average, rounded down, is below zero. In words, bytes and halves
// leave room for the sum itself.
func (b *Builder) roundedAverage(w builder.Lanes, x, y Term) []Term {
	if s := SpanOf(x, y); w == 32 && s.Lo < 0 && b.Caps.PTX && s.Within(averageBits, true) && b.Choose(2) == 1 {
		return []Term{b.averageByProduct(x, y)}
	}
	if sum, ok := b.Joined(w, []Term{x, y}); ok && w == 32 {
		v := b.Do(word.Add, sum.V, b.Con(1))
		if sum.Signed {
			v = b.Do(word.Add, v, b.ShrS(sum.V, 31))
		}
		return []Term{{V: b.ShrS(v, 1), Signed: sum.Signed, Lo: sum.Lo >> 1, Hi: (sum.Hi + 1) >> 1}}
	}
	if x.Signed != y.Signed && b.Choose(2) == 1 {
		return b.averageOfMixed(w, x, y)
	}
	signs := 0
	for _, t := range []*Term{&x, &y} {
		if t.Signed {
			t.V = b.Flip(w, t.V)
			signs++
		}
	}
	if signs == 0 {
		return []Term{Whole(w, b.Average(w, x.V, y.V), false)}
	}
	odd := b.AndCon(b.Xor(x.V, y.V), w.Each(1))
	zero := uint32(1) << (int(w) - 3 + signs)
	var average word.Value
	if b.Choose(2) == 0 {
		// Round up, then take the 1 back where the average is at most zero.
		up := b.Average(w, x.V, y.V)
		above := b.Greater(w, false, up, b.Con(w.Each(zero)))
		average = b.Do(word.Sub, up, b.AndNot(odd, b.Mask(w, above)))
	} else {
		// Round down, then add 1 where the average is at least zero.
		down := b.HalfSum(w, x.V, y.V)
		atLeast := down // its top bit says so where both are signed
		if signs == 1 {
			atLeast = b.Greater(w, false, down, b.Con(w.Each(zero-1))).V
		}
		average = b.Do(word.Add, down, b.And(b.ShrU(atLeast, uint32(w-1)), odd))
	}
	if signs == 2 {
		return []Term{Whole(w, b.Flip(w, average), true)}
	}
	offset := Term{V: b.Con(w.Each(zero)), Lo: int64(zero), Hi: int64(zero), Neg: true}
	return []Term{Whole(w, average, false), offset}
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
func (b *Builder) averageByProduct(x, y Term) Term {
	s := SpanOf(x, y)
	twice := b.Do(word.Add, b.Times(x.V, b.Con(2)), b.Times(y.V, b.Con(2)))
	product := b.Do(word.MulWideS, twice, b.Con(1<<30+1))
	high, _ := b.Halved(b.Do(word.AddWide, product, b.WideCon(1<<31)))
	return Term{V: high, Signed: true, Lo: (s.Lo - 1) >> 1, Hi: (s.Hi + 1) >> 1}
}

// averageOfMixed is roundedAverage of an unsigned and a signed lane.
func (b *Builder) averageOfMixed(w builder.Lanes, x, y Term) []Term {
	x, y = Mixed(x, y)
	half := int64(1) << (w - 1)
	return []Term{Whole(w, b.averageAsUnsigned(w, x, y), false), {V: b.AndCon(y.V, w.Top()), Signed: true, Lo: -half, Hi: 0}}
}

// averageAsUnsigned is roundedAverage of an unsigned x and a signed y where y is not negative, and else 2^(w-1) more. It is made from the average h of both read as
// unsigned, rounded down. Where y is negative, h is 2^(w-1) too large; the sum is not negative if y is not, or if h has its top bit, which is then the carry of the sum.
func (b *Builder) averageAsUnsigned(w builder.Lanes, x, y Term) word.Value {
	h := b.HalfSum(w, x.V, y.V)
	odd := b.Shl(b.AndCon(b.Xor(x.V, y.V), w.Each(1)), uint32(w-1))
	up := b.AndNot(odd, b.AndNot(y.V, h))
	return b.Do(word.Add, h, b.ShrU(up, uint32(w-1)))
}

// averageForSigned is roundedAverage of an unsigned and a signed lane, clamped to a signed one. It is too large where y is not negative and the average has the top
// bit, and negative where y is and the average has not.
func (b *Builder) averageForSigned(w builder.Lanes, x, y Term) Term {
	x, y = Mixed(x, y)
	v, rest := b.averageAsUnsigned(w, x, y), w.Each(1<<w-1)^w.Top()
	tooLarge := b.Spread(w, b.AndNot(v, y.V))
	fitting := b.Xor(v, b.AndCon(b.Or(v, y.V), w.Top())) // the top bit is that of y where v has none
	return Whole(w, b.Or(fitting, b.AndCon(tooLarge, rest)), true)
}

// averageForUnsigned is roundedAverage of lanes of which one or both are signed, clamped to an unsigned one. Below zero nothing depends on how it is rounded.
func (b *Builder) averageForUnsigned(w builder.Lanes, x, y Term) Term {
	if x.Signed != y.Signed {
		return b.averageOfMixedForUnsigned(w, x, y)
	}
	// Lanes are flipped to unsigned ones, and so is every bit of them: the average of these, rounded down, is the complement of that of the
	// unsigned ones, rounded up. Its top bit is set where that is negative.
	rest := w.Each(1<<w-1) ^ w.Top()
	complement := b.HalfSum(w, b.XorCon(x.V, rest), b.XorCon(y.V, rest))
	v := b.AndNot(b.AndNot(b.Con(rest), complement), b.Spread(w, complement))
	return Term{V: v, Lo: 0, Hi: 1<<(w-1) - 1}
}

// averageOfMixedForUnsigned begins with the average of both read as unsigned. Where y is negative that is 2^(w-1) too large, and below zero if it has no top bit.
func (b *Builder) averageOfMixedForUnsigned(w builder.Lanes, x, y Term) Term {
	x, y = Mixed(x, y)
	average := b.Average(w, x.V, y.V)
	above := b.Spread(w, b.Or(average, b.Not(y.V)))
	v := b.And(b.AndNot(average, b.AndCon(y.V, w.Top())), above)
	return Term{V: v, Lo: 0, Hi: (x.Hi + y.Hi + 1) >> 1}
}
