package service

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// excerpt is a source that is put together from parts of a text, so that checking a part of a module
// costs what that part costs. Messages name the lines of the whole text.
type excerpt struct {
	text     strings.Builder
	segments []source.Segment
}

// add adds a part that stands at a place of the whole text, and returns where it is in the excerpt.
func (e *excerpt) add(part string, at int) (from int) {
	from = e.text.Len()
	e.segments = append(e.segments, source.Segment{Inner: source.Pos(from), Outer: source.Pos(at)})
	e.text.WriteString(part)
	return from
}

// line adds a part that ends with its line.
func (e *excerpt) line(part string, at int) (from int) {
	from = e.add(part, at)
	if !strings.HasSuffix(part, "\n") {
		e.text.WriteByte('\n')
	}
	return from
}

// skeleton adds a piece without the bodies of its functions, from one of its statements on.
func (e *excerpt) skeleton(p *piece, start, from int) {
	parts := p.skeleton.parts
	if from >= len(parts) {
		return
	}
	skipped := parts[from].inner
	for _, part := range parts[from:] {
		e.segments = append(e.segments, source.Segment{Inner: source.Pos(e.text.Len() + part.inner - skipped), Outer: source.Pos(start + part.at)})
	}
	e.text.WriteString(p.skeleton.text[skipped:])
}

// file returns the excerpt as a part of the whole.
func (e *excerpt) file(name, whole string) *source.File {
	if len(e.segments) == 0 || e.segments[0].Inner > 0 {
		e.segments = append([]source.Segment{{}}, e.segments...)
	}
	return source.Embed(source.New(name, whole), e.text.String(), e.segments)
}
