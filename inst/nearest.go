package inst

import (
	"slices"
)

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
