package syntax

import "strings"

// operands prints a list.
func (p *printer) operands(list []Operand, between string) {
	for i := range list {
		if i > 0 {
			p.write(between)
		}
		p.operand(&list[i])
	}
}

// operand prints an operand.
func (p *printer) operand(o *Operand) { p.spaced(o, " ") }

// spaced prints an operand with blanks, or nothing, around operators.
func (p *printer) spaced(o *Operand, blank string) {
	if o.Parens > 0 {
		p.leaf(strings.Repeat("(", int(o.Parens)), o.Start)
	}
	if o.Neg != 0 {
		p.leaf(string(rune(o.Neg)), o.Start)
	}
	switch o.Kind {
	case Name, Number, String, Sink:
		p.leaf(o.Text, o.Pos)
	case Modifier:
		p.leaf(o.Text, o.Pos)
		if o.Elems != nil {
			p.write("(")
			p.operands(o.Elems, ", ")
			p.write(")")
		}
	case Vector:
		p.enclosed("{", o, "}")
	case List:
		p.enclosed("(", o, ")")
	case Address:
		p.leaf(o.Text, o.Pos)
		p.write("[")
		for i := range o.Elems {
			if i > 0 {
				p.write(", ")
			}
			p.spaced(&o.Elems[i], "")
		}
		p.write("]")
	case Pair:
		p.operands(o.Elems, "|")
	case Range:
		p.leaf(o.Text, o.Pos)
		p.write("<")
		p.operands(o.Elems, "")
		p.write(">")
	case Expr:
		p.expression(o, blank)
	}
	if o.Selector.Text != "" {
		p.word(o.Selector)
	}
	if o.Parens > 0 {
		p.write(strings.Repeat(")", int(o.Parens)))
	}
}

func (p *printer) enclosed(open string, o *Operand, end string) {
	p.leaf(open, o.Start)
	p.operands(o.Elems, ", ")
	p.write(end)
}

func (p *printer) expression(o *Operand, blank string) {
	switch {
	case o.Text == "?":
		p.spaced(&o.Elems[0], blank)
		p.leaf(" ? ", o.Pos)
		p.spaced(&o.Elems[1], blank)
		p.write(" : ")
		p.spaced(&o.Elems[2], blank)
	case len(o.Elems) == 2:
		if o.Text == "%" || o.Text == "=" {
			blank = " " // %b without a blank is a name
		}
		p.spaced(&o.Elems[0], blank)
		p.leaf(blank+o.Text+blank, o.Pos)
		p.spaced(&o.Elems[1], blank)
	case o.Text[0] == '.':
		p.leaf("("+o.Text+")", o.Start)
		p.spaced(&o.Elems[0], blank)
	case class[o.Text[0]]&namePart != 0:
		p.leaf(o.Text, o.Pos)
		p.write("(")
		p.spaced(&o.Elems[0], blank)
		p.write(")")
	default:
		p.leaf(o.Text, o.Pos)
		p.spaced(&o.Elems[0], blank)
	}
}
