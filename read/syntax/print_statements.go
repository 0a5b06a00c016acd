package syntax

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// operandColumn is where operands stand, counted from the start of the
// instruction, if guard and mnemonic leave room. Nearly all video mnemonics do.
const operandColumn = 24

// blanks are the characters that PTX takes for white space; there are no others.
const blanks = " \t\n\r\f\v"

// statements prints the statements of a scope that ends at a place.
func (p *printer) statements(list []Stmt, end source.Pos) {
	for i, s := range list {
		p.commentLines(s.Span().Start)
		p.blankBefore(s.Span().Start)
		label, ok := s.(*Label)
		if ok && i+1 < len(list) && needsLabel(list[i+1]) {
			p.word(label.Name)
			p.write(": ")
			p.last = label.End
			continue
		}
		p.statement(s)
	}
	p.commentLines(end)
}

// needsLabel reports whether a statement stands on the line of its label: the
// lists of targets and the prototypes that instructions refer to by it.
func needsLabel(s Stmt) bool {
	d, ok := s.(*Directive)
	return ok && (d.Prototype != nil || d.Name.Text == ".branchtargets" || d.Name.Text == ".calltargets")
}

func (p *printer) statement(s Stmt) {
	end := s.Span().End
	switch s := s.(type) {
	case *Instruction:
		p.instruction(s)
	case *Label:
		p.indent--
		p.word(s.Name)
		p.indent++
		p.write(":")
	case *Directive:
		p.directive(s)
	case *Variable:
		p.variable(s)
		p.write(";")
	case *Function:
		p.function(s)
	case *Block:
		p.block(s)
	case *Bad:
		p.bad(s)
	}
	p.endStatement(end)
	if f, ok := s.(*Function); ok && f.Body != nil {
		p.blank = true
	}
}

// bad writes what was not understood as it is; the comments in it are part of it.
func (p *printer) bad(b *Bad) {
	for len(p.comments) > 0 && p.comments[0].Pos < b.End {
		p.comments = p.comments[1:]
	}
	p.write(strings.Trim(p.source[b.Start:b.End], blanks))
}

func (p *printer) instruction(i *Instruction) {
	start := len(p.text)
	if i.Guard.Name.Text != "" {
		p.leaf("@", i.Start)
		if i.Guard.Not {
			p.write("!")
		}
		p.word(i.Guard.Name)
		p.write(" ")
	}
	p.word(i.Name)
	for _, m := range OrderModifiers(i) {
		p.word(m)
	}
	if len(i.Operands) > 0 {
		p.write(" ")
		for len(p.text)-start-p.indent < operandColumn {
			p.write(" ")
		}
		p.operands(i.Operands, ", ")
	}
	p.write(";")
}

func (p *printer) directive(d *Directive) {
	p.word(d.Name)
	switch {
	case d.Prototype != nil:
		p.prototype(d.Prototype)
	case d.Name.Text[0] == '@':
		p.write(" " + strings.Trim(d.Body, blanks))
		return
	}
	for i := range d.Args {
		p.write(" ")
		p.operand(&d.Args[i])
		if d.Args[i].Comma {
			p.write(",")
		}
	}
	if d.Body != "" {
		p.write(" " + strings.ReplaceAll(d.Body, "\r\n", "\n"))
	}
	if d.Semicolon {
		p.write(";")
	}
}

// prototype prints what follows .callprototype, all on its line.
func (p *printer) prototype(f *Function) {
	if f.Returns != nil {
		p.write(" ")
		p.parametersInLine(f.Returns)
	}
	p.write(" ")
	p.word(f.Name)
	if f.HasParams {
		p.write(" ")
		p.parametersInLine(f.Params)
	}
	for _, d := range f.Directives {
		p.write(" ")
		p.directive(d)
	}
}

func (p *printer) parametersInLine(list []*Variable) {
	p.write("(")
	for i, v := range list {
		if i > 0 {
			p.write(", ")
		}
		p.variable(v)
	}
	p.write(")")
}

