package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// accumulate adds the lanes of a term that are in the mask to acc, or subtracts
// them. The sum still lacks the constant it returns, so that those of several terms
// can be added at once.
func (b *builder) accumulate(w lanes, t term, mask isa.Mask, acc word.Value) (sum word.Value, lacks uint32) {
	weight, factor := uint32(1), int64(1)
	if t.neg {
		weight, factor = 0xff, -1
	}
	weights := uint64(0)
	for i := range w.count() {
		if mask.Has(i) {
			weights |= uint64(weight) << (8 * i)
		}
	}
	dot := dotOps.of(t.signed).at(w)
	flipped := dotOps.of(!t.signed).at(w)
	switch {
	case w == 32:
		return b.addWord(acc, t.v, t.neg), 0
	case b.caps.Has(dot) && t.neg && dot == word.DotS8 && b.caps.NonNegativeDotS8:
		positive, _ := b.accumulate(w, t.negated(), mask, b.con(0))
		return b.do(word.Sub, acc, positive), 0
	case b.caps.Has(dot):
		return b.doImm(dot, weights, t.v, acc), 0
	case b.caps.Has(flipped):
		// Flipping makes unsigned lanes 2^(w-1) smaller, signed ones as much larger.
		each := int64(1) << (w - 1) * factor * int64(mask.Count())
		if t.signed {
			each = -each
		}
		return b.doImm(flipped, weights, b.flip(w, t.v), acc), uint32(each)
	case w == 8 && mask.Count() > 1:
		return b.accumulateBytes(t, mask, acc)
	}
	for i := range w.count() {
		if mask.Has(i) {
			acc = b.addWord(acc, b.bytes(partOf(t.v, int(w)*i, int(w), t.signed)), t.neg)
		}
	}
	return acc, 0
}

// dotOps add weighted lanes.
var dotOps = signedness{{word.DotU8, word.DotU16, word.NoOp}, {word.DotS8, word.DotS16, word.NoOp}}

// addWord adds or subtracts a word.
func (b *builder) addWord(acc, v word.Value, neg bool) word.Value {
	if neg {
		return b.do(word.Sub, acc, v)
	}
	return b.do(word.Add, acc, v)
}

// accumulateBytes adds bytes in pairs, then both halves with a multiplication.
func (b *builder) accumulateBytes(t term, mask isa.Mask, acc word.Value) (sum word.Value, lacks uint32) {
	v := t.v
	if t.signed {
		v = b.flip(8, v)
		lacks = uint32(-0x80 * mask.Count())
		if t.neg {
			lacks = -lacks
		}
	}
	lanes := laneMask(8, mask)
	total := b.do(word.Add, b.andCon(v, lanes&0x00ff00ff), b.andCon(b.shrU(v, 8), lanes>>8&0x00ff00ff))
	if lanes>>16 != 0 {
		total = b.shrU(b.do(word.Mul, total, b.con(0x00010001)), 16)
	}
	return b.addWord(acc, total, t.neg), lacks
}

// laneMask returns the word with all bits of the lanes in the mask.
func laneMask(w lanes, mask isa.Mask) uint32 {
	bits := uint32(0)
	for i := range w.count() {
		if mask.Has(i) {
			bits |= (1<<w - 1) << (int(w) * i)
		}
	}
	return bits
}

// accumulated is stage 4 with .add: the lanes of the terms that are in the mask
// and c.
func (b *builder) accumulated(w lanes, terms []term, mask isa.Mask, c word.Value) word.Value {
	lacking := uint32(0)
	for _, t := range terms {
		sum, lacks := b.accumulate(w, t, mask, c)
		c, lacking = sum, lacking+lacks
	}
	return b.do(word.Add, c, b.con(lacking))
}

// accumulatedTruth adds 1 for every lane in the mask whose comparison is true.
func (b *builder) accumulatedTruth(w lanes, t truth, mask isa.Mask, c word.Value) word.Value {
	if w == 32 && !t.full && b.caps.PTX || b.choose(2) == 0 {
		numbers := term{v: b.zeroOrOne(w, t), lo: 0, hi: 1}
		return b.accumulated(w, []term{numbers}, mask, c)
	}
	// A mask is -1 where it is set.
	masks := term{v: b.mask(w, t), signed: true, lo: -1, hi: 0, neg: !t.not}
	terms := []term{masks}
	if t.not {
		c = b.do(word.Add, c, b.con(uint32(mask.Count())))
	}
	return b.accumulated(w, terms, mask, c)
}

// merged is stage 4 without .add: the lanes in the mask are those of v, the others
// those of c.
func (b *builder) merged(w lanes, v word.Value, mask isa.Mask, c func() word.Value) word.Value {
	if mask == isa.Mask(1<<w.count()-1) {
		return v
	}
	other := c()
	var picks [4]pick
	for i := range picks {
		picks[i] = byteOf(other, i)
		if mask.Has(i * 8 / int(w)) {
			picks[i] = byteOf(v, i)
		}
	}
	return b.bytes(picks)
}

// canSumExtremes reports whether summedExtremes can compute a form.
func (b *builder) canSumExtremes(w lanes, f isa.Form, x, y term) bool {
	kind := f.Op.Kind()
	signed := x.signed && y.signed
	return w == 8 && (kind == isa.Max || kind == isa.Min && x.signed == y.signed) && f.Second == isa.SecondAdd &&
		b.caps.PTX && b.caps.Has(sumOfDistances(signed)) && b.caps.Has(dotOps.of(signed).at(w)) && !b.caps.NonNegativeDotS8
}

// sumOfDistances is the operation that adds the distances of all bytes.
func sumOfDistances(signed bool) word.Op {
	if signed {
		return word.SadS8
	}
	return word.SadU8
}

// summedExtremes is vmin4 or vmax4 with .add. The sum of the maxima is half of what the sums of
// both operands and of their distances are together; with the distances subtracted it is that
// of the minima. Lanes that are not in the mask are made equal, and so have no distance. Of types that differ it is the maximum of the unsigned lanes and
// the others' positive parts.
func (b *builder) summedExtremes(f isa.Form, x, y term, c word.Value) word.Value {
	if x.signed != y.signed { // the maximum is not negative
		x, y = mixed(x, y)
		y = b.positivePart(8, y)
	}
	var picks [4]pick
	weights := uint64(0)
	for i := range picks {
		picks[i] = byteOf(x.v, i)
		if f.Mask.Has(i) {
			picks[i] = byteOf(y.v, i)
			weights |= 1 << (8 * i)
		}
	}
	distances := b.do(sumOfDistances(x.signed), x.v, b.bytes(picks), b.con(0))
	dot := dotOps.of(x.signed).at(8)
	twice := distances
	if f.Op.Kind() == isa.Min {
		twice = b.con(0)
	}
	twice = b.doImm(dot, weights, y.v, b.doImm(dot, weights, x.v, twice))
	if f.Op.Kind() == isa.Min {
		twice = b.do(word.Sub, twice, distances)
	}
	half := word.ShrU
	if x.signed {
		half = word.ShrS
	}
	return b.do(word.Add, b.do(half, twice, b.con(1)), c)
}
