package readback

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/rewrite/word"
)

// wgslMeaning is what expressions mean in WGSL: sums wrap around, distances of shifts are taken modulo 32 (and constant ones
// must be less), operands are of one type.
type wgslMeaning struct{ *run }

func (w wgslMeaning) number(digits string) (Value, error) { return w.numberConstant(digits) }

func (w wgslMeaning) condition(x Value) (word.Value, error) { return goMeaning(w).condition(x) }

func (w wgslMeaning) unary(op string, x Value) (Value, error) {
	switch {
	case op == "~":
		op = "^" // as Go has it
	case op == "-" && x.typ == I32:
		return Value{typ: I32, v: w.op(word.Sub, w.Const(0), x.v)}, nil
	}
	return goMeaning(w).unary(op, x)
}

func (w wgslMeaning) binary(op string, x, y Value) (Value, error) {
	if op == "<<" || op == ">>" {
		return w.shift(op, x, y)
	}
	x, y, err := w.typedAlike(x, y)
	switch {
	case err != nil:
		return x, err
	case x.typ == Bool:
		return logical(w.run, op, x, y)
	case x.typ == Pair:
		return x, fmt.Errorf("readback: %s of vectors", op)
	case isComparison(op):
		return truth(w.compare(op, x, y)), nil
	case bitwise[op] != 0 && op != "&^":
		return Value{typ: x.typ, v: w.op(bitwise[op], x.v, y.v)}, nil
	}
	return w.sumOrProduct(op, x, y)
}

func (w wgslMeaning) shift(op string, x, y Value) (Value, error) {
	y, err := w.typed(y, U32)
	switch {
	case err != nil:
		return x, err
	case x.typ != U32 && (x.typ != I32 || op == "<<"):
		return x, errors.New("readback: a shift of such a value")
	}
	if k, ok := w.constant(y.v); ok && k > 31 {
		return x, errors.New("readback: WGSL has no shift by a constant above 31")
	}
	y.v = w.op(word.And, y.v, w.Const(31))
	return w.shifted(op, x, y)
}

func (w wgslMeaning) convert(x Value, _ Type) (Value, error) {
	return x, errors.New("readback: WGSL has no such conversion")
}

func (w wgslMeaning) assign(x Value, to Type) (Value, error) { return w.typed(x, to) }

func (w wgslMeaning) call(name string, args []Value) (Value, bool, error) {
	arity := map[string]int{"vec2<u32>": 2, "bitcast<u32>": 1, "bitcast<i32>": 1, "i32": 1, "select": 3, "min": 2, "max": 2}[name]
	switch {
	case arity == 0:
		return Value{}, false, nil
	case arity != len(args):
		return Value{}, true, fmt.Errorf("readback: %s of %d values", name, len(args))
	}
	x, err := w.builtin(name, args)
	return x, true, err
}

func (w wgslMeaning) builtin(name string, args []Value) (Value, error) {
	switch name {
	case "select": // the third says which: the second where it holds
		mask, err := w.condition(args[2])
		if err != nil {
			return args[2], err
		}
		z, y, err := w.typedAlike(args[0], args[1])
		return w.selected(mask, y, z), err
	case "min", "max":
		return w.extreme(name, args)
	case "vec2<u32>":
		low, err := w.typed(args[0], U32)
		if err != nil {
			return low, err
		}
		high, err := w.typed(args[1], U32)
		return Value{typ: Pair, v: low.v, high: high.v}, err
	}
	x, to := args[0], U32
	if name != "bitcast<u32>" {
		to = I32
	}
	switch {
	case name == "i32":
		return w.typed(x, I32) // of a constant
	case x.typ != U32 && x.typ != I32:
		return x, fmt.Errorf("readback: %s of such a value", name)
	}
	x.typ = to
	return x, nil
}

func (w wgslMeaning) member(x Value, name string) (Value, error) {
	switch {
	case x.typ == Pair && name == "x":
		return Value{typ: U32, v: x.v}, nil
	case x.typ == Pair && name == "y":
		return Value{typ: U32, v: x.high}, nil
	}
	return x, fmt.Errorf("readback: .%s of such a value", name)
}
