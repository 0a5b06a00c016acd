package syntax

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// isLinkage reports whether a dot word is a linkage directive (PTX ISA 11.6).
func isLinkage(word string) bool {
	switch word {
	case ".extern", ".visible", ".weak", ".common":
		return true
	}
	return false
}

// isSpace reports whether a dot word is a state space that variables are declared in (PTX ISA 5.1).
func isSpace(word string) bool {
	switch word {
	case ".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared", ".tex":
		return true
	}
	return strings.HasPrefix(word, ".shared::") || strings.HasPrefix(word, ".param::")
}

// isFunction reports whether a dot word begins a function.
func isFunction(word string) bool { return word == ".entry" || word == ".func" }

// dotStatement reads a statement that starts with a dot.
func (p *parser) dotStatement() Stmt {
	start := p.here()
	var linkage []Word
	for p.kind == dotWord && isLinkage(p.token()) {
		linkage = append(linkage, p.take())
	}
	if p.kind != dotWord {
		p.unexpected("a variable, .func or .entry")
		return p.bad(start)
	}
	switch w := p.token(); {
	case isFunction(w):
		return p.function(start, linkage)
	case isSpace(w):
		v := p.variable(start, linkage)
		if v == nil || !p.semicolon("the declaration") {
			return p.bad(start)
		}
		v.Semicolon = true
		v.span = p.from(start)
		return v
	case linkage != nil:
		p.unexpected("a variable, .func or .entry")
		return p.bad(start)
	}
	d := p.directive()
	if d == nil {
		return p.bad(start)
	}
	return d
}

// variable reads a declaration up to its last name; nil if there is an error.
func (p *parser) variable(start source.Pos, linkage []Word) *Variable {
	v := p.variables.One()
	v.Linkage, v.Space = linkage, p.take()
	var ok bool
	if v.Attributes, ok = p.attributes(); !ok {
		return nil
	}
	n := 0
	for {
		if p.kind != word {
			p.unexpected("a name")
			p.declarators.Undo(n)
			return nil
		}
		if !p.declarator(p.declarators.At(n)) {
			p.declarators.Undo(n + 1)
			return nil
		}
		n++
		// Between parameters, the comma is not ours.
		if p.kind != ',' || p.inParameters {
			break
		}
		p.next()
	}
	v.Names = p.declarators.Take(n)
	v.span = p.from(start)
	return v
}

// attributes reads the words between a state space or .func and a name.
func (p *parser) attributes() ([]Operand, bool) {
	n := 0
	for ; p.kind == dotWord || p.kind == number; n++ {
		if !p.attribute(p.operands.At(n)) {
			p.operands.Undo(n + 1)
			return nil, false
		}
	}
	return p.operands.Take(n), true
}

// attribute reads a word or number, with the list in parentheses that .attribute
// has (PTX ISA 5.4.8): .attribute(.managed), .attribute(.unified(19,95)).
func (p *parser) attribute(o *Operand) bool {
	p.word(o)
	if p.kind != '(' || o.Kind != Modifier {
		return true
	}
	open := p.start
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.next()
	var elems []Operand
	var elem Operand
	for {
		if p.kind != dotWord && p.kind != number {
			return p.unexpected("an attribute")
		}
		elem = Operand{}
		if !p.attribute(&elem) {
			return false
		}
		elems = append(elems, elem)
		if p.kind != ',' {
			break
		}
		p.next()
	}
	if !p.closingList(')', open) {
		return false
	}
	o.Elems, o.End = p.elems.CopyOf(elems), source.Pos(p.lastEnd)
	return true
}

// word reads a name without selector, a dot word, number or string as an operand.
func (p *parser) word(o *Operand) {
	switch p.kind {
	case word:
		o.Kind = Name
	case dotWord:
		o.Kind = Modifier
	case number:
		o.Kind = Number
	case text:
		o.Kind = String
	}
	o.Text, o.Start = p.token(), p.here()
	o.Pos = o.Start
	p.next()
	o.End = source.Pos(p.lastEnd)
}

// declarator reads a name with what belongs to it: %r<5>, x[2][3] = {...}.
func (p *parser) declarator(d *Declarator) bool {
	d.Name = p.take()
	if p.kind == '<' {
		open := p.start
		p.next()
		if p.kind != number {
			return p.unexpected("the number of registers")
		}
		p.word(&d.Count)
		d.HasCount = true
		if !p.closing('>', open) {
			return false
		}
	}
	for p.kind == '[' {
		open := p.start
		p.next()
		var dim Operand
		if p.kind != ']' && !p.expression(&dim) || !p.closing(']', open) {
			return false
		}
		d.Dims = append(d.Dims, dim)
	}
	if p.kind == '=' {
		p.next()
		d.Init = p.elems.One()
		p.initial = true
		defer func() { p.initial = false }()
		return p.element(d.Init)
	}
	return true
}

// function reads an .entry or .func, with its body if it has one.
func (p *parser) function(start source.Pos, linkage []Word) Stmt {
	f := &Function{Linkage: linkage, Kind: p.take()}
	if !p.header(f) {
		return p.bad(start)
	}
	for p.kind == dotWord && !isFunction(p.token()) && !isLinkage(p.token()) && !isSpace(p.token()) {
		d := p.directive()
		if d == nil {
			return p.bad(start)
		}
		f.Directives = append(f.Directives, d)
	}
	switch {
	case p.kind == '{':
		f.Body = p.block()
	case p.kind == endOfFile || p.newLine && p.beginsStatement():
		p.semicolon("the prototype")
	case !p.expect(';', "'{' or ';'"):
		return p.bad(start)
	}
	f.span = p.from(start)
	return f
}

// header reads the attributes, return parameters, name and parameters of a function.
func (p *parser) header(f *Function) bool {
	var ok bool
	if f.Attributes, ok = p.attributes(); !ok {
		return false
	}
	if p.kind == '(' {
		if f.Returns, ok = p.parameters(); !ok {
			return false
		}
	}
	if p.kind != word {
		return p.unexpected("the name of the function")
	}
	f.Name = p.take()
	if p.kind == '(' {
		f.HasParams = true
		if f.Params, ok = p.parameters(); !ok {
			return false
		}
	}
	return true
}

// parameters reads declarations in parentheses.
func (p *parser) parameters() ([]*Variable, bool) {
	open := p.start
	p.next()
	list := []*Variable{}
	for p.kind != ')' || len(list) > 0 {
		if p.kind != dotWord || !isSpace(p.token()) {
			return nil, p.unexpected("a parameter: .param or .reg")
		}
		p.inParameters = true
		v := p.variable(p.here(), nil)
		p.inParameters = false
		if v == nil {
			return nil, false
		}
		list = append(list, v)
		if p.kind != ',' {
			break
		}
		p.next()
	}
	return list, p.closingList(')', open)
}
