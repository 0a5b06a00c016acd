package readback

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/rewrite/word"
)

// run makes the values of a function's body.
type run struct {
	*Builder
	file      *File
	meaning   meaning
	variables map[string]Value
	declared  map[string]Type // variables of C without a value yet
	told      map[string]Value
	result    Type
	path      path // the conditions under which this is evaluated
	depth     int
}

// maxDepth is how deep calls may nest: what is printed never calls itself.
const maxDepth = 8

// Call returns the result of a function of a file. Parameters that are pointers get no argument; what is told
// through them is told by their names.
func (f *File) Call(b *Builder, name string, args ...Value) (x Value, told map[string]Value, err error) {
	r := &run{Builder: b, file: f}
	return r.function(name, args)
}

// Body is the statements of a function.
type Body struct {
	file       *File
	statements []statement
}

// Body reads the statements of a function's body. They may call functions of the file.
func (f *File) Body(lines string) (*Body, error) {
	p, err := newParser(f.dialect, "{\n"+lines+"}\n")
	if err != nil {
		return nil, err
	}
	body := &Body{f, p.block()}
	return body, p.err
}

// Result returns what a body returns whose parameters are named. The result is of a type; U64 is
// a Pair where there are no integers of 64 bits.
func (body *Body) Result(b *Builder, parameters map[string]Value, to Type) (Value, error) {
	f := body.file
	if to == U64 && f.types["vec2<u32>"] == Pair {
		to = Pair
	}
	r := &run{Builder: b, file: f}
	return r.body(body.statements, parameters, to)
}

// function calls a function.
func (r *run) function(name string, args []Value) (x Value, told map[string]Value, err error) {
	fn, err := r.file.function(name)
	if err != nil {
		return x, nil, err
	}
	if r.depth > maxDepth {
		return x, nil, fmt.Errorf("readback: %s calls too deep", name)
	}
	inner := &run{Builder: r.Builder, file: r.file, path: r.path, depth: r.depth + 1}
	inner.meaning = r.file.mean(inner)
	parameters := map[string]Value{}
	inner.told = map[string]Value{}
	n := 0
	for _, p := range fn.parameters {
		if p.pointer {
			inner.told[p.name] = Value{}
			continue
		}
		if n == len(args) {
			return x, nil, fmt.Errorf("readback: too few arguments for %s", name)
		}
		if parameters[p.name], err = inner.meaning.assign(args[n], p.typ); err != nil {
			return x, nil, fmt.Errorf("%w, argument %s of %s", err, p.name, name)
		}
		n++
	}
	if n != len(args) {
		return x, nil, fmt.Errorf("readback: too many arguments for %s", name)
	}
	if op, proven := r.file.proven[name]; proven {
		var words []word.Value
		for _, p := range fn.parameters {
			words = append(words, parameters[p.name].v)
		}
		v := r.op(op, words...)
		if fn.result == Pair {
			return Value{typ: Pair, v: r.op(word.Lo, v), high: r.high(v)}, nil, nil
		}
		return Value{typ: fn.result, v: v}, nil, nil
	}
	if x, err = inner.body(fn.body, parameters, fn.result); err != nil {
		err = fmt.Errorf("%w, in %s", err, name)
	}
	return x, inner.told, err
}

// body runs statements up to the one that returns.
func (r *run) body(body []statement, parameters map[string]Value, to Type) (x Value, err error) {
	r.meaning = r.file.mean(r)
	r.variables, r.declared, r.result = parameters, map[string]Type{}, to
	for n := range body {
		s := &body[n]
		if s.kind == conditional && len(s.body) == 1 && s.body[0].kind == result { // if x { return y }; return z
			if n+2 != len(body) || body[n+1].kind != result {
				return x, errors.New("readback: what follows an if that returns is no return")
			}
			return r.either(s.x, s.body[0].x, body[n+1].x)
		}
		if s.kind == result {
			if n != len(body)-1 {
				return x, errors.New("readback: something follows a return")
			}
			if x, err = r.value(s.x); err != nil {
				return x, err
			}
			return r.meaning.assign(x, to)
		}
		if err := r.statement(s); err != nil {
			return x, err
		}
	}
	return x, errors.New("readback: nothing is returned")
}

// either is the result of a function: y if x holds, else z.
func (r *run) either(x, y, z *node) (Value, error) {
	condition, err := r.value(x)
	if err != nil {
		return condition, err
	}
	mask, err := r.meaning.condition(condition)
	if err != nil {
		return condition, err
	}
	var values [2]Value
	for n, of := range []*node{y, z} {
		if values[n], err = r.value(of); err == nil {
			values[n], err = r.meaning.assign(values[n], r.result)
		}
		if err != nil {
			return values[n], err
		}
	}
	return r.selected(mask, values[0], values[1]), nil
}

