package diag

import (
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/read/source"
)

// Region is where a diagnostic is, as people and other tools count: lines and
// columns start at 1, columns count characters, the end is exclusive.
type Region struct {
	File            string
	Line, Col       int
	EndLine, EndCol int
	Text            string // the line that it begins on, without its end

	start, end int // bytes of Text
}

// Region returns the diagnostic's place in the file on disk. A span that goes on
// over several lines ends with the first of them in Text, not in EndLine.
func (d *Diagnostic) Region() Region {
	file, span := d.File.Outermost(d.Span)
	start, end := file.Position(span.Start), file.Position(span.End)
	r := Region{File: file.NameAt(span.Start), Line: start.Line, Col: start.Col, EndLine: end.Line, EndCol: end.Col, Text: file.Line(span.Start)}
	r.start = lineOffset(file, span.Start)
	r.end = min(r.start+int(span.End-span.Start), len(r.Text))
	return r
}

// lineOffset returns how many bytes of its line are before p.
func lineOffset(file *source.File, p source.Pos) int {
	return int(p) - 1 - strings.LastIndexByte(file.Text[:p], '\n')
}

// clean replaces what a terminal would not print as one character or would obey:
// control characters and bytes that are not UTF-8. Tabs stay.
func clean(text string) string {
	bad := func(r rune) bool {
		return r < ' ' && r != '\t' || 0x7f <= r && r < 0xa0 || r == utf8.RuneError
	}
	if strings.IndexFunc(text, bad) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}
