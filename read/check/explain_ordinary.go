package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// explainOpcode puts the problems of a mnemonic and its modifiers into words.
func (c *checker) explainOpcode(in *Inst, problems []inst.Problem, gate inst.Gate) {
	for i := range problems {
		c.explainModifier(in.Tree, &problems[i], gate)
	}
}

// explainModifier reports one problem of a mnemonic or its modifiers.
func (c *checker) explainModifier(t *syntax.Instruction, p *inst.Problem, gate inst.Gate) {
	name := t.Name.Text
	at := t.Name.Span()
	text := ""
	if p.At < len(t.Modifiers) {
		text = quote(shorten(t.Modifiers[p.At].Text))
	}
	modifier := func() source.Span { return t.Modifiers[p.At].Span() }
	var d *diag.Diagnostic
	switch p.Kind {
	case inst.UnknownName:
		d = c.report(diag.UnknownInstruction, at, "there is no instruction "+quote(shorten(name)))
		if len(c.findings) < maxSuggestions {
			suggest(d, inst.Nearest(name))
		}
		return
	case inst.UnknownModifier:
		d = c.report(diag.UnknownModifier, modifier(), "there is no modifier "+text, modifiersOf(name))
	case inst.ForeignModifier:
		d = c.report(diag.ModifierNotAllowed, modifier(), name+" takes no modifier "+text, modifiersOf(name))
	case inst.ModifierConflict:
		d = c.report(diag.ModifierConflict, modifier(), text+" cannot stand together with "+quote(t.Modifiers[p.Other].Text))
	case inst.RepeatedModifier:
		message := text + " is written twice"
		if first := quote(t.Modifiers[p.Other].Text); first != text {
			message = text + " after " + first + ": only one of " + strings.Join(p.Values, " ") + " can be written"
		}
		d = c.report(diag.ModifierRepeated, modifier(), message)
	case inst.MisplacedName:
		d = c.report(diag.ModifierOrder, modifier(), text+" stands right after "+quote(name)+": it belongs to the name "+quote(p.Row.Mnemonic))
	case inst.MissingModifier:
		if !unknownVersion(gate.PTX) && gate.PTX.Major < 2 {
			return // the first versions had defaults
		}
		d = c.report(diag.ModifierMissing, at, name+" needs "+oneOf(p.Values))
	case inst.WrongType:
		d = c.report(diag.TypeNotAllowed, modifier(), name+" takes no "+text+" here", "it takes "+oneOf(p.Values))
	case inst.TooManyTypes:
		d = c.report(diag.TypeExtra, modifier(), text+" is one type too many: "+name+" takes "+typeCount(p.Count))
	case inst.MissingTypes:
		if n := len(t.Modifiers); n > 0 {
			at = t.Modifiers[n-1].Span()
		}
		d = c.report(diag.TypeMissing, at, name+" takes "+typeCount(p.Count)+", but "+given(p.Have), "next comes "+oneOf(p.Values))
	default:
		return
	}
	d.Notes = append(d.Notes, lineOf(p.Row))
	suggest(d, p.Near)
}

// ignoredModifiers warns of modifiers that have no effect.
func (c *checker) ignoredModifiers(t *syntax.Instruction, form *inst.Form) {
	for _, i := range form.Ignored {
		m := t.Modifiers[i]
		message := quote(m.Text) + " is written twice; once is enough"
		if inst.ParseType(m.Text) != inst.NoType {
			message = quote(m.Text) + " has no effect on " + t.Name.Text
		}
		c.report(diag.ModifierIgnored, m.Span(), message, lineOf(form.Row))
	}
}

// typeCount says how many types there are.
func typeCount(n int) string {
	if n == 0 {
		return "no type"
	}
	return diag.Count(n, "type")
}

// oneOf lists what may stand in a place.
func oneOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "one of " + strings.Join(values, " ")
}

// modifiersOf lists the modifiers of an instruction.
func modifiersOf(name string) string {
	var all []string
	for _, modifier := range inst.Modifiers(name) {
		if inst.ParseType(modifier) == inst.NoType && !isShape(modifier) {
			all = append(all, modifier)
		}
	}
	if len(all) == 0 {
		return name + " has no modifiers other than types"
	}
	return "the modifiers of " + name + " are " + strings.Join(all, " ")
}

// isShape reports whether a modifier is a shape of matrices, of which there are too many to list.
func isShape(modifier string) bool {
	return len(modifier) > 2 && modifier[1] == 'm' && '0' <= modifier[2] && modifier[2] <= '9'
}

