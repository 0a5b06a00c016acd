package inst

import (
	"slices"
	"strings"
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
	Name                         // the name of a variable, of Type if that is .texref or its like, or of a function or a label
	Address                      // [a]; Elements has the register in it, if it is one
	Vector                       // {a, b}
	Pair                         // p|q
	Sum                          // a register with a constant added
	Sink                         // _
	Other                        // what no instruction takes there
	Indexed                      // [a, {x, y}] or [a, b, {x, y}]; Elements has what the brackets have
)

// Argument is a written operand.
type Argument struct {
	Kind     ArgumentKind
	Type     Type
	Sign     byte  // '-' or '!' before a register
	Value    int64 // of an integer constant
	Elements []Argument
}

// Fit judges the operands of an instruction. It returns the form that they and the gate choose,
// or what is wrong with the form that comes nearest. The zero gate means that nothing is known:
// nothing is said about versions then.
func (o *Opcode) Fit(arguments []Argument, at Gate) (*Form, Problem) {
	var tooOld *Form
	var late Problem
	for i := range o.Forms {
		f := &o.Forms[i]
		absent, ok := f.fits(arguments)
		if !ok {
			continue
		}
		if len(f.Row.parts) == 0 && f.Row.in(at) { // nearly always
			return f, Problem{}
		}
		p := f.late(at, arguments, absent)
		if p.Kind == NoProblem {
			return f, p
		}
		if tooOld == nil || p.Kind == TooOld && p.Needs.PTX.Less(late.Needs.PTX) {
			tooOld, late = f, p
		}
	}
	if tooOld != nil {
		return tooOld, late
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
func (r *Row) in(at Gate) bool { return r.Needs.in(at) && !r.ended(at) }

// late returns what a version or a target does not have of an instruction whose operands fit, but for those that are absent.
func (f *Form) late(at Gate, arguments []Argument, absent uint64) Problem {
	r := f.Row
	p := Problem{Row: r, Needs: &r.Needs}
	switch {
	case r.ended(at):
		p.Kind = TooNew
		return p
	case !r.Needs.in(at):
		p.Kind = TooOld
		return p
	}
	for i := range r.parts {
		part := &r.parts[i]
		if part.in(at) {
			continue
		}
		for _, word := range part.words {
			if k := f.written(word, arguments, absent); k >= 0 || f.Has(word) {
				return Problem{Kind: TooOld, Row: r, Needs: &part.Needs, At: k, Values: []string{word}}
			}
		}
	}
	return Problem{}
}

// written returns which argument is the operand of a name, or has what follows a | if the name is that; or -1.
func (f *Form) written(name string, arguments []Argument, absent uint64) int {
	k := 0
	for i := range f.Row.Operands {
		if absent>>i&1 != 0 {
			continue
		}
		if f.Row.Operands[i].Name == name || name == "|" && arguments[k].Kind == Pair {
			return k
		}
		k++
	}
	return -1
}

// ended reports whether a version and a target have the instruction no more.
func (r *Row) ended(at Gate) bool {
	return r.Until.SM != 0 && at.SM >= r.Until.SM && !at.PTX.Less(r.Until.PTX)
}

// fits reports whether the operands are as the row has them, and which of the row's are absent.
func (f *Form) fits(arguments []Argument) (absent uint64, ok bool) {
	r := f.Row
	if len(arguments) < r.Required || len(arguments) > len(r.Operands) && !r.More {
		return 0, false
	}
	switch missing := len(r.Operands) - len(arguments); {
	case missing <= 0:
		return 0, f.fitsWithout(arguments, 0)
	case missing == len(r.optional):
		for _, i := range r.optional {
			absent |= 1 << i
		}
		return absent, f.fitsWithout(arguments, absent)
	}
	return f.fitsSome(arguments)
}

// fitsSome is fits where some of the operands that may be absent are written: a function of its own, as what a
// range over a function assigns is allocated, and nearly every line ends before.
func (f *Form) fitsSome(arguments []Argument) (absent uint64, ok bool) {
	for absent := range f.Row.absences(len(arguments)) {
		if f.fitsWithout(arguments, absent) {
			return absent, true
		}
	}
	return 0, false
}

// absences goes through the sets of operands that may be absent if n are written; those behind are left out first.
func (r *Row) absences(n int) func(yield func(uint64) bool) {
	missing := min(max(len(r.Operands)-n, 0), len(r.optional))
	var more func(set uint64, missing, last int, yield func(uint64) bool) bool
	more = func(set uint64, missing, last int, yield func(uint64) bool) bool {
		if missing == 0 {
			return yield(set)
		}
		for i := last; i >= missing-1; i-- {
			if !more(set|1<<r.optional[i], missing-1, i-1, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(uint64) bool) { more(0, missing, len(r.optional)-1, yield) }
}

// fitsWithout reports whether the operands are those of the row that are not absent.
func (f *Form) fitsWithout(arguments []Argument, absent uint64) bool {
	k := 0
	for i := range f.Row.Operands {
		if absent>>i&1 != 0 {
			if f.needed(i) {
				return false
			}
			continue
		}
		if k >= len(arguments) {
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

// needed reports whether operand i of the row may be left out but for a modifier that is written.
func (f *Form) needed(i int) bool { return f.Row.Operands[i].With != nil && f.with(i) }

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
		if o.Written {
			return NotWritable
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

// judge returns what is wrong with operands that do not fit a form, and how far that takes them
// from it.
func (f *Form) judge(arguments []Argument) (first Problem, weight int) {
	least := -1
	for absent := range f.Row.absences(len(arguments)) {
		p, w := f.judgeWithout(arguments, absent)
		off := w
		if f.odd(absent) {
			off += weights[NeedsModifier]
		}
		if least < 0 || off < least {
			first, weight, least = p, w, off
		}
	}
	return first, weight
}

// odd reports whether an operand is taken to be written without its modifier: rather another one is meant.
func (f *Form) odd(absent uint64) bool {
	return slices.ContainsFunc(f.Row.optional, func(i int) bool { return absent>>i&1 == 0 && !f.with(i) })
}

// judgeWithout is judge if it is known which operands are absent.
func (f *Form) judgeWithout(arguments []Argument, absent uint64) (first Problem, weight int) {
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
		if absent>>i&1 != 0 {
			if f.needed(i) {
				found(Problem{Kind: MissingOperand, Have: n, Count: r.Required + 1, Values: r.Operands[i].With.Values})
			}
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
		if _, ok := f.fits(slices.Delete(slices.Clone(arguments), k, k+1)); ok {
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
		p.Counts = []int{f.Elements}
	} else if o.Shape == Packed {
		p.Counts = o.counts[:1]
	} else if o.Shape == Several {
		p.Counts = f.counts(o)
	}
	switch {
	case o.Handle != NoType && a.memory(o) == kind && (a.Kind == Indexed || a.Kind == Address):
		p.Want = o.Handle
		p.Element, _ = a.handles(o)
		if p.Index = false; p.Element > 0 {
			p.Want = samplerref
		}
	case o.Index != nil:
		p.Counts = f.counts(o.Index)
		if n := len(a.Elements); a.Kind == Indexed && (n == 2 || n == 3 && o.Handle == texref) && a.memory(o) == NoProblem {
			f.locateIndex(&p, &a.Elements[len(a.Elements)-1])
		}
	case a.Kind == Vector && o.Shape == Several && o.Mixed:
		p.Have = len(a.Elements)
		_, p.Element = o.tuple(a, p.Counts, p.Want, false)
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
		wrong := a.Elements[0].Kind != Sink
		if o.Shape == Several {
			wrong = wrong && f.several(&a.Elements[0], o, p.Want) == kind
		} else {
			wrong = wrong && o.single(&a.Elements[0], p.Want) == kind
		}
		if !wrong {
			p.Element, p.Operand, p.Want, p.Counts = 1, o.Second, o.Second.typ.fixed, nil
		}
	}
	return p
}

// locateIndex fills in what is known about a problem of coordinates.
func (f *Form) locateIndex(p *Problem, a *Argument) {
	o := p.Operand.Index
	p.Index, p.Operand, p.Want = true, o, f.typeOf(o)
	if a.Kind != Vector {
		return
	}
	p.Have = len(a.Elements)
	if o.Mixed {
		if _, p.Element = o.tuple(a, p.Counts, p.Want, f.layered(o)); p.Element == 0 && f.layered(o) {
			p.Want = U32
		}
		return
	}
	p.Element = slices.IndexFunc(a.Elements, func(e Argument) bool { return o.single(&e, p.Want) == p.Kind })
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
