package prove

import (
	"fmt"
	"strings"
)

// term is an SMT-LIB term: a bit vector of the given width, or a Boolean if width is 0.
type term struct {
	text  string
	width int
}

// number returns a constant of the given width; negative ones wrap.
func number(x int64, width int) term {
	var s strings.Builder
	s.WriteString("#b")
	for bit := width - 1; bit >= 0; bit-- {
		s.WriteByte('0' + byte(x>>min(bit, 63)&1))
	}
	return term{s.String(), width}
}

// word returns a 32-bit constant.
func word(x uint32) term { return term{fmt.Sprintf("#x%08x", x), 32} }

// apply applies a function to terms; the result has the given width.
func apply(width int, function string, args ...term) term {
	var s strings.Builder
	s.WriteString("(" + function)
	for _, arg := range args {
		s.WriteString(" " + arg.text)
	}
	s.WriteByte(')')
	return term{s.String(), width}
}

// same applies a function whose result is as wide as its arguments.
func same(function string, args ...term) term { return apply(args[0].width, function, args...) }

func add(x, y term) term      { return same("bvadd", x, y) }
func sub(x, y term) term      { return same("bvsub", x, y) }
func and(x, y term) term      { return same("bvand", x, y) }
func or(x, y term) term       { return same("bvor", x, y) }
func not(x term) term         { return same("bvnot", x) }
func atMost(x, y term) term   { return apply(0, "bvsle", x, y) }
func lessThan(x, y term) term { return apply(0, "bvslt", x, y) }
func equal(x, y term) term    { return apply(0, "=", x, y) }

func choose(condition, yes, no term) term { return apply(yes.width, "ite", condition, yes, no) }
func smaller(x, y term) term              { return choose(lessThan(x, y), x, y) }
func larger(x, y term) term               { return choose(lessThan(x, y), y, x) }

// slice returns width bits of x from bit low on.
func slice(x term, low, width int) term {
	return apply(width, fmt.Sprintf("(_ extract %d %d)", low+width-1, low), x)
}

// extend widens x to width bits, with its sign or with zeros.
func extend(x term, signed bool, width int) term {
	if width == x.width {
		return x
	}
	how := "zero_extend"
	if signed {
		how = "sign_extend"
	}
	return apply(width, fmt.Sprintf("(_ %s %d)", how, width-x.width), x)
}

// join puts parts side by side, the lowest first.
func join(parts ...term) term {
	all := parts[0]
	for _, part := range parts[1:] {
		all = apply(all.width+part.width, "concat", part, all)
	}
	return all
}
