package lower

import "github.com/vop-ptx/vop/rewrite/word"

// flip inverts the top bit of every lane: it turns the order and the range of signed
// numbers into those of unsigned ones and back, value + 2^(w-1).
func (b *builder) flip(w lanes, x word.Value) word.Value { return b.xorCon(x, w.top()) }

// plus adds lane by lane, modulo 2^w.
func (b *builder) plus(w lanes, x, y word.Value) word.Value {
	if v, ok := b.native(w, plusOps, x, y); ok {
		return v
	}
	if b.is(y, 0) {
		return x
	}
	if b.noCarry(w, x, y) {
		return b.do(word.Add, x, y)
	}
	if b.maybe[y]&^w.top() == 0 { // the carry of the top bits goes nowhere
		return b.xor(x, y)
	}
	if b.caps.Has(word.Logic3) {
		// The lowest bit of a lane is cleared in the sum: a carry from the lane below goes no further.
		ones := b.con(w.each(1))
		odd := b.and(b.xor(x, y), ones)
		sum := b.do(word.Sub, b.do(word.Add, x, y), odd)
		return b.or(b.andNot(sum, ones), odd)
	}
	if w == 16 { // take back the carry from the low half
		sum := b.do(word.Add, x, y)
		return b.do(word.Sub, sum, b.andCon(b.xor(b.xor(x, y), sum), 0x10000))
	}
	top := w.top()
	low := b.do(word.Add, b.andCon(x, ^top), b.andCon(y, ^top))
	return b.xor(low, b.andCon(b.xor(x, y), top))
}

// noCarry reports whether the sum of two lanes never exceeds a lane.
func (b *builder) noCarry(w lanes, x, y word.Value) bool {
	for i := range w.count() - 1 { // a carry out of the last lane is lost anyway
		sum := uint64(uint32(word.Lane(b.maybe[x], i, int(w), false))) + uint64(uint32(word.Lane(b.maybe[y], i, int(w), false)))
		if sum >= 1<<w {
			return false
		}
	}
	return true
}

// minus subtracts lane by lane, modulo 2^w.
func (b *builder) minus(w lanes, x, y word.Value) word.Value {
	if v, ok := b.native(w, minusOps, x, y); ok {
		return v
	}
	if k, ok := b.constant(y); ok {
		return b.plus(w, x, b.con(uint32(minusOps.at(w).Apply(0, uint64(k), 0, 0))))
	}
	if b.caps.Has(word.Logic3) {
		// The lowest bit of a lane is set in the difference: a borrow of the lane below goes no further.
		ones := b.con(w.each(1))
		even := b.andNot(ones, b.xor(x, y))
		difference := b.do(word.Add, b.do(word.Sub, x, y), even)
		return b.table(tableZ&(0xff&^tableY)|tableX&(0xff&^tableZ), difference, even, ones)
	}
	if w == 16 { // give back the borrow to the high half
		difference := b.do(word.Sub, x, y)
		return b.do(word.Add, difference, b.andCon(b.xor(b.xor(x, y), difference), 0x10000))
	}
	top := w.top()
	low := b.do(word.Sub, b.or(x, b.con(top)), b.andCon(y, ^top))
	return b.xor(low, b.andNot(b.con(top), b.xor(x, y)))
}

// halfSum returns (x + y) >> 1 of unsigned lanes, the sum not truncated.
func (b *builder) halfSum(w lanes, x, y word.Value) word.Value {
	odd := w.each(1)
	return b.do(word.Add, b.and(x, y), b.shrU(b.andCon(b.xor(x, y), ^odd), 1))
}

// average returns (x + y + 1) >> 1 of unsigned lanes, the sum not truncated.
func (b *builder) average(w lanes, x, y word.Value) word.Value {
	if v, ok := b.native(w, averageOps, x, y); ok {
		return v
	}
	odd := w.each(1)
	if b.caps.PTX && b.caps.Has(word.Logic3) { // the shift and the sum are one instruction
		const majority = tableX&tableY | tableX&tableZ | tableY&tableZ // x & y, and a 1 where one of both is odd
		return b.do(word.Add, b.table(majority, x, y, b.con(odd)), b.shrU(b.andCon(b.xor(x, y), ^odd), 1))
	}
	return b.do(word.Sub, b.or(x, y), b.shrU(b.andCon(b.xor(x, y), ^odd), 1))
}

