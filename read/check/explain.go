package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// explanation puts the problems of one instruction into words.
type explanation struct {
	*checker
	tree *syntax.Instruction
	op   isa.Op
}

// explain reports the problems of a video instruction, read as op.
func (c *checker) explain(t *syntax.Instruction, op isa.Op, problems []isa.Problem) {
	e := explanation{checker: c, tree: t, op: op}
	for i := range problems {
		e.problem(&problems[i])
	}
}

// problem reports one problem.
func (e *explanation) problem(p *isa.Problem) {
	at := e.place(p)
	switch p.Kind {
	case isa.UnknownModifier, isa.ForeignModifier, isa.RepeatedModifier, isa.TooManyTypes, isa.WrongType,
		isa.MissingTypes, isa.MissingModifier, isa.ModifierConflict, isa.IgnoredModifier:
		e.modifier(p, at)
	case isa.WrongSelector, isa.SelectorNotAllowed, isa.SelectorConflict, isa.SelectorOnImmediate, isa.IgnoredSelector:
		e.selector(p, at)
	default:
		e.operandProblem(p, at)
	}
}

// place is the part of the source that a problem is about: what is wrong, or the
// end of what something is missing from.
func (e *explanation) place(p *isa.Problem) source.Span {
	switch p.Place() {
	case isa.ModifierPlace:
		return e.tree.Modifiers[p.At].Span()
	case isa.NoPlace:
		return e.tree.Name.Span()
	}
	return e.part(p.Place(), p.At)
}

// part is the place of an operand, its selector or its sign.
func (e *explanation) part(place isa.Place, i int) source.Span {
	o := &e.tree.Operands[i]
	switch place {
	case isa.SelectorPlace:
		return o.Selector.Span()
	case isa.SignPlace:
		return source.Span{Start: o.Start, End: o.Start + 1}
	}
	return o.Span()
}

// written is the text of what a problem collides with.
func (e *explanation) written(place isa.Place, i int) string {
	switch place {
	case isa.ModifierPlace:
		return quote(e.tree.Modifiers[i].Text)
	case isa.SelectorPlace:
		return "the selector " + quote(e.tree.Operands[i].Selector.Text)
	case isa.SignPlace:
		return "the negation of " + quote(e.tree.Operands[i].Text)
	}
	return "operand " + quote(e.text(e.tree.Operands[i].Span()))
}

func (e *explanation) text(s source.Span) string { return e.source.Text[s.Start:s.End] }

// modifier reports what is wrong with the modifiers.
func (e *explanation) modifier(p *isa.Problem, at source.Span) {
	name, text := e.op.String(), quote(e.text(at))
	var d *diag.Diagnostic
	switch p.Kind {
	case isa.UnknownModifier:
		d = e.unknownModifier(p, at)
	case isa.ForeignModifier:
		d = e.report(diag.ModifierNotAllowed, at, name+" takes no modifier "+text, e.modifiersNote(), e.syntaxNote(p))
		if e.op == isa.Vset4 && text == "'.max'" {
			d.Notes = append(d.Notes, "the manual's example vset4.u32.u32.ne.max is outside its own grammar (ruling R13)")
		}
	case isa.RepeatedModifier:
		first := e.tree.Modifiers[p.Other].Text
		message := text + " is written twice"
		if quote(first) != text {
			message = text + " after " + quote(first) + ": only one of " + strings.Join(p.Slot.Values, " ") + " can be written"
		}
		d = e.report(diag.ModifierRepeated, at, message, e.syntaxNote(p))
	case isa.TooManyTypes:
		d = e.report(diag.TypeExtra, at, text+" is one type too many: "+name+" takes "+e.typesOf(p), e.syntaxNote(p))
	case isa.WrongType:
		d = e.report(diag.TypeNotAllowed, at, "the type of the shift amount is "+strings.Join(p.Slot.Values, " or ")+", not "+text, e.syntaxNote(p))
	case isa.MissingTypes:
		if p.Other >= 0 {
			at = e.tree.Modifiers[p.Other].Span()
		}
		d = e.report(diag.TypeMissing, at, name+" takes "+e.typesOf(p)+", but "+given(p.At), e.syntaxNote(p))
	case isa.MissingModifier:
		d = e.report(diag.ModifierMissing, at, name+" needs one of "+strings.Join(p.Slot.Values, " "), e.syntaxNote(p))
	case isa.ModifierConflict:
		d = e.report(diag.ModifierConflict, at, text+" cannot stand together with "+e.written(p.OtherPlace, p.Other), e.syntaxNote(p))
	case isa.IgnoredModifier:
		d = e.report(diag.ModifierIgnored, at, text+" is written twice; once is enough")
	}
	suggest(d, p.Near)
}

