package readback

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// literal reads a number with its suffix, which says its type.
func (r *run) literal(text string) (Value, error) {
	digits := strings.TrimRight(text, "uli")
	suffix := text[len(digits):]
	to, ok := r.file.suffixes[suffix]
	if !ok && suffix != "" {
		return Value{}, fmt.Errorf("readback: %s has an unknown suffix", text)
	}
	if suffix == "" {
		return r.meaning.number(digits)
	}
	return r.literalOf(digits, to)
}

// literalOf reads a number of a type: it must be one of it, but for hexadecimal ones of signed types, which C reads
// as unsigned where they are large.
func (r *run) literalOf(digits string, to Type) (Value, error) {
	x, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return Value{}, fmt.Errorf("readback: %s is no number", digits)
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1] != 'x' {
		return Value{}, fmt.Errorf("readback: %s is octal", digits)
	}
	limit := uint64(1)<<63 - 1
	switch to {
	case U32:
		limit = 1<<32 - 1
	case I32:
		limit = 1<<31 - 1
	case U64:
		limit = 1<<64 - 1
	case I64:
		if x > limit && strings.HasPrefix(digits, "0x") { // C: the first of long long and unsigned long long that holds it
			to, limit = U64, 1<<64-1
		}
	}
	if x > limit {
		return Value{}, fmt.Errorf("readback: %s is too large for its type", digits)
	}
	return r.constantOf(int64(x), to), nil
}

// literalIn reads the number in INT64_C or its like. A sign may stand before it.
func (r *run) literalIn(x *node, to Type) (Value, error) {
	if len(x.args) == 1 {
		of := x.args[0]
		negative := of.kind == unary && of.text == "-" && to == I64
		if negative {
			of = of.args[0]
		}
		if of.kind == number {
			v, err := r.literalOf(of.text, to)
			if err == nil && negative {
				return r.meaning.unary("-", v)
			}
			return v, err
		}
	}
	return Value{}, fmt.Errorf("readback: %s of something else than a number", x.text)
}

// constantOf returns a constant of a type, which it must fit.
func (r *run) constantOf(x int64, to Type) Value {
	switch {
	case to.wide():
		return Value{typ: to, v: r.wideConst(uint64(x))}
	case to == untyped:
		return Value{typ: untyped, number: x}
	}
	return Value{typ: to, v: r.Const(uint32(x))}
}

// typed gives an untyped constant a type; others must have it already.
func (r *run) typed(x Value, to Type) (Value, error) {
	switch {
	case x.typ == to:
		return x, nil
	case x.typ != untyped:
		return x, fmt.Errorf("readback: a value of the wrong type")
	}
	low, high := int64(0), int64(1)<<32-1
	switch to {
	case I32:
		low, high = -1<<31, 1<<31-1
	case I64:
		low, high = -1<<63, 1<<63-1
	case U64:
		high = 1<<63 - 1
	case Bool, Pair:
		return x, fmt.Errorf("readback: a number of the wrong type")
	}
	if x.number < low || x.number > high {
		return x, fmt.Errorf("readback: %d is too large or too small for its type", x.number)
	}
	return r.constantOf(x.number, to), nil
}

// truth returns a mask as a Bool.
func truth(mask word.Value) Value { return Value{typ: Bool, v: mask} }

// compare returns the mask of a comparison of two values of one type of integers.
func (r *run) compare(op string, x, y Value) word.Value {
	switch op {
	case "!=":
		return r.op(word.Not, r.compare("==", x, y))
	case ">":
		return r.compare("<", y, x)
	case "<=":
		return r.op(word.Not, r.compare("<", y, x))
	case ">=":
		return r.op(word.Not, r.compare("<", x, y))
	}
	wide, signed := x.typ.wide(), x.typ.signed()
	switch {
	case op == "==" && wide:
		return r.op(word.And, r.op(word.CmpEq, r.op(word.Lo, x.v), r.op(word.Lo, y.v)), r.op(word.CmpEq, r.high(x.v), r.high(y.v)))
	case op == "==":
		return r.op(word.CmpEq, x.v, y.v)
	case wide:
		return r.less(x.v, y.v, signed)
	case signed:
		return r.op(word.CmpLtS, x.v, y.v)
	}
	return r.op(word.CmpLtU, x.v, y.v)
}