// statement runs a statement that returns nothing.
func (r *run) statement(s *statement) error {
	switch s.kind {
	case declaration:
		if _, there := r.variables[s.name]; there {
			return fmt.Errorf("readback: %s is declared twice", s.name)
		}
		if s.x == nil {
			r.declared[s.name] = s.typ
			return nil
		}
		x, err := r.value(s.x)
		if err == nil && s.typ != noType {
			x, err = r.meaning.assign(x, s.typ)
		}
		if err == nil && x.typ == untyped {
			err = fmt.Errorf("readback: %s is a constant without a type", s.name)
		}
		r.variables[s.name] = x
		return err
	case telling:
		if _, ok := r.told[s.name]; !ok {
			return fmt.Errorf("readback: %s is no pointer", s.name)
		}
		x, err := r.value(s.x)
		r.told[s.name] = x
		return err
	case conditional:
		return r.conditional(s)
	case instruction:
		return r.assembly(s.asm)
	}
	return fmt.Errorf("readback: %s is assigned to", s.name)
}

// conditional runs an if whose body assigns to a variable.
func (r *run) conditional(s *statement) error {
	x, err := r.value(s.x)
	if err != nil {
		return err
	}
	mask, err := r.meaning.condition(x)
	if err != nil {
		return err
	}
	if len(s.body) != 1 || s.body[0].kind != assignment {
		return errors.New("readback: an if holds more than one assignment")
	}
	set := &s.body[0]
	before, ok := r.variables[set.name]
	if !ok {
		return fmt.Errorf("readback: there is no variable %s", set.name)
	}
	y, err := r.value(set.x)
	if err != nil {
		return err
	}
	if y, err = r.meaning.assign(y, before.typ); err != nil {
		return err
	}
	r.variables[set.name] = r.selected(mask, y, before)
	return nil
}

// selected is y where a mask holds, else z, both of one type.
func (r *run) selected(mask word.Value, y, z Value) Value {
	x := Value{typ: y.typ}
	switch {
	case y.typ.wide():
		x.v = r.choose(mask, y.v, z.v)
	case y.typ == Pair:
		x.v, x.high = r.op(word.Select, mask, y.v, z.v), r.op(word.Select, mask, y.high, z.high)
	default:
		x.v = r.op(word.Select, mask, y.v, z.v)
	}
	return x
}

// value returns the value of an expression.
func (r *run) value(x *node) (Value, error) {
	switch x.kind {
	case number:
		return r.literal(x.text)
	case name:
		if v, ok := r.variables[x.text]; ok {
			return v, nil
		}
		switch x.text {
		case "true":
			return Value{typ: Bool, v: r.Const(0xffffffff)}, nil
		case "false":
			return Value{typ: Bool, v: r.Const(0)}, nil
		}
		return Value{}, fmt.Errorf("readback: there is no variable %s", x.text)
	case ternary:
		return r.ternary(x)
	case call:
		return r.call(x)
	}
	args, err := r.values(x.args)
	if err != nil {
		return Value{}, err
	}
	switch x.kind {
	case unary:
		return r.meaning.unary(x.text, args[0])
	case binary:
		return r.meaning.binary(x.text, args[0], args[1])
	case conversion:
		return r.meaning.convert(args[0], x.to)
	}
	return r.meaning.member(args[0], x.text)
}

func (r *run) values(list []*node) ([]Value, error) {
	all := make([]Value, len(list))
	for n, x := range list {
		v, err := r.value(x)
		if err != nil {
			return nil, err
		}
		all[n] = v
	}
	return all, nil
}

// call is a conversion, a literal, a function of the language or one of the file.
func (r *run) call(x *node) (Value, error) {
	if to, ok := r.file.literals[x.text]; ok {
		return r.literalIn(x, to)
	}
	args, err := r.values(x.args)
	if err != nil {
		return Value{}, err
	}
	if v, ok, err := r.meaning.call(x.text, args); ok || err != nil {
		return v, err
	}
	v, told, err := r.function(x.text, args)
	if err == nil && len(told) > 0 {
		err = fmt.Errorf("readback: %s is called without its pointers", x.text)
	}
	return v, err
}

// ternary is x ? y : z of C: only one of the two is evaluated.
func (r *run) ternary(x *node) (Value, error) {
	condition, err := r.value(x.args[0])
	if err != nil {
		return condition, err
	}
	mask, err := r.meaning.condition(condition)
	if err != nil {
		return condition, err
	}
	var values [2]Value
	outer := r.path
	for n, taken := range []word.Value{mask, r.op(word.Not, mask)} {
		r.path = outer.and(taken)
		if values[n], err = r.value(x.args[1+n]); err != nil {
			return values[n], err
		}
	}
	r.path = outer
	c := cMeaning{r}
	y, z, err := c.alike(values[0], values[1])
	if err != nil {
		return y, err
	}
	return r.selected(mask, y, z), nil
}
