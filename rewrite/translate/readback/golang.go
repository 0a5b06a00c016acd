package readback

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/rewrite/word"
)

// goMeaning is what expressions mean in Go: sums wrap around, shifts by 32 and more leave zeros or signs, operands
// are of one type.
type goMeaning struct{ *run }

func (g goMeaning) number(digits string) (Value, error) { return g.numberConstant(digits) }

func (g goMeaning) condition(x Value) (word.Value, error) {
	if x.typ != Bool {
		return 0, errors.New("readback: a condition that is no bool")
	}
	return x.v, nil
}

func (g goMeaning) unary(op string, x Value) (Value, error) {
	switch {
	case op == "!" && x.typ == Bool:
		return truth(g.op(word.Not, x.v)), nil
	case op == "^" && (x.typ == U32 || x.typ == I32):
		return Value{typ: x.typ, v: g.op(word.Not, x.v)}, nil
	case op == "-" && x.typ == untyped && x.number != -1<<63:
		return Value{typ: untyped, number: -x.number}, nil
	case op == "^" && x.typ == untyped:
		return Value{typ: untyped, number: ^x.number}, nil
	}
	return x, fmt.Errorf("readback: %s of such a value", op)
}

// alike gives an untyped constant the type of the other operand.
func (r *run) typedAlike(x, y Value) (Value, Value, error) {
	if x.typ == untyped && y.typ == untyped {
		return x, y, errors.New("readback: an operator between constants")
	}
	to := x.typ
	if to == untyped {
		to = y.typ
	}
	x, err := r.typed(x, to)
	if err != nil {
		return x, y, err
	}
	y, err = r.typed(y, to)
	return x, y, err
}

func (g goMeaning) binary(op string, x, y Value) (Value, error) {
	if x.typ == untyped && y.typ == untyped {
		return constants(op, x.number, y.number)
	}
	if op == "<<" || op == ">>" {
		return g.shift(op, x, y)
	}
	x, y, err := g.typedAlike(x, y)
	switch {
	case err != nil:
		return x, err
	case x.typ == Bool:
		return logical(g.run, op, x, y)
	case isComparison(op):
		return truth(g.compare(op, x, y)), nil
	case bitwise[op] != 0 && !x.typ.wide():
		return Value{typ: x.typ, v: g.op(bitwise[op], x.v, y.v)}, nil
	}
	return g.sumOrProduct(op, x, y)
}

// constants is an operator between constants without a type, which do not wrap around: they may become what no word holds, which
// [run.typed] says, and which Go refuses.
func constants(op string, x, y int64) (Value, error) {
	const limit = 1 << 40 // beyond that they are not followed
	fits := func(x int64) bool { return -limit < x && x < limit }
	v := Value{typ: untyped}
	switch op {
	case "&":
		v.number = x & y
	case "|":
		v.number = x | y
	case "^":
		v.number = x ^ y
	case "&^":
		v.number = x &^ y
	case "+":
		v.number = x + y
	case "-":
		v.number = x - y
	case "<<", ">>":
		if y < 0 || y > 63 || op == "<<" && x<<y>>y != x {
			return v, errors.New("readback: a constant is shifted too far")
		}
		if v.number = x << y; op == ">>" {
			v.number = x >> y
		}
	default:
		return v, fmt.Errorf("readback: %s between constants", op)
	}
	if !fits(x) || !fits(y) {
		return v, errors.New("readback: constants are too large")
	}
	return v, nil
}

// logical is && or || of conditions.
func logical(r *run, op string, x, y Value) (Value, error) {
	switch op {
	case "&&":
		return truth(r.op(word.And, x.v, y.v)), nil
	case "||":
		return truth(r.op(word.Or, x.v, y.v)), nil
	}
	return x, fmt.Errorf("readback: %s of conditions", op)
}

func (g goMeaning) shift(op string, x, y Value) (Value, error) {
	if x.typ < U32 || x.typ > I64 {
		return x, errors.New("readback: a constant is shifted whose type depends on where it stands")
	}
	if y.typ == untyped {
		if y.number < 0 {
			return x, errors.New("readback: a shift by a negative constant")
		}
		y = g.constantOf(y.number, U64)
	}
	if y.typ != U32 && y.typ != U64 {
		return x, errors.New("readback: the distance of a shift is signed: if it is negative, Go panics")
	}
	return g.shifted(op, x, y)
}

func (g goMeaning) convert(x Value, to Type) (Value, error) {
	if x.typ == untyped {
		return g.typed(x, to)
	}
	if x.typ == Bool || to == Bool {
		return x, errors.New("readback: a conversion of a bool")
	}
	if x.big && to != U64 {
		return x, errors.New("readback: a constant that is too large for its type")
	}
	return cMeaning(g).convert(x, to) // of the bits, they are the same
}

func (g goMeaning) assign(x Value, to Type) (Value, error) { return g.typed(x, to) }

func (g goMeaning) call(name string, args []Value) (Value, bool, error) {
	if to, ok := g.file.types[name]; ok {
		if len(args) != 1 {
			return Value{}, true, fmt.Errorf("readback: %s of %d values", name, len(args))
		}
		x, err := g.convert(args[0], to)
		return x, true, err
	}
	if name != "min" && name != "max" {
		return Value{}, false, nil
	}
	x, err := g.extreme(name, args)
	return x, true, err
}

// extreme is min or max of two values, built in.
func (r *run) extreme(name string, args []Value) (Value, error) {
	if len(args) != 2 {
		return Value{}, fmt.Errorf("readback: %s of %d values", name, len(args))
	}
	x, y := args[0], args[1]
	if x.typ == untyped && y.typ == untyped {
		v := min(x.number, y.number)
		if name == "max" {
			v = max(x.number, y.number)
		}
		return Value{typ: untyped, number: v}, nil
	}
	x, y, err := r.typedAlike(x, y)
	if err != nil {
		return x, err
	}
	ops := map[Type][2]word.Op{U32: {word.MinU, word.MaxU}, I32: {word.MinS, word.MaxS}, U64: {word.MinWideU, 0}, I64: {word.MinWideS, word.MaxWideS}}
	n := 0
	if name == "max" {
		n = 1
	}
	op := ops[x.typ][n]
	if op == word.NoOp {
		return x, fmt.Errorf("readback: %s of such values", name)
	}
	return Value{typ: x.typ, v: r.op(op, x.v, y.v)}, nil
}

func (g goMeaning) member(x Value, name string) (Value, error) {
	return x, fmt.Errorf("readback: .%s", name)
}
