package check

import (
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/syntax"
)

// opcodes remembers what mnemonics with their modifiers mean, by their text: a module has
// thousands of instructions and some dozens of these.
type opcodes struct {
	byText    map[string]opcode
	arguments []inst.Argument // of one instruction, the elements of its operands after them
	modifiers []string
}

// opcode is an instruction without its operands, or what is wrong with it.
type opcode struct {
	*inst.Opcode
	problems []inst.Problem
}

// opcode looks up an instruction.
func (c *checker) opcode(t *syntax.Instruction) opcode {
	end := t.Name.Span().End
	if n := len(t.Modifiers); n > 0 {
		end = t.Modifiers[n-1].Span().End
	}
	text := c.source.Text[t.Name.Pos:end]
	o, known := c.opcodes.byText[text]
	if known {
		return o
	}
	c.opcodes.modifiers = c.opcodes.modifiers[:0]
	for i := range t.Modifiers {
		c.opcodes.modifiers = append(c.opcodes.modifiers, t.Modifiers[i].Text)
	}
	o.Opcode, o.problems = inst.Find(t.Name.Text, c.opcodes.modifiers)
	if c.opcodes.byText == nil {
		c.opcodes.byText = map[string]opcode{}
	}
	c.opcodes.byText[text] = o
	return o
}

// gate is what the module declares of its version and target. Asm statements declare nothing.
func (c *checker) gate() (at inst.Gate) {
	if c.asm == nil {
		at = inst.Gate{PTX: c.module.Version, SM: c.module.SM, Features: strings.HasSuffix(c.module.Target, "a") || strings.HasSuffix(c.module.Target, "f")}
	}
	return at
}

// judge holds an instruction against the table of ordinary instructions.
func (c *checker) judge(in *Inst) {
	gate := c.gate()
	if inst.Newest.Less(gate.PTX) {
		return // it may have what the table has not
	}
	o := c.opcode(in.Tree)
	if o.Opcode == nil {
		c.explainOpcode(in, o.problems, gate)
		return
	}
	form, p := o.Fit(c.arguments(in), gate)
	if p.Kind != inst.NoProblem {
		c.explainOperands(in, form, &p)
	}
	if form.Ignored != nil {
		c.ignoredModifiers(in.Tree, form)
	}
}

// arguments describes the operands of an instruction.
func (c *checker) arguments(in *Inst) []inst.Argument {
	n := len(in.Operands)
	list := c.opcodes.arguments[:0]
	for range n {
		list = append(list, inst.Argument{})
	}
	for i := range in.Operands {
		list = c.argument(list, i, &in.Operands[i])
	}
	c.opcodes.arguments = list
	return list[:n]
}

// argument describes an operand as list[at]; its elements go to the end of the list.
func (c *checker) argument(list []inst.Argument, at int, o *Operand) []inst.Argument {
	a := &list[at]
	switch o.Kind {
	case OpReg:
		*a = c.register(o)
		if a.Kind == inst.Vector {
			return c.elementsOfRegister(list, at, o)
		}
	case OpImm:
		a.Kind, a.Value = inst.Integer, int64(o.Imm)
		switch {
		case o.Float == 'f':
			a.Kind, a.Type = inst.Float, inst.F32
		case o.Float != 0:
			a.Kind, a.Type = inst.Float, inst.F64
		case o.Tree == nil || o.Tree.Kind == syntax.Name && o.Tree.Text != "WARP_SZ":
			a.Kind = inst.Anything // an asm operand whose value is not known here
		}
	case OpSpecial:
		a.Kind, a.Type = inst.Special, specialType(o.Name)
	case OpLabel, OpFunc:
		a.Kind = inst.Name
	case OpVar:
		if a.Kind = inst.Name; o.Var.Type >= TexRef {
			a.Type = instTypes[o.Var.Type]
			if o.Tree.Kind == syntax.Expr {
				a.Kind = inst.Other // there is nothing behind a texture
			}
		}
	case OpAddress:
		list = c.elementsOf(list, at, inst.Address, o.Elems[:min(1, len(o.Elems))])
		if o.Offset != 0 && len(list[at].Elements) > 0 && o.Elems[0].Kind == OpVar && o.Elems[0].Var.Type >= TexRef {
			list[at].Elements[0].Kind = inst.Other
		}
		return list
	case OpTexture:
		return c.elementsOf(list, at, inst.Indexed, o.Elems)
	case OpVector:
		return c.elementsOf(list, at, inst.Vector, o.Elems)
	case OpPair:
		return c.elementsOf(list, at, inst.Pair, o.Elems)
	case OpSum:
		a.Kind = inst.Sum
	case OpSink:
		a.Kind = inst.Sink
	case OpList:
		a.Kind = inst.Other
	}
	return list
}

// elementsOf describes the elements of an operand behind all others, in memory of their own if
// the list has to grow.
func (c *checker) elementsOf(list []inst.Argument, at int, kind inst.ArgumentKind, elems []Operand) []inst.Argument {
	start := len(list)
	for range elems {
		list = append(list, inst.Argument{})
	}
	for i := range elems {
		list = c.argument(list, start+i, &elems[i])
	}
	list[at].Kind, list[at].Elements = kind, list[start:start+len(elems):start+len(elems)]
	return list
}

// elementsOfRegister describes a vector register, as a vector of its elements.
func (c *checker) elementsOfRegister(list []inst.Argument, at int, o *Operand) []inst.Argument {
	r := &c.function.Registers[o.Reg]
	start := len(list)
	for range r.Vec {
		list = append(list, inst.Argument{Kind: inst.Register, Type: instTypes[r.Type], Sign: o.Neg})
	}
	list[at].Kind, list[at].Elements = inst.Vector, list[start:start+r.Vec:start+r.Vec]
	return list
}

// register describes a register; of a vector register only that it is one.
func (c *checker) register(o *Operand) inst.Argument {
	if o.Reg < 0 || o.Tree != nil && o.Tree.Parens > 0 {
		return inst.Argument{}
	}
	r := &c.function.Registers[o.Reg]
	if r.Vec > 1 && o.Elem < 0 {
		return inst.Argument{Kind: inst.Vector}
	}
	return inst.Argument{Kind: inst.Register, Type: instTypes[r.Type], Sign: o.Neg}
}

// instTypes are the types of registers as package inst has them.
var instTypes = func() (types [len(typeTable)]inst.Type) {
	for t := range typeTable {
		types[t] = inst.ParseType(typeTable[t].name)
	}
	return types
}()

// unknownVersion reports whether nothing is known of the version.
func unknownVersion(v isa.Version) bool { return v == isa.Version{} }
