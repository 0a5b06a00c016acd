package listing

import (
	"fmt"
	"strconv"
	"strings"
)

// tokenKind is a character that stands for itself, or one of these.
type tokenKind byte

const (
	endOfText tokenKind = 0
	endOfLine tokenKind = '\n'
	wordToken tokenKind = 'w' // a name or a number
)

// token is a word, a sign or the end of a line.
type token struct {
	kind  tokenKind
	text  string
	start int // in the text, in bytes
}

func (t token) String() string {
	switch t.kind {
	case endOfText:
		return "the end of the text"
	case endOfLine:
		return "the end of the line"
	}
	return t.text
}

// lexer takes a text apart. Forms such as ld.shared::cta.u32 are one word; <- is the sign '<'.
type lexer struct {
	text string
	pos  int // behind tok
	tok  token
}

// advance goes on to the next token.
func (l *lexer) advance() {
	l.skipBlanks()
	start := l.pos
	switch {
	case start == len(l.text):
		l.tok = token{endOfText, "", start}
		return
	case isWordByte(l.text[start]):
		for l.pos < len(l.text) && (isWordByte(l.text[l.pos]) || l.isDoubleColon()) {
			if l.text[l.pos] == ':' {
				l.pos++
			}
			l.pos++
		}
		l.tok = token{wordToken, l.text[start:l.pos], start}
		return
	case strings.HasPrefix(l.text[start:], "<-"):
		l.pos++
	}
	l.pos++
	l.tok = token{tokenKind(l.text[start]), l.text[start:l.pos], start}
	if l.tok.kind == wordToken || l.tok.kind == endOfText {
		l.tok.kind = '?'
	}
}

// isDoubleColon reports whether a word goes on with "::".
func (l *lexer) isDoubleColon() bool {
	rest := l.text[l.pos:]
	return len(rest) > 2 && rest[0] == ':' && rest[1] == ':' && isWordByte(rest[2])
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || strings.IndexByte("_$%.", b) >= 0
}

// skipBlanks skips blanks and comments.
func (l *lexer) skipBlanks() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "//"):
			end := strings.IndexByte(l.text[l.pos:], '\n')
			if end < 0 {
				end = len(l.text) - l.pos
			}
			l.pos += end
		default:
			return
		}
	}
}

// peek returns the kind of the token behind the next.
func (l *lexer) peek() tokenKind {
	ahead := *l
	ahead.advance()
	return ahead.tok.kind
}

// skipLines skips empty lines.
func (l *lexer) skipLines() {
	for l.tok.kind == endOfLine {
		l.advance()
	}
}

// expect returns the token here, which must be of a kind, and goes on. The end of the text ends a line.
func (l *lexer) expect(kind tokenKind, what string) token {
	t := l.tok
	if t.kind != kind && (kind != endOfLine || t.kind != endOfText) {
		l.fail("expected %s, not %s", what, t)
	}
	l.advance()
	return t
}

// expectWord expects a certain word.
func (l *lexer) expectWord(text string) {
	if l.tok.text != text {
		l.fail("expected %s, not %s", text, l.tok)
	}
	l.advance()
}

// number reads a number from 0 to a limit.
func (l *lexer) number(limit int) int {
	return int(l.parseNumber(l.expect(wordToken, "a number"), uint64(limit)))
}

// parseNumber reads a number that is a token: decimal digits, or 0x and hexadecimal ones.
func (l *lexer) parseNumber(t token, limit uint64) uint64 {
	text, base := t.text, 10
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		text, base = hex, 16
	}
	n, err := strconv.ParseUint(text, base, 64)
	switch {
	case err != nil && strings.Trim(text, "0123456789") != "" && base == 10:
		l.failAt(t, "expected a number, not %s", t)
	case err != nil || n > limit:
		l.failAt(t, "%s is not a number from 0 to %d", t, limit)
	}
	return n
}

// fail stops reading at the token that comes next.
func (l *lexer) fail(what string, args ...any) { l.failAt(l.tok, what, args...) }

// failAt stops reading. ParseAll returns the error.
func (l *lexer) failAt(t token, what string, args ...any) {
	before := l.text[:t.start]
	line := strings.Count(before, "\n") + 1
	panic(&ParseError{line, t.start - strings.LastIndexByte(before, '\n'), fmt.Sprintf(what, args...)})
}
