package check

import (
	"math"

	"github.com/vop-ptx/vop/read/syntax"
)

// constant is the value of a constant expression (PTX ISA 4.5): an integer of 64
// bits, or a double. Float tells which, as in [Operand.Float].
type constant struct {
	bits     uint64
	unsigned bool // of an integer: .u64, not .s64
	float    byte
}

func integer(v int64) constant { return constant{bits: uint64(v)} }

func truth(b bool) constant {
	if b {
		return integer(1)
	}
	return integer(0)
}

func double(f float64) constant { return constant{bits: math.Float64bits(f), float: 'd'} }

// double returns the value as a double.
func (c constant) double() float64 {
	switch {
	case c.float == 'd':
		return math.Float64frombits(c.bits)
	case c.float == 'f':
		return float64(math.Float32frombits(uint32(c.bits)))
	case c.unsigned:
		return float64(c.bits)
	}
	return float64(int64(c.bits))
}

// Immediate returns the 32-bit word that an operand written as a constant stands
// for; ok is false if it is not an integer constant. Bits beyond 32 are dropped,
// as ptxas does.
func Immediate(o *syntax.Operand) (word uint32, ok bool) {
	value, ok := evaluate(o)
	return uint32(value.bits), ok && value.float == 0
}

// parseNumber returns the value of a number as the parser took it.
func parseNumber(text string) constant {
	n := syntax.ParseNumber(text)
	return constant{bits: n.Bits, unsigned: n.Unsigned, float: n.Float}
}

// evaluate computes a constant expression; ok is false if the operand is not one.
func evaluate(o *syntax.Operand) (c constant, ok bool) {
	switch o.Kind {
	case syntax.Number:
		c, ok = parseNumber(o.Text), o.Selector.Text == ""
	case syntax.Name:
		c, ok = integer(warpSize), o.Text == "WARP_SZ" && o.Selector.Text == ""
	case syntax.Expr:
		return evaluateExpr(o)
	}
	if ok && o.Neg != 0 {
		return unary(o.Neg, c)
	}
	return c, ok
}

func evaluateExpr(o *syntax.Operand) (constant, bool) {
	var elems [3]constant
	if len(o.Elems) > len(elems) {
		return constant{}, false
	}
	for i := range o.Elems {
		var ok bool
		if elems[i], ok = evaluate(&o.Elems[i]); !ok {
			return constant{}, false
		}
	}
	switch len(o.Elems) {
	case 1:
		switch o.Text {
		case ".s64":
			return constant{bits: elems[0].bits}, elems[0].float == 0
		case ".u64":
			return constant{bits: elems[0].bits, unsigned: true}, elems[0].float == 0
		case "-", "+", "!", "~":
			return unary(o.Text[0], elems[0])
		}
	case 2:
		if elems[0].float != 0 || elems[1].float != 0 {
			return binaryFloat(o.Text, elems[0].double(), elems[1].double())
		}
		return binaryInteger(o.Text, elems[0], elems[1])
	case 3:
		if elems[0].bits != 0 {
			return elems[1], true
		}
		return elems[2], true
	}
	return constant{}, false
}

func unary(operator byte, c constant) (constant, bool) {
	switch {
	case operator == '+':
		return c, true
	case operator == '-' && c.float != 0:
		width := uint(63)
		if c.float == 'f' {
			width = 31
		}
		c.bits ^= 1 << width
		return c, true
	case operator == '-':
		c.bits = -c.bits
		return c, true
	case c.float != 0: // ptxas: "integer constant expression expected"
	case operator == '!':
		return truth(c.bits == 0), true
	case operator == '~':
		c.bits = ^c.bits
		return c, true
	}
	return c, false
}

// binaryInteger computes with integers: unsigned if one of them is, but shifts as their
// left side is (PTX ISA 4.5.6).
func binaryInteger(operator string, a, b constant) (constant, bool) {
	unsigned := a.unsigned || b.unsigned
	x, y := int64(a.bits), int64(b.bits)
	less := x < y
	if unsigned {
		less = a.bits < b.bits
	}
	c := constant{unsigned: unsigned}
	switch operator {
	case "+":
		c.bits = a.bits + b.bits
	case "-":
		c.bits = a.bits - b.bits
	case "*":
		c.bits = a.bits * b.bits
	case "/", "%":
		return divide(operator, a.bits, b.bits, unsigned)
	case "&":
		c.bits = a.bits & b.bits
	case "|":
		c.bits = a.bits | b.bits
	case "^":
		c.bits = a.bits ^ b.bits
	case "<<":
		return constant{bits: a.bits << b.bits, unsigned: a.unsigned}, true
	case ">>":
		if a.unsigned {
			return constant{bits: a.bits >> b.bits, unsigned: true}, true
		}
		return integer(x >> b.bits), true
	case "<":
		return truth(less), true
	case ">=":
		return truth(!less), true
	case ">":
		return truth(!less && x != y), true
	case "<=":
		return truth(less || x == y), true
	case "==":
		return truth(x == y), true
	case "!=":
		return truth(x != y), true
	case "&&":
		return truth(x != 0 && y != 0), true
	case "||":
		return truth(x != 0 || y != 0), true
	default:
		return c, false
	}
	return c, true
}

func divide(operator string, a, b uint64, unsigned bool) (constant, bool) {
	switch {
	case b == 0:
		return constant{}, false
	case unsigned && operator == "/":
		return constant{bits: a / b, unsigned: true}, true
	case unsigned:
		return constant{bits: a % b, unsigned: true}, true
	case operator == "/":
		return integer(int64(a) / int64(b)), true
	}
	return integer(int64(a) % int64(b)), true
}

func binaryFloat(operator string, x, y float64) (constant, bool) {
	switch operator {
	case "+":
		return double(x + y), true
	case "-":
		return double(x - y), true
	case "*":
		return double(x * y), true
	case "/":
		return double(x / y), true
	case "<":
		return truth(x < y), true
	case "<=":
		return truth(x <= y), true
	case ">":
		return truth(x > y), true
	case ">=":
		return truth(x >= y), true
	case "==":
		return truth(x == y), true
	case "!=":
		return truth(x != y), true
	}
	return constant{}, false
}
