package inst

import (
	"slices"
	"strings"
)

// problem tells what is wrong with an operand in place i of the row.
func (f *Form) problem(a *Argument, i int) ProblemKind {
	o := &f.Row.Operands[i]
	if a.Kind == Register && a.Sign == 0 && o.Shape == Value && o.Second == nil { // most operands
		if o.typ.address {
			return addressRegister(a.Type)
		}
		if f.Types[i].Takes(a.Type, o.Relaxed) {
			return NoProblem
		}
		return WrongRegister
	}
	if a.Kind == Anything {
		return NoProblem
	}
	switch o.Shape {
	case Memory:
		if o.Index != nil {
			return f.indexed(a, o)
		}
		return a.memory(o)
	case Constant:
		if a.Kind != Integer {
			return WrongOperand
		}
		return o.constant(a)
	case Naming:
		if a.Kind != Name {
			return WrongOperand
		}
		return NoProblem
	case Packed:
		return f.packed(a, o, f.Types[i])
	case MaybeMany:
		if a.Kind == Sink && o.Sink {
			return NoProblem
		}
		if f.Elements > 1 || o.Braced && a.Kind == Vector {
			return o.many(a, []int{f.Elements}, f.Types[i])
		}
	case Several:
		if a.Kind != Pair {
			return f.several(a, o, f.Types[i])
		}
	}
	if a.Kind == Pair {
		if o.Second == nil || len(a.Elements) != 2 {
			return WrongOperand
		}
		if p := o.Second.single(&a.Elements[1], o.Second.typ.fixed); p != NoProblem {
			return p
		}
		if a.Elements[0].Kind == Sink {
			return NoProblem
		}
		if o.Shape == Several {
			return f.several(&a.Elements[0], o, f.Types[i])
		}
		return o.single(&a.Elements[0], f.Types[i])
	}
	if o.NeedsSecond {
		return WrongOperand
	}
	return o.single(a, f.Types[i])
}

// several judges a vector of several values. Of a single coordinate the braces may be left out.
func (f *Form) several(a *Argument, o *Operand, t Type) ProblemKind {
	counts := f.counts(o)
	if a.Kind != Vector && a.Kind != Anything && (o.Braced || counts[0] == 1 && o.counter != nil && o.counter.kind == "coordinates") {
		return o.single(a, t)
	}
	if !o.Mixed {
		return o.many(a, counts, t)
	}
	p, _ := o.tuple(a, counts, t, f.layered(o))
	return p
}

// layered reports whether the first coordinate is the number of a layer.
func (f *Form) layered(o *Operand) bool {
	if o.counter == nil || o.counter.kind != "coordinates" {
		return false
	}
	s := o.counter.slot
	return strings.HasPrefix(s.Values[f.chosen[s.index]], ".a")
}

// indexed judges an address with coordinates. Between a texture and its coordinates there may be a sampler.
func (f *Form) indexed(a *Argument, o *Operand) ProblemKind {
	if a.Kind != Indexed {
		return WrongOperand
	}
	if n := len(a.Elements); n != 2 && (n != 3 || o.Handle != texref) {
		return WrongOperand
	}
	if p := a.memory(o); p != NoProblem {
		return p
	}
	return f.several(&a.Elements[len(a.Elements)-1], o.Index, f.typeOf(o.Index))
}

// memory judges an address: the register in its brackets has 32 or 64 bits.
func (a *Argument) memory(o *Operand) ProblemKind {
	if a.Kind != Address && (a.Kind != Indexed || o.Index == nil) {
		return WrongOperand
	}
	if o.Handle != NoType {
		_, p := a.handles(o)
		return p
	}
	for i := range a.Elements[:min(1, len(a.Elements))] {
		if e := &a.Elements[i]; e.Kind == Vector || e.Kind == Register && (e.Sign != 0 || addressRegister(e.Type) != NoProblem) {
			return WrongRegister
		}
	}
	return NoProblem
}

// handles judges the textures, samplers and surfaces in the brackets: variables of their types, or registers that have the address of one. It
// returns the first that is wrong.
func (a *Argument) handles(o *Operand) (at int, p ProblemKind) {
	n := len(a.Elements)
	if o.Index != nil {
		n--
	}
	for i := range n {
		switch e := &a.Elements[i]; e.Kind {
		case Anything:
		case Register:
			switch {
			case e.Sign != 0:
				return i, Negated
			case !U64.Takes(e.Type, false):
				return i, WrongRegister
			}
		case Name: // in unified mode a texture is its own sampler, and ptxas takes all of them for samplers
			if e.Type < texref || i == 0 && e.Type != o.Handle && (e.Type != samplerref || o.Handle != texref || o.Index != nil) {
				return i, WrongOperand
			}
		default:
			return i, WrongOperand
		}
	}
	return 0, NoProblem
}

// addressRegister judges the type of a register that holds an address.
func addressRegister(t Type) ProblemKind {
	if B32.Takes(t, true) && typeTable[t].class <= whole {
		return NoProblem
	}
	return WrongRegister
}

// packed judges a vector whose elements make up one value.
func (f *Form) packed(a *Argument, o *Operand, t Type) ProblemKind {
	if a.Kind != Vector {
		return WrongOperand
	}
	if !slices.Contains(o.counts, len(a.Elements)) {
		return WrongElements
	}
	width := t.Width() / len(a.Elements)
	for i := range a.Elements {
		e := &a.Elements[i]
		switch {
		case e.Kind == Anything || e.Kind == Sink && o.Written:
		case e.Kind == Register && e.Sign == 0 && (e.Type == NoType || e.Type.Width() == width):
		case e.Kind == Register && e.Sign == 0:
			return WrongRegister
		case (e.Kind == Integer || e.Kind == Float) && !o.Written:
		default:
			return WrongOperand
		}
	}
	return NoProblem
}

