package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// accumulate adds the lanes of a term that are in the mask to acc, or subtracts
// them. The sum still lacks the constant it returns, so that those of several terms
// can be added at once.
func (b *Builder) accumulate(w builder.Lanes, t Term, mask isa.Mask, acc word.Value) (sum word.Value, lacks uint32) {
	weight, factor := uint32(1), int64(1)
	if t.Neg {
		weight, factor = 0xff, -1
	}
	weights := uint64(0)
	for i := range w.Count() {
		if mask.Has(i) {
			weights |= uint64(weight) << (8 * i)
		}
	}
	dot := builder.DotOps.Of(t.Signed).At(w)
	flipped := builder.DotOps.Of(!t.Signed).At(w)
	switch {
	case w == 32:
		return b.addWord(acc, t.V, t.Neg), 0
	case b.Caps.Has(dot) && t.Neg && dot == word.DotS8 && b.Caps.NonNegativeDotS8:
		positive, _ := b.accumulate(w, t.Negated(), mask, b.Con(0))
		return b.Do(word.Sub, acc, positive), 0
	case b.Caps.Has(dot):
		return b.DoImm(dot, weights, t.V, acc), 0
	case b.Caps.Has(flipped):
		// Flipping makes unsigned lanes 2^(w-1) smaller, signed ones as much larger.
		each := int64(1) << (w - 1) * factor * int64(mask.Count())
		if t.Signed {
			each = -each
		}
		return b.DoImm(flipped, weights, b.Flip(w, t.V), acc), uint32(each)
	case w == 8 && mask.Count() > 1:
		return b.accumulateBytes(t, mask, acc)
	}
	for i := range w.Count() {
		if mask.Has(i) {
			acc = b.addWord(acc, b.Bytes(builder.PartOf(t.V, int(w)*i, int(w), t.Signed)), t.Neg)
		}
	}
	return acc, 0
}

// addWord adds or subtracts a word.
func (b *Builder) addWord(acc, v word.Value, neg bool) word.Value {
	if neg {
		return b.Do(word.Sub, acc, v)
	}
	return b.Do(word.Add, acc, v)
}

// accumulateBytes adds bytes in pairs, then both halves with a multiplication.
func (b *Builder) accumulateBytes(t Term, mask isa.Mask, acc word.Value) (sum word.Value, lacks uint32) {
	v := t.V
	if t.Signed {
		v = b.Flip(8, v)
		lacks = uint32(-0x80 * mask.Count())
		if t.Neg {
			lacks = -lacks
		}
	}
	lanes := laneMask(8, mask)
	total := b.Do(word.Add, b.AndCon(v, lanes&0x00ff00ff), b.AndCon(b.ShrU(v, 8), lanes>>8&0x00ff00ff))
	if lanes>>16 != 0 {
		total = b.ShrU(b.Do(word.Mul, total, b.Con(0x00010001)), 16)
	}
	return b.addWord(acc, total, t.Neg), lacks
}

// laneMask returns the word with all bits of the lanes in the mask.
func laneMask(w builder.Lanes, mask isa.Mask) uint32 {
	bits := uint32(0)
	for i := range w.Count() {
		if mask.Has(i) {
			bits |= (1<<w - 1) << (int(w) * i)
		}
	}
	return bits
}

// Accumulated is stage 4 with .add: the lanes of the terms that are in the mask
// and c.
func (b *Builder) Accumulated(w builder.Lanes, terms []Term, mask isa.Mask, c word.Value) word.Value {
	lacking := uint32(0)
	for _, t := range terms {
		sum, lacks := b.accumulate(w, t, mask, c)
		c, lacking = sum, lacking+lacks
	}
	return b.Do(word.Add, c, b.Con(lacking))
}

// AccumulatedTruth adds 1 for every lane in the mask whose comparison is true.
func (b *Builder) AccumulatedTruth(w builder.Lanes, t packed.Truth, mask isa.Mask, c word.Value) word.Value {
	if w == 32 && !t.Full && b.Caps.PTX || b.Choose(2) == 0 {
		numbers := Term{V: b.ZeroOrOne(w, t), Lo: 0, Hi: 1}
		return b.Accumulated(w, []Term{numbers}, mask, c)
	}
	// A mask is -1 where it is set.
	masks := Term{V: b.Mask(w, t), Signed: true, Lo: -1, Hi: 0, Neg: !t.Not}
	terms := []Term{masks}
	if t.Not {
		c = b.Do(word.Add, c, b.Con(uint32(mask.Count())))
	}
	return b.Accumulated(w, terms, mask, c)
}
