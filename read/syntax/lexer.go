package syntax

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// token is a kind of token. A mark of one character is its own kind.
type token uint8

// The kinds that are not a single character.
const (
	endOfFile    token = iota
	word               // add, %r1, $L1, _; %[name] in inline asm
	dotWord            // .u32, .2d, .shared::cta
	number             // 42, 0x2a, 0f3f800000, 1.5
	text               // "..."
	badToken           // reported when it was read
	hole               // Hole
	shiftLeft          // <<
	shiftRight         // >>
	lessEqual          // <=
	greaterEqual       // >=
	equal              // ==
	notEqual           // !=
	logicalAnd         // &&
	logicalOr          // ||
	firstMark    = '!' // from here on, characters
)

// Classes of characters.
const (
	nameStart   = 1 << iota // may begin a name: letters _ $
	namePart                // may go on in a name: letters digits _ $
	digit                   // 0-9
	hexDigit                // 0-9 a-f A-F
	blank                   // space, tab, carriage return and such; newlines too
	mark                    // a token by itself
	signMark                // may begin a mark of two characters
	percentMark             // %, which begins a name
	holeMark                // Hole
)

// Hole stands, in the text of an asm statement, for a piece that is not known: a
// macro's name or argument between the string literals. It is no part of any UTF-8 text.
const Hole = 0xff

var class = func() (class [256]uint16) {
	for c := range 256 {
		switch {
		case c >= '0' && c <= '9':
			class[c] |= namePart | digit | hexDigit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$':
			class[c] |= nameStart | namePart
		}
		if c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' {
			class[c] |= hexDigit
		}
	}
	for _, c := range " \t\r\n\f\v" {
		class[c] |= blank
	}
	for _, c := range "{}()[],;:@+-*~^?/" {
		class[c] |= mark
	}
	for _, c := range "<>=!&|" {
		class[c] |= signMark
	}
	class['%'] = percentMark
	class[Hole] = holeMark
	return class
}()

// lexer cuts a text into tokens. The current one is kind, from start to end.
type lexer struct {
	src  *source.File
	text string // src.Text up to where reading shall stop

	kind       token
	start, end int
	newLine    bool // a line ended between the last token and this one
	lastEnd    int  // end of the token before

	keepComments bool
	asm          bool // the text of an asm statement: %[name] is a name, and there are holes
	sawHole      bool
	comments     []Comment
	errors       diag.List
	stopped      bool // no more errors are wanted
}

// next reads the next token.
func (l *lexer) next() {
	s := l.text
	i := l.end
	l.lastEnd = i
	l.newLine = false
	for i < len(s) {
		c := s[i]
		kind := class[c]
		switch {
		case kind&blank != 0:
			if c == '\n' {
				l.newLine = true
			}
			i++
			continue
		case kind&nameStart != 0:
			l.start = i
			i++
			for i < len(s) && class[s[i]]&namePart != 0 {
				i++
			}
			l.kind, l.end = word, i
			return
		case kind&percentMark != 0:
			l.start = i
			i++
			for i < len(s) && class[s[i]]&namePart != 0 {
				i++
			}
			l.kind, l.end = word, i
			if i == l.start+1 {
				l.percent()
			}
			return
		case c == '.':
			l.start = i
			l.dot()
			return
		case c == '/':
			if end := l.comment(i); end >= 0 {
				i = end
				continue
			}
			l.kind, l.start, l.end = '/', i, i+1
			return
		case kind&mark != 0:
			l.kind, l.start, l.end = token(c), i, i+1
			return
		case kind&digit != 0:
			l.start = i
			l.number()
			return
		case kind&signMark != 0:
			l.start = i
			l.sign()
			return
		case c == '"':
			l.start = i
			l.string()
			return
		case kind&holeMark != 0 && l.asm:
			l.sawHole = true
			l.kind, l.start, l.end = hole, i, i+1
			return
		}
		l.start = i
		l.badCharacter()
		return
	}
	l.kind, l.start, l.end = endOfFile, len(s), len(s)
}

// peek returns the character after the current token, 0 at the end of the text.
func (l *lexer) peek() byte {
	if l.end < len(l.text) {
		return l.text[l.end]
	}
	return 0
}

// holeAhead reports whether a hole follows the current token, which may be a part of it.
func (l *lexer) holeAhead() bool { return l.asm && l.peek() == Hole }

// percent reads a % that no name follows: the operator, or %[name].
func (l *lexer) percent() {
	if l.asm && l.peek() == '[' {
		if n := strings.IndexAny(l.text[l.end:], "]\n"); n > 0 && l.text[l.end+n] == ']' {
			l.end += n + 1
			return
		}
	}
	l.kind = '%'
}

// dot reads what begins with a dot: a modifier or directive, or a number such as .5.
// A dot word goes on after ::, as in .shared::cta.
func (l *lexer) dot() {
	s := l.text
	i := run(s, l.start+1, namePart)
	if i > l.start+1 && class[s[l.start+1]]&digit != 0 {
		if n, why := scanNumber(s[l.start:]); why == "" {
			l.kind, l.end = number, l.start+n
			l.checkRange()
			return
		}
	}
	for i+2 < len(s) && s[i] == ':' && s[i+1] == ':' && class[s[i+2]]&namePart != 0 {
		i = run(s, i+3, namePart)
	}
	l.kind, l.end = dotWord, i
	if i == l.start+1 && !l.holeAhead() {
		l.badCharacter()
	}
}

