package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Operands are what a program reads as a, b and c.
type Operands [3]Operand

// An Operand is a constant, or the operand of the instruction that it is the same as: itself, if no other.
type Operand struct {
	Constant bool
	Value    uint32 // of a constant
	Same     int
}

// AnyOperands are operands of which nothing is known.
var AnyOperands = Operands{{Same: 0}, {Same: 1}, {Same: 2}}

// New returns the builder of programs for a target.
func New(caps word.Caps, is Operands) Builder { return Builder{Caps: caps, operands: is} }
