package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Expectation is a line of a file of expectations: an instruction that is known to fail. A * in it
// stands for anything.
type Expectation struct {
	Line    int
	Pattern string
	Reason  string
}

// Comparison is what has become of expectations.
type Comparison struct {
	Known int           // forms that fail as expected
	New   []Form        // forms that fail and are not expected to
	Gone  []Expectation // expectations of which every form passes now
	Idle  []Expectation // expectations of which no form was asked
}

// ReadExpectations reads a file of expectations: lines "PATTERN" or "PATTERN TAB REASON", blank lines and comments, which
// begin with #.
func ReadExpectations(r io.Reader) ([]Expectation, error) {
	var all []Expectation
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		pattern, reason, _ := strings.Cut(text, "\t")
		pattern = strings.TrimSpace(pattern)
		if !strings.HasPrefix(pattern, "v") && !strings.HasPrefix(pattern, "*") {
			return nil, fmt.Errorf("line %d: %q: want an instruction, such as vset4.*, and after a tab why it fails", n, pattern)
		}
		all = append(all, Expectation{n, pattern, strings.TrimSpace(reason)})
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, errors.New("a line is too long")
	}
	return all, lines.Err()
}

// matches reports whether a pattern stands for a text.
func matches(pattern, text string) bool {
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return strings.TrimSuffix(pattern, ";") == strings.TrimSuffix(text, ";")
	}
	text, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return false
	}
	last := len(pieces) - 1
	for _, piece := range pieces[1:last] {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	end := pieces[last]
	return strings.HasSuffix(text, end) || end != "" && strings.HasSuffix(strings.TrimSuffix(text, ";"), end)
}

// Compare holds the report against expectations.
func (r *Report) Compare(expectations []Expectation) {
	c := &Comparison{}
	asked, failed := make([]bool, len(expectations)), make([]bool, len(expectations))
	for _, f := range r.Forms {
		known := false
		for i, e := range expectations {
			if matches(e.Pattern, f.Instruction) {
				asked[i] = asked[i] || f.Skipped < f.Vectors
				failed[i] = failed[i] || !f.Passed()
				known = true
			}
		}
		switch {
		case f.Passed():
		case known:
			c.Known++
		default:
			c.New = append(c.New, f)
		}
	}
	for i, e := range expectations {
		switch {
		case !asked[i]:
			c.Idle = append(c.Idle, e)
		case !failed[i]:
			c.Gone = append(c.Gone, e)
		}
	}
	r.Expected = c
}

// WriteExpectations writes the expectations that the report fulfils: every form that fails, with its causes.
func (r *Report) WriteExpectations(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Known failures as of reading %v: a pattern (* is anything), a tab, the cause.\n", r.Reading)
	causes := r.causesOf()
	for _, f := range r.Forms {
		if f.Passed() {
			continue
		}
		reason := strings.Join(causes[f.Instruction], " ")
		if reason == "" && f.First.Kind != 0 {
			reason = f.First.Kind.String()
		}
		fmt.Fprintf(out, "%s\t%s\n", f.Instruction, reason)
	}
	return out.Flush()
}
