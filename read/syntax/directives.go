package syntax

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// shape is what a directive looks like after its name.
type shape struct {
	words     int  // so many arguments first, with or without commas between them
	list      bool // then more, each after a comma
	semicolon bool // then a semicolon
}

// shapes are those of the directives of PTX ISA 11 and 12.
var shapes = map[string]shape{
	".version":              {words: 1},
	".address_size":         {words: 1},
	".target":               {words: 1, list: true},
	".file":                 {words: 2, list: true},
	".loc":                  {words: 3, list: true},
	".maxnreg":              {words: 1},
	".maxntid":              {words: 1, list: true},
	".reqntid":              {words: 1, list: true},
	".minnctapersm":         {words: 1},
	".maxnctapersm":         {words: 1},
	".noreturn":             {},
	".abi_preserve":         {words: 1},
	".abi_preserve_control": {words: 1},
	".reqnctapercluster":    {words: 1, list: true},
	".explicitcluster":      {},
	".maxclusterrank":       {words: 1},
	".blocksareclusters":    {},
	".pragma":               {words: 1, list: true, semicolon: true},
	".alias":                {words: 1, list: true, semicolon: true},
	".branchtargets":        {words: 1, list: true, semicolon: true},
	".calltargets":          {words: 1, list: true, semicolon: true},
}

// Directives returns the names of the directives that begin statements, sorted.
func Directives() []string {
	names := []string{
		".extern", ".visible", ".weak", ".common", ".entry", ".func", ".section", ".callprototype",
		".reg", ".const", ".global", ".local", ".param", ".shared", ".tex",
	}
	for name := range shapes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isDirective reports whether a dot word is known to begin a statement.
func isDirective(word string) bool {
	_, known := shapes[word]
	return known || isLinkage(word) || isSpace(word) || isFunction(word) || word == ".section" || word == ".callprototype"
}

// directive reads a directive; nil if there is an error.
func (p *parser) directive() *Directive {
	d := p.directives.One()
	start := p.here()
	d.Name = p.take()
	shape, known := shapes[d.Name.Text]
	ok := true
	switch {
	case known:
		ok = p.arguments(d, shape)
	case d.Name.Text == ".section":
		ok = p.section(d)
	case d.Name.Text == ".callprototype":
		d.Prototype = new(Function)
		ok = p.prototype(d)
	default:
		ok = p.unknownArguments(d)
	}
	if !ok {
		return nil
	}
	d.span = p.from(start)
	return d
}

// arguments reads the arguments of a directive of known shape.
func (p *parser) arguments(d *Directive, s shape) bool {
	n := 0
	for n < s.words || s.list && n > 0 && p.kind == ',' {
		if p.kind == ',' && n > 0 {
			p.operands.At(n - 1).Comma = true
			p.next()
		}
		a := p.operands.At(n)
		if !p.argument(a) {
			p.operands.Undo(n + 1)
			return false
		}
		n++
		// What .loc says about inlining is not separated by commas.
		for range inlining[a.Text] {
			if !p.argument(p.operands.At(n)) {
				p.operands.Undo(n + 1)
				return false
			}
			n++
		}
	}
	d.Args = p.operands.Take(n)
	if s.semicolon {
		d.Semicolon = p.semicolon(d.Name.Text)
		return d.Semicolon
	}
	return true
}

// inlining gives the number of arguments after the keywords of .loc (PTX ISA 11.5.4).
var inlining = map[string]int{"function_name": 1, "inlined_at": 3}

// argument reads one argument of a directive.
func (p *parser) argument(o *Operand) bool {
	switch p.kind {
	case text, dotWord:
		p.word(o)
		return true
	case word:
		p.word(o)
		if p.kind == '<' {
			return p.labelRange(o)
		}
		return p.operators(o, lowest)
	case number, '(', '-', '+', '~', '!':
		return p.expression(o)
	}
	return p.unexpected("an argument")
}

// labelRange reads the number of L<5> in .branchtargets.
func (p *parser) labelRange(o *Operand) bool {
	open := p.start
	p.next()
	if p.kind != number {
		return p.unexpected("the number of labels")
	}
	var count Operand
	p.word(&count)
	if !p.closing('>', open) {
		return false
	}
	o.Kind, o.End = Range, source.Pos(p.lastEnd)
	o.Elems = p.elems.CopyOf([]Operand{count})
	return true
}

// unknownArguments reads what follows a directive of a later version of PTX: all
// words up to a semicolon or the end of the line, which a comma continues.
func (p *parser) unknownArguments(d *Directive) bool {
	n := 0
	for p.kind != ';' && p.kind != endOfFile && p.kind != '{' && p.kind != '}' &&
		(!p.newLine || n > 0 && p.operands.At(n-1).Comma) {
		if !p.argument(p.operands.At(n)) {
			p.operands.Undo(n + 1)
			return false
		}
		if p.kind == ',' {
			p.operands.At(n).Comma = true
			p.next()
		}
		n++
	}
	d.Args = p.operands.Take(n)
	if p.kind == ';' {
		d.Semicolon = true
		p.next()
	}
	return true
}

// section reads the name and the text in braces of .section, in which DWARF data
// stands that is of no use here.
func (p *parser) section(d *Directive) bool {
	if p.kind != dotWord && p.kind != word {
		return p.unexpected("the name of the section")
	}
	name := p.operands.At(0)
	p.word(name)
	d.Args = p.operands.Take(1)
	if p.kind != '{' {
		return p.unexpected("'{'")
	}
	open := p.start
	end := sectionEnd(p.text, open)
	if end < 0 {
		p.report(diag.SyntaxUnbalanced, open, open+1, "'{' is not closed", "expected '}'")
		return false
	}
	d.Body = p.text[open:end]
	p.end = end
	p.next()
	return true
}

// sectionEnd returns the place after the first closing brace from i on that is in no // comment, or -1.
func sectionEnd(text string, i int) int {
	for {
		n := strings.IndexAny(text[i:], "}/")
		if n < 0 {
			return -1
		}
		i += n
		if text[i] == '}' {
			return i + 1
		}
		if strings.HasPrefix(text[i:], "//") {
			line := strings.IndexByte(text[i:], '\n')
			if line < 0 {
				return -1
			}
			i += line
		}
		i++
	}
}

// prototype reads .callprototype (PTX ISA 11.2.4): a function header with
// directives and a semicolon.
func (p *parser) prototype(d *Directive) bool {
	f := d.Prototype
	start := p.here()
	if !p.header(f) {
		return false
	}
	for p.kind == dotWord {
		directive := p.directive()
		if directive == nil {
			return false
		}
		f.Directives = append(f.Directives, directive)
	}
	f.span = p.from(start)
	d.Semicolon = p.semicolon(d.Name.Text)
	return d.Semicolon
}

// dwarfLine reads the rest of a line @@DWARF, the debug information of PTX ISA 1.x.
func (p *parser) dwarfLine(start source.Pos) Stmt {
	p.next()
	if p.kind != word || p.token() != "DWARF" {
		p.unexpected("DWARF after @@")
		return p.bad(start)
	}
	n := strings.IndexByte(p.text[p.end:], '\n')
	if n < 0 {
		n = len(p.text) - p.end
	}
	d := p.directives.One()
	d.Name = Word{p.text[start:p.end], start}
	d.Body = p.text[p.end : p.end+n]
	p.end += n
	p.next()
	d.span = p.from(start)
	return d
}
