package builder

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// Operand returns operand i of the current instruction.
func (b *Builder) Operand(i int) *check.Operand {
	if i >= len(b.Inst.Operands) {
		b.Fail("it has %s", diag.Count(len(b.Inst.Operands), "operand"))
		return &check.Operand{Kind: check.OpSink, Elem: -1}
	}
	return &b.Inst.Operands[i]
}

// Count demands a number of operands.
func (b *Builder) Count(n int) bool {
	if has := len(b.Inst.Operands); has != n {
		b.Fail("it has %s", diag.Count(has, "operand"))
		return false
	}
	return true
}

// Text returns an operand as it is written.
func (b *Builder) Text(o *check.Operand) string {
	if o.Tree == nil {
		return "an operand"
	}
	return b.Decl.Module.Source.Text[o.Tree.Start:o.Tree.End]
}

// Variable returns the variable of an element of a register.
func (b *Builder) Variable(reg, elem int) int {
	if elem <= 0 {
		return reg
	}
	if r := &b.Decl.Registers[reg]; elem >= PartsOf(r) {
		b.Fail("%s has no element %d", r.Name, elem)
		return reg
	}
	return b.elements[reg] + elem - 1
}

// IsVector reports whether an operand is a vector: elements in braces, or a whole vector register.
func (b *Builder) IsVector(o *check.Operand) bool {
	return o.Kind == check.OpVector || o.Kind == check.OpReg && o.Elem < 0 && b.Decl.Registers[o.Reg].Vec > 1
}

// Elements returns the operands that a vector consists of, or the operand itself.
func (b *Builder) Elements(o *check.Operand) []check.Operand {
	switch {
	case o.Kind == check.OpVector:
		return o.Elems
	case b.IsVector(o):
		elems := make([]check.Operand, b.Decl.Registers[o.Reg].Vec)
		for i := range elems {
			elems[i] = *o
			elems[i].Elem = int8(i)
		}
		return elems
	}
	return []check.Operand{*o}
}

// Halves returns the two operands of 64 bits, the lower half first, that one of 128 bits consists of. A constant has 64 bits, and zeros above.
func (b *Builder) Halves(o *check.Operand) []check.Operand {
	low, high := *o, *o
	switch {
	case o.Kind == check.OpReg && b.isWide(o):
		low.Elem, high.Elem = 0, 1
	case o.Kind == check.OpImm:
		high.Imm = 0
	case o.Kind != check.OpSink:
		b.Fail("%s has another width than the instruction", b.Text(o))
	}
	return []check.Operand{low, high}
}

// isWide reports whether a register operand is all of a register of 128 bits.
func (b *Builder) isWide(o *check.Operand) bool {
	return o.Elem < 0 && b.Decl.Registers[o.Reg].Type == check.B128
}

// TypeOf returns the type of the register that an operand writes, or NoType.
func (b *Builder) TypeOf(o *check.Operand) simt.Type {
	if o.Kind != check.OpReg {
		b.Fail("its destination is not a register")
		return simt.NoType
	}
	return b.Variables.TypeOf(b.Variable(o.Reg, int(o.Elem)))
}

// Set writes a value to the register that an operand names, in the lanes for which the guard holds.
func (b *Builder) Set(o *check.Operand, v simt.ID) {
	if o.Kind == check.OpSink || v == 0 {
		return
	}
	has := b.TypeOf(o)
	if has == simt.NoType {
		return
	}
	if has != b.Values[v].Type || b.isWide(o) {
		b.Fail("%s has another width than the instruction", b.Text(o))
		return
	}
	b.setVariable(b.Variable(o.Reg, int(o.Elem)), v)
}

// setVariable is set for a variable.
func (b *Builder) setVariable(variable int, v simt.ID) {
	if !b.Variables.MayWrite(variable, b.Block) {
		b.Fail("a destination that is not its first operand")
		return
	}
	if b.Guard != 0 {
		v = b.merge(v, b.Variables.Read(variable, b.Block))
	} else if b.Literal && b.Values[v].Kind != simt.InstDef {
		v = b.copied(v)
	}
	b.Variables.Write(variable, b.Block, v)
}

// merge returns one value where the guard holds, another elsewhere.
func (b *Builder) merge(v, otherwise simt.ID) simt.ID {
	if b.Inverse {
		v, otherwise = otherwise, v
	}
	name := map[simt.Type]string{simt.Pred: "selp.pred", simt.B32: "selp.32", simt.B64: "selp.64"}[b.Values[v].Type]
	before := len(b.Blocks[b.Block].Insts)
	d := b.Named(name, v, otherwise, b.Guard)
	if insts := b.Blocks[b.Block].Insts; len(insts) > before {
		insts[before].Merge = true
	}
	return d
}

// copied returns a copy of a value, for literal code, in which what is written has a place.
func (b *Builder) copied(v simt.ID) simt.ID {
	return b.Named(map[simt.Type]string{simt.Pred: "mov.pred", simt.B32: "mov.32", simt.B64: "mov.64"}[b.Values[v].Type], v)
}

// Source returns an operand's value, of a type. as is the type that the instruction reads it as.
func (b *Builder) Source(o *check.Operand, t simt.Type, as check.Type) simt.ID {
	switch o.Kind {
	case check.OpReg:
		if b.isWide(o) {
			b.Fail("%s has another width than the instruction", b.Text(o))
		}
		v := b.readRegister(o.Reg, int(o.Elem))
		if o.Neg == '!' && b.Values[v].Type == simt.Pred {
			return b.Named("not.pred", v)
		}
		if o.Neg != 0 {
			b.Lack("the sign of %s", b.Text(o))
		}
		return b.fit(o, v, t)
	case check.OpImm:
		return b.Constant(t, immediate(o, as))
	case check.OpSpecial:
		return b.fit(o, b.SpecialRegister(o.Name), t)
	case check.OpSum:
		x := b.Source(&o.Elems[0], t, as)
		return b.Sum(x, o.Offset)
	case check.OpVar:
		return b.addressOf(o, t)
	case check.OpFunc:
		return b.Constant(t, b.Outside.Code(o.Func))
	}
	b.Fail("the operand %s", b.Text(o))
	return b.Constant(t, 0)
}

// Sources returns the values of the operands from the given one on, all of one type.
func (b *Builder) Sources(from int, t simt.Type, as check.Type) (values []simt.ID) {
	for i := from; i < len(b.Inst.Operands); i++ {
		values = append(values, b.Source(&b.Inst.Operands[i], t, as))
	}
	return values
}

// Predicate returns the value of an operand that is a predicate.
func (b *Builder) Predicate(i int) simt.ID { return b.Source(b.Operand(i), simt.Pred, check.Pred) }

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
func (b *Builder) fit(o *check.Operand, v simt.ID, t simt.Type) simt.ID {
	switch has := b.Values[v].Type; {
	case has == t:
		return v
	case has == simt.B32 && t == simt.B64:
		return b.Named("widen.64", v)
	case has == simt.B64 && t == simt.B32:
		return b.Named("narrow.32", v)
	}
	b.Fail("%s is not of the kind that the instruction reads", b.Text(o))
	return b.Constant(t, 0)
}
