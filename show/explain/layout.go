package explain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// title writes the instruction, where the manual defines it, and the operands.
func (d *drawing) title(s *strings.Builder, t sem.Trace, color bool) {
	section := isa.SectionOf(t.Form.Op)
	fmt.Fprintf(s, "%s   %s\n\n", strong.paint(t.Form.String(), color),
		faint.paint(fmt.Sprintf("PTX ISA %s, read as %v", section.Number, t.Reading), color))
	fmt.Fprintf(s, "  a %08x   b %08x", t.A, t.B)
	if t.Form.ReadsC() {
		fmt.Fprintf(s, "   c %08x", t.C)
	}
	s.WriteString("\n\n")
}

// table writes the rows, the columns aligned, lane 0 at the right as its bits
// are in the word.
func (d *drawing) table(s *strings.Builder, color bool) {
	if d.lanes > 1 {
		heads := row{}
		for i := range d.lanes {
			heads.cells = append(heads.cells, cell{fmt.Sprintf("lane %d", i), lane0 + hue(i)})
		}
		d.rows = append([]row{heads}, d.rows...)
	}
	var nameWidth, howWidth, cellWidth int
	for _, r := range d.rows {
		nameWidth = max(nameWidth, utf8.RuneCountInString(r.name))
		howWidth = max(howWidth, utf8.RuneCountInString(r.how))
		for _, c := range r.cells {
			cellWidth = max(cellWidth, utf8.RuneCountInString(c.text))
		}
	}
	for _, r := range d.rows {
		fmt.Fprintf(s, "  %s  %-*s", strong.paint(fmt.Sprintf("%-*s", nameWidth, r.name), color), howWidth, r.how)
		for i := len(r.cells) - 1; i >= 0; i-- {
			c := r.cells[i]
			padding := cellWidth - utf8.RuneCountInString(c.text)
			fmt.Fprintf(s, "   %s%s", strings.Repeat(" ", padding), c.hue.paint(c.text, color))
		}
		if r.note != "" {
			s.WriteString("   " + faint.paint(r.note, color))
		}
		s.WriteByte('\n')
	}
}

// result writes the word that d receives.
func (d *drawing) result(s *strings.Builder, t sem.Trace, color bool) {
	fmt.Fprintf(s, "\n  %s\n", strong.paint(fmt.Sprintf("d %08x", t.D), color))
}
