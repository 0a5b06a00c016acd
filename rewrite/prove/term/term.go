package term

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Term is an SMT-LIB term: a bit vector of the given width, or a Boolean if the width is 0.
//
// It is one of three things: a function applied to arguments, a name (an operand, which has no
// arguments, or a definition, whose only argument is what it stands for), or a number.
type Term struct {
	Width    int
	Function string
	Indices  []int // of functions such as (_ extract 7 0)
	Args     []*Term
	Name     string
	Number   *big.Int
}

// operands are the operands of an instruction.
var operands = [3]*Term{Free("a"), Free("b"), Free("c")}

// Operand is an operand of an instruction: 0 is a.
func Operand(n int) *Term { return operands[n] }

// IsOperand reports which operand a term is, if it is one.
func (t *Term) IsOperand() (n int, ok bool) {
	n = slices.Index(operands[:], t)
	return n, n >= 0
}

// Free is a word of which nothing is known but its name.
func Free(name string) *Term { return &Term{Width: 32, Name: name} }

// Named is a term under a name, which stands for it.
func Named(name string, t *Term) *Term { return &Term{Width: t.Width, Name: name, Args: []*Term{t}} }

// String writes the term as SMT-LIB 2.6 does.
func (t *Term) String() string {
	var s strings.Builder
	t.write(&s)
	return s.String()
}

func (t *Term) write(s *strings.Builder) {
	switch {
	case t.Name != "":
		s.WriteString(t.Name)
		return
	case t.Number != nil && t.Width%4 == 0:
		fmt.Fprintf(s, "#x%0*x", t.Width/4, t.Number)
		return
	case t.Number != nil:
		fmt.Fprintf(s, "#b%0*b", t.Width, t.Number)
		return
	}
	s.WriteByte('(')
	if t.Indices == nil {
		s.WriteString(t.Function)
	} else {
		fmt.Fprintf(s, "(_ %s %s)", t.Function, strings.Trim(fmt.Sprint(t.Indices), "[]"))
	}
	for _, arg := range t.Args {
		s.WriteByte(' ')
		arg.write(s)
	}
	s.WriteByte(')')
}

// Number returns a constant of the given width; negative ones wrap.
func Number(x int64, width int) *Term {
	return &Term{Width: width, Number: wrap(big.NewInt(x), width)}
}

// Unsigned returns a constant of 64 bits.
func Unsigned(x uint64) *Term {
	return &Term{Width: 64, Number: new(big.Int).SetUint64(x)}
}

// Word returns a 32-bit constant.
func Word(x uint32) *Term { return Number(int64(x), 32) }

// Apply applies a function to terms; the result has the given width.
func Apply(width int, function string, args ...*Term) *Term {
	return &Term{Width: width, Function: function, Args: args}
}

// Same applies a function whose result and arguments are all equally wide.
func Same(function string, args ...*Term) *Term {
	sameWidth(function, args...)
	return Apply(args[0].Width, function, args...)
}

// Relation applies a function that compares bit vectors.
func Relation(function string, x, y *Term) *Term {
	sameWidth(function, x, y)
	return Apply(0, function, x, y)
}

// sameWidth panics if terms differ in width: no solver would read the query.
func sameWidth(function string, args ...*Term) {
	for _, arg := range args[1:] {
		if arg.Width != args[0].Width {
			panic(fmt.Sprintf("term: %s of %d and %d bits", function, args[0].Width, arg.Width))
		}
	}
}

// Add is the sum of two bit vectors, which wraps.
func Add(x, y *Term) *Term { return Same("bvadd", x, y) }

// Sub is the difference of two bit vectors, which wraps.
func Sub(x, y *Term) *Term { return Same("bvsub", x, y) }

// And is the conjunction bit by bit.
func And(x, y *Term) *Term { return Same("bvand", x, y) }

// Or is the disjunction bit by bit.
func Or(x, y *Term) *Term { return Same("bvor", x, y) }

// Not is the complement of each bit.
func Not(x *Term) *Term { return Same("bvnot", x) }

// AtMost compares signed numbers: x <= y.
func AtMost(x, y *Term) *Term { return Relation("bvsle", x, y) }

// LessThan compares signed numbers: x < y.
func LessThan(x, y *Term) *Term { return Relation("bvslt", x, y) }

// Below compares unsigned numbers: x < y.
func Below(x, y *Term) *Term { return Relation("bvult", x, y) }

// Equal says that two terms have one value.
func Equal(x, y *Term) *Term { return Relation("=", x, y) }

// Differ says that they have not.
func Differ(x, y *Term) *Term { return Relation("distinct", x, y) }

// Choose is one of two terms, as a condition says.
func Choose(condition, yes, no *Term) *Term {
	sameWidth("ite", yes, no)
	return Apply(yes.Width, "ite", condition, yes, no)
}

// Smaller is the smaller of two signed numbers.
func Smaller(x, y *Term) *Term { return Choose(LessThan(x, y), x, y) }

// Larger is the larger of two signed numbers.
func Larger(x, y *Term) *Term { return Choose(LessThan(x, y), y, x) }

// Magnitude is a signed number without its sign, where it has room for that.
func Magnitude(x *Term) *Term {
	zero := Number(0, x.Width)
	return Choose(LessThan(x, zero), Sub(zero, x), x)
}

// Slice returns width bits of x from bit low on.
func Slice(x *Term, low, width int) *Term {
	if low == 0 && width == x.Width {
		return x
	}
	return &Term{Width: width, Function: "extract", Indices: []int{low + width - 1, low}, Args: []*Term{x}}
}

// Extend widens x to width bits, with its sign or with zeros.
func Extend(x *Term, signed bool, width int) *Term {
	if width == x.Width {
		return x
	}
	how := "zero_extend"
	if signed {
		how = "sign_extend"
	}
	return &Term{Width: width, Function: how, Indices: []int{width - x.Width}, Args: []*Term{x}}
}

// Repeat returns n copies of x side by side.
func Repeat(x *Term, n int) *Term {
	return &Term{Width: n * x.Width, Function: "repeat", Indices: []int{n}, Args: []*Term{x}}
}

// Join puts parts side by side, the lowest first.
func Join(parts ...*Term) *Term {
	all := parts[0]
	for _, part := range parts[1:] {
		all = Apply(all.Width+part.Width, "concat", part, all)
	}
	return all
}

// Big is [Number] for constants beyond 64 bits.
func Big(x *big.Int, width int) *Term { return &Term{Width: width, Number: wrap(x, width)} }

// Both is the conjunction of two Booleans.
func Both(x, y *Term) *Term { return Apply(0, "and", x, y) }

// Either is the disjunction of two Booleans.
func Either(x, y *Term) *Term { return Apply(0, "or", x, y) }
