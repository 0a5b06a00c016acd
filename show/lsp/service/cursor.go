package service

import (
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// cursor is what stands before a place in its statement, which is being written and so need not be
// one. It comes from the text alone.
type cursor struct {
	before string // the statement up to the place
	start  int    // of it in the text
	at     int
}

// farBack is how long a statement may be that is looked at.
const farBack = 4096

// cursorAt finds the statement that a place of a text is in; ok is false in a comment or a string.
func cursorAt(text string, at int) (c cursor, ok bool) {
	at = min(max(at, 0), len(text))
	text = text[:at] // a mark of a comment that the place is in the middle of is none yet
	from := max(0, at-farBack)
	if from > 0 {
		if n := strings.IndexByte(text[from:at], '\n'); n >= 0 {
			from += n + 1
		}
	}
	start, braces := from, 0
	for i := from; i < at; i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "//"):
			n := strings.IndexByte(text[i:at], '\n')
			if n < 0 {
				return cursor{}, false
			}
			if strings.TrimSpace(text[start:i]) == "" {
				start = i + n + 1
			}
			i += n
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:at], "*/")
			if n < 0 {
				return cursor{}, false
			}
			if strings.TrimSpace(text[start:i]) == "" {
				start = min(at, i+4+n)
			}
			i += n + 3
		case c == '"':
			n := strings.IndexAny(text[i+1:at], "\"\n")
			if n < 0 {
				return cursor{}, false
			}
			i += n + 1
		case c == ';':
			start, braces = i+1, 0
		case c == '{' && isVector(text[start:i]):
			braces++
		case c == '}' && braces > 0:
			braces--
		case c == '{' || c == '}':
			start, braces = i+1, 0
		case c == ':' && isLabel(text[start:i]) && !strings.HasPrefix(text[i:], "::") && text[max(i-1, 0)] != ':':
			start = i + 1
		case c == '\n' && endsByItself(text[start:i]):
			start = i + 1
		}
	}
	for start < at && strings.IndexByte(" \t\r\n", text[start]) >= 0 {
		start++
	}
	return cursor{text[start:at], start, at}, true
}

// isVector reports whether a brace after a text opens a vector or initial values.
func isVector(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	return last == ',' || last == '=' || last == '[' || last == '{' || !strings.Contains(before, "(") && before[0] != '.' && strings.ContainsAny(before, ".")
}

// isLabel reports whether a text before a colon is the name of a label.
func isLabel(before string) bool { return isIdentifier(strings.TrimSpace(before)) }

// endsByItself reports whether a line is a directive that has no semicolon.
func endsByItself(line string) bool {
	for _, name := range []string{".version", ".target", ".address_size", ".file", ".loc"} {
		if strings.HasPrefix(strings.TrimSpace(line), name) {
			return true
		}
	}
	return false
}

// isIdentifier reports whether a text is a name of PTX (PTX ISA 4.4).
func isIdentifier(s string) bool {
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	for i := range len(s) {
		c := s[i]
		digit := '0' <= c && c <= '9'
		if !letter(c) && !digit && c != '_' && c != '$' && (c != '%' || i > 0) || digit && i == 0 {
			return false
		}
	}
	return s != "" && s != "%" && s != "_" && s != "$"
}

// guard cuts the guard off a statement. open says that it is still being written.
func (c cursor) guard() (rest cursor, open bool) {
	if !strings.HasPrefix(c.before, "@") {
		return c, false
	}
	n := strings.IndexAny(c.before, " \t\r\n")
	if n < 0 {
		return c, true
	}
	rest = c
	rest.before = strings.TrimLeft(c.before[n:], " \t\r\n")
	rest.start = c.at - len(rest.before)
	return rest, false
}

// word returns the end of a text that is a part of one word: a name, or a dot word, which may have
// :: in it.
func word(s string) string {
	i := len(s)
	for i > 0 && (isIdentifier("x"+s[i-1:i]) || s[i-1] == '%') {
		i--
	}
	if n := strings.LastIndexByte(s[:i], '.'); strings.HasSuffix(s[:i], "::") && n >= 0 && isIdentifier("x"+s[n+1:i-2]) {
		i = n + 1
	}
	if i > 0 && s[i-1] == '.' {
		i--
	}
	return s[i:]
}

// writing is an instruction that is being written.
type writing struct {
	name      string
	op        isa.Op   // NoOp if it is no video instruction
	modifiers []string // those that are complete
	operands  string   // from behind the mnemonic on
	inside    bool     // the cursor is in the operands
}

// instruction reads a statement as an instruction.
func (c cursor) instruction() (w writing) {
	head, operands, inside := c.before, "", false
	if n := strings.IndexAny(c.before, " \t\r\n"); n >= 0 {
		head, operands, inside = c.before[:n], c.before[n+1:], true
	}
	words := strings.Split(head, ".")
	w = writing{name: words[0], op: isa.ParseOp(words[0]), operands: operands, inside: inside}
	words = words[1:]
	if !inside && len(words) > 0 {
		words = words[:len(words)-1] // it is being written
	}
	for _, m := range words {
		w.modifiers = append(w.modifiers, "."+m)
	}
	return w
}

// video reports whether it is a video instruction.
func (w writing) video() bool { return w.op != isa.NoOp }

// operand returns the number of the operand that the cursor is in, and what is written of it. Commas
// in vectors and addresses are none between operands.
func (w writing) operand() (number int, text string) {
	depth, start := 0, 0
	for i := range len(w.operands) {
		switch w.operands[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth <= 0 {
				number, start = number+1, i+1
			}
		}
	}
	return number, strings.TrimLeft(w.operands[start:], " \t\r\n-")
}

// rows returns the syntax lines that the modifiers fit, each with its slots that are still free.
func (w writing) rows() (fits []row) {
	for _, line := range isa.RowsOf(w.op) {
		if r, ok := fit(line, w.modifiers); ok {
			fits = append(fits, r)
		}
	}
	return fits
}

// row is a syntax line with the slots that nothing is written for yet.
type row struct {
	*isa.Row
	free []*isa.Slot
}

// fit puts modifiers into the slots of a syntax line, as [isa.Match] does: each into the first free
// one that has it.
func fit(line *isa.Row, modifiers []string) (r row, ok bool) {
	taken := make([]bool, len(line.Modifiers))
	for _, m := range modifiers {
		found := false
		for k, slot := range line.Modifiers {
			for _, value := range slot.Values {
				if value == m && !taken[k] && !found {
					taken[k], found = true, true
				}
			}
		}
		if !found {
			return row{}, false
		}
	}
	r.Row = line
	for k, slot := range line.Modifiers {
		if !taken[k] {
			r.free = append(r.free, slot)
		}
	}
	return r, true
}
