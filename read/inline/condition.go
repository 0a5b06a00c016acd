package inline

import (
	"strconv"
	"strings"
)

// variable is a condition of an #if that the file alone does not decide. The same
// condition is the same variable wherever it is asked, as long as no macro in it is defined anew.
type variable struct {
	kind comparison
	name string // that is compared, or the condition
	n    int64  // that it is compared with
}

// comparison is what a variable is about.
type comparison uint8

const (
	anything comparison = iota
	atLeast             // name >= n
	equals              // name == n
)

// literal is a variable or its negation.
type literal struct {
	variable int
	value    bool
}

// context is what holds where something stands: the literals of all branches of #if
// around it, innermost first. nil holds everywhere.
type context struct {
	literal
	outer *context
	depth int
}

// deepest is how many literals a context has at most. What stands deeper is taken to be
// live wherever the outer ones hold.
const deepest = 64

func (c *context) with(l literal) *context {
	depth := 1
	if c != nil {
		if depth = c.depth + 1; depth > deepest {
			return c
		}
	}
	return &context{l, c, depth}
}

// assignment says which variables are known to be true or false.
type assignment []literal

// truth is what is known of a condition.
type truth uint8

const (
	unknown truth = iota
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth { return [...]truth{unknown, yes, no}[t] }

// value returns what an assignment says of a variable, be it by what it says of others:
// who is at least 80 is at least 70.
func (f *finder) value(a assignment, v int) truth {
	for _, l := range a {
		if l.variable == v {
			return truthOf(l.value)
		}
	}
	asked := f.variables[v]
	if asked.kind == anything {
		return unknown
	}
	for _, l := range a {
		known, value := f.variables[l.variable], l.value
		if known.name != asked.name || known.kind == anything {
			continue
		}
		switch {
		case known.kind == equals && value && asked.kind == atLeast:
			return truthOf(known.n >= asked.n)
		case known.kind == equals && value:
			return no // equal to another number
		case known.kind == equals:
		case value && asked.n <= known.n && asked.kind == atLeast:
			return yes
		case value && asked.n < known.n, !value && asked.n >= known.n:
			return no
		}
	}
	return unknown
}

// holds returns what an assignment says of a context.
func (f *finder) holds(a assignment, c *context) truth {
	all := yes
	for ; c != nil; c = c.outer {
		v := f.value(a, c.variable)
		if v == unknown {
			all = unknown
		} else if (v == yes) != c.value {
			return no
		}
	}
	return all
}

// assume returns an assignment in which a context holds as well, as far as it can.
func (f *finder) assume(a assignment, c *context) assignment {
	if c == nil {
		return a
	}
	a = f.assume(a, c.outer)
	if f.value(a, c.variable) == unknown {
		a = append(a, c.literal)
	}
	return a
}

// condition is what an #if or #elif asks: known, or a literal.
type condition struct {
	truth
	literal
}

// condition reads the condition of a directive, whose name is given, up to the end of
// its line.
func (f *finder) condition(s *scanner, name string, when *context) condition {
	var words []word
	for s.next(); s.kind != directiveEnd && s.kind != endOfFile; s.next() {
		if len(words) < 1000 {
			words = append(words, word{kind: s.kind, text: s.token(), at: s.start})
		}
	}
	negated := false
	switch {
	case strings.HasSuffix(name, "ifdef"), strings.HasSuffix(name, "elifdef"):
		words = append([]word{{kind: identifier, text: "defined"}}, words[:min(1, len(words))]...)
	case strings.HasSuffix(name, "ndef"):
		words = append([]word{{kind: identifier, text: "defined"}}, words[:min(1, len(words))]...)
		negated = true
	}
	steps := 1000
	e := evaluator{f: f, words: words, when: when, steps: &steps}
	if v, known := e.whole(); known {
		return condition{truth: truthOf((v != 0) != negated)}
	}
	v, turned := f.variable(words)
	return condition{literal: literal{v, negated == turned}}
}

// variable returns the variable of a condition, and whether it is the negation of it.
func (f *finder) variable(words []word) (number int, negated bool) {
	words = unparenthesized(words)
	for len(words) > 1 && words[0].is("!") && (len(words) == 2 || words[1].text == "defined" && len(words) <= 5 || words[1].is("(") && closing(words, 1) == len(words)-1) {
		words = unparenthesized(words[1:])
		negated = !negated
	}
	if len(words) == 4 && words[0].text == "defined" && words[1].is("(") {
		words = []word{words[0], words[2]}
	}
	v, turned := comparisonOf(words)
	if v.kind == anything {
		var text strings.Builder
		for i := range words {
			text.WriteString(words[i].text)
			text.WriteByte(' ')
			f.epoch(&text, &words[i])
		}
		v.name = text.String()
	} else {
		var text strings.Builder
		text.WriteString(v.name)
		f.epoch(&text, &words[0])
		v.name = text.String()
	}
	number, ok := f.numbers[v]
	if !ok {
		number = len(f.variables)
		f.variables = append(f.variables, v)
		f.numbers[v] = number
	}
	return number, negated != turned
}

// epoch writes how many definitions of a name there have been.
func (f *finder) epoch(text *strings.Builder, w *word) {
	if n := len(f.macros[w.text]); n > 0 && w.kind == identifier {
		text.WriteString("@" + strconv.Itoa(n) + " ")
	}
}

// unparenthesized returns an expression without parentheses around all of it.
func unparenthesized(words []word) []word {
	for len(words) > 2 && words[0].is("(") && closing(words, 0) == len(words)-1 {
		words = words[1 : len(words)-1]
	}
	return words
}

// comparisonOf reads name OP number, as a variable or as the negation of one.
func comparisonOf(words []word) (v variable, negated bool) {
	if len(words) < 3 || words[0].kind != identifier || words[len(words)-1].kind != other {
		return v, false
	}
	n, ok := integer(words[len(words)-1].text)
	if !ok || n > 1<<40 {
		return v, false
	}
	var op strings.Builder
	for _, w := range words[1 : len(words)-1] {
		op.WriteString(w.text)
	}
	name := words[0].text
	switch op.String() {
	case ">=":
		return variable{atLeast, name, n}, false
	case ">":
		return variable{atLeast, name, n + 1}, false
	case "<":
		return variable{atLeast, name, n}, true
	case "<=":
		return variable{atLeast, name, n + 1}, true
	case "==":
		return variable{equals, name, n}, false
	case "!=":
		return variable{equals, name, n}, true
	}
	return v, false
}

// integer reads an integer of C.
func integer(text string) (int64, bool) {
	text = strings.ReplaceAll(strings.TrimRight(text, "uUlLzZ"), "'", "")
	n, err := strconv.ParseInt(text, 0, 64)
	return n, err == nil
}