// lineOf gives the syntax line that an instruction comes nearest to.
func lineOf(r *inst.Row) string { return "syntax: " + r.Line + " (" + r.Section.Number + ")" }

// explainOperands reports what is wrong with the operands of an instruction.
func (c *checker) explainOperands(in *Inst, form *inst.Form, p *inst.Problem) {
	t := in.Tree
	name := t.Name.Text
	switch p.Kind {
	case inst.TooOld, inst.TooNew:
		c.explainGate(in, p)
		return
	case inst.MissingOperand:
		if p.Values != nil {
			c.report(diag.OperandMissing, t.Name.Span(), name+" with "+p.Values[0]+" takes an operand more, the cache policy", lineOf(p.Row))
			return
		}
		c.report(diag.OperandMissing, t.Name.Span(), name+" takes "+operandCount(p)+", but "+given(p.Have), lineOf(p.Row))
		return
	case inst.ExtraOperand:
		c.report(diag.OperandExtra, in.Operands[p.At].Tree.Span(), "operand "+quote(c.text(&in.Operands[p.At]))+" is one too many: "+name+" takes "+operandCount(p), lineOf(p.Row))
		return
	}
	o := &in.Operands[p.At]
	if p.Kind == inst.NeedsModifier {
		c.report(diag.OperandExtra, o.Tree.Span(), "operand "+quote(c.text(o))+" stands only with "+oneOf(p.Values), lineOf(p.Row))
		return
	}
	if p.Index {
		o = &o.Elems[len(o.Elems)-1]
	} else if o.Kind == OpPair && p.Element == 0 && o.Elems[0].Kind == OpVector {
		o, p.Element = &o.Elems[0], -1
	}
	if p.Element >= 0 && p.Element < len(o.Elems) {
		o = &o.Elems[p.Element]
	} else if (o.Kind == OpAddress || o.Kind == OpTexture) && p.Kind == inst.WrongRegister && len(o.Elems) > 0 {
		o = &o.Elems[0]
	}
	c.explainOperand(t, o, p)
}

// operandCount says how many operands a line takes.
func operandCount(p *inst.Problem) string {
	count := diag.Count(p.Count, "operand")
	switch {
	case p.Count == 0:
		return "no operands"
	case p.Kind == inst.MissingOperand && (p.Row.More || len(p.Row.Operands) > p.Count):
		return "at least " + count
	case p.Kind == inst.ExtraOperand && p.Row.Required < p.Count:
		return "at most " + count
	}
	return count
}

// explainOperand reports what is wrong with one operand.
func (c *checker) explainOperand(t *syntax.Instruction, o *Operand, p *inst.Problem) {
	name, at := t.Name.Text, o.Tree.Span()
	text := quote(c.text(o))
	line := lineOf(p.Row)
	written := p.Operand.Written
	switch p.Kind {
	case inst.WrongRegister:
		c.report(diag.RegisterType, nameSpan(o.Tree), text+" is "+c.kindOfRegister(o)+"; "+c.wanted(t, p), c.rightRegisters(o, p), line)
	case inst.SpecialRegister:
		if written {
			c.report(diag.SpecialRegisterWritten, at, quote(o.Name)+" is read-only",
				"the special registers are predefined and tell about the thread; give the result a register of its own")
			return
		}
		c.report(diag.OperandKind, at, name+" takes no special register such as "+text, "read it by mov first", line)
	case inst.FloatConstant:
		c.report(diag.ImmediateKind, at, text+" is a floating-point number, and "+name+" takes "+kindOfType(p.Want)+" here", line)
	case inst.WholeConstant:
		d := c.report(diag.ImmediateKind, at, text+" is an integer, and "+name+" takes a floating-point number here", line)
		if o.Float == 0 && o.Tree.Kind == syntax.Number && strings.Trim(o.Tree.Text, "0123456789") == "" {
			suggest(d, []string{c.text(o) + ".0"})
		}
	case inst.NoConstant:
		where := " for a half-precision number"
		if p.Operand.Bare {
			where = " here"
		}
		c.report(diag.ImmediateNotAllowed, at, name+" takes no constant such as "+text+where, "move it to a register first", line)
	case inst.NotWritable:
		c.report(diag.OperandKind, at, text+" cannot be written: the result goes to a register", line)
	case inst.Negated:
		sign := source.Span{Start: o.Tree.Start, End: o.Tree.Start + 1}
		c.report(diag.NegationNotAllowed, sign, name+" cannot negate "+quote(o.Tree.Text), "neg and not do that", line)
	case inst.WrongElements:
		c.report(diag.OperandKind, at, text+" has "+diag.Count(p.Have, "element")+", and "+name+" takes "+numbers(p.Counts)+" here", line)
	case inst.OutOfRange:
		c.report(diag.ImmediateRange, at, text+" is no constant that "+instructionText(t)+" takes here: it takes "+p.Operand.Allowed.String(), line)
	default:
		c.report(diag.OperandKind, at, text+" is "+c.kindOfOperand(o)+"; "+c.wanted(t, p), line)
	}
}

