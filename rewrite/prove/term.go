package prove

import (
	"fmt"
	"math/big"
	"strings"
)

// term is an SMT-LIB term: a bit vector of the given width, or a Boolean if width is 0. It
// is printed for solvers and, in tests, evaluated here (evaluate.go).
//
// It is one of three things: a function applied to arguments, a name (an operand, which has no
// arguments, or a definition, whose only argument is what it stands for), or a number.
type term struct {
	width    int
	function string
	indices  []int // of functions such as (_ extract 7 0)
	args     []*term
	name     string
	number   *big.Int
}

// String writes the term as SMT-LIB 2.6 does.
func (t *term) String() string {
	var s strings.Builder
	t.write(&s)
	return s.String()
}

func (t *term) write(s *strings.Builder) {
	switch {
	case t.name != "":
		s.WriteString(t.name)
		return
	case t.number != nil && t.width%4 == 0:
		fmt.Fprintf(s, "#x%0*x", t.width/4, t.number)
		return
	case t.number != nil:
		fmt.Fprintf(s, "#b%0*b", t.width, t.number)
		return
	}
	s.WriteByte('(')
	if t.indices == nil {
		s.WriteString(t.function)
	} else {
		fmt.Fprintf(s, "(_ %s %s)", t.function, strings.Trim(fmt.Sprint(t.indices), "[]"))
	}
	for _, arg := range t.args {
		s.WriteByte(' ')
		arg.write(s)
	}
	s.WriteByte(')')
}

// number returns a constant of the given width; negative ones wrap.
func number(x int64, width int) *term {
	return &term{width: width, number: wrap(big.NewInt(x), width)}
}

// unsigned returns a constant of 64 bits.
func unsigned(x uint64) *term {
	return &term{width: 64, number: new(big.Int).SetUint64(x)}
}

// word returns a 32-bit constant.
func word32(x uint32) *term { return number(int64(x), 32) }

// apply applies a function to terms; the result has the given width.
func apply(width int, function string, args ...*term) *term {
	return &term{width: width, function: function, args: args}
}

// same applies a function whose result and arguments are all equally wide.
func same(function string, args ...*term) *term {
	sameWidth(function, args...)
	return apply(args[0].width, function, args...)
}

// relation applies a function that compares bit vectors.
func relation(function string, x, y *term) *term {
	sameWidth(function, x, y)
	return apply(0, function, x, y)
}

// sameWidth panics if terms differ in width: no solver would read the query.
func sameWidth(function string, args ...*term) {
	for _, arg := range args[1:] {
		if arg.width != args[0].width {
			panic(fmt.Sprintf("prove: %s of %d and %d bits", function, args[0].width, arg.width))
		}
	}
}

func add(x, y *term) *term      { return same("bvadd", x, y) }
func sub(x, y *term) *term      { return same("bvsub", x, y) }
func and(x, y *term) *term      { return same("bvand", x, y) }
func or(x, y *term) *term       { return same("bvor", x, y) }
func not(x *term) *term         { return same("bvnot", x) }
func atMost(x, y *term) *term   { return relation("bvsle", x, y) }
func lessThan(x, y *term) *term { return relation("bvslt", x, y) }
func below(x, y *term) *term    { return relation("bvult", x, y) }
func equal(x, y *term) *term    { return relation("=", x, y) }
func differ(x, y *term) *term   { return relation("distinct", x, y) }

func choose(condition, yes, no *term) *term {
	sameWidth("ite", yes, no)
	return apply(yes.width, "ite", condition, yes, no)
}

func smaller(x, y *term) *term { return choose(lessThan(x, y), x, y) }
func larger(x, y *term) *term  { return choose(lessThan(x, y), y, x) }

func magnitude(x *term) *term {
	zero := number(0, x.width)
	return choose(lessThan(x, zero), sub(zero, x), x)
}

// slice returns width bits of x from bit low on.
func slice(x *term, low, width int) *term {
	if low == 0 && width == x.width {
		return x
	}
	return &term{width: width, function: "extract", indices: []int{low + width - 1, low}, args: []*term{x}}
}

// extend widens x to width bits, with its sign or with zeros.
func extend(x *term, signed bool, width int) *term {
	if width == x.width {
		return x
	}
	how := "zero_extend"
	if signed {
		how = "sign_extend"
	}
	return &term{width: width, function: how, indices: []int{width - x.width}, args: []*term{x}}
}

// repeat returns n copies of x side by side.
func repeat(x *term, n int) *term {
	return &term{width: n * x.width, function: "repeat", indices: []int{n}, args: []*term{x}}
}

// join puts parts side by side, the lowest first.
func join(parts ...*term) *term {
	all := parts[0]
	for _, part := range parts[1:] {
		all = apply(all.width+part.width, "concat", part, all)
	}
	return all
}

// bigNumber is [number] for constants beyond 64 bits.
func bigNumber(x *big.Int, width int) *term { return &term{width: width, number: wrap(x, width)} }

// both is the conjunction of two Booleans.
func both(x, y *term) *term { return apply(0, "and", x, y) }

func either(x, y *term) *term { return apply(0, "or", x, y) }
