package inline

import (
	"cmp"
	"slices"

	"github.com/vop-ptx/vop/read/source"
)

// macro is one definition of a macro.
type macro struct {
	name       string
	def        source.Span // the name in the #define
	start, end int         // of the body in the source
	function   bool        // it takes arguments
	params     []string
	variadic   bool // the last parameter takes all further arguments
	body       []word
	read       bool // body is known
	used       bool // it has been expanded, or is known not to be about asm
	followed   bool // so are those that its body names
}

// event is a definition of a name, or an #undef: macro is nil.
type event struct {
	*macro
	when *context
}

// define reads a #define, whose name is the next token, up to the end of its line.
func (f *finder) define(when *context) {
	s := &f.scanner
	if s.next(); s.kind != identifier {
		return
	}
	m := &macro{name: s.token(), def: span(s.start, s.end), start: s.end}
	if s.end < len(s.text) && s.text[s.end] == '(' {
		m.function = true
		if !m.parameters(s) {
			return
		}
		m.start = s.end
	}
	for s.kind != directiveEnd && s.kind != endOfFile {
		s.next()
	}
	m.end = s.start
	f.macros[m.name] = append(f.macros[m.name], event{m, when})
	f.definitions = append(f.definitions, m)
}

// parameters reads the parameters of a macro; the name is the current token, and the
// closing parenthesis is in the end.
func (m *macro) parameters(s *scanner) bool {
	s.next()
	for s.next(); ; s.next() {
		switch {
		case s.is(")"):
			return true
		case s.kind == identifier && !m.variadic:
			m.params = append(m.params, s.token())
		case s.is("."): // the first of ...
			named := len(m.params) > 0 && s.start > 0 && isIdentifier(s.text[s.start-1])
			for range 2 {
				if s.next(); !s.is(".") {
					return false
				}
			}
			if !named { // else GNU's args...
				m.params = append(m.params, "__VA_ARGS__")
			}
			m.variadic = true
		case s.is(",") && !m.variadic:
		default:
			return false
		}
	}
}

// words returns the tokens of the body.
func (m *macro) words(text string) []word {
	if m.read {
		return m.body
	}
	m.read = true
	s := scanner{text: text[:m.end], end: m.start, inDirective: true}
	last := m.start
	for s.next(); s.kind != endOfFile && s.kind != directiveEnd; s.next() {
		w := word{kind: s.kind, text: s.token(), at: s.start, blank: s.start != last}
		if n := len(m.body); n > 0 && w.is("#") && !w.blank && m.body[n-1].is("#") {
			m.body[n-1].text = "##"
		} else {
			m.body = append(m.body, w)
		}
		last = s.end
	}
	return m.body
}

// param returns the number of the parameter that a token of the body names, or -1.
func (m *macro) param(w *word) int {
	if w.kind != identifier || !m.function {
		return -1
	}
	return slices.Index(m.params, w.text)
}

// substitution puts arguments into the body of a macro (C17 6.10.3.1).
type substitution struct {
	*stream
	m        *macro
	raw      [][]word    // the arguments as they are written, by parameter
	expanded []expansion // likewise, expanded, from when it is first needed
	via      *source.Expansion
	blank    bool // blanks stand behind what there is so far, before something that is empty
	behind   bool // and behind the operand
}

// expansion is an expanded argument.
type expansion struct {
	words []word
	known bool
	blank bool // blanks stand behind it, before something that is empty
}

// tokens substitutes a part of the body.
func (s *substitution) tokens(body []word) []word {
	out := make([]word, 0, len(body))
	for i := 0; i < len(body) && s.failed == ""; {
		if w := &body[i]; s.stays(w) && (i+1 == len(body) || !body[i+1].is("##")) {
			out = append(out, *w)
			last := &out[len(out)-1]
			last.via, last.blank = s.via, last.blank || s.blank
			s.blank = false
			s.spend(2)
			i++
			continue
		}
		joins := func() bool { return i > 0 && i+1 < len(body) && body[i].is("##") }
		piece, n := s.operand(body, i, i+1 < len(body) && body[i+1].is("##"))
		for i += n; joins(); {
			i++
			right, n := s.operand(body, i, true)
			rest := s.m.variadic && s.m.param(&body[i]) == len(s.m.params)-1
			i += n
			switch {
			case len(piece) == 0:
				piece = right
			case rest && piece[len(piece)-1].is(","): // GNU: no comma without arguments behind it
				if len(right) == 0 {
					piece = piece[:len(piece)-1]
				}
				piece = append(piece, right...)
			case len(right) > 0:
				last := len(piece) - 1
				joined := paste(piece[last], right[0], s.via)
				s.spend(1 + len(joined[0].text)/32 + len(joined[0].parts))
				piece = append(append(piece[:last:last], joined...), right[1:]...)
			}
		}
		s.spend(1 + 2*len(piece))
		if len(piece) > 0 {
			piece[0].blank = piece[0].blank || s.blank
			s.blank = false
		}
		s.blank, s.behind = s.blank || s.behind, false
		out = append(out, piece...)
	}
	return out
}

