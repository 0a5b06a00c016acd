package readback

import (
	"fmt"
	"slices"
	"strings"
)

// node is an expression.
type node struct {
	kind kind
	text string // the number, name, operator, function or member
	args []*node
	to   Type // of a conversion
	bare bool // an operator between operands, and not in parentheses
}

type kind uint8

const (
	number kind = iota
	name
	unary
	binary
	ternary
	call
	conversion
	member
)

// parser reads tokens.
type parser struct {
	*dialect
	tokens []token
	at     int
	err    error
}

func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

// take skips a token if it comes next.
func (p *parser) take(t token) bool {
	if p.peek() == t {
		p.at++
		return true
	}
	return false
}

// want demands a token.
func (p *parser) want(t token) {
	if p.err == nil && !p.take(t) {
		p.fail("%q where %q belongs", p.peek(), t)
	}
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		from := max(0, min(p.at-8, len(p.tokens)))
		near := fmt.Sprint(p.tokens[from:min(p.at+3, len(p.tokens))])
		p.err = fmt.Errorf("readback: "+format+" in %s", append(args, near)...)
	}
	p.at = len(p.tokens)
}

// typeName reads the name of a type, if one comes next.
func (p *parser) typeName() (t Type, ok bool) {
	text := ""
	for n := 0; p.at+n < len(p.tokens) && n < 3 && p.tokens[p.at+n].name(); n++ {
		text = strings.TrimSpace(text + " " + string(p.tokens[p.at+n]))
		if found, known := p.types[text]; known {
			t, ok = found, true
			if n == 2 || p.at+n+1 < len(p.tokens) && !p.tokens[p.at+n+1].name() {
				p.at += n + 1
				return t, true
			}
			longer := false // "unsigned int x" has three names
			if p.at+n+1 < len(p.tokens) {
				_, longer = p.types[text+" "+string(p.tokens[p.at+n+1])]
			}
			if !longer {
				p.at += n + 1
				return t, true
			}
		}
	}
	return 0, false
}

// expression reads an expression.
func (p *parser) expression() *node {
	x := p.operators(1)
	if p.marker == "VOP_FUNCTION" && p.take("?") {
		y := p.expression()
		p.want(":")
		return &node{kind: ternary, args: []*node{x, y, p.expression()}, bare: true}
	}
	return x
}

// operators reads operands and operators of at least a precedence.
func (p *parser) operators(least int) *node {
	x := p.operand()
	for p.err == nil {
		op := string(p.peek())
		precedence := p.precedences[op]
		if precedence == 0 || precedence < least {
			break
		}
		p.at++
		y := p.operators(precedence + 1)
		if p.marker == "fn" && (!mayStand(op, x, true) || !mayStand(op, y, false)) {
			p.fail("WGSL demands parentheses around what %s stands next to", op)
		}
		x = &node{kind: binary, text: op, args: []*node{x, y}, bare: true}
	}
	return x
}

// mayStand reports whether WGSL's grammar lets an expression be an operand without parentheses.
func mayStand(op string, x *node, left bool) bool {
	if !x.bare {
		return true
	}
	switch op {
	case "&", "|", "^", "&&", "||":
		if x.text == op {
			return left
		}
		return len(op) == 2 && slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, x.text)
	case "+", "-", "*":
		return x.text == "*" || left && (x.text == "+" || x.text == "-")
	case "<<", ">>":
		return false
	}
	return slices.Contains([]string{"+", "-", "*", "<<", ">>"}, x.text)
}

// operand reads what stands between operators.
func (p *parser) operand() *node {
	if p.err != nil {
		return &node{}
	}
	t := p.next()
	switch {
	case len(t) == 1 && strings.Contains(p.unary, string(t)):
		return &node{kind: unary, text: string(t), args: []*node{p.operand()}}
	case t == "(":
		if p.marker == "VOP_FUNCTION" {
			if to, ok := p.typeName(); ok {
				p.want(")")
				return &node{kind: conversion, to: to, args: []*node{p.operand()}}
			}
		}
		x := p.expression()
		p.want(")")
		inside := *x
		inside.bare = false
		return &inside
	case t.number():
		return &node{kind: number, text: string(t)}
	case t.name():
		x := &node{kind: name, text: string(t)}
		if p.take("(") {
			x.kind = call
			for p.err == nil && !p.take(")") {
				if len(x.args) > 0 {
					p.want(",")
				}
				x.args = append(x.args, p.expression())
			}
		}
		for p.take(".") {
			x = &node{kind: member, text: string(p.next()), args: []*node{x}}
		}
		return x
	}
	p.fail("%q is no operand", t)
	return &node{}
}
