package simd

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/found"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// lowering is the builder of one form's programs.
type lowering struct{ stage.Builder }

// Program returns the program of a SIMD instruction with its selectors: the cheapest of all ways.
func Program(f isa.Form, caps word.Caps, operands builder.Operands) *word.Program {
	b := lowering{stage.New(caps, operands)}
	return b.Cheapest(func() word.Value { return b.simd(f) })
}

// Ways yields the program of every way, some of them more than once.
func Ways(f isa.Form, caps word.Caps, operands builder.Operands, each func(p *word.Program)) {
	b := lowering{stage.New(caps, operands)}
	b.Ways(func() word.Value { return b.simd(f) }, each)
}

// simd lowers vadd2 to vset4: selected lanes, operation, clamp, and
// accumulation or merge.
func (b *lowering) simd(f isa.Form) word.Value {
	w := builder.Lanes(f.Op.LaneBits())
	if (b.Caps.PTX || !b.Caps.Has(packed.PlusSatOps[0].At(w))) && b.Choose(2) == 1 {
		return b.simdApart(w, f)
	}
	a, second := b.Input(0), b.Input(1)
	x := b.Bounded(w, b.gathered(w, a, second, f.ALane, 0, f.Mask), f.AType.Signed())
	y := b.Bounded(w, b.gathered(w, a, second, f.BLane, 1, f.Mask), f.BType.Signed())
	c := func() word.Value { return b.Input(2) }
	if programs := found.For(f, b.Caps); len(programs) > 0 {
		if way := b.Choose(1 + len(programs)); way > 0 {
			return b.merged(w, b.Inline(programs[way-1], x.V, y.V), f.Mask, c)
		}
	}

	if b.canEqualByDistance(w, f, x, y) && b.Choose(2) == 1 {
		return b.equalByDistance(f, x, y, c)
	}
	if f.Op.Kind() == isa.Set {
		t := b.Compare(w, f.Cmp, x, y)
		if f.Second == isa.SecondAdd {
			return b.AccumulatedTruth(w, t, f.Mask, c())
		}
		return b.merged(w, b.ZeroOrOne(w, t), f.Mask, c)
	}
	if b.canSumExtremes(w, f, x, y) && b.Choose(2) == 1 {
		return b.summedExtremes(f, x, y, c())
	}
	if b.canSumDistances(w, f, x, y) && b.Choose(2) == 1 {
		return b.summedDistances(f, x, y, c())
	}
	terms := b.Operate(w, f.Op.Kind(), x, y)
	if t, ok := b.LimitedFirst(w, f, x, y, w); ok && b.Choose(2) == 1 {
		terms = []stage.Term{t}
	}
	if f.Second == isa.SecondAdd {
		return b.Accumulated(w, terms, f.Mask, c())
	}
	result := word.Value(0)
	if f.Sat {
		t, ok := b.Clamped(w, terms, w, f.DType.Signed())
		if !ok {
			panic("lower: simd: a sum of lanes that cannot be clamped: " + f.String())
		}
		result = t.V
	} else {
		result = b.Sum(w, terms)
	}
	return b.merged(w, result, f.Mask, c)
}

// gathered is stage 1: the lanes that a selector takes from a and b. Lanes that
// are not in the mask are of no account, so if the others stand in their own places in one
// operand, it is that operand. own is the operand (0 is a) to prefer.
func (b *lowering) gathered(w builder.Lanes, a, second word.Value, sel isa.Lanes, own int, mask isa.Mask) word.Value {
	operands := [2]word.Value{a, second}
	for _, n := range []int{own, 1 - own} {
		inPlace := true
		for i := range w.Count() {
			inPlace = inPlace && (!mask.Has(i) || sel.Lane(i) == i+n*w.Count())
		}
		if inPlace {
			return operands[n]
		}
	}
	size := int(w) / 8
	var word [4]builder.Pick
	any := b.anyLane(w, operands, sel, mask)
	for i := range word {
		word[i] = builder.ByteOf(any, i)
		if lane := i / size; mask.Has(lane) {
			from := sel.Lane(lane)
			word[i] = builder.ByteOf(operands[from/w.Count()], from%w.Count()*size+i%size)
		}
	}
	return b.Bytes(word)
}

// anyLane returns the operand that a lane in the mask is taken from: what the
// lanes that do not matter may be taken from too.
func (b *lowering) anyLane(w builder.Lanes, operands [2]word.Value, sel isa.Lanes, mask isa.Mask) word.Value {
	for i := range w.Count() {
		if mask.Has(i) {
			return operands[sel.Lane(i)/w.Count()]
		}
	}
	return operands[0]
}

// merged is stage 4 without .add: the lanes in the mask are those of v, the others
// those of c.
func (b *lowering) merged(w builder.Lanes, v word.Value, mask isa.Mask, c func() word.Value) word.Value {
	if mask == isa.Mask(1<<w.Count()-1) {
		return v
	}
	other := c()
	var picks [4]builder.Pick
	for i := range picks {
		picks[i] = builder.ByteOf(other, i)
		if mask.Has(i * 8 / int(w)) {
			picks[i] = builder.ByteOf(v, i)
		}
	}
	return b.Bytes(picks)
}