// stays reports whether a token of the body is itself in the expansion.
func (s *substitution) stays(w *word) bool {
	return w.kind != identifier && !w.is("#") || w.kind == identifier && s.m.param(w) < 0 && w.text != "__VA_OPT__"
}

// operand returns what the token at i of the body becomes, and how many tokens
// that takes. An operand of ## is not expanded.
func (s *substitution) operand(body []word, i int, raw bool) (piece []word, n int) {
	w := body[i]
	if s.m.function && w.is("#") && i+1 < len(body) {
		if k := s.m.param(&body[i+1]); k >= 0 {
			made := stringify(&w, s.raw[k], s.via)
			s.spend(1 + len(made.text)/32 + len(made.parts))
			return []word{made}, 2
		}
	}
	if k := s.m.param(&w); k >= 0 {
		argument := s.raw[k]
		if !raw {
			argument = s.argument(k)
			s.behind = s.expanded[k].blank
		}
		piece = slices.Clone(argument)
		for i := range piece {
			if piece[i].via == nil {
				piece[i].via = s.via
			}
		}
		if len(piece) > 0 {
			piece[0].blank = w.blank
		} else {
			s.blank = s.blank || w.blank
		}
		return piece, 1
	}
	if w.text == "__VA_OPT__" && s.m.variadic && i+1 < len(body) && body[i+1].is("(") {
		end := closing(body, i+1)
		if s.spend(1 + max(end-i, 0)/2); end > 0 {
			if len(s.argument(len(s.m.params)-1)) > 0 {
				piece = s.tokens(body[i+2 : end])
			}
			return piece, end + 1 - i
		}
	}
	w.via = s.via
	return []word{w}, 1
}

// argument returns an argument, expanded.
func (s *substitution) argument(k int) []word {
	e := &s.expanded[k]
	if !e.known {
		e.words, e.blank = s.expandAll(s.raw[k])
		e.known = true
	}
	return e.words
}

// closing returns the index of the parenthesis that closes the one at open, or 0.
func closing(words []word, open int) int {
	depth := 0
	for i := open; i < len(words); i++ {
		switch {
		case words[i].is("("):
			depth++
		case words[i].is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// macroAround returns the definition in whose body a place is, or nil.
func macroAround(definitions []*macro, at source.Pos) *macro {
	i, _ := slices.BinarySearchFunc(definitions, int(at), func(m *macro, at int) int { return cmp.Compare(m.end, at) })
	if i < len(definitions) && definitions[i].start <= int(at) {
		return definitions[i]
	}
	return nil
}

// unused reads the asm statements in macros that the file does not use, their
// parameters taken as not known.
func (f *finder) unused() {
	for _, m := range f.definitions {
		if m.used || !f.makers[m.name] || !slices.ContainsFunc(m.words(f.text), func(w word) bool { return w.kind == identifier && isAsm(w.text) }) {
			continue
		}
		s := f.stream(scanner{text: f.text, end: len(f.text)}, nil)
		s.sealed = true
		s.unusedMacro = m.name
		sub := substitution{stream: s, m: m, raw: make([][]word, len(m.params)), expanded: make([]expansion, len(m.params))}
		for i, name := range m.params {
			sub.raw[i] = []word{{kind: parameter, text: name, at: int(m.def.Start)}}
			sub.expanded[i] = expansion{words: sub.raw[i], known: true}
		}
		words := sub.tokens(m.words(f.text))
		s.frames = []frame{{words: words, macro: m}}
		s.busy[m]++
		s.run(-1)
		if s.failed != "" {
			f.notes.note(f.src, m.def, "the asm statement of this macro cannot be read: "+s.failed, preprocess)
		}
		if f.budget < 0 {
			return // and so for all further ones
		}
	}
}
