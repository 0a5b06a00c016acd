package inline

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// piece is a part of the text: a string literal, or something that is not known.
type piece struct {
	word
	hole bool
}

// reader reads one asm statement.
type reader struct {
	*stream
	keyword  word // asm
	asm      Asm
	pieces   []piece
	strange  []word // what is not known
	lists    maker  // names, constraints and clobbers
	extended bool   // there are colons, so that % is special
}

// statement reads the statement that the current token, asm, begins, up to its closing
// parenthesis. It returns false where asm is something else, or does not end: in a file that is no C.
func (s *stream) statement() bool {
	r := reader{stream: s, keyword: s.current}
	if !r.read() {
		return false
	}
	s.add(&r)
	return true
}

func (r *reader) read() bool {
	for r.next(); r.current.kind == identifier; r.next() {
		switch r.current.text {
		case "volatile", "__volatile__", "__volatile":
			r.asm.Volatile = true
		case "inline", "__inline__", "__inline", "goto":
		default:
			if !r.opens() {
				return false
			}
			// A macro of another file, for volatile or nothing.
		}
	}
	if !r.is("(") {
		return false
	}
	r.next()
	if !r.literals() {
		return false
	}
	for section := 0; r.is(":") || r.is("::"); section++ {
		r.extended = true
		if r.is("::") {
			section++
		}
		r.next()
		switch section {
		case 0:
			r.asm.Outputs = r.operands()
		case 1:
			r.asm.Inputs = r.operands()
		default:
			r.rest()
		}
	}
	if !r.is(")") {
		return false
	}
	r.asm.Span = between(&r.keyword, &r.current)
	return true
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

// between returns the span of the source from one token to another, or that of the first.
func between(from, to *word) source.Span {
	s := from.place()
	if end := to.place().End; end > s.End {
		s.End = end
	}
	return s
}

// literals reads the text: string literals, and whatever else as holes.
func (r *reader) literals() bool {
	for {
		switch {
		case r.current.kind == stringLiteral:
			r.pieces = append(r.pieces, piece{r.current, false})
			r.next()
		case r.is(")") || r.is(":"):
			return true
		case r.is("::") && !r.qualifies():
			return true
		default:
			start := r.current
			if !r.unknown() {
				return false
			}
			if n := len(r.pieces); n == 0 || !r.pieces[n-1].hole {
				r.pieces = append(r.pieces, piece{start, true})
			}
		}
	}
}

// qualifies reports whether the :: here is part of a C++ name, not two colons:
// an identifier stands directly on both sides.
func (r *reader) qualifies() bool {
	at, text := r.current.at, r.stream.text
	return at > 0 && isIdentifier(text[at-1]) && at+2 < len(text) && isIdentifier(text[at+2])
}

// unknown passes over something that only the preprocessor or the compiler could
// resolve: a name, the group in parentheses after it, an #include.
func (r *reader) unknown() bool {
	switch {
	case r.ended() || r.is(";") || r.is("{") || r.is("}"):
		return false
	case r.is("("):
		if n := len(r.strange); n == 0 || r.strange[n-1].kind != identifier {
			r.strange = append(r.strange, r.current)
		}
		_, ok := r.group()
		return ok
	}
	if r.current.kind != mark || len(r.strange) == 0 {
		r.strange = append(r.strange, r.current)
	}
	r.next()
	return true
}

// group passes over a group in parentheses or brackets, whose macros are left alone, and
// returns its last token.
func (r *reader) group() (end word, ok bool) {
	r.plain++
	depth := 0
	for {
		switch {
		case r.ended():
			r.plain--
			return end, false
		case r.is("(") || r.is("[") || r.is("{"):
			depth++
		case r.is(")") || r.is("]") || r.is("}"):
			depth--
		}
		end = r.current
		if depth == 0 {
			r.plain--
			r.next()
			return end, true
		}
		r.next()
	}
}

// operands reads a list of operands.
func (r *reader) operands() []Operand {
	var list []Operand
	for !r.ends() {
		if o, ok := r.operand(); ok {
			list = append(list, o)
		} else {
			r.asm.MoreOperands = true
		}
		if !r.is(",") {
			break // the list ends, or it is none
		}
		r.next()
	}
	return list
}

// ends reports whether a list of operands ends here.
func (r *reader) ends() bool {
	return r.is(":") || r.is("::") || r.is(")") || r.ended()
}

// operand reads [name] "constraint" (expression); false if it is something that
// a macro makes which is not known.
func (r *reader) operand() (o Operand, ok bool) {
	start := r.current
	o.Listed.Start = source.Pos(len(r.lists.text))
	if r.is("[") {
		r.lists.word(&r.current, nil)
		r.next()
		if r.current.kind == identifier {
			o.Name = r.current.text
		}
		for !r.is("]") && !r.ends() {
			r.lists.word(&r.current, nil)
			r.next()
		}
		if r.is("]") {
			r.lists.word(&r.current, nil)
			r.next()
		}
	}
	known := true
	for !r.is("(") && !r.is(",") && !r.ends() {
		if r.current.kind == stringLiteral {
			var t template
			t.literal(&r.current)
			o.Constraint += string(t.text)
			r.lists.word(&r.current, nil)
			r.next()
		} else {
			known = false
			if !r.unknown() {
				return o, false
			}
		}
	}
	if !known {
		o.Constraint = ""
		r.asm.MoreOperands = true // a macro may make several of NAME(x)
	}
	if !r.is("(") {
		return o, false
	}
	open := r.current
	end, ok := r.group()
	if !ok {
		return o, false
	}
	o.Expr = between(&open, &end)
	if open.via == nil && end.via == nil && open.at < end.at {
		o.Expr = span(open.at+1, end.at)
	}
	o.Span = between(&start, &end)
	o.Listed.End = source.Pos(len(r.lists.text))
	return o, true
}

// rest reads the clobbers, and the labels of asm goto.
func (r *reader) rest() {
	for !r.ends() {
		if r.current.kind == stringLiteral {
			from := len(r.lists.text)
			r.lists.word(&r.current, nil)
			r.asm.Clobbers = append(r.asm.Clobbers, Clobber{strings.Trim(r.current.text, `"`), span(from, len(r.lists.text))})
		}
		r.next()
	}
}
