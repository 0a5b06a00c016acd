package inline

import (
	"sort"

	"github.com/vop-ptx/vop/read/source"
)

// word is a C token on its way through the preprocessor.
type word struct {
	kind    token
	text    string
	at      int               // where text stands in the source; of a token that a macro makes, about where
	parts   []source.Segment  // what # or ## has made: where its bytes come from
	via     *source.Expansion // the use of a macro, written in the source itself, that has put it there
	blank   bool              // blanks stand before it
	painted bool              // the name of a macro that is not to be expanded any more
}

// is reports whether the token is a mark.
func (w *word) is(m string) bool { return w.kind == mark && w.text == m }

// origin returns where byte i of the text comes from, as a segment that begins there.
func (w *word) origin(i int) source.Segment {
	if w.parts == nil {
		return source.Segment{Outer: source.Pos(w.at + i), Via: w.via}
	}
	k := max(0, sort.Search(len(w.parts), func(k int) bool { return int(w.parts[k].Inner) > i })-1)
	part := w.parts[k]
	if part.Width == 0 {
		part.Outer += source.Pos(i) - part.Inner
	}
	return part
}

// place returns the span of the source that the token comes from: its own, or where the
// macro is used that it comes from.
func (w *word) place() source.Span {
	switch {
	case w.via != nil:
		return w.via.Use
	case w.parts != nil:
		return span(w.at, w.at+1)
	}
	return span(w.at, w.at+len(w.text))
}

// itself returns where the token stands in the source, be it in a macro's body.
func (w *word) itself() source.Segment {
	first := w.origin(0)
	if first.Width == 0 {
		first.Width = int32(len(w.text))
		if w.parts != nil {
			first.Width = 1
		}
	}
	return first
}

// maker puts a token together from parts of others.
type maker struct {
	text  []byte
	parts []source.Segment
}

// follows reports whether a segment only goes on with the one before it.
func follows(last, next *source.Segment) bool {
	return last.Width == 0 && next.Width == 0 && last.Via == next.Via && last.Outer-last.Inner == next.Outer-next.Inner
}

// add adds bytes that come from one place.
func (m *maker) add(s string, from source.Segment) {
	from.Inner = source.Pos(len(m.text))
	if n := len(m.parts); n == 0 || !follows(&m.parts[n-1], &from) {
		m.parts = append(m.parts, from)
	}
	m.text = append(m.text, s...)
}

// word adds a token, as a part of the expansion via where it is in no other.
func (m *maker) word(w *word, via *source.Expansion) {
	base := source.Pos(len(m.text))
	m.text = append(m.text, w.text...)
	parts := w.parts
	if parts == nil {
		parts = []source.Segment{{Outer: source.Pos(w.at), Via: w.via}}
	}
	for _, p := range parts {
		p.Inner += base
		if p.Via == nil {
			p.Via = via
		}
		m.parts = append(m.parts, p)
	}
}

// stringify makes a string literal of the tokens of an argument (C17 6.10.3.2). If a
// parameter is in them whose argument is not known, so is the string.
func stringify(hash *word, argument []word, via *source.Expansion) word {
	var m maker
	m.add(`"`, source.Segment{Outer: source.Pos(hash.at), Width: 1, Via: via})
	for i := range argument {
		w := &argument[i]
		if w.kind == parameter {
			return word{kind: parameter, text: w.text, at: hash.at, via: via, blank: hash.blank}
		}
		from := w.origin(0)
		if from.Via == nil {
			from.Via = via
		}
		if i > 0 && w.blank {
			before := from
			before.Width = max(1, before.Width)
			m.add(" ", before)
		}
		if w.kind != stringLiteral && (w.kind != other || w.text[0] != '\'') {
			m.word(w, via)
			continue
		}
		for k := range len(w.text) {
			from := w.origin(k)
			if from.Via == nil {
				from.Via = via
			}
			if c := w.text[k]; c == '"' || c == '\\' {
				from.Width = max(1, from.Width)
				m.add(`\`+w.text[k:k+1], from)
			} else {
				m.add(w.text[k:k+1], from)
			}
		}
	}
	m.add(`"`, source.Segment{Outer: source.Pos(hash.at), Width: 1, Via: via})
	return word{kind: stringLiteral, text: string(m.text), at: hash.at, parts: m.parts, via: via, blank: hash.blank}
}

// paste joins two tokens (C17 6.10.3.3). What gives no token stays two.
func paste(left, right word, via *source.Expansion) []word {
	if left.kind == parameter || right.kind == parameter {
		left.kind = parameter
		return []word{left}
	}
	var m maker
	m.word(&left, via)
	m.word(&right, via)
	s := scanner{text: string(m.text)}
	s.next()
	if s.text == "##" {
		s.kind, s.start, s.end = mark, 0, 2
	}
	if s.kind == endOfFile || s.start != 0 || s.end != len(s.text) {
		return []word{left, right}
	}
	joined := word{kind: s.kind, text: s.text, at: left.at, parts: m.parts, via: left.via, blank: left.blank}
	if joined.via == nil {
		joined.via = via
	}
	return []word{joined}
}