// typesOf says how many types the instruction takes, and which: "3 types (dtype, atype, btype)".
func (e *explanation) typesOf(p *isa.Problem) string {
	var names []string
	for _, slot := range p.Row.Modifiers {
		if strings.HasSuffix(slot.Name, "type") {
			names = append(names, strings.TrimPrefix(slot.Name, "."))
		}
	}
	if len(names) != p.Want {
		return diag.Count(p.Want, "type")
	}
	return diag.Count(p.Want, "type") + " (" + strings.Join(names, ", ") + ")"
}

// given says how many there are.
func given(n int) string {
	switch n {
	case 0:
		return "none is given"
	case 1:
		return "1 is given"
	}
	return decimal(n) + " are given"
}

// suggest says what was probably meant, if that can be guessed.
func suggest(d *diag.Diagnostic, near []string) {
	const many = 6
	switch n := len(near); {
	case n == 1:
		d.Suggest = near[0]
	case n > 1 && n <= many:
		d.Notes = slices.Insert(d.Notes, 0, "did you mean "+strings.Join(near[:n-1], ", ")+" or "+near[n-1]+"?")
	}
}

// unknownModifier reports a modifier that no video instruction has.
func (e *explanation) unknownModifier(p *isa.Problem, at source.Span) *diag.Diagnostic {
	text := e.text(at)
	switch {
	case ParseType(text) != NoType:
		return e.report(diag.TypeNotAllowed, at, quote(text)+" is not a type of "+e.op.String(),
			"the types of video instructions are .u32 and .s32; a byte or half-word is taken by a selector such as %r1.b0", e.syntaxNote(p))
	case p.Slot != nil && p.Slot.Name == ".cmp" && unsignedComparisons[text] != "":
		return e.report(diag.UnknownModifier, at, e.op.String()+" has no comparison "+quote(text),
			"it compares unsigned where both types are .u32: write "+unsignedComparisons[text]+" with them", e.syntaxNote(p))
	case p.Slot != nil && len(p.Slot.Values) > 1:
		return e.report(diag.UnknownModifier, at, "there is no modifier "+quote(text),
			p.Slot.Name+" is one of "+strings.Join(p.Slot.Values, " "), e.syntaxNote(p))
	}
	return e.report(diag.UnknownModifier, at, "there is no modifier "+quote(text), e.modifiersNote(), e.syntaxNote(p))
}

// unsignedComparisons are those of set and setp that video instructions express
// by their types.
var unsignedComparisons = map[string]string{".lo": ".lt", ".ls": ".le", ".hi": ".gt", ".hs": ".ge"}

// selector reports what is wrong with a selector or mask.
func (e *explanation) selector(p *isa.Problem, at source.Span) {
	text, role := quote(e.text(at)), operandRole(p.At)
	switch p.Kind {
	case isa.WrongSelector:
		message := text + " is not a selector of " + role
		if p.Slot.Name == ".mask" {
			message = text + " is not a destination mask"
		}
		d := e.report(diag.UnknownSelector, at, message, "allowed here: "+p.Slot.Describe(), e.syntaxNote(p))
		if e.op == isa.Vmin4 && text == "'.b00'" {
			d.Notes = append(d.Notes, "the manual's example with r1.b00 is outside its own grammar (ruling R13)")
		}
		suggest(d, p.Near)
	case isa.SelectorNotAllowed:
		e.report(diag.SelectorNotAllowed, at, role+" of "+e.op.String()+" takes no selector", e.syntaxNote(p))
	case isa.SelectorConflict:
		e.report(diag.SelectorConflict, at, "the selector "+text+" of "+role+" cannot stand together with "+e.written(p.OtherPlace, p.Other),
			"an instruction has a second operation or a destination selector, not both (ruling R2)", e.syntaxNote(p))
	case isa.SelectorOnImmediate:
		e.report(diag.SelectorNotAllowed, at, "an immediate takes no selector", "selectors choose a part of a register (ruling R17)")
	case isa.IgnoredSelector:
		e.report(diag.SelectorIgnored, at, "the selector "+text+" has no effect here",
			"it is not in the manual; ptxas 11.8 accepts it and writes the whole word (ruling R19)")
	}
}

