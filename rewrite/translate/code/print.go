package code

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// maxInline is the length up to which an expression that is used once is written
// where it is used instead of getting a name; maxLine is that of an expression that
// is the operand of none. Longer ones have their longest operands named.
const (
	maxInline = 72
	maxLine   = 100
)

// printer prints the body of one function.
type printer struct {
	*Language
	program *word.Program
	words   typ // of operands and result: u32 or i32
	values  []expression
	lines   []string
	named   map[string]int // how often a noun was used
}

// body returns the lines of a function's body for a program, whose operands and result are of a type of words.
func (l *Language) body(p *word.Program, words typ) []string {
	w := printer{Language: l, program: p, words: words, values: make([]expression, len(p.Insts)), named: map[string]int{}}
	uses := p.Uses()
	for n := range p.Insts {
		w.values[n] = w.value(&p.Insts[n], uses[n], word.Value(n) == p.Result)
	}
	result := w.as(w.values[p.Result], words)
	return append(w.lines, fill(l.result, "$x", result.text))
}

// value returns the expression of an instruction, which is a name if it is used
// more than once or is too long to be a part of another.
func (w *printer) value(i *word.Inst, uses int, result bool) expression {
	switch i.Op {
	case word.Input:
		return expression{text: operandNames[i.Imm], typ: w.words}
	case word.Const:
		return expression{literal: true, constant: int64(int32(i.Imm))}
	case word.WideConst:
		return expression{literal: true, constant: int64(i.Imm)}
	}
	if e, ok := w.folded(i); ok {
		return e
	}
	if i.Op == word.Select && w.conditional != "" {
		return w.conditionally(i)
	}
	e := w.operation(i)
	for len(e.text) > maxLine && w.nameLongest(i) {
		e = w.operation(i)
	}
	if uses > 1 || len(e.text) > maxInline && !result {
		return w.declare(i.Op, e)
	}
	return e
}

// folded computes an operation of literals, which are what a lane is made of that is taken twice. Go would give a variable for it another type.
func (w *printer) folded(i *word.Inst) (expression, bool) {
	var args [3]uint64
	for k, v := range i.Args() {
		e := w.values[v]
		if !e.literal {
			return e, false
		}
		args[k] = uint64(e.constant)
	}
	switch i.Op {
	case word.CmpEq, word.CmpLtU, word.CmpLtS, word.NoOp:
		return expression{}, false // no number, but a condition
	}
	x := i.Op.Apply(args[0], args[1], args[2], i.Imm)
	if !i.Op.Wide() {
		x = uint64(int64(int32(x)))
	}
	return expression{literal: true, constant: int64(x)}, true
}

// declare gives an expression a name, by the operation that it ends with.
func (w *printer) declare(op word.Op, e expression) expression {
	name := w.name(op)
	w.statement(w.declarations[e.typ], "$name", name, "$x", e.text)
	return expression{text: name, typ: e.typ}
}

// nameLongest gives the longest argument of an instruction a name. It returns false
// if none has operators.
func (w *printer) nameLongest(i *word.Inst) bool {
	longest := word.Value(-1)
	for _, v := range i.Arg[:i.Op.Args()] {
		if e := w.values[v]; e.compound && (longest < 0 || len(e.text) > len(w.values[longest].text)) {
			longest = v
		}
	}
	if longest < 0 {
		return false
	}
	w.values[longest] = w.declare(w.program.Insts[longest].Op, w.values[longest])
	return true
}

var operandNames = [3]string{"a", "b", "c"}

// operation returns the expression of an operation.
func (w *printer) operation(i *word.Inst) expression {
	var args [3]expression
	for k, v := range i.Arg[:i.Op.Args()] {
		args[k] = w.values[v]
	}
	of := signatures[i.Op]
	template := w.template(i)
	if i.Op == word.Select {
		of = signatureOfSelect(args)
	}
	switch y := args[1]; {
	case w.constantShifts[i.Op] != "" && y.literal && 0 <= y.constant && y.constant < 32:
		template, of.args[1] = w.constantShifts[i.Op], count
		if i.Op == word.ShrU && args[0].typ == boolean && y.constant == 31 {
			return w.apply(w.bit, u32, args[0])
		}
	case i.Op == word.Add && y.literal && -1<<16 < y.constant && y.constant < 0:
		template, args[1].constant = w.operations[word.Sub], -y.constant
	}
	for k := range i.Op.Args() {
		constant := args[k].literal
		args[k] = w.as(args[k], of.args[k])
		if constant && k == 0 && w.typesShifted && isShift(i.Op) {
			args[k] = w.apply(w.conversions[of.args[k]], of.args[k], args[k])
		}
	}
	return w.apply(template, of.result, args[:]...)
}

func isShift(op word.Op) bool {
	switch op {
	case word.Shl, word.ShrU, word.ShrS, word.ShlWide, word.ShrWideU, word.ShrWideS:
		return true
	}
	return false
}

// signatureOfSelect returns the signature of a Select: of signed words if both
// choices are, where a literal is whatever the other is.
func signatureOfSelect(args [3]expression) signature {
	of := signatures[word.Select]
	y, z := args[1], args[2]
	if (y.typ == i32 || y.literal) && (z.typ == i32 || z.literal) && !(y.literal && z.literal) {
		of.args[1], of.args[2], of.result = i32, i32, i32
	}
	return of
}

// conditionally prints a Select as a declaration and an if statement.
func (w *printer) conditionally(i *word.Inst) expression {
	condition, y, z := w.values[i.Arg[0]], w.values[i.Arg[1]], w.values[i.Arg[2]]
	of := signatureOfSelect([3]expression{condition, y, z})
	y = w.as(y, of.result)
	if z.literal {
		z = w.apply(w.conversions[of.result], of.result, w.as(z, of.result))
	}
	name := w.name(i.Op)
	w.statement(w.conditional, "$name", name,
		"$x", w.as(condition, boolean).text, "$y", y.text, "$z", w.as(z, of.result).text)
	return expression{text: name, typ: of.result}
}

// statement prints the lines of a template.
func (w *printer) statement(template string, pairs ...string) {
	w.lines = append(w.lines, strings.Split(fill(template, pairs...), "\n")...)
}

// name returns a new name for a result of an operation: its noun, and from the second
// on a number.
func (w *printer) name(op word.Op) string {
	noun := nouns[op]
	w.named[noun]++
	if n := w.named[noun]; n > 1 {
		return noun + strconv.Itoa(n)
	}
	return noun
}
