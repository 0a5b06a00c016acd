package conform

import (
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/isa"
)

// edgeBytes and edgeHalves are the values at which extension, saturation and
// comparison of a lane change.
var (
	edgeBytes  = []uint32{0x00, 0x01, 0x02, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff}
	edgeHalves = []uint32{0x0000, 0x0001, 0x007f, 0x0080, 0x00ff, 0x0100, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xff7f, 0xff80, 0xfffe, 0xffff}
)

// EdgeWords returns the 32-bit words at which something changes in some form:
// the ends of the ranges of bytes, half-words and words, signed and unsigned, each
// also one beside and negated, in all lanes and in one; and the shift amounts
// around 32. They are sorted.
func EdgeWords() []uint32 {
	words := []uint32{
		0, 1, 2, 7, 15, 16, 30, 31, 32, 33, 63, 64, 65,
		0x7f, 0x80, 0x81, 0xfe, 0xff, 0x100, 0x101,
		0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1_0000, 0x1_0001,
		0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff,
		0xffff_ff7f, 0xffff_ff80, 0xffff_ff81, 0xffff_ff00, 0xffff_7fff, 0xffff_8000, 0xffff_8001, 0xffff_0000,
		0x4000_0000, 0xc000_0000, 0x00ff_ffff, 0xff00_0000, 0x00ff_0000, 0x0000_ff00,
	}
	for _, b := range edgeBytes[1:] {
		words = append(words, b*0x0101_0101)
	}
	for _, h := range edgeHalves[1:] {
		words = append(words, h*0x0001_0001)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

var edgeWords = EdgeWords()

// Operands draws operand values for a form. Most are made of values at which
// something changes for some lane, selector, range or shift amount, often with a
// and b (or all three) close to each other; the rest are random bits.
func Operands(rng *rand.Rand, f isa.Form) (a, b, c uint32) {
	a, b, c = word(rng), word(rng), word(rng)
	switch rng.IntN(8) {
	case 0:
		b = near(rng, a)
	case 1:
		c = near(rng, a)
	case 2:
		c = near(rng, b)
	}
	if f.Mode != isa.NoMode && rng.IntN(2) == 0 {
		b = shiftAmount(rng)
	}
	return a, b, c
}

// word draws one operand.
func word(rng *rand.Rand) uint32 {
	switch rng.IntN(8) {
	case 0, 1:
		return edgeWords[rng.IntN(len(edgeWords))]
	case 2, 3:
		w := uint32(0)
		for range 4 {
			w = w<<8 | edgeBytes[rng.IntN(len(edgeBytes))]
		}
		return w
	case 4, 5:
		return edgeHalves[rng.IntN(len(edgeHalves))]<<16 | edgeHalves[rng.IntN(len(edgeHalves))]
	case 6:
		return rng.Uint32() >> rng.IntN(32)
	}
	return rng.Uint32()
}

// near draws a word at most 2 away from x, or from its complement or negation.
func near(rng *rand.Rand, x uint32) uint32 {
	return []uint32{x, x, ^x, -x}[rng.IntN(4)] + uint32(rng.IntN(5)) - 2
}

// shiftAmount draws a word each of whose bytes is a shift amount from 0 to 40,
// so that every selector finds one.
func shiftAmount(rng *rand.Rand) uint32 {
	w := uint32(0)
	for range 4 {
		w = w<<8 | uint32(rng.IntN(41))
	}
	if rng.IntN(2) == 0 {
		w &= 0xff
	}
	return w
}
