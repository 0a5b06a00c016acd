// Package constant computes the constant expressions of PTX (PTX ISA 4.5).
package constant

import (
	"math"

	"github.com/vop-ptx/vop/read/syntax"
)

// WarpSize is the value of the predefined constant WARP_SZ (PTX ISA 4.4).
const WarpSize = 32

// Value is the value of a constant expression: an integer of 64 bits, or a double.
type Value struct {
	Bits     uint64
	Unsigned bool // of an integer: .u64, not .s64
	Float    byte // 0 integer, 'f' bits of an f32 (0f...), 'd' bits of an f64 (0d..., 1.5)
}

func integer(v int64) Value { return Value{Bits: uint64(v)} }

func truth(b bool) Value {
	if b {
		return integer(1)
	}
	return integer(0)
}

func double(f float64) Value { return Value{Bits: math.Float64bits(f), Float: 'd'} }

// Double returns the value as a double.
func (c Value) Double() float64 {
	switch {
	case c.Float == 'd':
		return math.Float64frombits(c.Bits)
	case c.Float == 'f':
		return float64(math.Float32frombits(uint32(c.Bits)))
	case c.Unsigned:
		return float64(c.Bits)
	}
	return float64(int64(c.Bits))
}

// Of computes a constant expression; ok is false if the operand is not one.
func Of(o *syntax.Operand) (c Value, ok bool) {
	switch o.Kind {
	case syntax.Number:
		n := syntax.ParseNumber(o.Text)
		c, ok = Value{Bits: n.Bits, Unsigned: n.Unsigned, Float: n.Float}, o.Selector.Text == ""
	case syntax.Name:
		c, ok = integer(WarpSize), o.Text == "WARP_SZ" && o.Selector.Text == ""
	case syntax.Expr:
		return evaluateExpr(o)
	}
	if ok && o.Neg != 0 {
		return unary(o.Neg, c)
	}
	return c, ok
}

func evaluateExpr(o *syntax.Operand) (Value, bool) {
	var elems [3]Value
	if len(o.Elems) > len(elems) {
		return Value{}, false
	}
	for i := range o.Elems {
		var ok bool
		if elems[i], ok = Of(&o.Elems[i]); !ok {
			return Value{}, false
		}
	}
	switch len(o.Elems) {
	case 1:
		switch o.Text {
		case ".s64":
			return Value{Bits: elems[0].Bits}, elems[0].Float == 0
		case ".u64":
			return Value{Bits: elems[0].Bits, Unsigned: true}, elems[0].Float == 0
		case "-", "+", "!", "~":
			return unary(o.Text[0], elems[0])
		}
	case 2:
		if elems[0].Float != 0 || elems[1].Float != 0 {
			return binaryFloat(o.Text, elems[0].Double(), elems[1].Double())
		}
		return binaryInteger(o.Text, elems[0], elems[1])
	case 3:
		if elems[0].Bits != 0 {
			return elems[1], true
		}
		return elems[2], true
	}
	return Value{}, false
}

func unary(operator byte, c Value) (Value, bool) {
	switch {
	case operator == '+':
		return c, true
	case operator == '-' && c.Float != 0:
		width := uint(63)
		if c.Float == 'f' {
			width = 31
		}
		c.Bits ^= 1 << width
		return c, true
	case operator == '-':
		c.Bits = -c.Bits
		return c, true
	case c.Float != 0: // ptxas: "integer constant expression expected"
	case operator == '!':
		return truth(c.Bits == 0), true
	case operator == '~':
		c.Bits = ^c.Bits
		return c, true
	}
	return c, false
}

// binaryInteger computes with integers: unsigned if one of them is, but shifts as their
// left side is (PTX ISA 4.5.6).
func binaryInteger(operator string, a, b Value) (Value, bool) {
	unsigned := a.Unsigned || b.Unsigned
	x, y := int64(a.Bits), int64(b.Bits)
	less := x < y
	if unsigned {
		less = a.Bits < b.Bits
	}
	c := Value{Unsigned: unsigned}
	switch operator {
	case "+":
		c.Bits = a.Bits + b.Bits
	case "-":
		c.Bits = a.Bits - b.Bits
	case "*":
		c.Bits = a.Bits * b.Bits
	case "/", "%":
		return divide(operator, a.Bits, b.Bits, unsigned)
	case "&":
		c.Bits = a.Bits & b.Bits
	case "|":
		c.Bits = a.Bits | b.Bits
	case "^":
		c.Bits = a.Bits ^ b.Bits
	case "<<":
		return Value{Bits: a.Bits << b.Bits, Unsigned: a.Unsigned}, true
	case ">>":
		if a.Unsigned {
			return Value{Bits: a.Bits >> b.Bits, Unsigned: true}, true
		}
		return integer(x >> b.Bits), true
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

func divide(operator string, a, b uint64, unsigned bool) (Value, bool) {
	switch {
	case b == 0:
		return Value{}, false
	case unsigned && operator == "/":
		return Value{Bits: a / b, Unsigned: true}, true
	case unsigned:
		return Value{Bits: a % b, Unsigned: true}, true
	case operator == "/":
		return integer(int64(a) / int64(b)), true
	}
	return integer(int64(a) % int64(b)), true
}

func binaryFloat(operator string, x, y float64) (Value, bool) {
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
	return Value{}, false
}
