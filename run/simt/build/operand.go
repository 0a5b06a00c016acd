package build

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// operand returns operand i of the current instruction.
func (b *builder) operand(i int) *check.Operand {
	if i >= len(b.current.Operands) {
		b.fail("it has %s", diag.Count(len(b.current.Operands), "operand"))
		return &check.Operand{Kind: check.OpSink, Elem: -1}
	}
	return &b.current.Operands[i]
}

// count demands a number of operands.
func (b *builder) count(n int) bool {
	if has := len(b.current.Operands); has != n {
		b.fail("it has %s", diag.Count(has, "operand"))
		return false
	}
	return true
}

// name returns an operand as it is written.
func (b *builder) name(o *check.Operand) string {
	if o.Tree == nil {
		return "an operand"
	}
	return b.decl.Module.Source.Text[o.Tree.Start:o.Tree.End]
}

// variable returns the variable of an element of a register.
func (b *builder) variable(reg, elem int) int {
	if elem <= 0 {
		return reg
	}
	if r := &b.decl.Registers[reg]; elem >= r.Vec {
		b.fail("%s has no element %d", r.Name, elem)
		return reg
	}
	return b.elements[reg] + elem - 1
}

// isVector reports whether an operand is a vector: elements in braces, or a whole vector register.
func (b *builder) isVector(o *check.Operand) bool {
	return o.Kind == check.OpVector || o.Kind == check.OpReg && o.Elem < 0 && b.decl.Registers[o.Reg].Vec > 1
}

// vectorElements returns the operands that a vector consists of, or the operand itself.
func (b *builder) vectorElements(o *check.Operand) []check.Operand {
	switch {
	case o.Kind == check.OpVector:
		return o.Elems
	case b.isVector(o):
		elems := make([]check.Operand, b.decl.Registers[o.Reg].Vec)
		for i := range elems {
			elems[i] = *o
			elems[i].Elem = int8(i)
		}
		return elems
	}
	return []check.Operand{*o}
}

// typeOfOperand returns the type of the register that an operand writes, or NoType.
func (b *builder) typeOfOperand(o *check.Operand) simt.Type {
	if o.Kind != check.OpReg {
		b.fail("its destination is not a register")
		return simt.NoType
	}
	return b.vars.types[b.variable(o.Reg, int(o.Elem))]
}

// set writes a value to the register that an operand names, in the lanes for which the guard holds.
func (b *builder) set(o *check.Operand, v simt.ID) {
	if o.Kind == check.OpSink || v == 0 {
		return
	}
	has := b.typeOfOperand(o)
	if has == simt.NoType {
		return
	}
	if has != b.Values[v].Type {
		b.fail("%s has another width than the instruction", b.name(o))
		return
	}
	b.setVariable(b.variable(o.Reg, int(o.Elem)), v)
}

// setVariable is set for a variable.
func (b *builder) setVariable(variable int, v simt.ID) {
	if !b.vars.mayWrite(variable, b.block) {
		b.fail("a destination that is not its first operand")
		return
	}
	if b.guard != 0 {
		v = b.merge(v, b.vars.read(variable, b.block))
	} else if b.literal && b.Values[v].Kind != simt.InstDef {
		v = b.copied(v)
	}
	b.vars.write(variable, b.block, v)
}

// merge returns one value where the guard holds, another elsewhere.
func (b *builder) merge(v, otherwise simt.ID) simt.ID {
	if b.inverse {
		v, otherwise = otherwise, v
	}
	name := map[simt.Type]string{simt.Pred: "selp.pred", simt.B32: "selp.32", simt.B64: "selp.64"}[b.Values[v].Type]
	before := len(b.Blocks[b.block].Insts)
	d := b.named(name, v, otherwise, b.guard)
	if insts := b.Blocks[b.block].Insts; len(insts) > before {
		insts[before].Merge = true
	}
	return d
}

// copied returns a copy of a value, for literal code, in which what is written has a place.
func (b *builder) copied(v simt.ID) simt.ID {
	return b.named(map[simt.Type]string{simt.Pred: "mov.pred", simt.B32: "mov.32", simt.B64: "mov.64"}[b.Values[v].Type], v)
}

