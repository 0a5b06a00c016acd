// Package source knows files and positions in them: byte offsets while working,
// lines and columns when somebody is told. Text that lies inside another file,
// such as PTX in the string literals of a CUDA source, keeps the way back to it.
package source

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pos is a byte offset in the text of a [File].
type Pos int32

// Span is the text from Start up to, not including, End.
type Span struct{ Start, End Pos }

// File is a text with a name.
type File struct {
	Name string
	Text string

	lines     []Pos // start of each line, found when first asked for
	findLines sync.Once

	outer    *File
	segments []Segment
	markers  []marker // in order of position
}

// Segment says where a piece of an embedded text comes from: the bytes from
// Inner on, up to the next segment, are those of the outer file from Outer on. A
// piece that is spelled longer outside (an escape such as \n) has Width > 0:
// all of it comes from Width bytes there.
type Segment struct {
	Inner, Outer Pos
	Width        int32
	Via          *Expansion // the use of a macro that has put it there; nil if it stands there
}

// New returns a file with the given name, as it shall appear in messages, and text. The
// name "-" is that of the standard input.
func New(name, text string) *File {
	if name == "-" {
		name = "<stdin>"
	}
	return &File{Name: name, Text: text}
}

// lineStarts returns where the lines begin.
func (f *File) lineStarts() []Pos {
	f.findLines.Do(func() {
		f.lines = make([]Pos, 1, 1+len(f.Text)/32)
		for i := 0; ; {
			n := strings.IndexByte(f.Text[i:], '\n')
			if n < 0 {
				return
			}
			i += n + 1
			f.lines = append(f.lines, Pos(i))
		}
	})
	return f.lines
}

// Embed returns a file for a text inside outer. Segments are in ascending order
// of Inner, the first at 0. Positions in the new file are reported in outer.
func Embed(outer *File, text string, segments []Segment) *File {
	return &File{Name: outer.Name, Text: text, outer: outer, segments: segments}
}

// Segments returns where the pieces of an embedded text come from, in the order of the text; nil of a
// file that is in no other. The caller must not change them.
func (f *File) Segments() []Segment { return f.segments }

// Outermost returns the file on disk that p's text is in, and the span there. What
// macros have put together from several places is where its user wrote it; see
// [File.Expansion].
func (f *File) Outermost(s Span) (*File, Span) {
	for f.outer != nil {
		s, _, _ = f.outward(s)
		f = f.outer
	}
	return f, s
}

// Position is a place as people count: both numbers start at 1. Columns count
// characters, not bytes.
type Position struct{ Line, Col int }

// Position returns the line and column of p. It is for files that are not embedded;
// see [File.Outermost]. Line markers are followed; see [File.NameAt].
func (f *File) Position(p Pos) Position {
	start := f.lineStart(p)
	line := start.Line
	if m := f.markerOf(p); m != nil {
		line = m.line + start.Line - m.at
	}
	return Position{line, 1 + utf8.RuneCountInString(f.Text[start.pos:p])}
}

// Line returns the text of the line that p is on, without its end.
func (f *File) Line(p Pos) string {
	line := f.Text[f.lineStart(p).pos:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return strings.TrimSuffix(line, "\r")
}

type lineStart struct {
	Line int
	pos  Pos
}

func (f *File) lineStart(p Pos) lineStart {
	lines := f.lineStarts()
	i := sort.Search(len(lines), func(i int) bool { return lines[i] > p })
	return lineStart{i, lines[i-1]}
}