// tuple judges a vector of values of a type whose elements may be of several, as ptxas takes them: it goes through them, and a vector with an
// untyped element is one of untyped ones. Integers are taken for floating-point numbers too, and floating-point numbers for integers behind the
// number of a layer. It returns the first element that is wrong.
func (o *Operand) tuple(a *Argument, counts []int, t Type, layered bool) (p ProblemKind, at int) {
	switch {
	case a.Kind == Anything:
		return NoProblem, -1
	case a.Kind != Vector:
		return WrongOperand, -1
	case !slices.Contains(counts, len(a.Elements)):
		return WrongElements, -1
	}
	wanted := typeTable[t].class
	together, odd, mixed := bits, -1, false // what the elements are, the first that is not of the type, and whether they are of two kinds
	for i := range a.Elements {
		index := layered && i == 0
		want := t
		if index {
			want = U32
		}
		kind, p := o.element(&a.Elements[i], want)
		switch {
		case p != NoProblem:
			return p, i
		case index && wanted == real && (kind == real || kind == half):
			return typeTable[U32].mismatch(&a.Elements[i]), i
		case index:
			continue
		case kind != bits && kind != wanted && odd < 0:
			odd = i
		}
		switch {
		case i == 0 || layered && i == 1:
			together = kind
		case kind == bits:
			together = bits
		case together != bits && together != kind:
			mixed = true
		}
	}
	if odd < 0 || !mixed && (together == bits || wanted == real && together == whole || wanted == whole && (together == half || together == real && layered)) {
		return NoProblem, -1
	}
	return typeTable[t].mismatch(&a.Elements[odd]), odd
}

// mismatch says what is wrong with an element that is not of a type.
func (t *typeInfo) mismatch(a *Argument) ProblemKind {
	if a.Kind == Float {
		return FloatConstant
	}
	return WrongRegister
}

// element judges an element of a tuple by itself, and tells what it is.
func (o *Operand) element(a *Argument, want Type) (kind class, p ProblemKind) {
	kind = typeTable[a.Type].class
	switch a.Kind {
	case Register:
		switch {
		case a.Sign != 0:
			return kind, Negated
		case a.Type != NoType && a.Type.Width() != want.Width() && (kind != truth || o.Written):
			return kind, WrongRegister
		}
		return kind, NoProblem
	case Integer, Float:
		switch {
		case o.Written:
			return kind, NotWritable
		case a.Kind == Float:
			return real, NoProblem
		case typeTable[want].class == real:
			return whole, WholeConstant
		}
		return whole, NoProblem
	case Sink:
		if o.Written {
			return bits, NoProblem
		}
	case Special:
		if o.Written {
			return kind, SpecialRegister
		}
		return bits, NoProblem
	case Anything, Sum:
		return bits, NoProblem
	}
	return bits, WrongOperand
}

// many judges a vector of elements of a type, of which there may be so many.
func (o *Operand) many(a *Argument, counts []int, t Type) ProblemKind {
	if a.Kind == Anything {
		return NoProblem
	}
	if a.Kind != Vector {
		return WrongOperand
	}
	if !slices.Contains(counts, len(a.Elements)) {
		return WrongElements
	}
	for i := range a.Elements {
		if a.Elements[i].Kind == Sink && o.Written {
			continue
		}
		if p := o.single(&a.Elements[i], t); p != NoProblem {
			return p
		}
	}
	return NoProblem
}

// single judges a register or a constant.
func (o *Operand) single(a *Argument, t Type) ProblemKind {
	switch a.Kind {
	case Anything:
		return NoProblem
	case Register:
		switch {
		case !t.Takes(a.Type, o.Relaxed):
			return WrongRegister
		case a.Sign == '-', a.Sign == '!' && (t != Pred || o.Written):
			return Negated
		}
		return NoProblem
	case Sink:
		if o.Sink {
			return NoProblem
		}
	case Integer, Float:
		switch {
		case o.Written:
			return NotWritable
		case o.Bare:
			return NoConstant
		}
		if p := t.constant(a); p != NoProblem {
			return p
		}
		return o.constant(a)
	case Special:
		switch {
		case !o.Special:
			return SpecialRegister
		case !t.takesSpecial(a.Type, o.Relaxed):
			return WrongRegister
		}
		return NoProblem
	case Name:
		if o.Address {
			return NoProblem
		}
	case Sum:
		if !o.Written {
			return NoProblem // ptxas takes it for all types
		}
	}
	return WrongOperand
}

// constant judges a constant where not all may stand.
func (o *Operand) constant(a *Argument) ProblemKind {
	if a.Kind == Integer && !o.Allowed.Has(a.Value) {
		return OutOfRange
	}
	return NoProblem
}

// constant judges a constant of a type.
func (t Type) constant(a *Argument) ProblemKind {
	if t == NoType {
		return NoProblem
	}
	switch class := typeTable[t].class; {
	case class == half:
		return NoConstant
	case class == real && a.Kind == Integer:
		return WholeConstant
	case class == real || a.Kind == Integer:
	case class == bits && a.Type != NoType && t.Width() >= a.Type.Width():
	default:
		return FloatConstant
	}
	return NoProblem
}

// takesSpecial reports whether an operand of type t takes a special register of type r. In the
// first versions of PTX some had 16 bits, and may still be read so (PTX ISA 10).
func (t Type) takesSpecial(r Type, relaxed bool) bool {
	return t.Takes(r, relaxed) || r == U32 && t.Width() == 16 && t.Takes(U16, relaxed) || r == U64 && t.Takes(U32, relaxed)
}
