package adapter

import (
	"fmt"
	"strings"
)

// Kind says what a program has answered.
type Kind uint8

// The kinds of answers.
const (
	Value   Kind = iota // a word
	Skip                // it does not have the instruction
	Refused             // "error: ...": it takes the instruction for a wrong one
	Garbled             // a line that is none of these
	Crashed             // the program ended instead of answering
	Stalled             // the program did not answer in time
	Unasked             // the program was given up before
)

var kindNames = [...]string{"value", "skip", "error", "garbled", "crash", "timeout", "unasked"}

func (k Kind) String() string { return kindNames[k] }

// Answer is what a program has answered to one vector.
type Answer struct {
	Kind Kind
	Word uint32
	Text string // what it said, or how it ended
}

// parse reads a line of the program's output.
func parse(line string) Answer {
	line = strings.TrimSuffix(line, "\r")
	if line == "skip" {
		return Answer{Kind: Skip}
	}
	if message, ok := strings.CutPrefix(line, "error:"); ok {
		return Answer{Kind: Refused, Text: strings.TrimSpace(message)}
	}
	if word, ok := hexWord(line); ok {
		return Answer{Kind: Value, Word: word}
	}
	return Answer{Kind: Garbled, Text: fmt.Sprintf("%q is neither 8 hexadecimal digits nor skip nor error: ...", shortened(line))}
}

// shortened returns as much of a line as a report shows.
func shortened(line string) string {
	const shown = 60
	if len(line) > shown {
		line = line[:shown] + "..."
	}
	return line
}

// hexWord reads exactly 8 hexadecimal digits.
func hexWord(text string) (word uint32, ok bool) {
	if len(text) != 8 {
		return 0, false
	}
	for _, digit := range []byte(text) {
		i := strings.IndexByte("0123456789abcdefABCDEF", digit)
		if i < 0 {
			return 0, false
		}
		if i > 15 {
			i -= 6
		}
		word = word<<4 | uint32(i)
	}
	return word, true
}
