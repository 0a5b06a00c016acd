package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// simd lowers vadd2 to vset4: selected lanes, operation, clamp, and
// accumulation or merge.
func (b *builder) simd(f isa.Form) word.Value {
	w := lanes(f.Op.LaneBits())
	if (b.caps.PTX || !b.caps.Has(plusSatOps[0].at(w))) && b.choose(2) == 1 {
		return b.simdApart(w, f)
	}
	a, second := b.input(0), b.input(1)
	x := b.bounded(w, b.gathered(w, a, second, f.ALane, 0, f.Mask), f.AType.Signed())
	y := b.bounded(w, b.gathered(w, a, second, f.BLane, 1, f.Mask), f.BType.Signed())
	c := func() word.Value { return b.input(2) }
	if programs := b.foundFor(f); len(programs) > 0 {
		if way := b.choose(1 + len(programs)); way > 0 {
			return b.merged(w, b.inline(programs[way-1], x.v, y.v), f.Mask, c)
		}
	}

	if b.canEqualByDistance(w, f, x, y) && b.choose(2) == 1 {
		return b.equalByDistance(f, x, y, c)
	}
	if f.Op.Kind() == isa.Set {
		t := b.compare(w, f.Cmp, x, y)
		if f.Second == isa.SecondAdd {
			return b.accumulatedTruth(w, t, f.Mask, c())
		}
		return b.merged(w, b.zeroOrOne(w, t), f.Mask, c)
	}
	if b.canSumExtremes(w, f, x, y) && b.choose(2) == 1 {
		return b.summedExtremes(f, x, y, c())
	}
	terms := b.operate(w, f.Op.Kind(), x, y)
	if t, ok := b.limitedFirst(w, f, x, y, w); ok && b.choose(2) == 1 {
		terms = []term{t}
	}
	if f.Second == isa.SecondAdd {
		return b.accumulated(w, terms, f.Mask, c())
	}
	result := word.Value(0)
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
func (b *builder) gathered(w lanes, a, second word.Value, sel isa.Lanes, own int, mask isa.Mask) word.Value {
	operands := [2]word.Value{a, second}
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
func (b *builder) anyLane(w lanes, operands [2]word.Value, sel isa.Lanes, mask isa.Mask) word.Value {
	for i := range w.count() {
		if mask.Has(i) {
			return operands[sel.Lane(i)/w.count()]
		}
	}
	return operands[0]
}
