package inline

import (
	"strings"

	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
)

// Asm is one asm statement.
type Asm struct {
	Span     source.Span // in the C file, from asm to the closing parenthesis
	Volatile bool
	// Text is the PTX, literals joined and escapes resolved: %0 and %[x] are
	// operands, %% is %. Places in it are places in the C file (see [source.Embed]).
	Text *source.File
	// File is the tree of Text; nil if this is not PTX but the assembly of
	// another machine, or no statement.
	File *syntax.File
	// Holes is the number of pieces of the text that are not known, as they come
	// from macros or from "C" operands. Nothing that they declare is known either.
	Holes           int
	Outputs, Inputs []Operand
	// MoreOperands says that macros stand in the lists of operands, so that
	// there may be more of them and their numbers are not known.
	MoreOperands bool
}

// Operand is an output or input of an asm statement.
type Operand struct {
	Name       string      // x of [x] "r"(y), or ""
	Constraint string      // "=r"; "" if it comes from a macro
	Expr       source.Span // the C expression, without its parentheses
	Span       source.Span // all of it
}

// Find returns the asm statements of a C, C++ or CUDA source in order, and what is
// wrong with the syntax of their PTX. It has nothing to say about the C.
func Find(src *source.File) ([]Asm, diag.List) {
	var found []Asm
	var errs diag.List
	s := newScanner(src.Text)
	for s.next(); s.kind != endOfFile; {
		if s.kind != identifier || !isAsm(s.token()) {
			s.next()
			continue
		}
		r := reader{scanner: s}
		if !r.statement() {
			continue
		}
		found = append(found, r.asm)
		a := &found[len(found)-1]
		t := template{source: src.Text, percent: r.extended, operands: append(append([]Operand(nil), a.Outputs...), a.Inputs...)}
		for _, p := range r.pieces {
			if p.hole {
				t.hole(p.start, p.end)
			} else {
				t.literal(p.start, p.end)
			}
		}
		a.Holes = t.holes
		a.Text = source.Embed(src, string(t.text), t.segments)
		if isPTX(a, r.clobbers) {
			var list diag.List
			a.File, list = syntax.ParseAsm(a.Text)
			errs = append(errs, list...)
		}
	}
	return found, errs
}

func isAsm(word string) bool { return word == "asm" || word == "__asm__" || word == "__asm" }

// piece is a part of the text: a string literal, or something that is not known.
type piece struct {
	start, end int
	hole       bool
}

// reader reads one asm statement.
type reader struct {
	*scanner
	asm      Asm
	pieces   []piece
	clobbers []string
	extended bool // there are colons, so that % is special
}

// statement reads a statement. It returns false where asm is something else, or
// does not end: in a macro, or in a file that is no C.
func (r *reader) statement() bool {
	start := r.start
	for r.next(); r.kind == identifier; r.next() {
		switch r.token() {
		case "volatile", "__volatile__", "__volatile":
			r.asm.Volatile = true
		case "inline", "__inline__", "__inline", "goto":
		default:
			return false
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
	r.asm.Span = span(start, r.end)
	r.next()
	return true
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

// literals reads the text: string literals, and whatever else as holes.
func (r *reader) literals() bool {
	for {
		switch {
		case r.kind == stringLiteral:
			r.pieces = append(r.pieces, piece{r.start, r.end, false})
			r.next()
		case r.is(")") || r.is(":"):
			return true
		case r.is("::") && !r.qualifies():
			return true
		default:
			start := r.start
			end, ok := r.unknown()
			if !ok {
				return false
			}
			if n := len(r.pieces); n > 0 && r.pieces[n-1].hole {
				r.pieces[n-1].end = end
			} else {
				r.pieces = append(r.pieces, piece{start, end, true})
			}
		}
	}
}

// qualifies reports whether the :: here is part of a C++ name, not two colons:
// an identifier stands directly on both sides.
func (r *reader) qualifies() bool {
	return r.start > 0 && isIdentifier(r.text[r.start-1]) && r.end < len(r.text) && isIdentifier(r.text[r.end])
}

// unknown passes over something that only the preprocessor or the compiler could
// resolve: a name, the group in parentheses after it, a preprocessor line.
func (r *reader) unknown() (end int, ok bool) {
	switch {
	case r.kind == endOfFile || r.kind == directiveEnd || r.is(";") || r.is("{") || r.is("}"):
		return 0, false
	case r.kind == directive:
		for r.kind != directiveEnd && r.kind != endOfFile {
			end = r.end
			r.next()
		}
		r.next()
		return end, true
	case r.is("("):
		return r.group()
	}
	end = r.end
	r.next()
	return end, true
}

// group passes over a group in parentheses or brackets.
func (r *reader) group() (end int, ok bool) {
	depth := 0
	for {
		switch {
		case r.kind == endOfFile || r.kind == directiveEnd:
			return 0, false
		case r.is("(") || r.is("[") || r.is("{"):
			depth++
		case r.is(")") || r.is("]") || r.is("}"):
			depth--
		}
		end = r.end
		r.next()
		if depth == 0 {
			return end, true
		}
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
	return r.is(":") || r.is("::") || r.is(")") || r.kind == endOfFile || r.kind == directiveEnd
}

// operand reads [name] "constraint" (expression); false if it is something that
// a macro makes.
func (r *reader) operand() (o Operand, ok bool) {
	start := r.start
	if r.is("[") {
		r.next()
		if r.kind == identifier {
			o.Name = r.token()
		}
		for !r.is("]") && !r.ends() {
			r.next()
		}
		if r.is("]") {
			r.next()
		}
	}
	known := true
	for !r.is("(") && !r.is(",") && !r.ends() {
		if r.kind == stringLiteral {
			t := template{source: r.text}
			t.literal(r.start, r.end)
			o.Constraint += string(t.text)
			r.next()
		} else {
			known = false
			if _, ok := r.unknown(); !ok {
				return o, false
			}
		}
	}
	if !known {
		o.Constraint = ""
	}
	if !r.is("(") {
		return o, false
	}
	open := r.end
	end, ok := r.group()
	if !ok {
		return o, false
	}
	o.Expr = span(open, end-1)
	o.Span = span(start, end)
	return o, true
}

// rest reads the clobbers, and the labels of asm goto.
func (r *reader) rest() {
	for !r.ends() {
		if r.kind == stringLiteral {
			r.clobbers = append(r.clobbers, strings.Trim(r.token(), `"`))
		}
		r.next()
	}
}
