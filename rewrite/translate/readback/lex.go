package readback

import (
	"fmt"
	"strings"
)

// token is a word, a number, an operator or a string, the latter in its quotes.
type token string

func (t token) name() bool   { return t != "" && isLetter(t[0]) }
func (t token) number() bool { return t != "" && isDigit(t[0]) }

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// operators of more than one sign, the longest first.
var operators = []string{"&^", "<<", ">>", "&&", "||", "==", "!=", "<=", ">=", ":=", "->"}

// lex cuts a text into tokens. Comments and the lines of C's preprocessor are left out; a line's end is a
// token, as it ends statements in Go.
func lex(text string) (tokens []token, err error) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rest := strings.TrimSpace(line)
		for rest != "" {
			if strings.HasPrefix(rest, "//") {
				break
			}
			if strings.HasPrefix(rest, "/*") {
				_, after, found := strings.Cut(rest, "*/")
				if !found {
					return nil, fmt.Errorf("readback: a comment goes on behind its line: %s", rest)
				}
				rest = strings.TrimSpace(after)
				continue
			}
			n := length(rest)
			if n == 0 {
				return nil, fmt.Errorf("readback: what is %q?", rest)
			}
			tokens = append(tokens, token(rest[:n]))
			rest = strings.TrimSpace(rest[n:])
		}
		tokens = append(tokens, "\n")
	}
	return tokens, nil
}

// length returns the length of the token that a text begins with.
func length(text string) int {
	first := token(text[:1])
	switch {
	case first.name() || first.number():
		n := 1
		for n < len(text) && (isLetter(text[n]) || isDigit(text[n])) {
			n++
		}
		word := text[:n]
		if word == "std" && strings.HasPrefix(text[n:], "::") {
			return n + 2 + length(text[n+2:])
		}
		if word == "vec2" || word == "bitcast" { // a type follows, which is part of the name
			if end := strings.IndexByte(text, '>'); end > n {
				return end + 1
			}
		}
		return n
	case first == `"`:
		return strings.IndexByte(text[1:], '"') + 2
	}
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return len(op)
		}
	}
	if strings.IndexByte("(){},;:?=<>+-*&|^~!.", text[0]) >= 0 {
		return 1
	}
	return 0
}
