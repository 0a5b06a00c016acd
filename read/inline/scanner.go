package inline

import "strings"

// token is a kind of C token.
type token uint8

const (
	endOfFile token = iota
	identifier
	stringLiteral // with its prefix, raw or not
	mark          // one character, or ::
	other         // numbers and character literals
	directive     // a preprocessor line, up to its name: "#if"
	directiveEnd  // the end of the line of a directive
	parameter     // of a macro whose arguments are not known, or made of such
	included      // what an #include stands for
)

// scanner cuts a C source into tokens. The current one is text[start:end].
type scanner struct {
	text        string
	kind        token
	start, end  int
	inDirective bool
	lineStart   bool // only blanks stand before the next token on its line
}

func newScanner(text string) *scanner {
	return &scanner{text: text, lineStart: true, end: len(text) - len(strings.TrimPrefix(text, "\ufeff"))}
}

func (s *scanner) token() string { return s.text[s.start:s.end] }

// is reports whether the current token is a mark.
func (s *scanner) is(m string) bool { return s.kind == mark && s.token() == m }

// next reads the next token. Comments and continued line ends are blanks.
func (s *scanner) next() {
	text := s.text
	i := s.end
	for i < len(text) {
		c := text[i]
		switch {
		case c == '\n':
			if s.inDirective {
				s.inDirective = false
				s.set(directiveEnd, i, i+1)
				s.lineStart = true
				return
			}
			s.lineStart = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '\\' && lineEnd(text, i+1) > 0:
			i += 1 + lineEnd(text, i+1)
		case c == '/' && strings.HasPrefix(text[i:], "//"):
			i = lineCommentEnd(text, i)
		case c == '/' && strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				i = len(text)
				break
			}
			i += 2 + n + 2
		case c == '#' && s.lineStart:
			j := i + 1
			for j < len(text) && (text[j] == ' ' || text[j] == '\t') {
				j++
			}
			s.inDirective = true
			s.set(directive, i, identifierEnd(text, j))
			return
		case c == '"':
			s.set(stringLiteral, i, quotedEnd(text, i))
			return
		case c == '\'':
			s.set(other, i, quotedEnd(text, i))
			return
		case isIdentifier(c) && !isDigit(c):
			s.name(i)
			return
		case isDigit(c):
			s.set(other, i, numberEnd(text, i))
			return
		case strings.HasPrefix(text[i:], "::"):
			s.set(mark, i, i+2)
			return
		default:
			s.set(mark, i, i+1)
			return
		}
	}
	s.set(endOfFile, len(text), len(text))
}

func (s *scanner) set(kind token, start, end int) {
	s.kind, s.start, s.end, s.lineStart = kind, start, end, false
}

// name reads an identifier, or the literal that it is a prefix of.
func (s *scanner) name(i int) {
	end := identifierEnd(s.text, i)
	s.set(identifier, i, end)
	if end == len(s.text) {
		return
	}
	prefix, quote := s.text[i:end], s.text[end]
	switch {
	case quote == '"' && isRawPrefix(prefix):
		s.set(stringLiteral, i, rawEnd(s.text, end))
	case quote == '"' && isPrefix(prefix):
		s.set(stringLiteral, i, quotedEnd(s.text, end))
	case quote == '\'' && isPrefix(prefix):
		s.set(other, i, quotedEnd(s.text, end))
	}
}

func isPrefix(s string) bool { return s == "L" || s == "u" || s == "U" || s == "u8" }
func isRawPrefix(s string) bool {
	return s == "R" || len(s) > 1 && s[len(s)-1] == 'R' && isPrefix(s[:len(s)-1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isIdentifier reports whether c may be part of an identifier; all bytes of
// characters outside ASCII may.
func isIdentifier(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}

func identifierEnd(text string, i int) int {
	for i < len(text) && isIdentifier(text[i]) {
		i++
	}
	return i
}

// numberEnd returns the end of the preprocessing number at i: 1'000, 0x1p-3, 1.5f.
func numberEnd(text string, i int) int {
	for i < len(text) {
		switch {
		case isIdentifier(text[i]) || text[i] == '.':
			i++
		case text[i] == '\'' && i+1 < len(text) && isIdentifier(text[i+1]):
			i += 2
		case (text[i] == '+' || text[i] == '-') && strings.IndexByte("eEpP", text[i-1]) >= 0:
			i++
		default:
			return i
		}
	}
	return i
}

// lineEnd returns the length of the end of line at i, or 0.
func lineEnd(text string, i int) int {
	switch {
	case strings.HasPrefix(text[i:], "\n"):
		return 1
	case strings.HasPrefix(text[i:], "\r\n"):
		return 2
	}
	return 0
}

// lineCommentEnd returns the end of the // comment at i, which a backslash at the
// end of its line continues.
func lineCommentEnd(text string, i int) int {
	for {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text)
		}
		i += n
		if !strings.HasSuffix(strings.TrimSuffix(text[:i], "\r"), "\\") {
			return i
		}
		i++
	}
}

// quotedEnd returns the end of the string or character at i, where its line ends
// if it has none.
func quotedEnd(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case quote:
			return i + 1
		case '\n':
			return i
		case '\\':
			i += max(1, lineEnd(text, i+1))
		}
	}
	return len(text)
}

// rawEnd returns the end of R"x(...)x" whose first quote is at i.
func rawEnd(text string, i int) int {
	open := strings.IndexByte(text[i:], '(')
	if open < 0 {
		return quotedEnd(text, i)
	}
	end := ")" + text[i+1:i+open] + `"`
	n := strings.Index(text[i+open:], end)
	if n < 0 {
		return len(text)
	}
	return i + open + n + len(end)
}
