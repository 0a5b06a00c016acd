package lower

// Facts are what a caller knows about the operands of one instruction beyond its
// form. The zero Facts know nothing. They only ever make a program shorter.
type Facts struct {
	Known [3]Known // a, b, c

	// The operands that are the same register, whatever it holds.
	SameAB, SameAC, SameBC bool
}

// Known is an operand that is constant, if Is.
type Known struct {
	Is    bool
	Value uint32
}

// Constant returns the Known of a constant operand.
func Constant(value uint32) Known { return Known{true, value} }
