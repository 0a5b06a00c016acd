package inst

import (
	"slices"

	"github.com/vop-ptx/vop/isa"
)

// ArgumentKind tells what is written as an operand.
type ArgumentKind uint8

// The kinds of written operands.
const (
	Anything ArgumentKind = iota // not known: it is not judged
	Register                     // of Type; NoType if that is not known
	Special                      // a special register, of Type
	Integer                      // an integer constant
	Float                        // a floating-point constant, of Type: .f32 as in 0f3f800000, .f64 as in 1.5
	Name                         // the name of a variable, a function or a label
	Address                      // [a]; Elements has the register in it, if it is one
	Vector                       // {a, b}
	Pair                         // p|q
	Sum                          // a register with a constant added
	Sink                         // _
	Other                        // what no instruction takes there
	Indexed                      // [a, {x, y}]; Elements has what the brackets have
)

// Argument is a written operand.
type Argument struct {
	Kind     ArgumentKind
	Type     Type
	Sign     byte // '-' or '!' before a register
	Elements []Argument
}

// Fit judges the operands of an instruction. It returns the form that they and the gate choose,
// or what is wrong with the form that comes nearest. The zero gate means that nothing is known:
// nothing is said about versions then.
func (o *Opcode) Fit(arguments []Argument, at Gate) (*Form, Problem) {
	var tooOld *Form
	for i := range o.Forms {
		f := &o.Forms[i]
		if !f.fits(arguments) {
			continue
		}
		if f.Row.in(at) {
			return f, Problem{}
		}
		if tooOld == nil || f.Row.PTX.Less(tooOld.Row.PTX) {
			tooOld = f
		}
	}
	if tooOld != nil {
		p := Problem{Kind: TooOld, Row: tooOld.Row}
		if tooOld.Row.ended(at) {
			p.Kind = TooNew
		}
		return tooOld, p
	}
	var nearest Problem
	var best *Form
	least := -1
	for i := range o.Forms {
		f := &o.Forms[i]
		p, weight := f.judge(arguments)
		if !f.Row.in(at) {
			weight++
		}
		if least < 0 || weight < least {
			best, nearest, least = f, p, weight
		}
	}
	return best, nearest
}

// in reports whether a version and a target have the instruction.
func (r *Row) in(at Gate) bool {
	return (at.PTX == isa.Version{} || !at.PTX.Less(r.PTX)) && (at.SM == 0 || r.On(at)) && !r.ended(at)
}

// ended reports whether a version and a target have the instruction no more.
func (r *Row) ended(at Gate) bool {
	return r.Until.SM != 0 && at.SM >= r.Until.SM && !at.PTX.Less(r.Until.PTX)
}

// fits reports whether the operands are as the row has them.
func (f *Form) fits(arguments []Argument) bool {
	r := f.Row
	n, all := len(arguments), len(r.Operands)
	if n < r.Required || n > all && !r.More {
		return false
	}
	k := 0
	for i := range r.Operands {
		if r.Operands[i].Optional && !f.takesOptional(n) {
			continue
		}
		if k >= n {
			break
		}
		if f.problem(&arguments[k], i) != NoProblem || !f.with(i) {
			return false
		}
		k++
	}
	return true
}

// with reports whether the modifier is written without which operand i of the row is not.
func (f *Form) with(i int) bool {
	s := f.Row.Operands[i].With
	return s == nil || f.chosen[s.index] >= 0
}

// takesOptional reports whether the optional operands are written, if n operands are.
func (f *Form) takesOptional(n int) bool { return n > f.Row.Required }

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
			return f.indexed(a, o.Index)
		}
		return a.memory()
	case Constant:
		if a.Kind != Integer {
			return WrongOperand
		}
		return NoProblem
	case Packed:
		return f.packed(a, o, f.Types[i])
	case MaybeMany:
		if f.Elements > 1 || o.Braced && a.Kind == Vector {
			return o.many(a, f.Elements, f.Types[i])
		}
	case Several:
		return f.several(a, o, f.Types[i])
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
		return o.single(&a.Elements[0], f.Types[i])
	}
	if o.NeedsSecond {
		return WrongOperand
	}
	return o.single(a, f.Types[i])
}

// several judges a vector of several values. Of a single one the braces may be left out.
func (f *Form) several(a *Argument, o *Operand, t Type) ProblemKind {
	if n := f.count(o); n > 1 || a.Kind == Vector {
		return o.many(a, n, t)
	}
	return o.single(a, t)
}

// indexed judges an address with coordinates.
func (f *Form) indexed(a *Argument, index *Operand) ProblemKind {
	if a.Kind != Indexed || len(a.Elements) != 2 {
		return WrongOperand
	}
	if p := a.memory(); p != NoProblem {
		return p
	}
	return f.several(&a.Elements[1], index, index.typ.fixed)
}