// isComparison reports whether an operator compares.
func isComparison(op string) bool {
	switch op {
	case "==", "!=", "<", ">", "<=", ">=":
		return true
	}
	return false
}

// bitwise are the operators on the bits of words.
var bitwise = map[string]word.Op{"&": word.And, "|": word.Or, "^": word.Xor, "&^": word.AndNot}

// product returns the product of two wide values modulo 2^64, of which there is only that of words: both must be extended ones.
func (r *run) product(x, y word.Value, signed bool) (word.Value, error) {
	extended, multiply := word.WideU, word.MulWideU
	if signed {
		extended, multiply = word.WideS, word.MulWideS
	}
	var words [2]word.Value
	for n, v := range []word.Value{x, y} {
		i := &r.Program.Insts[v]
		c, constant := r.constant(v)
		switch {
		case i.Op == extended:
			words[n] = i.Arg[0]
		case constant && (signed && int64(c) == int64(int32(c)) || !signed && c == uint64(uint32(c))):
			words[n] = r.Const(uint32(c))
		default:
			return 0, fmt.Errorf("readback: a product of 64 bits whose factors are no words")
		}
	}
	return r.op(multiply, words[0], words[1]), nil
}

// sumOrProduct is + - * of two values of one type, modulo 2^32 or 2^64.
func (r *run) sumOrProduct(op string, x, y Value) (Value, error) {
	wide := x.typ.wide()
	switch {
	case op == "*" && wide:
		v, err := r.product(x.v, y.v, x.typ.signed())
		return Value{typ: x.typ, v: v}, err
	case op == "*":
		return Value{typ: x.typ, v: r.op(word.Mul, x.v, y.v)}, nil
	case op == "+" && wide:
		return Value{typ: x.typ, v: r.op(word.AddWide, x.v, y.v)}, nil
	case op == "-" && wide:
		return Value{typ: x.typ, v: r.op(word.SubWide, x.v, y.v)}, nil
	case op == "+":
		return Value{typ: x.typ, v: r.op(word.Add, x.v, y.v)}, nil
	case op == "-":
		return Value{typ: x.typ, v: r.op(word.Sub, x.v, y.v)}, nil
	}
	return x, fmt.Errorf("readback: the operator %s is not known", op)
}

// shifted is x shifted by a word, or by a wide value, as the operations of word programs shift: zeros, or signs, are left by 32 and more.
func (r *run) shifted(op string, x Value, places Value) (Value, error) {
	if !x.typ.wide() {
		n := places.v
		if places.typ.wide() {
			k, ok := r.constant(n)
			if !ok {
				return x, fmt.Errorf("readback: a word is shifted by a wide value")
			}
			n = r.Const(uint32(min(k, 32)))
		}
		shift := word.Shl
		switch {
		case op == ">>" && x.typ.signed():
			shift = word.ShrS
		case op == ">>":
			shift = word.ShrU
		}
		return Value{typ: x.typ, v: r.op(shift, x.v, n)}, nil
	}
	n := places.v
	if !places.typ.wide() {
		n = r.op(word.WideU, n)
	}
	if op == "<<" {
		return Value{typ: x.typ, v: r.op(word.ShlWide, x.v, n)}, nil
	}
	k, ok := r.constant(n)
	if !ok || k > 63 {
		return x, fmt.Errorf("readback: a wide value is shifted right by no constant")
	}
	shift := word.ShrWideU
	if x.typ.signed() {
		shift = word.ShrWideS
	}
	return Value{typ: x.typ, v: r.Apply(shift, k, x.v)}, nil
}

// numberConstant reads digits as an untyped constant.
func (r *run) numberConstant(digits string) (Value, error) {
	x, err := strconv.ParseInt(digits, 0, 64)
	if err != nil {
		// 0x8000000000000000 and above are of type uint64 at once: only a conversion may stand around them
		u, err := strconv.ParseUint(digits, 0, 64)
		if err != nil {
			return Value{}, fmt.Errorf("readback: %s is no number", digits)
		}
		return Value{typ: U64, v: r.wideConst(u), big: true}, nil
	}
	return Value{typ: untyped, number: x}, nil
}
