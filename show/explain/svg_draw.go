package explain

import (
	"fmt"
	"unicode/utf8"

	"github.com/vop-ptx/vop/sem"
)

// drawing draws everything, from the top.
func (c *canvas) drawing(d *Drawing) {
	c.y = edge
	if !c.Page {
		c.paragraph(edge, "strong", d.Instruction)
		c.paragraph(edge, "faint", fmt.Sprintf("PTX ISA %s, read as %v", d.Section, d.Reading))
		c.y += 6
	}
	if d.Lanes > 1 {
		for i := range d.Lanes {
			x, width := c.lane(i, d.Lanes)
			c.text(x+width/2, c.y+lineHeight-5, "faint", "middle", fontSize, fmt.Sprintf("lane %d", i))
		}
		c.y += lineHeight
	}
	for i := range d.Stages {
		c.stage(d, i)
	}
	c.y += 6
	c.word(d.Result)
	if d.Difference != nil && !c.Page {
		c.difference(d.Difference)
	}
}

// stage draws a stage; one that takes bits of operands has these above.
func (c *canvas) stage(d *Drawing, number int) {
	s := &d.Stages[number]
	attributes := `class="stage"`
	if c.Page {
		attributes = fmt.Sprintf(`class="stage" id="%s-stage-%d" data-stage="%[2]d" role="button" tabindex="0" aria-pressed="false" aria-label="%s"`,
			c.ID, number, escaper.Replace(s.sentence()))
	}
	before := c.s.String()
	c.s.Reset()
	top := c.y
	c.y += 3
	c.text(edge, c.y+lineHeight-5, "strong", "start", fontSize, s.Kind.String())
	left, _ := c.lanes()
	if c.narrow() {
		c.y += lineHeight
		left = edge
	}
	c.paragraph(left, "", s.Formula)
	c.y += 4
	for i, row := range s.Rows {
		if i > 0 {
			c.y += boxGap
		}
		for _, w := range d.Operands {
			if row.takes(w.Name) {
				c.word(w)
				c.sources(row)
			}
		}
		c.row(row)
	}
	c.y += 5
	drawn := c.s.String()
	c.s.Reset()
	c.s.WriteString(before)
	c.printf("<g %s>\n<rect class=\"frame\" x=\"3\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n%s</g>\n", attributes, top, c.Width-6, c.y-top, drawn)
}

// takes reports whether a row has bits of an operand.
func (r *Row) takes(operand string) bool {
	for _, cell := range r.Cells {
		if cell.From.Operand == operand {
			return true
		}
	}
	return false
}

// box draws a rectangle with a text in it, as large as fits.
func (c *canvas) box(x, y, width, height int, class, textClass, text string) {
	size := min(fontSize, float64(width-2*boxGap-4)/letter/float64(max(1, utf8.RuneCountInString(text))))
	c.printf(`<g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="4"/></g>`+"\n", class, x+boxGap, y, width-2*boxGap, height)
	c.text(x+width/2, y+height/2+4, textClass, "middle", size, text)
}

// row draws the cells of a row, lane 0 at the right.
func (c *canvas) row(r Row) {
	c.text(edge+2, c.y+boxHeight/2+4, "strong", "start", fontSize, r.Name)
	for i, cell := range r.Cells {
		x, width := c.lane(i, len(r.Cells))
		hue, textClass := cell.Hue, ""
		switch hue {
		case Plain:
			if len(r.Cells) > 1 {
				hue = Lane0 + Hue(i)
			}
		case Clamped:
			textClass = "clamped"
		}
		c.box(x, c.y, width, boxHeight, hue.class(), textClass, cell.Text)
	}
	c.y += boxHeight
}

// lane returns where a lane of so many is.
func (c *canvas) lane(i, of int) (x, width int) {
	left, all := c.lanes()
	width = all / of
	return left + (of-1-i)*width, width
}

// word draws the bytes of a word, each with its digits and its bits.
func (c *canvas) word(w Word) {
	name := w.Name
	if !c.narrow() {
		name = fmt.Sprintf("%s %08x", w.Name, w.Value)
	}
	c.text(edge+2, c.y+wordHeight/2+4, "strong", "start", fontSize, name)
	for i := range 4 {
		x, width := c.lane(i, 4)
		hue, _ := w.at(8 * i)
		value := w.Value >> (8 * i) & 0xff
		c.printf(`<g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="4"/></g>`+"\n", hue.class(), x+boxGap, c.y, width-2*boxGap, wordHeight)
		c.text(x+width/2, c.y+16, "strong", "middle", fontSize, fmt.Sprintf("%02x", value))
		c.text(x+width/2, c.y+32, "faint", "middle", min(fontSize-1, float64(width-2*boxGap-4)/letter/8), fmt.Sprintf("%08b", value))
	}
	c.y += wordHeight
}

// sources draws a line from the bits that each lane takes of the word above to the lane below.
func (c *canvas) sources(r Row) {
	for i, cell := range r.Cells {
		if cell.From.Operand == "" {
			continue
		}
		x, width := c.lane(0, 4)
		from := x + width - (2*cell.From.Low+cell.From.Bits)*width/16
		x, width = c.lane(i, len(r.Cells))
		to := x + width/2
		c.printf(`<g class="%s"><path d="M%d %dC%[2]d %[4]d %[5]d %[4]d %[5]d %[6]d"/></g>`+"\n", cell.Hue.class(), from, c.y, c.y+flow/2, to, c.y+flow)
	}
	c.y += flow
}

// difference writes what the other reading gives, and why.
func (c *canvas) difference(d *Difference) {
	c.y += 12
	c.paragraph(edge, "clamped", fmt.Sprintf("d %08x read as %v. The readings part here: %v", d.Result, d.Reading, d.Kind))
	for _, side := range d.Parted {
		text := fmt.Sprintf("%v: %s: ", side.Reading, side.Formula)
		for i := len(side.Row.Cells) - 1; i >= 0; i-- {
			text += " " + side.Row.Cells[i].Text
		}
		c.paragraph(edge+12, "", text)
	}
	for _, rule := range d.Rules {
		c.y += 4
		c.paragraph(edge, "strong", rule.Name+"  "+rule.Title)
		c.paragraph(edge+12, "faint", fmt.Sprintf("%v: %s", sem.ISA, rule.Manual))
		c.paragraph(edge+12, "faint", fmt.Sprintf("%v: %s", sem.SM86, rule.Compiled))
	}
}