// sign reads a mark that may be of two characters.
func (l *lexer) sign() {
	c := l.text[l.start]
	l.kind, l.end = token(c), l.start+1
	var double token
	switch string(c) + string(l.peek()) {
	case "<<":
		double = shiftLeft
	case ">>":
		double = shiftRight
	case "<=":
		double = lessEqual
	case ">=":
		double = greaterEqual
	case "==":
		double = equal
	case "!=":
		double = notEqual
	case "&&":
		double = logicalAnd
	case "||":
		double = logicalOr
	default:
		return
	}
	l.kind = double
	l.end++
}

// comment passes over the comment at i and returns its end, or -1 if there is none.
func (l *lexer) comment(i int) int {
	s := l.text
	end := -1
	switch {
	case strings.HasPrefix(s[i:], "//"):
		if end = strings.IndexByte(s[i:], '\n'); end < 0 {
			end = len(s)
		} else {
			end += i
		}
	case strings.HasPrefix(s[i:], "/*"):
		n := strings.Index(s[i+2:], "*/")
		if n < 0 {
			if !l.asm || strings.IndexByte(s[i:], Hole) < 0 {
				l.report(diag.SyntaxUnterminatedComment, i, i+2, "this comment does not end", "it needs a */")
			}
			end = len(s)
			break
		}
		end = i + 2 + n + 2
		if strings.IndexByte(s[i:end], '\n') >= 0 {
			l.newLine = true
		}
	default:
		return -1
	}
	if l.keepComments {
		l.comments = append(l.comments, Comment{source.Pos(i), strings.TrimRight(s[i:end], "\r")})
	}
	return end
}

// token returns the text of the current token.
func (l *lexer) token() string { return l.text[l.start:l.end] }

// describe names the current token in a message.
func (l *lexer) describe() string {
	if l.kind == endOfFile {
		return "the end of the text"
	}
	return quoteShort(l.token())
}

// number reads a number.
func (l *lexer) number() {
	n, why := scanNumber(l.text[l.start:])
	l.kind, l.end = number, l.start+n
	switch {
	case l.holeAhead():
	case why != "":
		l.report(diag.SyntaxBadNumber, l.start, l.end, "bad number "+l.describe()+": "+why,
			"numbers are written 42, 052, 0x2a, 0b101010, with U for unsigned; 1.5, 1e3, 0f3f800000 (8 digits), 0d3ff0000000000000 (16 digits)")
	default:
		l.checkRange()
	}
}

// checkRange reports a number that is too large.
func (l *lexer) checkRange() {
	switch overflowOf(l.token()) {
	case cut:
		l.report(diag.SyntaxNumberCut, l.start, l.end, "the number "+l.describe()+" has more than 64 bits",
			"ptxas takes its lower 64 bits, "+strconv.FormatUint(ParseNumber(l.token()).Bits, 10))
	case beyond:
		l.report(diag.SyntaxNumberRange, l.start, l.end, "the number "+l.describe()+" is too large",
			"integers have 64 bits, floating-point numbers are doubles: they go up to 18446744073709551615 and 1.7976931348623157e308")
	}
}

// run returns the end of the characters of a class from i on.
func run(s string, i int, of uint16) int {
	for i < len(s) && class[s[i]]&of != 0 {
		i++
	}
	return i
}

// string reads a string. It cannot go on in the next line.
func (l *lexer) string() {
	s := l.text
	for i := l.start + 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			l.kind, l.end = text, i+1
			return
		}
	}
	n := strings.IndexByte(s[l.start:], '\n')
	if n < 0 {
		n = len(s) - l.start
	}
	l.kind, l.end = text, l.start+n
	l.report(diag.SyntaxUnterminatedString, l.start, l.end, "this string does not end", "it needs a \" on the same line")
}

// badCharacter reports what is at the start of the token and reads it, and more
// of the kind, as one bad token.
func (l *lexer) badCharacter() {
	s := l.text
	i := l.start + 1
	if s[l.start] != '.' {
		for i < len(s) && i < l.start+16 && s[i] >= 0x80 == (s[l.start] >= 0x80) && class[s[i]] == 0 && s[i] != '.' && s[i] != '"' {
			i++
		}
	}
	l.kind, l.end = badToken, i
	l.report(diag.SyntaxBadCharacter, l.start, i, quote(s[l.start:i])+" begins nothing in PTX")
}

// maxErrors is the number of errors after which the rest of a file is not looked at.
const maxErrors = 10_000

// report adds an error.
func (l *lexer) report(code diag.Code, start, end int, message string, notes ...string) {
	if l.stopped || len(l.errors) >= maxErrors {
		return
	}
	if len(l.errors) == maxErrors-1 {
		code, message, notes = diag.SyntaxTooManyErrors, "too many errors", []string{"the rest of the file is not looked at"}
	}
	l.errors = append(l.errors, diag.Diagnostic{
		Code: code, Severity: diag.SeverityOf(code), File: l.src, Span: source.Span{Start: source.Pos(start), End: source.Pos(end)}, Message: message, Notes: notes,
	})
}

// quoteShort writes a token for a message, and of a long one the beginning.
func quoteShort(s string) string {
	if len(s) > 60 {
		s = s[:57] + "..."
	}
	return quote(s)
}

// quote writes a token for a message.
func quote(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.ContainsRune(s, '\'') {
		return strconv.Quote(s)
	}
	return "'" + s + "'"
}
