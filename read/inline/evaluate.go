package inline

import "strings"

// evaluator computes the expression of an #if as far as it is known (C17 6.10.1): what
// depends on names that the file does not define, or not in any case, is not.
type evaluator struct {
	f     *finder
	words []word
	i     int
	when  *context
	depth int
	steps *int // how many macros may still be looked up
	bad   bool // this is no expression
}

// whole computes all of the expression.
func (e *evaluator) whole() (value int64, known bool) {
	value, known = e.ternary()
	return value, known && !e.bad && e.i == len(e.words)
}

// deepestExpression bounds parentheses and macros in one another.
const deepestExpression = 100

func (e *evaluator) ternary() (int64, bool) {
	if e.depth++; e.depth > deepestExpression {
		e.bad = true
	}
	defer func() { e.depth-- }()
	v, known := e.binary(0)
	if !e.accept("?") || e.bad {
		return v, known
	}
	a, knownA := e.ternary()
	if !e.accept(":") {
		e.bad = true
		return 0, false
	}
	b, knownB := e.ternary()
	switch {
	case !known:
		return a, knownA && knownB && a == b
	case v != 0:
		return a, knownA
	}
	return b, knownB
}

// levels are the binary operators, those that bind least first. Of those that begin alike
// the longer comes first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (e *evaluator) binary(level int) (int64, bool) {
	if level == len(levels) {
		return e.unary()
	}
	a, known := e.binary(level + 1)
	for !e.bad {
		op := e.operator(level)
		if op == "" {
			break
		}
		b, knownB := e.binary(level + 1)
		a, known = apply(op, a, b, known, knownB)
	}
	return a, known
}

// operator passes over one of the operators of a level.
func (e *evaluator) operator(level int) string {
	for _, op := range levels[level] {
		if !e.at(op) {
			continue
		}
		if len(op) == 1 && strings.Contains("|&<>", op) && e.at(op+op) {
			continue // not | of ||
		}
		e.i += len(op)
		return op
	}
	return ""
}

// at reports whether an operator stands here, which the scanner gives in single characters.
func (e *evaluator) at(op string) bool {
	for k := range len(op) {
		if e.i+k >= len(e.words) || !e.words[e.i+k].is(op[k:k+1]) || k > 0 && e.words[e.i+k].at != e.words[e.i+k-1].at+1 {
			return false
		}
	}
	return true
}

func (e *evaluator) accept(m string) bool {
	if e.i < len(e.words) && e.words[e.i].is(m) {
		e.i++
		return true
	}
	return false
}

// apply computes a binary operator; what is not known may not matter.
func apply(op string, a, b int64, knownA, knownB bool) (int64, bool) {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case "&&":
		if knownA && a == 0 || knownB && b == 0 {
			return 0, true
		}
		return 1, knownA && knownB
	case "||":
		if knownA && a != 0 || knownB && b != 0 {
			return 1, true
		}
		return 0, knownA && knownB
	}
	if !knownA || !knownB {
		return 0, false
	}
	switch op {
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	case "&":
		return a & b, true
	case "==":
		return truth(a == b), true
	case "!=":
		return truth(a != b), true
	case "<=":
		return truth(a <= b), true
	case ">=":
		return truth(a >= b), true
	case "<":
		return truth(a < b), true
	case ">":
		return truth(a > b), true
	case "<<", ">>":
		if b < 0 || b > 62 {
			return 0, false
		}
		if op == "<<" {
			return a << b, true
		}
		return a >> b, true
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	}
	if b == 0 || b == -1 {
		return 0, false
	}
	if op == "/" {
		return a / b, true
	}
	return a % b, true
}

func (e *evaluator) unary() (int64, bool) {
	if e.depth++; e.depth > deepestExpression || e.i >= len(e.words) {
		e.bad = true
	}
	defer func() { e.depth-- }()
	if e.bad {
		return 0, false
	}
	w := &e.words[e.i]
	e.i++
	switch {
	case w.is("!"):
		v, known := e.unary()
		if v == 0 {
			return 1, known
		}
		return 0, known
	case w.is("-"):
		v, known := e.unary()
		return -v, known
	case w.is("+"):
		return e.unary()
	case w.is("~"):
		v, known := e.unary()
		return ^v, known
	case w.is("("):
		v, known := e.ternary()
		if !e.accept(")") {
			e.bad = true
		}
		return v, known
	case w.kind == other:
		return integer(w.text)
	case w.kind == identifier:
		return e.name(w)
	}
	e.bad = true
	return 0, false
}

// name computes a name: defined X, true and false, or a macro.
func (e *evaluator) name(w *word) (int64, bool) {
	switch w.text {
	case "true":
		return 1, true
	case "false":
		return 0, true
	case "defined":
		open := e.accept("(")
		if e.i >= len(e.words) || e.words[e.i].kind != identifier {
			e.bad = true
			return 0, false
		}
		m, certain := e.f.certain(e.words[e.i].text, e.when)
		e.i++
		if open && !e.accept(")") {
			e.bad = true
		}
		if m != nil {
			return 1, certain
		}
		return 0, certain
	}
	if e.i < len(e.words) && e.words[e.i].is("(") { // a macro with arguments, or __has_include
		end := closing(e.words, e.i)
		if end == 0 {
			e.bad = true
		}
		e.i = end + 1
		return 0, false
	}
	m, certain := e.f.certain(w.text, e.when)
	switch {
	case !certain:
		return 0, false
	case m == nil:
		return 0, true
	case m.function:
		return 0, false
	}
	body := m.words(e.f.text)
	inner := evaluator{f: e.f, words: body, when: e.when, depth: e.depth + 1, steps: e.steps}
	if *e.steps--; *e.steps < 0 || inner.depth > deepestExpression || len(body) != 1 && len(unparenthesized(body)) == len(body) || len(body) > 100 {
		return 0, false
	}
	return inner.whole()
}

// certain returns the definition of a name that is live wherever a context holds, nil
// if there it is not defined; certain is false if the file does not tell.
func (f *finder) certain(name string, when *context) (m *macro, certain bool) {
	events := f.macros[name]
	if len(events) == 0 {
		return nil, false
	}
	last := events[len(events)-1]
	return last.macro, f.holds(f.assume(nil, when), last.when) == yes
}
