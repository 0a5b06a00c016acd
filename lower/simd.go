package lower

import "github.com/vop-ptx/vop/isa"

// simd lowers vadd2 to vset4: selected lanes, operation, clamp, and
// accumulation or merge.
func (b *builder) simd(f isa.Form) Value {
	w := lanes(f.Op.LaneBits())
	a, second := b.input(0), b.input(1)
	x := whole(w, b.gathered(w, a, second, f.ALane, 0, f.Mask), f.AType.Signed())
	y := whole(w, b.gathered(w, a, second, f.BLane, 1, f.Mask), f.BType.Signed())
	c := func() Value { return b.input(2) }

	if f.Op.Kind() == isa.Set {
		t := b.compare(w, f.Cmp, x, y)
		if f.Second == isa.SecondAdd {
			return b.accumulatedTruth(w, t, f.Mask, c())
		}
		return b.merged(w, b.zeroOrOne(w, t), f.Mask, c)
	}
	terms := b.operate(w, f.Op.Kind(), x, y)
	if f.Second == isa.SecondAdd {
		return b.accumulated(w, terms, f.Mask, c())
	}
	result := Value(0)
	if f.Sat {
		t, ok := b.clamped(w, terms, w, f.DType.Signed())
		if !ok {
			panic("lower: simd: a sum of lanes that cannot be clamped: " + f.String())
		}
		result = t.v
	} else {
		result = b.sum(w, terms)
	}
	return b.merged(w, result, f.Mask, c)
}

// gathered is stage 1: the lanes that a selector takes from a and b. Lanes that
// are not in the mask are of no account, so if the others stand in their own places in one
// operand, it is that operand. own is the operand (0 is a) to prefer.
func (b *builder) gathered(w lanes, a, second Value, sel isa.Lanes, own int, mask isa.Mask) Value {
	operands := [2]Value{a, second}
	for _, n := range []int{own, 1 - own} {
		inPlace := true
		for i := range w.count() {
			inPlace = inPlace && (!mask.Has(i) || sel.Lane(i) == i+n*w.count())
		}
		if inPlace {
			return operands[n]
		}
	}
	size := int(w) / 8
	var word [4]pick
	any := b.anyLane(w, operands, sel, mask)
	for i := range word {
		word[i] = byteOf(any, i)
		if lane := i / size; mask.Has(lane) {
			from := sel.Lane(lane)
			word[i] = byteOf(operands[from/w.count()], from%w.count()*size+i%size)
		}
	}
	return b.bytes(word)
}

// anyLane returns the operand that a lane in the mask is taken from: what the
// lanes that do not matter may be taken from too.
func (b *builder) anyLane(w lanes, operands [2]Value, sel isa.Lanes, mask isa.Mask) Value {
	for i := range w.count() {
		if mask.Has(i) {
			return operands[sel.Lane(i)/w.count()]
		}
	}
	return operands[0]
}
