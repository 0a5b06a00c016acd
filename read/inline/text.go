package inline

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// template joins the pieces of the text of an asm statement and resolves their
// escapes, first C's, then, in statements with colons, those of % (GCC manual,
// "Extended Asm"). It remembers where each byte comes from.
type template struct {
	operands []Operand // outputs, then inputs; nil where % is not special
	percent  bool      // % is special
	text     []byte
	segments []source.Segment
	made     []source.Span // what macros have made by # and ##
	holes    int

	piece *word // the literal that is being added
}

// plain adds a byte that stands for itself in the literal.
func (t *template) plain(i int) {
	t.add(t.piece.text[i], t.piece.origin(i))
}

// add adds a byte that comes from somewhere.
func (t *template) add(c byte, from source.Segment) {
	from.Inner = source.Pos(len(t.text))
	if n := len(t.segments); n == 0 || !follows(&t.segments[n-1], &from) {
		t.segments = append(t.segments, from)
	}
	t.text = append(t.text, c)
}

// spelled adds bytes that are spelled otherwise from start to end in the literal.
func (t *template) spelled(s string, start, end int) {
	from, last := t.piece.origin(start), t.piece.origin(end-1)
	stop := last.Outer + source.Pos(max(1, last.Width))
	if last.Via != from.Via || stop <= from.Outer {
		stop = from.Outer + source.Pos(max(1, from.Width))
	}
	from.Width = int32(stop - from.Outer)
	for i := range len(s) {
		t.add(s[i], from)
	}
}

// hole adds something unknown.
func (t *template) hole(w *word) {
	t.holes++
	t.add(syntax.Hole, w.itself())
}

// literal adds a string literal.
func (t *template) literal(w *word) {
	t.piece = w
	from := len(t.text)
	quote := strings.IndexByte(w.text, '"')
	end := len(w.text)
	if isRawPrefix(w.text[:quote]) {
		if delimiter := strings.IndexByte(w.text[quote:], '('); delimiter >= 0 {
			t.raw(quote+delimiter+1, max(quote+delimiter+1, end-delimiter-1))
		}
	} else {
		if end-1 > quote && w.text[end-1] == '"' {
			end--
		}
		t.quoted(quote+1, end)
	}
	if w.parts != nil {
		t.made = append(t.made, span(from, len(t.text)))
	}
}

// quoted adds the inside of a literal with escapes.
func (t *template) quoted(start, end int) {
	text := t.piece.text
	for i := start; i < end; {
		switch {
		case text[i] == '\\':
			s, n := escape(text[i:end])
			t.spelled(s, i, i+n)
			i += n
		case text[i] == '%' && t.percent:
			i += t.reference(i, end)
		default:
			t.verbatim(i)
			i++
		}
	}
}

// raw adds the inside of a raw literal.
func (t *template) raw(start, end int) {
	for i := start; i < end; {
		if t.piece.text[i] == '%' && t.percent {
			i += t.reference(i, end)
		} else {
			t.verbatim(i)
			i++
		}
	}
}

// verbatim adds a byte of the literal, which is not to look like a hole.
func (t *template) verbatim(i int) {
	if t.piece.text[i] == syntax.Hole {
		t.spelled("?", i, i+1)
		return
	}
	t.plain(i)
}

// reference adds what the % at i begins, and returns how long it is in the literal.
func (t *template) reference(i, end int) int {
	rest := t.piece.text[i+1 : end]
	switch {
	case rest == "":
	case strings.IndexByte("%{|}", rest[0]) >= 0:
		t.spelled(rest[:1], i, i+2)
		return 2
	case rest[0] == '=':
		t.spelled("0", i, i+2) // a number that differs in each copy of the statement
		return 2
	}
	if n := t.textOperand(rest); n > 0 && i+1+n <= end {
		t.holes++
		t.spelled(string([]byte{syntax.Hole}), i, i+1+n)
		return 1 + n
	}
	t.plain(i)
	return 1
}

// textOperand returns the length of the number or [name] that rest begins with, if
// it refers to an operand whose constraint is "C": not a register but a string
// constant that the compiler puts in its place. Otherwise it returns 0.
func (t *template) textOperand(rest string) int {
	if strings.HasPrefix(rest, "[") {
		name, _, _ := strings.Cut(rest[1:], "]")
		i := slices.IndexFunc(t.operands, func(o Operand) bool { return o.Name == name })
		if i >= 0 && t.operands[i].Constraint == "C" {
			return len(name) + 2
		}
		return 0
	}
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		digits++
	}
	if n, err := strconv.Atoi(rest[:digits]); err == nil && n < len(t.operands) && t.operands[n].Constraint == "C" {
		return digits
	}
	return 0
}

// escape decodes the escape sequence that s begins with, and returns how long it is.
func escape(s string) (string, int) {
	if len(s) < 2 {
		return s, len(s)
	}
	switch c := s[1]; {
	case c == 'x':
		n := 2
		for n < len(s) && isHex(s[n]) {
			n++
		}
		return character(s[2:n], 16, false), n
	case c >= '0' && c <= '7':
		n := 2
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		return character(s[1:n], 8, false), n
	case c == 'u' || c == 'U':
		n := min(len(s), 2+map[byte]int{'u': 4, 'U': 8}[c])
		return character(s[2:n], 16, true), n
	case lineEnd(s, 1) > 0:
		return "", 1 + lineEnd(s, 1)
	default:
		if i := strings.IndexByte("abfnrtv", c); i >= 0 {
			return "\a\b\f\n\r\t\v"[i : i+1], 2
		}
		return s[1:2], 2
	}
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// character returns the byte or character with a number, "?" if there is none such.
func character(digits string, base int, unicode bool) string {
	n, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil || !unicode && n >= syntax.Hole || unicode && !utf8.ValidRune(rune(n)):
		return "?"
	case unicode:
		return string(rune(n))
	}
	return string([]byte{byte(n)})
}
