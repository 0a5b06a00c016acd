package syntax

import (
	"slices"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// operandList reads the operands of an instruction, at least one.
//
// They are written where they stay: nothing else takes from p.operands meanwhile.
func (p *parser) operandList(of *Instruction) ([]Operand, bool) {
	call := of.Name.Text == "call"
	for n := 0; ; n++ {
		o := p.operands.At(n)
		if !p.operand(o, call) {
			p.operands.Undo(n + 1)
			return nil, false
		}
		if p.kind != ',' {
			return p.operands.Take(n + 1), true
		}
		p.next()
	}
}

// operand reads one operand of an instruction. In call, parentheses enclose a
// list of parameters; elsewhere they belong to an expression.
func (p *parser) operand(o *Operand, call bool) bool {
	if p.kind == word {
		p.name(o)
		if p.kind == ',' || p.kind == ';' {
			return true // nothing but its selector follows: nearly all operands
		}
		if !p.afterName(o) || !p.operators(o, lowest) {
			return false
		}
		if o.Kind == Expr && o.Text == "|" && o.Elems[0].isPlace() && o.Elems[1].isPlace() {
			o.Kind, o.Text, o.Pos = Pair, "", o.Start
		}
		return true
	}
	if call && p.kind == '(' {
		return p.list(o, List, ')')
	}
	if p.kind == '{' {
		return p.unary(o) && p.second(o)
	}
	return p.expression(o)
}

// second reads what follows a vector: nothing, or |p, as of textures.
func (p *parser) second(o *Operand) bool {
	if p.kind != '|' {
		return p.operators(o, lowest)
	}
	p.next()
	elems := [2]Operand{*o}
	if !p.unary(&elems[1]) {
		return false
	}
	*o = Operand{Kind: Pair, Start: o.Start, End: source.Pos(p.lastEnd), Pos: o.Start, Elems: p.elems.CopyOf(elems[:])}
	return true
}

// isPlace reports whether the operand can be one half of p|q.
func (o *Operand) isPlace() bool {
	return (o.Kind == Name || o.Kind == Sink) && o.Parens == 0
}

// name reads a name and its selector.
func (p *parser) name(o *Operand) {
	o.Kind = Name
	o.Text = p.text[p.start:p.end]
	o.Start = source.Pos(p.start)
	o.Pos = o.Start
	if o.Text == "_" {
		o.Kind = Sink
	}
	p.next()
	p.selector(o)
}

// selector reads the selector of an operand, if there is one, and ends the operand.
func (p *parser) selector(o *Operand) {
	if p.kind == dotWord {
		o.Selector = p.take()
	}
	o.End = source.Pos(p.lastEnd)
}

// afterName reads what makes more than a name of a name: a[i], generic(x).
func (p *parser) afterName(o *Operand) bool {
	switch {
	case o.Selector.Text != "":
		return true
	case p.kind == '[':
		return p.list(o, Address, ']')
	case p.kind == '(' && o.Text == "generic":
		return p.list(o, Expr, ')') && p.oneElem(o)
	}
	return true
}

// oneElem reports parentheses that enclose more or less than one operand.
func (p *parser) oneElem(o *Operand) bool {
	if len(o.Elems) == 1 {
		return true
	}
	p.report(diag.SyntaxUnexpected, int(o.Start), int(o.End), "expected one operand in the parentheses of "+quote(o.Text))
	return false
}

// list reads operands in brackets into o.Elems, o.Start staying that of a name or
// number before the bracket.
func (p *parser) list(o *Operand, kind OperandKind, end token) bool {
	open := p.start
	if o.Text == "" {
		o.Start = source.Pos(open)
		o.Pos = o.Start
	}
	o.Kind = kind
	if !p.enter() {
		return false
	}
	defer p.leave()
	if kind == Vector {
		p.openVectors++
	}
	p.next()
	if (p.kind != end || kind == Address) && !p.elements(o) {
		return false
	}
	if !p.closingList(end, open) {
		return false
	}
	if kind == Vector {
		p.openVectors--
	}
	o.End = source.Pos(p.lastEnd)
	return true
}

// longList is how many elements wait in p.pending at most.
const longList = 512

// elements reads what is in brackets, at least one element.
func (p *parser) elements(o *Operand) bool {
	base := len(p.pending)
	defer func() { p.pending = p.pending[:base] }()
	var pieces [][]Operand // of a table too long to wait in p.pending
	n := 0
	var elem Operand // in the loop it would be allocated each time
	for {
		elem = Operand{}
		if !p.numbers(&elem) && !p.element(&elem) {
			return false
		}
		p.pending = append(p.pending, elem)
		n++
		if p.kind != ',' {
			break
		}
		p.next()
		if len(p.pending)-base == longList {
			pieces = append(pieces, slices.Clone(p.pending[base:]))
			p.pending = p.pending[:base]
		}
	}
	if pieces == nil {
		o.Elems = p.elems.CopyOf(p.pending[base:])
		return true
	}
	o.Elems = make([]Operand, 0, n)
	for _, piece := range append(pieces, p.pending[base:]) {
		o.Elems = append(o.Elems, piece...)
	}
	return true
}

// element reads what stands between the commas in brackets.
func (p *parser) element(o *Operand) bool {
	if !p.expression(o) {
		return false
	}
	if p.kind == '=' && o.Kind == Name {
		return p.binary(o, lowest)
	}
	return true
}

// Precedences of the operators of constant expressions (PTX ISA 4.5.6), which are
// C's. 0 is none.
const (
	lowest      = 1
	conditional = 1 // ?:, from right to left
	tightest    = 11
)

var precedence = [256]uint8{
	'?': conditional, logicalOr: 2, logicalAnd: 3, '|': 4, '^': 5, '&': 6, equal: 7, notEqual: 7,
	'<': 8, lessEqual: 8, '>': 8, greaterEqual: 8, shiftLeft: 9, shiftRight: 9,
	'+': 10, '-': 10, '*': tightest, '/': tightest, '%': tightest,
}

// expression reads an operand that may be an expression.
func (p *parser) expression(o *Operand) bool {
	return p.unary(o) && p.operators(o, lowest)
}

// operators reads the operators that follow o, as long as they bind at least as
// tightly as min, and their right sides.
func (p *parser) operators(o *Operand, min uint8) bool {
	levels := 0
	defer func() { p.depth -= levels }()
	for precedence[p.kind] >= min {
		if !p.enter() {
			return false
		}
		levels++
		if !p.binary(o, precedence[p.kind]+1) {
			return false
		}
	}
	return true
}

// binary reads the operator here and its right side, whose operators bind at
// least as tightly as min, and makes o their expression.
func (p *parser) binary(o *Operand, min uint8) bool {
	operator := p.take()
	elems := [3]Operand{*o}
	n := 2
	if operator.Text == "?" {
		n = 3
		if !p.expression(&elems[1]) || !p.expect(':', "':'") {
			return false
		}
		min = conditional
	}
	if last := &elems[n-1]; !p.unary(last) || !p.operators(last, min) {
		return false
	}
	*o = Operand{
		Kind: Expr, Start: o.Start, End: source.Pos(p.lastEnd), Text: operator.Text, Pos: operator.Pos,
		Elems: p.elems.CopyOf(elems[:n]),
	}
	return true
}

// unary reads an operand with the signs and casts before it.
func (p *parser) unary(o *Operand) bool {
	switch p.kind {
	case '-', '!', '+', '~':
		if !p.enter() {
			return false
		}
		defer p.leave()
		return p.signed(o)
	}
	return p.primary(o)
}

// signed reads a sign and the operand after it. Constants may have many signs,
// registers one.
func (p *parser) signed(o *Operand) bool {
	sign := p.take()
	if !p.unary(o) {
		return false
	}
	bare := (o.Kind == Name || o.Kind == Number) && o.Parens == 0
	switch {
	case bare && o.Neg == 0 && (sign.Text == "-" || sign.Text == "!"):
		o.Neg, o.Start = sign.Text[0], sign.Pos
	case bare && o.Kind == Name && o.Neg != 0:
		p.report(diag.SyntaxRepeatedSign, int(sign.Pos), int(o.Start)+1, quote(o.Text)+" has more than one sign")
		return false
	default:
		p.apply(o, sign, sign.Pos)
	}
	return true
}

// apply makes of o the expression of a sign or cast, which begins at start, applied to it.
func (p *parser) apply(o *Operand, operator Word, start source.Pos) {
	elems := [1]Operand{*o}
	*o = Operand{Kind: Expr, Start: start, End: o.End, Text: operator.Text, Pos: operator.Pos, Elems: p.elems.CopyOf(elems[:])}
}

// primary reads an operand without signs and operators.
func (p *parser) primary(o *Operand) bool {
	switch p.kind {
	case word:
		p.name(o)
		return p.afterName(o)
	case number:
		o.Kind, o.Text, o.Start = Number, p.token(), p.here()
		o.Pos = o.Start
		p.next()
		if p.kind == '(' && o.Text[0] != '.' {
			return p.list(o, Expr, ')') && p.oneElem(o)
		}
		o.End = source.Pos(p.lastEnd)
		if p.start == p.lastEnd {
			p.selector(o) // for package check to reject; `.maxnreg 64 .pragma` has none
		}
		return true
	case '{':
		return p.list(o, Vector, '}')
	case '[':
		if !p.list(o, Address, ']') {
			return false
		}
		p.selector(o) // [a].unified
		return true
	case '(':
		return p.parenthesised(o)
	}
	return p.unexpected("an operand")
}

// parenthesised reads (a+b) or (.s64)a.
func (p *parser) parenthesised(o *Operand) bool {
	open := p.start
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.next()
	if p.kind == dotWord {
		cast := p.take()
		if !p.closing(')', open) || !p.unary(o) {
			return false
		}
		p.apply(o, cast, source.Pos(open))
		return true
	}
	if !p.expression(o) || !p.closing(')', open) {
		return false
	}
	o.Parens++
	o.Start, o.End = source.Pos(open), source.Pos(p.lastEnd)
	return true
}