// source returns an operand's value, of a type. as is the type that the instruction reads it as.
func (b *builder) source(o *check.Operand, t simt.Type, as check.Type) simt.ID {
	switch o.Kind {
	case check.OpReg:
		v := b.readRegister(o.Reg, int(o.Elem))
		if o.Neg == '!' && b.Values[v].Type == simt.Pred {
			return b.named("not.pred", v)
		}
		if o.Neg != 0 {
			b.lack("the sign of %s", b.name(o))
		}
		return b.fit(o, v, t)
	case check.OpImm:
		return b.Constant(t, immediate(o, as))
	case check.OpSpecial:
		return b.fit(o, b.special(o.Name), t)
	case check.OpSum:
		x := b.source(&o.Elems[0], t, as)
		return b.sum(x, o.Offset)
	case check.OpVar:
		return b.addressOf(o, t)
	case check.OpFunc:
		return b.Constant(t, b.options.Code(o.Func))
	}
	b.fail("the operand %s", b.name(o))
	return b.Constant(t, 0)
}

// sources returns the values of the operands from the given one on, all of one type.
func (b *builder) sources(from int, t simt.Type, as check.Type) (values []simt.ID) {
	for i := from; i < len(b.current.Operands); i++ {
		values = append(values, b.source(&b.current.Operands[i], t, as))
	}
	return values
}

// predicate returns the value of an operand that is a predicate.
func (b *builder) predicate(i int) simt.ID { return b.source(b.operand(i), simt.Pred, check.Pred) }

// immediate returns a constant's bits as a value of a type.
func immediate(o *check.Operand, t check.Type) uint64 {
	if o.Float == 'd' && t == check.F32 {
		return uint64(math.Float32bits(float32(math.Float64frombits(o.Imm))))
	}
	if o.Float == 'f' && t == check.F64 {
		return math.Float64bits(float64(math.Float32frombits(uint32(o.Imm))))
	}
	return o.Imm
}

// fit returns a value in the type wanted. Those of 32 bits are extended with zeros and
// those of 64 lose their upper half, as for memory instructions, conversions and special
// registers; others do not mix widths.
func (b *builder) fit(o *check.Operand, v simt.ID, t simt.Type) simt.ID {
	switch has := b.Values[v].Type; {
	case has == t:
		return v
	case has == simt.B32 && t == simt.B64:
		return b.named("widen.64", v)
	case has == simt.B64 && t == simt.B32:
		return b.named("narrow.32", v)
	}
	b.fail("%s is not of the kind that the instruction reads", b.name(o))
	return b.Constant(t, 0)
}

// sum returns a value plus a constant.
func (b *builder) sum(x simt.ID, offset int64) simt.ID {
	t := b.Values[x].Type
	return b.compute(addition[t], x, b.Constant(t, uint64(offset)))
}

// addition is the operation that adds values of a type.
var addition = map[simt.Type]op.Op{simt.B32: op.Must("add.u32"), simt.B64: op.Must("add.u64")}

// addressOf returns the address of a variable, in its own space.
func (b *builder) addressOf(o *check.Operand, t simt.Type) simt.ID {
	if at, ok := b.Offsets[o.Var]; ok {
		return b.sum(b.localBase(t), int64(at)+o.Offset)
	}
	address, ok := b.options.Place(o.Var)
	if !ok {
		switch {
		case o.Var.Extern && o.Var.Space != check.Shared:
			b.failAs(UndefinedName, "the variable %s is .extern at %s, and %s", o.Var.Name, o.Var.Module.Where(o.Var.Decl), b.options.Module.Missing(o.Var.Name))
		case o.Var.Space == check.Global, o.Var.Space == check.Const:
			b.fail("%s has no memory", o.Var.Name)
		default:
			b.lack("the variable %s in %v memory", o.Var.Name, o.Var.Space)
		}
		return b.Constant(t, 0)
	}
	return b.Constant(t, uint64(int64(address)+o.Offset))
}

func (b *builder) localBase(t simt.Type) simt.ID {
	base := b.Special(simt.B32, simt.LocalBase)
	if t == simt.B64 {
		return b.named("widen.64", base)
	}
	return base
}
