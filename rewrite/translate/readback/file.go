package readback

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// File is the functions of a file.
type File struct {
	*dialect
	functions map[string]*function
	proven    map[string]word.Op // functions that are operations
}

// Proven tells that a function of words, which is one of the file, has been proven to be an operation that gives a wide value: its calls
// are that.
func (f *File) Proven(name string, op word.Op) {
	f.proven[name] = op
}

// function is a function that was read.
type function struct {
	name       string
	parameters []parameter
	result     Type
	body       []statement
}

type parameter struct {
	name    string
	typ     Type
	pointer bool // to a truth value that the function tells
}

// statement is a statement: what it is says which fields it has.
type statement struct {
	kind statementKind
	name string // of the variable
	typ  Type   // of a declaration; noType where the value says it
	x    *node
	body []statement // of an if
	asm  *assembly
}

type statementKind uint8

const (
	declaration statementKind = iota
	assignment
	telling // *name = x
	result
	conditional
	instruction
)

// assembly is an asm statement of CUDA: its text, the variable that it writes, and its operands.
type assembly struct {
	text   string
	d      string
	inputs []*node
}

// Parse reads a file that was printed in a language. Its text after the preprocessor's lines, or the package clause, must be functions.
func Parse(language, text string) (*File, error) {
	d, err := dialectOf(language)
	if err != nil {
		return nil, err
	}
	p, err := newParser(d, text)
	if err != nil {
		return nil, err
	}
	f := &File{d, map[string]*function{}, map[string]word.Op{}}
	if d.marker == "func" {
		p.lines()
		p.want("package")
		p.next()
	}
	for p.lines(); p.err == nil && p.peek() != ""; p.lines() {
		fn := p.function()
		if f.functions[fn.name] != nil {
			p.fail("there are two functions %s", fn.name)
		}
		f.functions[fn.name] = fn
	}
	return f, p.err
}

// newParser cuts up a text. Line ends count in Go alone.
func newParser(d *dialect, text string) (*parser, error) {
	tokens, err := lex(text)
	if d.marker != "func" {
		tokens = slices.DeleteFunc(tokens, func(t token) bool { return t == "\n" })
	}
	return &parser{dialect: d, tokens: tokens}, err
}

// lines skips the ends of lines.
func (p *parser) lines() {
	for p.take("\n") {
	}
}

func (p *parser) function() *function {
	p.want(token(p.marker))
	f := &function{}
	if p.marker == "VOP_FUNCTION" {
		f.result = p.typed()
	}
	f.name = string(p.next())
	p.want("(")
	for p.err == nil && !p.take(")") {
		if len(f.parameters) > 0 {
			p.want(",")
		}
		f.parameters = append(f.parameters, p.parameter())
	}
	if p.marker == "fn" {
		p.want("->")
	}
	if p.marker != "VOP_FUNCTION" {
		f.result = p.typed()
	}
	f.body = p.block()
	return f
}

// typed demands a type.
func (p *parser) typed() Type {
	t, ok := p.typeName()
	if !ok {
		p.fail("%q is no type", p.peek())
	}
	return t
}

func (p *parser) parameter() (x parameter) {
	switch p.marker {
	case "VOP_FUNCTION":
		p.take("thread")
		if x.pointer = p.take("bool"); !x.pointer && p.peek() == "unsigned" && p.at+1 < len(p.tokens) && p.tokens[p.at+1] == "char" {
			x.pointer, p.at = true, p.at+2
		}
		if x.pointer {
			p.want("*")
		} else {
			x.typ = p.typed()
		}
		x.name = string(p.next())
	case "func":
		x.name = string(p.next())
		if x.pointer = p.take("*"); x.pointer {
			p.want("bool")
		} else {
			x.typ = p.typed()
		}
	default:
		x.name = string(p.next())
		p.want(":")
		if x.pointer = p.take("ptr"); x.pointer {
			for _, t := range []token{"<", "function", ",", "bool", ">"} {
				p.want(t)
			}
		} else {
			x.typ = p.typed()
		}
	}
	return x
}

// block reads statements in braces.
func (p *parser) block() (all []statement) {
	p.want("{")
	for p.lines(); p.err == nil && !p.take("}"); p.lines() {
		if s, ok := p.statement(); ok {
			all = append(all, s)
		}
	}
	return all
}

// statement reads a statement; it is false for those that do nothing.
func (p *parser) statement() (s statement, does bool) {
	defer p.end(&s)
	switch {
	case p.take("return"):
		s.kind = result
		s.x = p.expression()
	case p.take("if"):
		s.kind = conditional
		s.x = p.expression()
		s.body = p.block()
	case p.take("*"):
		s.kind, s.name = telling, string(p.next())
		p.want("=")
		s.x = p.expression()
	case p.take("asm"):
		s.kind, s.asm = instruction, p.assembly()
	case p.take("let"):
		s.name = string(p.next())
		p.want("=")
		s.x = p.expression()
	case p.marker == "VOP_FUNCTION" && p.take("("): // (void)x;
		p.want("void")
		p.want(")")
		p.next()
		return s, false
	case p.marker == "VOP_FUNCTION":
		p.take("const")
		s.typ = p.typed()
		s.name = string(p.next())
		if p.take("=") {
			s.x = p.expression()
		}
	default:
		s.name = string(p.next())
		if s.kind = declaration; !p.take(":=") {
			s.kind = assignment
			p.want("=")
		}
		s.x = p.expression()
	}
	return s, true
}

// end demands what ends a statement.
func (p *parser) end(s *statement) {
	switch {
	case p.marker != "func":
		p.want(";")
	case s.kind != conditional:
		p.want("\n")
	}
}

// assembly reads what stands behind asm.
func (p *parser) assembly() *assembly {
	a := &assembly{}
	p.want("(")
	a.text = strings.Trim(string(p.next()), `"`)
	p.want(":")
	p.want(`"=r"`)
	p.want("(")
	a.d = string(p.next())
	p.want(")")
	p.want(":")
	for more := true; more && p.err == nil; more = p.take(",") {
		p.want(`"r"`)
		p.want("(")
		a.inputs = append(a.inputs, p.expression())
		p.want(")")
	}
	p.want(")")
	return a
}

// function returns a function by its name.
func (f *File) function(name string) (*function, error) {
	fn := f.functions[name]
	if fn == nil {
		return nil, fmt.Errorf("readback: there is no function %s", name)
	}
	return fn, nil
}
