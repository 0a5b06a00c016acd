package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Flip inverts the top bit of every lane: it turns the order and the range of signed
// numbers into those of unsigned ones and back, value + 2^(w-1).
func (b *Builder) Flip(w builder.Lanes, x word.Value) word.Value { return b.XorCon(x, w.Top()) }

// Plus adds lane by lane, modulo 2^w.
func (b *Builder) Plus(w builder.Lanes, x, y word.Value) word.Value {
	if v, ok := b.Native(w, plusOps, x, y); ok {
		return v
	}
	if b.Is(y, 0) {
		return x
	}
	if b.noCarry(w, x, y) {
		return b.Do(word.Add, x, y)
	}
	if b.MayBe(y)&^w.Top() == 0 { // the carry of the top bits goes nowhere
		return b.Xor(x, y)
	}
	if b.Caps.Has(word.Logic3) {
		// The lowest bit of a lane is cleared in the sum: a carry from the lane below goes no further.
		ones := b.Con(w.Each(1))
		odd := b.And(b.Xor(x, y), ones)
		sum := b.Do(word.Sub, b.Do(word.Add, x, y), odd)
		return b.Or(b.AndNot(sum, ones), odd)
	}
	if w == 16 { // take back the carry from the low half
		sum := b.Do(word.Add, x, y)
		return b.Do(word.Sub, sum, b.AndCon(b.Xor(b.Xor(x, y), sum), 0x10000))
	}
	top := w.Top()
	low := b.Do(word.Add, b.AndCon(x, ^top), b.AndCon(y, ^top))
	return b.Xor(low, b.AndCon(b.Xor(x, y), top))
}

// noCarry reports whether the sum of two lanes never exceeds a lane.
func (b *Builder) noCarry(w builder.Lanes, x, y word.Value) bool {
	for i := range w.Count() - 1 { // a carry out of the last lane is lost anyway
		sum := uint64(uint32(word.Lane(b.MayBe(x), i, int(w), false))) + uint64(uint32(word.Lane(b.MayBe(y), i, int(w), false)))
		if sum >= 1<<w {
			return false
		}
	}
	return true
}

// Minus subtracts lane by lane, modulo 2^w.
func (b *Builder) Minus(w builder.Lanes, x, y word.Value) word.Value {
	if v, ok := b.Native(w, minusOps, x, y); ok {
		return v
	}
	if k, ok := b.Constant(y); ok {
		return b.Plus(w, x, b.Con(uint32(minusOps.At(w).Apply(0, uint64(k), 0, 0))))
	}
	if b.Caps.Has(word.Logic3) {
		// The lowest bit of a lane is set in the difference: a borrow of the lane below goes no further.
		ones := b.Con(w.Each(1))
		even := b.AndNot(ones, b.Xor(x, y))
		difference := b.Do(word.Add, b.Do(word.Sub, x, y), even)
		return b.Table(builder.TableZ&(0xff&^builder.TableY)|builder.TableX&(0xff&^builder.TableZ), difference, even, ones)
	}
	if w == 16 { // give back the borrow to the high half
		difference := b.Do(word.Sub, x, y)
		return b.Do(word.Add, difference, b.AndCon(b.Xor(b.Xor(x, y), difference), 0x10000))
	}
	top := w.Top()
	low := b.Do(word.Sub, b.Or(x, b.Con(top)), b.AndCon(y, ^top))
	return b.Xor(low, b.AndNot(b.Con(top), b.Xor(x, y)))
}

// HalfSum returns (x + y) >> 1 of unsigned lanes, the sum not truncated.
func (b *Builder) HalfSum(w builder.Lanes, x, y word.Value) word.Value {
	odd := w.Each(1)
	return b.Do(word.Add, b.And(x, y), b.ShrU(b.AndCon(b.Xor(x, y), ^odd), 1))
}

// Average returns (x + y + 1) >> 1 of unsigned lanes, the sum not truncated.
func (b *Builder) Average(w builder.Lanes, x, y word.Value) word.Value {
	if v, ok := b.Native(w, averageOps, x, y); ok {
		return v
	}
	odd := w.Each(1)
	if b.Caps.PTX && b.Caps.Has(word.Logic3) { // the shift and the sum are one instruction
		const majority = builder.TableX&builder.TableY | builder.TableX&builder.TableZ | builder.TableY&builder.TableZ // x & y, and a 1 where one of both is odd
		return b.Do(word.Add, b.Table(majority, x, y, b.Con(odd)), b.ShrU(b.AndCon(b.Xor(x, y), ^odd), 1))
	}
	return b.Do(word.Sub, b.Or(x, y), b.ShrU(b.AndCon(b.Xor(x, y), ^odd), 1))
}

