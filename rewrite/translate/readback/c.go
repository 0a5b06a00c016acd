package readback

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/rewrite/word"
)

// cMeaning is what expressions mean in C99 and C++, and in the languages made of them. int has 32 bits. Of what C leaves to
// implementations two things are taken as all compilers have them, and C23 and C++20 demand: signed numbers are
// in two's complement, also when unsigned ones are converted to them, and >> of negative ones copies the sign. Signed overflow
// is undefined: no sums or products of int are read, but of constants.
type cMeaning struct{ *run }

func (c cMeaning) number(digits string) (Value, error) {
	x, err := strconv.ParseUint(digits, 0, 64)
	switch {
	case err != nil:
		return Value{}, fmt.Errorf("readback: %s is no number", digits)
	case len(digits) > 1 && digits[0] == '0' && digits[1] != 'x':
		return Value{}, fmt.Errorf("readback: %s is octal", digits)
	case x < 1<<31:
		return c.constantOf(int64(x), I32), nil
	case len(digits) > 2 && digits[1] == 'x' && x < 1<<32:
		return c.constantOf(int64(x), U32), nil
	}
	return Value{}, fmt.Errorf("readback: %s has no suffix, and its type would be long", digits)
}

// compared is a comparison as an int.
func (c cMeaning) compared(mask word.Value) Value {
	return Value{typ: I32, v: c.op(word.ShrU, mask, c.Const(31)), mask: mask, compared: true}
}

func (c cMeaning) condition(x Value) (word.Value, error) {
	switch {
	case x.compared:
		return x.mask, nil
	case x.typ.wide():
		return 0, errors.New("readback: a condition of 64 bits")
	}
	return c.op(word.Not, c.op(word.CmpEq, x.v, c.Const(0))), nil
}

func (c cMeaning) unary(op string, x Value) (Value, error) {
	switch {
	case op == "!":
		mask, err := c.condition(x)
		return c.compared(c.op(word.Not, mask)), err
	case op == "~" && !x.typ.wide():
		return Value{typ: x.typ, v: c.op(word.Not, x.v)}, nil
	case op == "-":
		if k, ok := c.constant(x.v); ok && x.typ == I32 && uint32(k) != 1<<31 {
			return c.constantOf(-int64(int32(k)), I32), nil
		} else if ok && x.typ == I64 && k != 1<<63 {
			return c.constantOf(-int64(k), I64), nil
		}
	}
	return x, fmt.Errorf("readback: %s of such a value", op)
}

func (c cMeaning) binary(op string, x, y Value) (Value, error) {
	if op == "<<" || op == ">>" {
		return c.shift(op, x, y)
	}
	x, y, err := c.alike(x, y)
	switch {
	case err != nil:
		return x, err
	case isComparison(op):
		return c.compared(c.compare(op, x, y)), nil
	case bitwise[op] != 0 && op != "&^" && !x.typ.wide():
		return Value{typ: x.typ, v: c.op(bitwise[op], x.v, y.v)}, nil
	case op != "+" && op != "-" && op != "*":
		return x, fmt.Errorf("readback: the operator %s", op)
	case x.typ == I64 && op == "*": // words have products of 63 bits: product takes no others
	case x.typ.signed():
		return x, fmt.Errorf("readback: %s of signed numbers, which may overflow", op)
	}
	return c.sumOrProduct(op, x, y)
}

// shift is undefined by as many places as there are bits, and for negative ones.
func (c cMeaning) shift(op string, x, y Value) (Value, error) {
	if op == "<<" && x.typ.signed() {
		return x, errors.New("readback: a signed number is shifted left, which may overflow")
	}
	if y.typ.signed() {
		k, ok := c.constant(y.v)
		if !ok || int32(k) < 0 || y.typ == I64 && int64(k) < 0 {
			return x, errors.New("readback: the distance of a shift is signed, and may be negative")
		}
	}
	limit := int64(32)
	if x.typ.wide() {
		limit = 64
	}
	bound := c.constantOf(limit, U32)
	if y.typ.wide() {
		bound = c.constantOf(limit, U64)
		y.typ = U64
	} else {
		y.typ = U32
	}
	c.undefinedIf(c.path, c.op(word.Not, c.compare("<", y, bound)))
	return c.shifted(op, x, y)
}

// alike makes two values those of one type, as the usual arithmetic conversions do.
func (c cMeaning) alike(x, y Value) (Value, Value, error) {
	to := I32
	for _, t := range []Type{U32, I64, U64} {
		if x.typ == t || y.typ == t {
			to = t
		}
	}
	x, err := c.convert(x, to)
	if err != nil {
		return x, y, err
	}
	y, err = c.convert(y, to)
	return x, y, err
}

func (c cMeaning) convert(x Value, to Type) (Value, error) {
	switch {
	case x.typ == to:
		return x, nil
	case x.typ < U32 || x.typ > I64 || to < U32 || to > I64:
		return x, errors.New("readback: a conversion of what is no number")
	case x.typ.wide() == to.wide():
		x.typ, x.compared = to, false
	case to.wide() && x.typ.signed():
		x = Value{typ: to, v: c.op(word.WideS, x.v)}
	case to.wide():
		x = Value{typ: to, v: c.op(word.WideU, x.v)}
	default:
		x = Value{typ: to, v: c.op(word.Lo, x.v)}
	}
	return x, nil
}

func (c cMeaning) assign(x Value, to Type) (Value, error) { return c.convert(x, to) }

func (c cMeaning) call(string, []Value) (Value, bool, error) { return Value{}, false, nil }

func (c cMeaning) member(x Value, name string) (Value, error) {
	return x, fmt.Errorf("readback: .%s", name)
}
