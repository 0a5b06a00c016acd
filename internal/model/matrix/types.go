package matrix

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Type is a type of elements of matrices (PTX ISA 5.2.3): sign, exponent and fraction, or an integer.
type Type struct {
	Bits               int // of an element in a register
	exponent, fraction int // of a floating-point number
	bias               int
	kind               kind
	offset             int // of the lowest bit of a number in its element
}

// kind says which numbers a type has.
type kind uint8

const (
	infinite kind = iota // with infinities and NaNs
	nanOnly              // with a NaN and no infinities
	finite               // with neither
	signed
	unsigned
	binary
)

// Types are the types, by their names in the text.
var Types = map[string]Type{
	"f64": {64, 11, 52, 1023, infinite, 0}, "f32": {32, 8, 23, 127, infinite, 0}, "tf32": {32, 8, 10, 127, infinite, 13},
	"f16": {16, 5, 10, 15, infinite, 0}, "bf16": {16, 8, 7, 127, infinite, 0},
	"e4m3": {8, 4, 3, 7, nanOnly, 0}, "e5m2": {8, 5, 2, 15, infinite, 0},
	"e3m2": {8, 3, 2, 3, finite, 0}, "e2m3": {8, 2, 3, 1, finite, 0}, "e2m1": {8, 2, 1, 1, finite, 2},
	"s32": {Bits: 32, kind: signed}, "s8": {Bits: 8, kind: signed}, "u8": {Bits: 8, kind: unsigned},
	"s4": {Bits: 4, kind: signed}, "u4": {Bits: 4, kind: unsigned}, "b1": {Bits: 1, kind: binary},
}

// Per is how many elements a register of 32 bits has, or one of 64.
func (t Type) Per() int { return max(32/t.Bits, 1) }

// Register is the width of a register of elements: 64 for one of f64, and else 32.
func (t Type) Register() int { return max(t.Bits, 32) }

// mask has the bits of an element.
func (t Type) mask() uint64 { return math.MaxUint64 >> (64 - t.Bits) }

// Number is the number that an element is. It is exact.
func (t Type) Number(x uint64) float64 {
	x >>= t.offset
	fraction, exponent := x&(1<<t.fraction-1), int(x>>t.fraction&(1<<t.exponent-1))
	last := exponent == 1<<t.exponent-1
	v := 0.0
	switch {
	case t.kind == infinite && last && fraction == 0:
		v = math.Inf(1)
	case t.kind == infinite && last, t.kind == nanOnly && last && fraction == 1<<t.fraction-1:
		v = math.NaN()
	case exponent == 0:
		v = math.Ldexp(float64(fraction), 1-t.bias-t.fraction)
	default:
		v = math.Ldexp(float64(fraction|1<<t.fraction), exponent-t.bias-t.fraction)
	}
	if x>>(t.fraction+t.exponent)&1 != 0 {
		v = -v
	}
	return v
}

// Nearest is the element of f64, f32 or f16 that is nearest to a number, the even one of two. A NaN
// is the one that the machine makes of that type (ruling O4).
func (t Type) Nearest(x float64) uint64 {
	switch {
	case t.Bits == 64 && x != x:
		return 0xfff8000000000000
	case t.Bits == 64:
		return math.Float64bits(x)
	case x != x:
		return t.mask() >> 1
	case t.Bits == 32:
		return uint64(math.Float32bits(float32(x)))
	}
	sign := uint64(0)
	if math.Signbit(x) {
		sign = 1 << (t.Bits - 1)
	}
	x = math.Abs(x)
	infinity := t.mask() >> 1 &^ (1<<t.fraction - 1)
	// The first one above. Infinity stands for the number that would come next.
	value := func(bits uint64) float64 {
		if bits == infinity {
			return math.Ldexp(1, 1<<t.exponent-1-t.bias)
		}
		return t.Number(bits)
	}
	above := uint64(sort.Search(int(infinity), func(bits int) bool { return value(uint64(bits)) > x }))
	down, up := x-value(above-1), value(above)-x
	if down < up || down == up && above%2 == 1 {
		above--
	}
	return sign | above
}

// Integer is the integer that an element is.
func (t Type) Integer(x uint64) int64 {
	if t.kind == signed {
		return int64(x<<(64-t.Bits)) >> (64 - t.Bits)
	}
	return int64(x)
}

// Styles are how many ways there are to draw elements.
const Styles = 3

// Draw returns an element: in the first style a small whole number, in the second any number of a middling
// size, in the third now and then one at the ends of the type.
func (t Type) Draw(rng *rand.Rand, style int) uint64 {
	random := rng.Uint64() & t.mask()
	if t.exponent == 0 {
		if style == 2 && rng.IntN(3) == 0 {
			return []uint64{0, t.mask(), 1 << (t.Bits - 1), t.mask() >> 1}[rng.IntN(4)]
		}
		return random
	}
	one := uint64(t.bias) << t.fraction << t.offset
	sign := uint64(rng.IntN(2)) << (t.exponent + t.fraction + t.offset)
	all := uint64(1)<<(t.exponent+t.fraction) - 1 // of exponent and fraction
	switch {
	case style == 0:
		return sign | []uint64{0, one, one + 1<<t.fraction<<t.offset, one + 1<<(t.fraction-1)<<t.offset}[rng.IntN(4)]
	case style == 2 && rng.IntN(40) == 0:
		ends := []uint64{0, 1, 1<<t.fraction - 1, 1 << t.fraction, all, all - 1, all &^ (1<<t.fraction - 1), all&^(1<<t.fraction-1) - 1}
		return sign | ends[rng.IntN(len(ends))]<<t.offset
	}
	near := min(1<<(t.exponent-1)-1, 12)
	exponent := uint64(t.bias + rng.IntN(2*near) - near)
	return sign | exponent<<t.fraction<<t.offset | random&(1<<t.fraction-1)<<t.offset | random&(1<<t.offset-1)
}

// Store puts an element into memory, after so many others.
func (t Type) Store(memory []byte, at int, x uint64) {
	if t.Bits < 8 {
		memory[at*t.Bits/8] |= byte(x << (at * t.Bits % 8))
		return
	}
	for i := range t.Bits / 8 {
		memory[at*t.Bits/8+i] = byte(x >> (8 * i))
	}
}

// Registers are the registers of elements.
func (t Type) Registers(elements []uint64) (registers []uint64) {
	for len(elements) > 0 {
		r := uint64(0)
		for e, x := range elements[:t.Per()] {
			r |= x << (e * t.Bits)
		}
		registers, elements = append(registers, r), elements[t.Per():]
	}
	return registers
}

// Elements are the elements of registers.
func (t Type) Elements(registers []uint64) (elements []uint64) {
	for _, r := range registers {
		for e := range t.Per() {
			elements = append(elements, r>>(e*t.Bits)&t.mask())
		}
	}
	return elements
}