// operandProblem reports what is wrong with the operands themselves.
func (e *explanation) operandProblem(p *isa.Problem, at source.Span) {
	name := e.op.String()
	switch p.Kind {
	case isa.MissingOperand:
		last := e.tree.Name.Span()
		if n := len(e.tree.Operands); n > 0 {
			last = e.tree.Operands[n-1].Span()
		}
		e.report(diag.OperandMissing, last, e.missingOperand(p), e.syntaxNote(p))
	case isa.ExtraOperand:
		e.report(diag.OperandExtra, at, name+" takes 4 operands at most, but "+given(len(e.tree.Operands)), e.syntaxNote(p))
	case isa.NotRegister:
		e.report(diag.OperandKind, at, operandRole(p.At)+" of "+name+" is "+e.kindOf(p.At), e.kindNote(p.At))
	case isa.ImmediateNotAllowed:
		if p.At == 0 {
			e.report(diag.OperandKind, at, "the destination of "+name+" is a register, not an immediate")
			return
		}
		e.report(diag.ImmediateNotAllowed, at, operandRole(p.At)+" of "+name+" is a register, not an immediate",
			"only the scalar video instructions take immediates (ruling R17); move the value into a register first")
	case isa.NegationNotAllowed:
		e.report(diag.NegationNotAllowed, at, operandRole(p.At)+" of "+name+" cannot be negated", "only a, b and c of vmad can", e.syntaxNote(p))
	case isa.NegationConflict:
		e.report(diag.NegationConflict, at, "the negation of "+quote(e.tree.Operands[p.At].Text)+" excludes "+e.written(p.OtherPlace, p.Other),
			"vmad negates either (a*b), by one of a and b, or c, and nothing with .po (9.7.18.1.3, ruling R7)", e.syntaxNote(p))
	case isa.IgnoredNegation:
		a, b := quote(e.tree.Operands[p.At].Text), quote(e.tree.Operands[p.Other].Text)
		e.report(diag.NegationIgnored, at, "the negations of "+a+" and "+b+" have no effect: "+name+" takes both as they are",
			"only vmad negates, and only the product; ptxas accepts two minus signs, which cancel each other, everywhere (ruling R20)")
	case isa.IgnoredOperand:
		e.report(diag.OperandIgnored, at, "operand "+quote(e.text(at))+" has no effect: there is neither a second operation nor a destination selector",
			"it is not in the manual's syntax; ptxas accepts it (ruling R16)")
	}
}

// missingOperand says which operand is missing, and what it is for.
func (e *explanation) missingOperand(p *isa.Problem) string {
	names := []string{"d", "a", "b", "c"}[p.At:p.Want]
	what := e.op.String()
	if p.Want == 4 && p.At == 3 && !e.op.SIMD() {
		for i := range e.tree.Modifiers {
			if second := e.tree.Modifiers[i].Text; slices.Contains([]string{".add", ".min", ".max"}, second) {
				what = quote(second)
			}
		}
		if sel := e.tree.Operands[0].Selector.Text; sel != "" {
			what = "the destination selector " + quote(sel)
		}
	}
	noun := "operand "
	if len(names) > 1 {
		noun = "operands "
	}
	return what + " needs " + noun + strings.Join(names, ", ")
}

// kindOf names what an operand is that is not a register.
func (e *explanation) kindOf(i int) string {
	o := &e.tree.Operands[i]
	switch o.Kind {
	case syntax.Sink:
		return "a sink"
	case syntax.Vector:
		return "a vector"
	case syntax.Address:
		return "an address"
	case syntax.Pair:
		return "a pair of registers"
	case syntax.Expr:
		return "an expression"
	case syntax.Number:
		return "a floating-point number"
	case syntax.Name:
		switch {
		case o.Neg == '!':
			return "negated by '!'"
		case o.Parens > 0:
			return "in parentheses"
		case isSpecial(o.Text):
			return "a special register"
		}
		return "not a register"
	}
	return "not an operand"
}

// kindNote says what an operand may be.
func (e *explanation) kindNote(i int) string {
	o := &e.tree.Operands[i]
	switch {
	case o.Kind == syntax.Name && isSpecial(o.Text):
		return "read it by mov first"
	case i == 0 || e.op.SIMD():
		return "it must be a 32-bit register"
	}
	return "it must be a 32-bit register or an integer constant"
}

// operandRole names operand i as the manual does.
func operandRole(i int) string {
	return [...]string{"destination d", "source a", "source b", "source c"}[min(i, 3)]
}

// modifiersNote lists the modifiers that the instruction can have.
func (e *explanation) modifiersNote() string {
	var all []string
	for _, row := range isa.RowsOf(e.op) {
		for _, slot := range row.Modifiers {
			for _, value := range slot.Values {
				if !slices.Contains(all, value) {
					all = append(all, value)
				}
			}
		}
	}
	return "the modifiers of " + e.op.String() + " are " + strings.Join(all, " ")
}

// syntaxNote gives the syntax line that the instruction comes nearest to.
func (e *explanation) syntaxNote(p *isa.Problem) string {
	return "syntax: " + p.Row.Line + " (" + p.Row.Section.Number + ")"
}

func quote(text string) string { return "'" + text + "'" }

func decimal(n int) string { return strconv.Itoa(n) }

// line returns the number of the line that a position is on.
func (c *checker) line(p source.Pos) string {
	file, at := c.source.Outermost(source.Span{Start: p, End: p})
	return decimal(file.Position(at.Start).Line)
}
