package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/sem"
)

// Width is how many columns a drawing in text has at most.
const Width = 80

// Write draws a trace in text of at most [Width] columns. With color it uses terminal colours: one
// for each lane, red for values that saturation changed.
func Write(w io.Writer, t sem.Trace, color bool) error {
	p := printer{color: color}
	d := Draw(t)
	p.drawing(&d)
	_, err := io.WriteString(w, p.s.String())
	return err
}

// String draws a trace in text without colours.
func String(t sem.Trace) string {
	var s strings.Builder
	_ = Write(&s, t, false) // a strings.Builder does not fail
	return s.String()
}

// printer writes a drawing in text.
type printer struct {
	s     strings.Builder
	color bool
}

func (p *printer) line(parts ...string) {
	p.s.WriteString(strings.Join(parts, "") + "\n")
}

func (p *printer) paint(h Hue, text string) string { return h.paint(text, p.color) }

// The columns of a drawing: the kind of a stage, then its formula, and below that its rows.
const (
	margin    = "  "
	kindCols  = 14
	labelCols = 7
	gap       = 3 // between cells
)

var indent = strings.Repeat(" ", kindCols)

func (p *printer) drawing(d *Drawing) {
	p.line(p.paint(Strong, d.Instruction))
	p.line(p.paint(Faint, fmt.Sprintf("PTX ISA %s, read as %v", d.Section, d.Reading)))
	p.line()
	for _, w := range d.Operands {
		p.word(w)
	}
	p.line()
	name, cell := d.columns()
	if d.Lanes > 1 {
		heads := Row{}
		for i := range d.Lanes {
			heads.Cells = append(heads.Cells, Cell{fmt.Sprintf("lane %d", i), d.hueOf(i), Source{}})
		}
		p.row(heads, name, cell)
	}
	for _, s := range d.Stages {
		p.stage(s, name, cell)
	}
	p.line()
	p.word(d.Result)
	if d.Difference != nil {
		p.difference(d.Difference)
	}
}

// columns returns the widths that names and cells have in all rows.
func (d *Drawing) columns() (name, cell int) {
	if d.Lanes > 1 {
		cell = len("lane 0")
	}
	for _, s := range d.Stages {
		for _, r := range s.Rows {
			name = max(name, utf8.RuneCountInString(r.Name))
			for _, c := range r.Cells {
				cell = max(cell, utf8.RuneCountInString(c.Text))
			}
		}
	}
	return name, cell
}

// word writes an operand or the result, and its bits in the hues of the pieces they belong to.
func (p *printer) word(w Word) {
	var bits strings.Builder
	for i := 31; i >= 0; {
		hue, end := w.at(i)
		end = max(end, i/8*8) // a blank stands between bytes
		bits.WriteString(p.paint(hue, fmt.Sprintf("%0*b", i-end+1, w.Value>>end&(1<<(i-end+1)-1))))
		if i = end - 1; end%8 == 0 && i >= 0 {
			bits.WriteByte(' ')
		}
	}
	p.line(margin, p.paint(Strong, fmt.Sprintf("%s %08x", w.Name, w.Value)), "    ", bits.String())
}

// at returns the hue of a bit, and the lowest bit of the run of bits with that hue.
func (w Word) at(bit int) (h Hue, low int) {
	for _, p := range w.Pieces {
		if p.Low <= bit && bit < p.Low+p.Bits {
			return p.Hue, p.Low
		}
		if p.Low+p.Bits <= bit {
			low = max(low, p.Low+p.Bits)
		}
	}
	if len(w.Pieces) == 0 {
		return Plain, 0
	}
	return Faint, low
}

func (p *printer) stage(s Stage, name, cell int) {
	head := margin + p.paint(Strong, fmt.Sprintf("%-*s", kindCols-len(margin), s.Kind))
	for i, text := range wrap(s.Formula, Width-kindCols) {
		if i > 0 {
			head = indent
		}
		p.line(head, p.paint(Faint, text))
	}
	for _, r := range s.Rows {
		p.row(r, name, cell)
	}
}

// row writes the values of a row, lane 0 at the right as its bits are in the word.
func (p *printer) row(r Row, name, cell int) {
	text := indent + p.paint(Strong, fmt.Sprintf("%-*s", name, r.Name))
	for _, c := range slices.Backward(r.Cells) {
		padding := gap + cell - utf8.RuneCountInString(c.Text)
		text += strings.Repeat(" ", padding) + p.paint(c.Hue, c.Text)
	}
	p.line(text)
}

func (p *printer) difference(d *Difference) {
	p.line()
	p.line(margin, p.paint(Clamped, fmt.Sprintf("d %08x", d.Result)), fmt.Sprintf(" read as %v. The readings part here:", d.Reading))
	p.line()
	if d.Parted != nil {
		p.line(margin, p.paint(Strong, d.Kind.String()))
	}
	for _, side := range d.Parted {
		p.labelled(margin+margin, side.Reading.String(), side.Formula)
		text := strings.Repeat(" ", 2*len(margin)+labelCols) + p.paint(Strong, side.Row.Name)
		for _, c := range slices.Backward(side.Row.Cells) {
			text += strings.Repeat(" ", gap) + p.paint(c.Hue, c.Text)
		}
		p.line(text)
	}
	for _, rule := range d.Rules {
		p.line()
		p.labelled(margin, rule.Name, rule.Title)
		for _, of := range [][2]string{{sem.ISA.String(), rule.Manual}, {sem.SM86.String(), rule.Compiled}, {"both", rule.Instead}} {
			p.labelled(margin+margin, of[0], of[1])
		}
	}
}

// labelled writes a text after a label, wrapped.
func (p *printer) labelled(before, label, text string) {
	head := before + p.paint(Strong, fmt.Sprintf("%-*s", labelCols, label))
	for i, line := range wrap(text, Width-len(before)-labelCols) {
		if i > 0 {
			head = strings.Repeat(" ", len(before)+labelCols)
		}
		p.line(head, line)
	}
}

// wrap breaks a text into lines of at most so many columns, at blanks.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
