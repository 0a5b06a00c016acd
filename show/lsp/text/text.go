// Package text holds a document as an editor changes it: lines, edits of ranges, and the
// positions of the Language Server Protocol, whatever units they count in.
package text

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// Encoding is the unit that positions count characters in.
type Encoding string

// The encodings. Every client knows UTF-16.
const (
	UTF16 Encoding = "utf-16"
	UTF8  Encoding = "utf-8"
)

// Negotiate returns the encoding to use with a client that knows some: bytes, which need no
// counting, if it can.
func Negotiate(offered []string) Encoding {
	for _, name := range offered {
		if Encoding(name) == UTF8 {
			return UTF8
		}
	}
	return UTF16
}

// Text is one version of a document. It never changes.
type Text struct {
	encoding Encoding
	lines    []string // each with its end
	find     sync.Once
	starts   []int  // of each line, and the end of the text
	whole    string // of all lines
}

// New returns a text.
func New(content string, encoding Encoding) *Text {
	return &Text{encoding: encoding, lines: split(nil, content)}
}

// split adds the lines of a text to a list. The last one has no end; it may be empty. Lines end
// with \n, \r\n or \r.
func split(lines []string, content string) []string {
	for {
		end := strings.IndexAny(content, "\r\n")
		if end < 0 {
			return append(lines, content)
		}
		end++
		if content[end-1] == '\r' && end < len(content) && content[end] == '\n' {
			end++
		}
		lines = append(lines, content[:end])
		content = content[end:]
	}
}

// measure finds the whole text and where its lines begin.
func (t *Text) measure() {
	t.find.Do(func() {
		t.starts = make([]int, 0, len(t.lines)+1)
		size := 0
		for _, line := range t.lines {
			t.starts = append(t.starts, size)
			size += len(line)
		}
		t.starts = append(t.starts, size)
		if len(t.lines) == 1 {
			t.whole = t.lines[0]
			return
		}
		var whole strings.Builder
		whole.Grow(size)
		for _, line := range t.lines {
			whole.WriteString(line)
		}
		t.whole = whole.String()
	})
}

// String returns the whole text.
func (t *Text) String() string {
	t.measure()
	return t.whole
}

// Size returns the number of bytes.
func (t *Text) Size() int {
	n := 0
	for _, line := range t.lines {
		n += len(line)
	}
	return n
}

// Lines returns the number of lines, at least 1.
func (t *Text) Lines() int { return len(t.lines) }

// Line returns a line without its end; "" if there is none.
func (t *Text) Line(n int) string {
	if n < 0 || n >= len(t.lines) {
		return ""
	}
	return strings.TrimRight(t.lines[n], "\r\n")
}

// Start returns the byte at which a line begins; the end of the text if there is no such line.
func (t *Text) Start(line int) int {
	t.measure()
	return t.starts[min(max(line, 0), len(t.lines))]
}

// Edit returns the text with changes made to it, one after the other: the range of each is in the
// text that the one before has left.
func (t *Text) Edit(changes []protocol.ContentChange) *Text {
	lines := append([]string(nil), t.lines...)
	for i := range changes {
		if changes[i].Range == nil {
			lines = split(nil, changes[i].Text)
			continue
		}
		lines = t.encoding.replace(lines, *changes[i].Range, changes[i].Text)
	}
	return &Text{encoding: t.encoding, lines: lines}
}

// replace puts a text in the place of a range. Ends of lines that come to stand together, \r and
// \n, become one. The list is changed in place.
func (e Encoding) replace(lines []string, at protocol.Range, content string) []string {
	first, from := e.clamp(lines, at.Start)
	last, to := e.clamp(lines, at.End)
	if last < first || last == first && to < from {
		last, to = first, from
	}
	before, after := lines[first][:from], lines[last][to:]
	if strings.HasSuffix(before, "\r") || first > 0 && before == "" && strings.HasSuffix(lines[first-1], "\r") {
		if before == "" {
			first--
			before = lines[first]
		}
	}
	fresh := split(nil, before+content+after)
	// What was read ends with the end of its last line, behind which split sees an empty one.
	if n := len(fresh); n > 1 && fresh[n-1] == "" && last+1 < len(lines) {
		fresh = fresh[:n-1]
	}
	return slices.Replace(lines, first, last+1, fresh...)
}

// clamp returns the line of a position and the byte in it. What is behind the end of a line or
// of the text is at that end.
func (e Encoding) clamp(lines []string, p protocol.Position) (line, at int) {
	if int64(p.Line) >= int64(len(lines)) {
		last := len(lines) - 1
		return last, len(lines[last])
	}
	content := strings.TrimRight(lines[p.Line], "\r\n")
	return int(p.Line), e.bytes(content, p.Character)
}

// bytes returns how many bytes of a line so many units are. A place inside a
// character is at its start.
func (e Encoding) bytes(line string, units uint32) int {
	if e == UTF8 {
		at := int(min(int64(units), int64(len(line))))
		for at > 0 && at < len(line) && !utf8.RuneStart(line[at]) {
			at--
		}
		return at
	}
	left := int64(units)
	for i, r := range line {
		if left -= width(r); left < 0 {
			return i
		}
	}
	return len(line)
}

// units is the inverse of bytes.
func (e Encoding) units(line string, at int) uint32 {
	if e == UTF8 {
		return uint32(at)
	}
	n := int64(0)
	for _, r := range line[:at] {
		n += width(r)
	}
	return uint32(n)
}

// width returns how many units of UTF-16 a character is.
func width(r rune) int64 {
	if r > 0xffff {
		return 2
	}
	return 1
}

// Offset returns the byte at a position, of which one outside the text is at its nearest end.
func (t *Text) Offset(p protocol.Position) int {
	t.measure()
	line, at := t.encoding.clamp(t.lines, p)
	return t.starts[line] + at
}

// Position is the inverse of [Text.Offset].
func (t *Text) Position(offset int) protocol.Position {
	t.measure()
	offset = min(max(offset, 0), len(t.whole))
	line := sort.SearchInts(t.starts[1:len(t.lines)], offset+1)
	at := min(offset-t.starts[line], len(t.lines[line]))
	return protocol.Position{Line: uint32(line), Character: t.encoding.units(t.lines[line], at)}
}

// Range returns the range between two bytes.
func (t *Text) Range(start, end int) protocol.Range {
	return protocol.Range{Start: t.Position(start), End: t.Position(max(start, end))}
}
