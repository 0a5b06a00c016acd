package isa

import "math/bits"

// Type is the type of an operand: .u32 or .s32. It says how a byte, half-word
// or word taken from the operand is extended.
type Type uint8

// The two types.
const (
	U32 Type = iota
	S32
)

// Signed reports whether t is .s32 (the manual's isSigned).
func (t Type) Signed() bool { return t == S32 }

func (t Type) String() string { return [...]string{".u32", ".s32"}[t] }

// Second is the secondary operation of stage 4: the manual's .op2 (.secop) of
// the scalar instructions, and .add (accumulate) of the SIMD ones.
type Second uint8

// The secondary operations. SIMD forms have NoSecond or SecondAdd only.
const (
	NoSecond Second = iota
	SecondAdd
	SecondMin
	SecondMax
)

func (s Second) String() string { return [...]string{"", ".add", ".min", ".max"}[s] }

// Mode says what vshl and vshr do with shift amounts above 31.
type Mode uint8

// The shift modes. NoMode is that of all other instructions.
const (
	NoMode Mode = iota
	Clamp
	Wrap
)

func (m Mode) String() string { return [...]string{"", ".clamp", ".wrap"}[m] }

// Cmp is the comparison of vset, vset2 and vset4.
type Cmp uint8

// The comparisons. NoCmp is that of all other instructions.
const (
	NoCmp Cmp = iota
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
)

func (c Cmp) String() string { return [...]string{"", ".eq", ".ne", ".lt", ".le", ".gt", ".ge"}[c] }

// Scale is vmad's right shift of the result.
type Scale uint8

// The scales.
const (
	NoScale Scale = iota
	Shr7
	Shr15
)

func (s Scale) String() string { return [...]string{"", ".shr7", ".shr15"}[s] }

// Shift returns the number of bits: 0, 7 or 15.
func (s Scale) Shift() uint { return [...]uint{0, 7, 15}[s] }

// Part is a scalar selector (.asel, .bsel, .dsel): the byte or half-word of a
// 32-bit register that is read or written. The zero Part is the whole word.
type Part uint8

// The parts.
const (
	Word Part = iota
	B0
	B1
	B2
	B3
	H0
	H1
)

func (p Part) String() string { return [...]string{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}[p] }

// Bits returns the width of the part: 8, 16 or 32.
func (p Part) Bits() int { return [...]int{32, 8, 8, 8, 8, 16, 16}[p] }

// Shift returns the position of the part's lowest bit in the register.
func (p Part) Shift() int { return [...]int{0, 0, 8, 16, 24, 0, 16}[p] }

// Mask is a SIMD destination mask: bit i is set if lane i (.b0 or .h0 is lane 0)
// receives a result. It is 0 in scalar forms.
type Mask uint8

// Has reports whether lane i is in the mask.
func (m Mask) Has(i int) bool { return m>>i&1 != 0 }

// Count returns the number of lanes in the mask.
func (m Mask) Count() int { return bits.OnesCount8(uint8(m)) }

// FullMask returns the mask of all lanes of an op: the default.
func FullMask(op Op) Mask { return Mask(1<<op.Lanes() - 1) }

// spell returns the mask as the manual writes it: highest lane first.
func (m Mask) spell(lanes int) string {
	s := laneLetter(lanes)
	for i := lanes - 1; i >= 0; i-- {
		if m.Has(i) {
			s += string(rune('0' + i))
		}
	}
	return s
}

// Lanes is a SIMD source selector: for each lane, which of the bytes (0..7) or
// half-words (0..3) of the pair a, b it reads; numbers from 4 (from 2 for
// half-words) on are b's. Four bits a lane, lane 0 lowest, so that .b7654 is
// 0x7654 and .h32 is 0x32. It is 0 in scalar forms.
type Lanes uint16

// Lane returns the number of the byte or half-word that lane i reads.
func (l Lanes) Lane(i int) int { return int(l>>(4*i)) & 15 }

// DefaultLanes returns the lanes read when no selector is written:
// a's own for the first source, b's own for the second.
func DefaultLanes(op Op) (a, b Lanes) {
	switch op.Lanes() {
	case 2:
		return 0x10, 0x32
	case 4:
		return 0x3210, 0x7654
	}
	return 0, 0
}

func (l Lanes) spell(lanes int) string {
	s := laneLetter(lanes)
	for i := lanes - 1; i >= 0; i-- {
		s += string(rune('0' + l.Lane(i)))
	}
	return s
}

func laneLetter(lanes int) string {
	if lanes == 2 {
		return ".h"
	}
	return ".b"
}