// numbers says which numbers there may be: "1, 2 or 4".
func numbers(list []int) string {
	text := ""
	for i, n := range list {
		switch {
		case i > 0 && i == len(list)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += decimal(n)
	}
	return text
}

// kindOfRegister says what a register is.
func (c *checker) kindOfRegister(o *Operand) string {
	switch {
	case c.isVector(o):
		return c.vectorRegister(o)
	case o.Kind == OpReg && o.Reg >= 0:
		return "a " + c.function.Registers[o.Reg].Type.String() + " register"
	case o.Kind == OpSpecial:
		return "a special register of " + decimal(specialType(o.Name).Width()) + " bits"
	}
	return "a register"
}

// isVector reports whether an operand is a whole vector register.
func (c *checker) isVector(o *Operand) bool {
	return o.Kind == OpReg && o.Reg >= 0 && o.Elem < 0 && c.function.Registers[o.Reg].Vec > 1
}

// vectorRegister says what a vector register is.
func (c *checker) vectorRegister(o *Operand) string {
	r := &c.function.Registers[o.Reg]
	return "a vector register of " + decimal(r.Vec) + " " + r.Type.String()
}

// kindOfOperand says what an operand is.
func (c *checker) kindOfOperand(o *Operand) string {
	switch o.Kind {
	case OpReg:
		if c.isVector(o) {
			return c.vectorRegister(o)
		}
		return "a register"
	case OpImm:
		return "a constant"
	case OpSpecial:
		return "a special register"
	case OpLabel:
		return "a label"
	case OpVar:
		return "the name of a variable"
	case OpFunc:
		return "the name of a function"
	case OpVector:
		return "a vector"
	case OpTexture:
		return "an address with coordinates"
	case OpAddress:
		return "an address"
	case OpPair:
		return "a pair"
	case OpSink:
		return "the sink"
	case OpSum:
		return "a sum"
	}
	return "no operand"
}

// wanted says what the instruction has in the place of an operand.
func (c *checker) wanted(t *syntax.Instruction, p *inst.Problem) string {
	text := instructionText(t)
	o := p.Operand
	switch {
	case o.Handle != inst.NoType && p.Element >= 0:
		return text + " takes a " + p.Want.String() + " variable here, or a 64-bit register with the address of one"
	case o.Handle != inst.NoType && o.Index == nil:
		return text + " takes a " + o.Handle.String() + " variable in brackets here, or a 64-bit register with the address of one"
	case o.Handle != inst.NoType:
		return text + " takes a " + o.Handle.String() + " here with " + numbers(p.Counts) + " coordinates, as in [t, {x, y}]"
	case o.Index != nil && p.Kind != inst.WrongRegister:
		return text + " takes an address with " + diag.Count(p.Counts[0], "coordinate") + " here, as in [map, {x, y}]"
	case o.Shape == inst.Memory && p.Kind == inst.WrongRegister:
		return "an address has 32 or 64 bits and is an integer"
	case o.Shape == inst.Memory:
		return text + " takes an address here, in brackets"
	case o.Shape == inst.Naming:
		return text + " takes the name of a list of labels here"
	case o.Shape == inst.Constant:
		return text + " takes a constant here"
	case p.Counts != nil && p.Counts[len(p.Counts)-1] > 1 && p.Element < 0:
		return text + " takes a vector of " + numbers(p.Counts) + " elements here"
	}
	what := "a register"
	if p.Want != inst.NoType {
		what = "a register for " + p.Want.String()
		if p.Want == inst.Pred {
			what = "a predicate"
		}
	}
	if !o.Written && !o.Bare && p.Want != inst.Pred && p.Kind != inst.WrongRegister {
		what += " or a constant"
	}
	if o.NeedsSecond {
		what = "two results, joined by '|',"
	}
	return text + " takes " + what + " here"
}

// rightRegisters says which registers are right.
func (c *checker) rightRegisters(o *Operand, p *inst.Problem) string {
	if c.asm != nil && c.asm.constraints[o.Reg] != "" {
		return c.rightConstraint(c.asm.constraints[o.Reg], p)
	}
	if p.Operand.Handle != inst.NoType {
		return "it has the address of a variable, or what the driver calls a texture or surface object"
	}
	if p.Operand.Shape == inst.Memory || p.Want == inst.NoType {
		return "addresses are in registers declared .b32, .u32, .s32, .b64, .u64 or .s64"
	}
	note := "it takes registers declared " + p.Want.Describe()
	if p.Operand.Relaxed {
		note += ", and wider ones of the same kind or untyped"
	}
	return note
}

// rightConstraint says which constraints of an asm operand are right.
func (c *checker) rightConstraint(constraint string, p *inst.Problem) string {
	note := "the constraint " + strconv.Quote(constraint) + " says so"
	var right []string
	for _, letter := range []string{"h", "r", "l", "f", "d", "q"} {
		if p.Want != inst.NoType && p.Want.Takes(instTypes[asmTypes[letter]], p.Operand.Relaxed) {
			right = append(right, strconv.Quote(letter))
		}
	}
	if len(right) > 0 {
		note += "; right is " + strings.Join(right, " or ")
	}
	return note
}

// kindOfType says what a constant of a type is.
func kindOfType(t inst.Type) string {
	if t == inst.Pred {
		return "a predicate"
	}
	return "an integer"
}

// explainGate reports an instruction that the module's version or target does not have.
func (c *checker) explainGate(in *Inst, p *inst.Problem) {
	m, r, t := c.module, p.Row, in.Tree
	if p.Kind == inst.TooNew {
		form, remedy := gone(t, r)
		c.report(diag.TargetTooHigh, t.Name.Span(), form+" is gone since PTX "+r.Until.PTX.String()+" for sm_"+decimal(r.Until.SM)+" and later", remedy)
		return
	}
	what, at, needs := instructionText(t), t.Name.Span(), p.Needs
	if p.Values != nil && p.At >= 0 {
		o := &in.Operands[p.At]
		if at = o.Tree.Span(); p.Values[0] == "|" {
			at = o.Elems[1].Tree.Span()
		}
		what = "operand " + quote(shorten(c.source.Text[at.Start:at.End])) + " of " + t.Name.Text
	} else if p.Values != nil {
		if i := slices.IndexFunc(t.Modifiers, func(w syntax.Word) bool { return w.Text == p.Values[0] }); i >= 0 {
			at = t.Modifiers[i].Span()
		}
		what = t.Name.Text + " with " + p.Values[0]
	}
	if m.Version.Less(needs.PTX) && m.Version != (isa.Version{}) {
		c.report(diag.VersionTooLow, at, what+" needs .version "+needs.PTX.String()+"; the module says "+m.Version.String())
	}
	if m.SM != 0 && !needs.On(c.gate()) {
		d := c.report(diag.TargetTooLow, at, what+" needs .target "+needs.Target()+"; the module says "+m.Target)
		if needs.Family {
			d.Notes = append(d.Notes, "only targets of that family have it, under names that end in f or a")
		}
	}
}

// gone says which form of an instruction later versions have no more, and what they have instead.
func gone(t *syntax.Instruction, r *inst.Row) (form, remedy string) {
	has := func(name string) bool {
		return slices.ContainsFunc(r.Slots, func(s *inst.Slot) bool { return s.Name == name })
	}
	name := quote(t.Name.Text)
	switch {
	case has(".satfinite"):
		return name + " of floating-point numbers with '.satfinite'", "write it without .satfinite"
	case has(".sync"):
		return name + " without '.aligned'", "write " + r.Mnemonic + ".sync.aligned"
	case t.Name.Text == "mad":
		return name + " of floating-point numbers without a rounding mode", "write mad.rn, or fma.rn"
	}
	return name + " without '.sync'", "write " + r.Mnemonic + ".sync, with a mask of the lanes that take part"
}

// instructionText is a mnemonic with its modifiers.
func instructionText(t *syntax.Instruction) string {
	text := t.Name.Text
	for _, m := range t.Modifiers {
		text += m.Text
	}
	return shorten(text)
}