// Smaller returns the minimum of each lane.
func (b *Builder) Smaller(w builder.Lanes, signed bool, x, y word.Value) word.Value {
	if v, ok := b.Native(w, SmallerOps.Of(signed), x, y); ok {
		return v
	}
	if !signed && b.Is(y, w.Top()-w.Each(1)) { // 7f: all ones below the top bit, where that is set
		return b.AndCon(b.Or(x, b.Spread(w, x)), ^w.Top())
	}
	if signed && b.Is(y, 0) {
		return b.And(x, b.Spread(w, x))
	}
	if w == 16 && b.Choose(2) == 1 {
		return b.halfByHalf(SmallerOps.Of(signed).At(32), signed, x, y)
	}
	if b.Caps.Has(distanceOps[0].At(w)) && !signed && b.Choose(2) == 1 {
		return b.byDistance(w, word.Sub, word.And, x, y)
	}
	return b.Selected(w, b.Greater(w, signed, x, y), y, x)
}

// Larger returns the maximum of each lane.
func (b *Builder) Larger(w builder.Lanes, signed bool, x, y word.Value) word.Value {
	if v, ok := b.Native(w, LargerOps.Of(signed), x, y); ok {
		return v
	}
	if signed && b.Is(y, 0) {
		return b.AndNot(x, b.Spread(w, x))
	}
	if w == 16 && b.Choose(2) == 1 {
		return b.halfByHalf(LargerOps.Of(signed).At(32), signed, x, y)
	}
	if b.Caps.Has(distanceOps[0].At(w)) && !signed && b.Choose(2) == 1 {
		return b.byDistance(w, word.Add, word.Or, x, y)
	}
	return b.Selected(w, b.Greater(w, signed, x, y), x, y)
}

// byDistance computes the minimum (Sub, And) or maximum (Add, Or) of unsigned lanes as
// (x + y -+ |x - y|) / 2. Twice a minimum is even in every lane, so the sum may be
// taken of whole words: what one lane lends the next comes back. Only the top bit of the
// word is lost, and that is the AND or OR of the operands'.
func (b *Builder) byDistance(w builder.Lanes, op, topOp word.Op, x, y word.Value) word.Value {
	twice := b.Do(op, b.Do(word.Add, x, y), b.Distance(w, false, x, y))
	top := b.AndCon(b.Do(topOp, x, y), 1<<31)
	return b.Do(word.Add, b.ShrU(twice, 1), top)
}

// halfByHalf computes the minimum or maximum of two halves with operations on
// words: the order of words is that of their high halves, or of their low halves where
// the high ones are equal.
func (b *Builder) halfByHalf(op word.Op, signed bool, x, y word.Value) word.Value {
	if !signed && b.Caps.Has(word.Perm) {
		low := b.Do(op, x, b.halves(y, 0, x, 1))
		return b.Do(op, low, b.halves(low, 0, y, 1))
	}
	low := b.Do(op, b.Bytes(builder.PartOf(x, 0, 16, signed)), b.Bytes(builder.PartOf(y, 0, 16, signed)))
	return b.halves(low, 0, b.Do(op, x, y), 1)
}

// halves makes a word of half i of x and, above it, half j of y.
func (b *Builder) halves(x word.Value, i int, y word.Value, j int) word.Value {
	return b.Bytes([4]builder.Pick{builder.ByteOf(x, 2*i), builder.ByteOf(x, 2*i+1), builder.ByteOf(y, 2*j), builder.ByteOf(y, 2*j+1)})
}

// Distance returns |x - y| of each lane, as an unsigned number.
func (b *Builder) Distance(w builder.Lanes, signed bool, x, y word.Value) word.Value {
	sad := word.SadU
	if signed {
		sad = word.SadS
	}
	switch distance := distanceOps.Of(signed).At(w); {
	case !b.Caps.PTX && b.Caps.Has(distance):
		return b.Do(distance, x, y)
	case w == 32 && b.Caps.Has(sad):
		return b.Do(sad, x, y, b.Con(0))
	case w == 16 && !signed && b.Caps.Has(word.MinU16) && !b.Caps.Has(minusOps.At(w)):
		return b.Do(word.Sub, b.Larger(w, signed, x, y), b.Smaller(w, signed, x, y)) // no half borrows from the next
	case w == 16 && b.Caps.PTX && b.Caps.Has(sad): // equal halves add nothing to the difference of words
		if signed {
			high := b.Do(sad, x, b.halves(x, 0, y, 1), b.Con(0))
			return b.Do(sad, b.Bytes(builder.PartOf(x, 0, 16, true)), b.Bytes(builder.PartOf(y, 0, 16, true)), high)
		}
		between := b.halves(y, 0, x, 1) // differs from x in the low half and from y in the high one
		return b.Do(sad, x, between, b.Do(sad, between, y, b.Con(0)))
	case b.Caps.Has(SmallerOps.Of(signed).At(w)) && b.Caps.Has(minusOps.At(w)):
		return b.Minus(w, b.Larger(w, signed, x, y), b.Smaller(w, signed, x, y))
	case b.Caps.Has(distanceOps.Of(signed).At(w)):
		return b.Do(distanceOps.Of(signed).At(w), x, y)
	case signed:
		return b.Distance(w, false, b.Flip(w, x), b.Flip(w, y))
	}
	// The larger less the smaller: no lane borrows from the next.
	greater := b.Greater(w, signed, x, y)
	return b.Do(word.Sub, b.Selected(w, greater, x, y), b.Selected(w, greater, y, x))
}
