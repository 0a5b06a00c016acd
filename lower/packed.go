package lower

// lanes is the width in bits of the lanes that a word is taken as: 8, 16, or 32 for
// the word itself. Scalar instructions are those of one lane.
type lanes int

// each returns the word with x in every lane.
func (w lanes) each(x uint32) uint32 {
	switch w {
	case 8:
		return x * 0x01010101
	case 16:
		return x * 0x00010001
	}
	return x
}

// top returns the word with the top bit of every lane.
func (w lanes) top() uint32 { return w.each(1 << (w - 1)) }

// count returns the number of lanes in a word.
func (w lanes) count() int { return 32 / int(w) }

// family is one operation at every width; NoOp where there is none.
type family struct{ op8, op16, op32 Op }

func (f family) at(w lanes) Op {
	switch w {
	case 8:
		return f.op8
	case 16:
		return f.op16
	}
	return f.op32
}

// signedness is a family for unsigned lanes and one for signed lanes.
type signedness [2]family

func (s signedness) of(signed bool) family {
	if signed {
		return s[1]
	}
	return s[0]
}

var (
	plusOps     = family{Add8, Add16, Add}
	minusOps    = family{Sub8, Sub16, Sub}
	averageOps  = family{AvgU8, AvgU16, NoOp}
	equalOps    = family{CmpEq8, CmpEq16, CmpEq}
	greaterOps  = signedness{{CmpGtU8, CmpGtU16, NoOp}, {CmpGtS8, CmpGtS16, NoOp}}
	smallerOps  = signedness{{MinU8, MinU16, MinU}, {MinS8, MinS16, MinS}}
	largerOps   = signedness{{MaxU8, MaxU16, MaxU}, {MaxS8, MaxS16, MaxS}}
	plusSatOps  = signedness{{AddSatU8, AddSatU16, NoOp}, {AddSatS8, AddSatS16, AddSatS}}
	minusSatOps = signedness{{SubSatU8, SubSatU16, NoOp}, {SubSatS8, SubSatS16, SubSatS}}
	distanceOps = signedness{{AbsDiffU8, NoOp, NoOp}, {AbsDiffS8, NoOp, NoOp}}
)

// native computes a packed operation if the target has it.
func (b *builder) native(w lanes, f family, x, y Value) (Value, bool) {
	op := f.at(w)
	if op == NoOp || !b.caps.Has(op) {
		return 0, false
	}
	return b.do(op, x, y), true
}

// flip inverts the top bit of every lane: it turns the order and the range of signed
// numbers into those of unsigned ones and back, value + 2^(w-1).
func (b *builder) flip(w lanes, x Value) Value { return b.xorCon(x, w.top()) }

// plus adds lane by lane, modulo 2^w.
func (b *builder) plus(w lanes, x, y Value) Value {
	if v, ok := b.native(w, plusOps, x, y); ok {
		return v
	}
	if b.is(y, 0) {
		return x
	}
	if b.noCarry(w, x, y) {
		return b.do(Add, x, y)
	}
	if w == 16 { // take back the carry from the low half
		sum := b.do(Add, x, y)
		return b.do(Sub, sum, b.andCon(b.xor(b.xor(x, y), sum), 0x10000))
	}
	top := w.top()
	low := b.do(Add, b.andCon(x, ^top), b.andCon(y, ^top))
	return b.xor(low, b.andCon(b.xor(x, y), top))
}

// noCarry reports whether the sum of two lanes never exceeds a lane.
func (b *builder) noCarry(w lanes, x, y Value) bool {
	for i := range w.count() - 1 { // a carry out of the last lane is lost anyway
		sum := uint64(uint32(lane(b.maybe[x], i, int(w), false))) + uint64(uint32(lane(b.maybe[y], i, int(w), false)))
		if sum >= 1<<w {
			return false
		}
	}
	return true
}

