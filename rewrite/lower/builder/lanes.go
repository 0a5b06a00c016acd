package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Lanes is the width in bits of the lanes that a word is taken as: 8, 16, or 32 for
// the word itself. Scalar instructions are those of one lane.
type Lanes int

// Each returns the word with x in every lane.
func (w Lanes) Each(x uint32) uint32 {
	switch w {
	case 8:
		return x * 0x01010101
	case 16:
		return x * 0x00010001
	}
	return x
}

// Top returns the word with the top bit of every lane.
func (w Lanes) Top() uint32 { return w.Each(1 << (w - 1)) }

// Count returns the number of lanes in a word.
func (w Lanes) Count() int { return 32 / int(w) }

// Family is one operation for lanes of 8, 16 and 32 bits; NoOp where there is none.
type Family [3]word.Op

// At returns the operation for lanes of a width.
func (f Family) At(w Lanes) word.Op {
	switch w {
	case 8:
		return f[0]
	case 16:
		return f[1]
	}
	return f[2]
}

// Signedness is a family for unsigned lanes and one for signed lanes.
type Signedness [2]Family

// Of returns the family for lanes with a sign, or without.
func (s Signedness) Of(signed bool) Family {
	if signed {
		return s[1]
	}
	return s[0]
}

// DotOps add weighted lanes.
var DotOps = Signedness{{word.DotU8, word.DotU16, word.NoOp}, {word.DotS8, word.DotS16, word.NoOp}}