// memory judges an address: the register in its brackets has 32 or 64 bits.
func (a *Argument) memory() ProblemKind {
	if a.Kind != Address && a.Kind != Indexed {
		return WrongOperand
	}
	for i := range a.Elements[:min(1, len(a.Elements))] {
		if e := &a.Elements[i]; e.Kind == Vector || e.Kind == Register && (e.Sign != 0 || addressRegister(e.Type) != NoProblem) {
			return WrongRegister
		}
	}
	return NoProblem
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

// many judges a vector of n elements of a type.
func (o *Operand) many(a *Argument, n int, t Type) ProblemKind {
	if a.Kind != Vector {
		return WrongOperand
	}
	if len(a.Elements) != n {
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
		if o.Written {
			return NotWritable
		}
		return t.constant(a)
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

// judge returns what is wrong with operands that do not fit a form, and how far that takes them
// from it.
func (f *Form) judge(arguments []Argument) (first Problem, weight int) {
	r := f.Row
	n, all := len(arguments), len(r.Operands)
	found := func(p Problem) {
		p.Row = r
		if weight == 0 {
			first = p
		}
		weight += weights[p.Kind]
	}
	k := 0
	for i := range r.Operands {
		if r.Operands[i].Optional && !f.takesOptional(n) {
			continue
		}
		if k >= n {
			break
		}
		if !f.with(i) {
			found(Problem{Kind: NeedsModifier, At: k, Values: r.Operands[i].With.Values})
		} else if kind := f.problem(&arguments[k], i); kind != NoProblem {
			found(f.locate(kind, &arguments[k], i, k))
		}
		k++
	}
	switch {
	case n < r.Required:
		count := Problem{Kind: MissingOperand, Have: n, Count: r.Required, Row: r}
		found(count)
		first = count
	case n > all && !r.More:
		count := Problem{Kind: ExtraOperand, At: f.extra(arguments), Have: n, Count: all, Row: r}
		found(count)
		first = count
	}
	return first, weight
}

// extra returns which of the operands, of which there are too many, is too many: the last one
// without which the others fit, or the first after those that the row has.
func (f *Form) extra(arguments []Argument) int {
	all := len(f.Row.Operands)
	for k := len(arguments) - 1; k >= 0 && len(arguments) == all+1; k-- {
		if f.fits(slices.Delete(slices.Clone(arguments), k, k+1)) {
			return k
		}
	}
	return all
}

// locate fills in what is known about a problem of argument k in place i of the row.
func (f *Form) locate(kind ProblemKind, a *Argument, i, k int) Problem {
	o := &f.Row.Operands[i]
	p := Problem{Kind: kind, At: k, Operand: o, Want: f.Types[i], Element: -1}
	if o.Shape == MaybeMany && (f.Elements > 1 || o.Braced && a.Kind == Vector) {
		p.Count = f.Elements
	} else if o.Shape == Packed {
		p.Count = o.counts[0]
	} else if o.Shape == Several {
		p.Count = f.count(o)
	}
	switch {
	case o.Index != nil:
		p.Count = f.count(o.Index)
		if a.Kind == Indexed && a.memory() == NoProblem {
			f.locateIndex(&p, &a.Elements[1])
		}
	case a.Kind == Vector && (o.Shape == Several || o.Shape == MaybeMany && (f.Elements > 1 || o.Braced)):
		p.Have = len(a.Elements)
		p.Element = slices.IndexFunc(a.Elements, func(e Argument) bool { return o.single(&e, p.Want) == kind })
	case a.Kind == Vector && o.Shape == Packed:
		p.Have = len(a.Elements)
		if len(a.Elements) > 0 && slices.Contains(o.counts, len(a.Elements)) {
			p.Want = untyped(p.Want.Width() / len(a.Elements))
			p.Element = slices.IndexFunc(a.Elements, func(e Argument) bool {
				return e.Kind == Register && e.Type.Width() != p.Want.Width()
			})
		}
	case a.Kind == Pair && o.Second != nil && len(a.Elements) == 2:
		p.Element = 0
		if o.single(&a.Elements[0], p.Want) != kind || a.Elements[0].Kind == Sink {
			p.Element, p.Operand, p.Want = 1, o.Second, o.Second.typ.fixed
		}
	}
	return p
}

// locateIndex fills in what is known about a problem of coordinates.
func (f *Form) locateIndex(p *Problem, a *Argument) {
	p.Index, p.Operand = true, p.Operand.Index
	p.Want = p.Operand.typ.fixed
	if a.Kind == Vector {
		p.Have = len(a.Elements)
		p.Element = slices.IndexFunc(a.Elements, func(e Argument) bool { return p.Operand.single(&e, p.Want) == p.Kind })
	}
}

// untyped returns the untyped type of a width.
func untyped(width int) Type {
	for t := B8; t <= B128; t++ {
		if t.Width() == width {
			return t
		}
	}
	return NoType
}