// minus subtracts lane by lane, modulo 2^w.
func (b *builder) minus(w lanes, x, y Value) Value {
	if v, ok := b.native(w, minusOps, x, y); ok {
		return v
	}
	if k, ok := b.constant(y); ok {
		return b.plus(w, x, b.con(packed(minusOps.at(w), 0, k)))
	}
	if w == 16 { // give back the borrow to the high half
		difference := b.do(Sub, x, y)
		return b.do(Add, difference, b.andCon(b.xor(b.xor(x, y), difference), 0x10000))
	}
	top := w.top()
	low := b.do(Sub, b.or(x, b.con(top)), b.andCon(y, ^top))
	return b.xor(low, b.andNot(b.con(top), b.xor(x, y)))
}

// halfSum returns (x + y) >> 1 of unsigned lanes, the sum not truncated.
func (b *builder) halfSum(w lanes, x, y Value) Value {
	odd := w.each(1)
	return b.do(Add, b.and(x, y), b.shrU(b.andCon(b.xor(x, y), ^odd), 1))
}

// average returns (x + y + 1) >> 1 of unsigned lanes, the sum not truncated.
func (b *builder) average(w lanes, x, y Value) Value {
	if v, ok := b.native(w, averageOps, x, y); ok {
		return v
	}
	odd := w.each(1)
	return b.do(Sub, b.or(x, y), b.shrU(b.andCon(b.xor(x, y), ^odd), 1))
}

// smaller returns the minimum of each lane.
func (b *builder) smaller(w lanes, signed bool, x, y Value) Value {
	if v, ok := b.native(w, smallerOps.of(signed), x, y); ok {
		return v
	}
	if !signed && b.is(y, w.top()-w.each(1)) { // 7f: all ones below the top bit, where that is set
		return b.andCon(b.or(x, b.spread(w, x)), ^w.top())
	}
	if w == 16 && b.choose(2) == 1 {
		return b.halfByHalf(smallerOps.of(signed).op32, signed, x, y)
	}
	if b.caps.Has(distanceOps[0].at(w)) && !signed && b.choose(2) == 1 {
		return b.byDistance(w, Sub, And, x, y)
	}
	return b.selected(w, b.greater(w, signed, x, y), y, x)
}

// larger returns the maximum of each lane.
func (b *builder) larger(w lanes, signed bool, x, y Value) Value {
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
		return b.byDistance(w, Add, Or, x, y)
	}
	return b.selected(w, b.greater(w, signed, x, y), x, y)
}

// byDistance computes the minimum (Sub, And) or maximum (Add, Or) of unsigned lanes as
// (x + y -+ |x - y|) / 2. Twice a minimum is even in every lane, so the sum may be
// taken of whole words: what one lane lends the next comes back. Only the top bit of the
// word is lost, and that is the AND or OR of the operands'.
func (b *builder) byDistance(w lanes, op, topOp Op, x, y Value) Value {
	twice := b.do(op, b.do(Add, x, y), b.distance(w, false, x, y))
	top := b.andCon(b.do(topOp, x, y), 1<<31)
	return b.do(Add, b.shrU(twice, 1), top)
}

// halfByHalf computes the minimum or maximum of two halves with operations on
// words: the order of words is that of their high halves, or of their low halves where
// the high ones are equal.
func (b *builder) halfByHalf(op Op, signed bool, x, y Value) Value {
	if !signed && b.caps.Has(Perm) {
		low := b.do(op, x, b.halves(y, 0, x, 1))
		return b.do(op, low, b.halves(low, 0, y, 1))
	}
	low := b.do(op, b.bytes(partOf(x, 0, 16, signed)), b.bytes(partOf(y, 0, 16, signed)))
	return b.halves(low, 0, b.do(op, x, y), 1)
}

// halves makes a word of half i of x and, above it, half j of y.
func (b *builder) halves(x Value, i int, y Value, j int) Value {
	return b.bytes([4]pick{byteOf(x, 2*i), byteOf(x, 2*i+1), byteOf(y, 2*j), byteOf(y, 2*j+1)})
}

