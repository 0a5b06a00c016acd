package syntax

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// Format returns a PTX file in the canonical layout (see [Print]), or what is wrong with it.
func Format(src *source.File) (string, diag.List) {
	f, errs := Parse(src)
	if errs.HasErrors() {
		return "", errs
	}
	return string(appendFile(nil, f)), errs
}

// Print writes a file in the canonical layout: one statement a line, bodies
// indented with tabs, operands in a column, blank lines kept up to one, comments
// where they are. The modifiers of video instructions come in the order of the
// grammar, which means the same (see [OrderModifiers]). Printing what was printed
// changes nothing. The only error is one of w.
//
// The tree must be as [Parse] made it, without errors: blank lines and line
// breaks in initialisers are those of its source.
func Print(w io.Writer, f *File) error {
	_, err := w.Write(appendFile(nil, f))
	return err
}

func appendFile(out []byte, f *File) []byte {
	p := printer{source: f.Source.Text, comments: f.Comments, fresh: true}
	p.statements(f.Stmts, source.Pos(len(p.source)))
	return p.layOut(out)
}

// printer collects lines. The current one is text[from:].
type printer struct {
	source   string
	comments []Comment // those not printed yet
	lines    []line
	text     []byte
	from     int
	indent   int
	last     source.Pos // end of what was printed last
	blank    bool       // a blank line comes before the next one
	fresh    bool       // nothing stands in the current scope yet
}

// line is a finished line, a part of printer.text. The comment after it is
// apart, so that those of neighbouring lines can be aligned.
type line struct {
	start, end int
	comment    string
}

// write adds to the current line. It is not inlined: what begins a line would be at a hundred places.
//
//go:noinline
func (p *printer) write(s string) {
	if p.from == len(p.text) {
		p.begin(p.indent)
	}
	p.text = append(p.text, s...)
}

// begin starts a line.
func (p *printer) begin(indent int) {
	if p.blank && !p.fresh {
		p.lines = append(p.lines, line{})
	}
	p.blank, p.fresh = false, false
	for range indent {
		p.text = append(p.text, '\t')
	}
}

// endLine finishes the current line, if something stands on it.
func (p *printer) endLine() {
	p.text = bytes.TrimRight(p.text, " \t")
	if len(p.text) <= p.from {
		p.text = p.text[:p.from]
		return
	}
	p.lines = append(p.lines, line{start: p.from, end: len(p.text)})
	p.from = len(p.text)
}

// leaf writes a word with its place, after the comments before it. After one that
// ends its line, the statement goes on, indented, on the next line.
func (p *printer) leaf(s string, at source.Pos) {
	for len(p.comments) > 0 && p.comments[0].Pos < at {
		c := p.nextComment()
		if p.from < len(p.text) && p.text[len(p.text)-1] != ' ' && p.text[len(p.text)-1] != '\t' {
			p.write(" ")
		}
		p.write(c)
		if endsLine(c) {
			p.endLine()
			p.begin(p.indent + 1)
		} else {
			p.write(" ")
		}
	}
	p.write(s)
}

// endsLine reports whether what comes after a comment stands on another line.
func endsLine(comment string) bool {
	return comment[1] == '/' || strings.IndexByte(comment, '\n') >= 0
}

// word writes a word of the tree.
func (p *printer) word(w Word) { p.leaf(w.Text, w.Pos) }

// nextComment returns the next comment, which counts as printed, as it is written:
// nothing but ends of lines and blanks at its end change.
func (p *printer) nextComment() string {
	c := p.comments[0]
	p.comments = p.comments[1:]
	p.last = c.end()
	return strings.TrimRight(strings.ReplaceAll(c.Text, "\r\n", "\n"), blanks)
}

func (c *Comment) end() source.Pos { return c.Pos + source.Pos(len(c.Text)) }

// commentLines prints the comments before a place on lines of their own, but for
// those on the line of that place.
func (p *printer) commentLines(before source.Pos) {
	for len(p.comments) > 0 && p.comments[0].Pos < before {
		c := &p.comments[0]
		if !endsLine(c.Text) && int(before) < len(p.source) && !p.breakBetween(c.end(), before) {
			return
		}
		p.blankBefore(c.Pos)
		p.write(p.nextComment())
		p.endLine()
	}
}

// blankBefore keeps a blank line between what was printed last and a place.
func (p *printer) blankBefore(at source.Pos) {
	if p.from == len(p.text) && p.last < at && strings.Count(p.source[p.last:at], "\n") > 1 {
		p.blank = true
	}
}

// breakBetween reports whether a line ends between two places.
func (p *printer) breakBetween(a, b source.Pos) bool {
	return a < b && strings.IndexByte(p.source[a:b], '\n') >= 0
}

// endStatement finishes a statement, or a part of one that has a line to itself,
// that ends at a place. Comments in it that are not printed yet, and those after it
// on its line, stand at the end of the line.
func (p *printer) endStatement(end source.Pos) {
	p.endLine()
	p.last = max(p.last, end)
	for len(p.comments) > 0 {
		c := &p.comments[0]
		if c.Pos >= p.last && strings.Trim(p.source[p.last:c.Pos], " \t\r\f\v,") != "" {
			return
		}
		last := &p.lines[len(p.lines)-1]
		switch {
		case last.comment == "":
			last.comment = p.nextComment()
		case strings.HasPrefix(last.comment, "//"):
			p.write(p.nextComment())
			p.endLine()
		default:
			last.comment += " " + p.nextComment()
		}
	}
}

// layOut appends the lines, the comments after neighbouring ones aligned.
func (p *printer) layOut(out []byte) []byte {
	for i := 0; i < len(p.lines); {
		n, column := 0, 0
		for i+n < len(p.lines) && p.lines[i+n].comment != "" {
			column = max(column, width(p.text[p.lines[i+n].start:p.lines[i+n].end]))
			n++
		}
		for _, l := range p.lines[i : i+max(n, 1)] {
			text := p.text[l.start:l.end]
			out = append(out, text...)
			if l.comment != "" {
				for range column - width(text) + 1 {
					out = append(out, ' ')
				}
				out = append(out, l.comment...)
			}
			out = append(out, '\n')
		}
		i += max(n, 1)
	}
	return out
}

// width returns the number of columns of a line, tabs being 8 wide.
func width(line []byte) int {
	n := 0
	for len(line) > 0 && line[0] == '\t' {
		n, line = n+8, line[1:]
	}
	return n + utf8.RuneCount(line)
}