// smaller returns the minimum of each lane.
func (b *builder) smaller(w lanes, signed bool, x, y word.Value) word.Value {
	if v, ok := b.native(w, smallerOps.of(signed), x, y); ok {
		return v
	}
	if !signed && b.is(y, w.top()-w.each(1)) { // 7f: all ones below the top bit, where that is set
		return b.andCon(b.or(x, b.spread(w, x)), ^w.top())
	}
	if signed && b.is(y, 0) {
		return b.and(x, b.spread(w, x))
	}
	if w == 16 && b.choose(2) == 1 {
		return b.halfByHalf(smallerOps.of(signed).op32, signed, x, y)
	}
	if b.caps.Has(distanceOps[0].at(w)) && !signed && b.choose(2) == 1 {
		return b.byDistance(w, word.Sub, word.And, x, y)
	}
	return b.selected(w, b.greater(w, signed, x, y), y, x)
}

// larger returns the maximum of each lane.
func (b *builder) larger(w lanes, signed bool, x, y word.Value) word.Value {
	if v, ok := b.native(w, largerOps.of(signed), x, y); ok {
		return v
	}
	if signed && b.is(y, 0) {
		return b.andNot(x, b.spread(w, x))
	}
	if w == 16 && b.choose(2) == 1 {
		return b.halfByHalf(largerOps.of(signed).op32, signed, x, y)
	}
	if b.caps.Has(distanceOps[0].at(w)) && !signed && b.choose(2) == 1 {
		return b.byDistance(w, word.Add, word.Or, x, y)
	}
	return b.selected(w, b.greater(w, signed, x, y), x, y)
}

// byDistance computes the minimum (Sub, And) or maximum (Add, Or) of unsigned lanes as
// (x + y -+ |x - y|) / 2. Twice a minimum is even in every lane, so the sum may be
// taken of whole words: what one lane lends the next comes back. Only the top bit of the
// word is lost, and that is the AND or OR of the operands'.
func (b *builder) byDistance(w lanes, op, topOp word.Op, x, y word.Value) word.Value {
	twice := b.do(op, b.do(word.Add, x, y), b.distance(w, false, x, y))
	top := b.andCon(b.do(topOp, x, y), 1<<31)
	return b.do(word.Add, b.shrU(twice, 1), top)
}

// halfByHalf computes the minimum or maximum of two halves with operations on
// words: the order of words is that of their high halves, or of their low halves where
// the high ones are equal.
func (b *builder) halfByHalf(op word.Op, signed bool, x, y word.Value) word.Value {
	if !signed && b.caps.Has(word.Perm) {
		low := b.do(op, x, b.halves(y, 0, x, 1))
		return b.do(op, low, b.halves(low, 0, y, 1))
	}
	low := b.do(op, b.bytes(partOf(x, 0, 16, signed)), b.bytes(partOf(y, 0, 16, signed)))
	return b.halves(low, 0, b.do(op, x, y), 1)
}

// halves makes a word of half i of x and, above it, half j of y.
func (b *builder) halves(x word.Value, i int, y word.Value, j int) word.Value {
	return b.bytes([4]pick{byteOf(x, 2*i), byteOf(x, 2*i+1), byteOf(y, 2*j), byteOf(y, 2*j+1)})
}

// distance returns |x - y| of each lane, as an unsigned number.
func (b *builder) distance(w lanes, signed bool, x, y word.Value) word.Value {
	sad := word.SadU
	if signed {
		sad = word.SadS
	}
	switch distance := distanceOps.of(signed).at(w); {
	case !b.caps.PTX && b.caps.Has(distance):
		return b.do(distance, x, y)
	case w == 32 && b.caps.Has(sad):
		return b.do(sad, x, y, b.con(0))
	case w == 16 && !signed && b.caps.Has(word.MinU16) && !b.caps.Has(minusOps.at(w)):
		return b.do(word.Sub, b.larger(w, signed, x, y), b.smaller(w, signed, x, y)) // no half borrows from the next
	case w == 16 && b.caps.PTX && b.caps.Has(sad): // equal halves add nothing to the difference of words
		if signed {
			high := b.do(sad, x, b.halves(x, 0, y, 1), b.con(0))
			return b.do(sad, b.bytes(partOf(x, 0, 16, true)), b.bytes(partOf(y, 0, 16, true)), high)
		}
		between := b.halves(y, 0, x, 1) // differs from x in the low half and from y in the high one
		return b.do(sad, x, between, b.do(sad, between, y, b.con(0)))
	case b.caps.Has(smallerOps.of(signed).at(w)) && b.caps.Has(minusOps.at(w)):
		return b.minus(w, b.larger(w, signed, x, y), b.smaller(w, signed, x, y))
	case b.caps.Has(distanceOps.of(signed).at(w)):
		return b.do(distanceOps.of(signed).at(w), x, y)
	case signed:
		return b.distance(w, false, b.flip(w, x), b.flip(w, y))
	}
	// The larger less the smaller: no lane borrows from the next.
	greater := b.greater(w, signed, x, y)
	return b.do(word.Sub, b.selected(w, greater, x, y), b.selected(w, greater, y, x))
}