// variable prints a declaration without its semicolon.
func (p *printer) variable(v *Variable) {
	for _, w := range v.Linkage {
		p.word(w)
		p.write(" ")
	}
	p.word(v.Space)
	p.attributes(v.Attributes)
	for i := range v.Names {
		if i > 0 {
			p.write(",")
		}
		p.write(" ")
		p.declarator(&v.Names[i])
	}
}

// attributes prints words, each after a blank.
func (p *printer) attributes(list []Operand) {
	for i := range list {
		p.write(" ")
		p.operand(&list[i])
	}
}

func (p *printer) declarator(d *Declarator) {
	p.word(d.Name)
	if d.HasCount {
		p.write("<")
		p.operand(&d.Count)
		p.write(">")
	}
	for i := range d.Dims {
		p.write("[")
		p.operand(&d.Dims[i])
		p.write("]")
	}
	if d.Init != nil {
		p.write(" = ")
		p.initialiser(d.Init)
	}
}

// initialiser prints the value of a variable. Lines end in it where they do in the source.
func (p *printer) initialiser(o *Operand) {
	if o.Kind != Vector {
		p.operand(o)
		return
	}
	p.leaf("{", o.Start)
	p.indent++
	last := o.Start + 1
	first := true
	for elem := range o.Elements() {
		if !first {
			p.write(",")
		}
		if !p.breakLine(last, elem.Start) && !first {
			p.write(" ")
		}
		p.initialiser(elem)
		last = elem.End
		first = false
	}
	p.indent--
	p.breakLine(last, o.End-1)
	p.leaf("}", o.End-1)
}

// breakLine ends the line if it ends in the source between two places, or must
// because of a comment, and says so.
func (p *printer) breakLine(last, next source.Pos) bool {
	must := false
	for i := 0; i < len(p.comments) && p.comments[i].Pos < last; i++ {
		must = must || endsLine(p.comments[i].Text)
	}
	if !must && !p.breakBetween(last, next) {
		return false
	}
	p.endStatement(last)
	p.commentLines(next)
	return true
}

// function prints a function: its parameters and directives each on a line.
func (p *printer) function(f *Function) {
	for _, w := range f.Linkage {
		p.word(w)
		p.write(" ")
	}
	p.word(f.Kind)
	p.attributes(f.Attributes)
	p.write(" ")
	if f.Returns != nil {
		p.parametersInLine(f.Returns)
		p.write(" ")
	}
	p.word(f.Name)
	p.last = f.Name.Span().End
	if f.HasParams {
		p.parameters(f.Params)
	}
	for _, d := range f.Directives {
		p.endStatement(p.last)
		p.commentLines(d.Start)
		p.directive(d)
		p.last = d.End
	}
	if f.Body == nil {
		if f.Directives != nil {
			p.endStatement(p.last)
		}
		p.write(";")
		return
	}
	p.endStatement(p.last)
	p.commentLines(f.Body.Start)
	p.block(f.Body)
}

// parameters prints each parameter on a line.
func (p *printer) parameters(list []*Variable) {
	p.write("(")
	p.indent++
	for i, v := range list {
		if i == 0 {
			p.endLine()
		}
		p.commentLines(v.Start)
		p.variable(v)
		if i < len(list)-1 {
			p.write(",")
		}
		p.endStatement(v.End)
	}
	end := p.closingParenthesis()
	p.commentLines(end)
	p.indent--
	p.write(")")
	p.last = end
}

// closingParenthesis returns the place after the next one that is in no comment.
func (p *printer) closingParenthesis() source.Pos {
	from := p.last
	for _, c := range p.comments {
		if c.Pos < from {
			continue
		}
		if n := strings.IndexByte(p.source[from:c.Pos], ')'); n >= 0 {
			return from + source.Pos(n) + 1
		}
		from = c.end()
	}
	if n := strings.IndexByte(p.source[from:], ')'); n >= 0 {
		from += source.Pos(n) + 1
	}
	return from
}

func (p *printer) block(b *Block) {
	p.leaf("{", b.Start)
	p.fresh = true
	p.endStatement(b.Start + 1)
	p.fresh = true
	p.indent++
	p.statements(b.Stmts, b.End-1)
	p.indent--
	p.blank = false
	p.leaf("}", b.End-1)
}