// distance returns |x - y| of each lane, as an unsigned number.
func (b *builder) distance(w lanes, signed bool, x, y Value) Value {
	sad := SadU
	if signed {
		sad = SadS
	}
	switch {
	case w == 32 && b.caps.Has(sad):
		return b.do(sad, x, y, b.con(0))
	case w == 16 && b.caps.Has(sad): // equal halves add nothing to the difference of words
		high := b.do(sad, x, b.halves(x, 0, y, 1), b.con(0))
		if signed {
			return b.do(sad, b.bytes(partOf(x, 0, 16, true)), b.bytes(partOf(y, 0, 16, true)), high)
		}
		return b.do(sad, x, b.halves(y, 0, x, 1), high)
	case b.caps.Has(smallerOps.of(signed).at(w)) && b.caps.Has(minusOps.at(w)):
		return b.minus(w, b.larger(w, signed, x, y), b.smaller(w, signed, x, y))
	case b.caps.Has(distanceOps.of(signed).at(w)):
		return b.do(distanceOps.of(signed).at(w), x, y)
	case signed:
		return b.distance(w, false, b.flip(w, x), b.flip(w, y))
	}
	// The larger less the smaller: no lane borrows from the next.
	greater := b.greater(w, signed, x, y)
	return b.do(Sub, b.selected(w, greater, x, y), b.selected(w, greater, y, x))
}

// truth is a comparison of each lane.
type truth struct {
	v    Value
	full bool // each lane is all ones or all zeros; else only the top bits of the lanes mean something
	not  bool // a set bit means false
}

// greater compares x > y.
func (b *builder) greater(w lanes, signed bool, x, y Value) truth {
	if w == 32 {
		op := CmpLtU
		if signed {
			op = CmpLtS
		}
		return truth{v: b.do(op, y, x), full: true}
	}
	if v, ok := b.native(w, greaterOps.of(signed), x, y); ok {
		return truth{v: v, full: true}
	}
	// The top bit of (x + (2^w - 1 - y)) >> 1 is the carry of the sum, which
	// there is if x > y. Flipping both changes only the AND of halfSum.
	odd := w.each(1)
	differ := b.andNot(b.con(^odd), b.xor(x, y)) // of x and ^y
	if signed {
		x, y = b.flip(w, x), b.flip(w, y)
	}
	return truth{v: b.do(Add, b.andNot(x, y), b.shrU(differ, 1))}
}

// equal compares x == y.
func (b *builder) equal(w lanes, x, y Value) truth {
	if v, ok := b.native(w, equalOps, x, y); ok {
		return truth{v: v, full: true}
	}
	// Subtracting 1 clears the top bit only where the bits below it are all 0.
	differ := b.xor(x, y)
	low := b.do(Sub, b.or(differ, b.con(w.top())), b.con(w.each(1)))
	return truth{v: b.or(low, differ), not: true}
}

// spread copies the top bit of each lane over the lane.
func (b *builder) spread(w lanes, x Value) Value {
	if w == 32 {
		return b.shrS(x, 31)
	}
	if b.caps.Has(PermS) {
		word := [4]pick{}
		for i := range word {
			word[i] = signOf(x, i|(int(w)/8-1))
		}
		return b.bytes(word)
	}
	if v, ok := b.native(w, greaterOps.of(true), b.con(0), x); ok {
		return v
	}
	return b.do(Mul, b.andCon(b.shrU(x, uint32(w-1)), w.each(1)), b.con(1<<w-1))
}

// mask returns the comparison as lanes of all ones or zeros, not looking at t.not.
func (b *builder) mask(w lanes, t truth) Value {
	if t.full {
		return t.v
	}
	return b.spread(w, t.v)
}

// selected returns x where the comparison is true, y where it is false.
func (b *builder) selected(w lanes, t truth, x, y Value) Value {
	if t.not {
		x, y = y, x
	}
	if w == 32 {
		if !t.full {
			t.v = b.do(CmpLtS, t.v, b.con(0))
		}
		return b.do(Select, t.v, x, y)
	}
	mask := b.mask(w, t)
	return b.or(b.and(x, mask), b.andNot(y, mask))
}

// zeroOrOne returns the comparison as a number in each lane.
func (b *builder) zeroOrOne(w lanes, t truth) Value {
	one := b.con(w.each(1))
	if w == 32 && t.full && b.caps.PTX {
		return b.selected(w, t, one, b.con(0))
	}
	v := t.v
	if !t.full || w == 32 && !t.not {
		v = b.shrU(v, uint32(w-1))
	}
	if t.not {
		return b.andNot(one, v)
	}
	return b.and(v, one)
}
