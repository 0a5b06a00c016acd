package inst

import (
	"slices"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// Opcode is a mnemonic with its modifiers as somebody wrote them, looked up in the table.
type Opcode struct {
	Forms []Form // the syntax lines that its modifiers fit; operands decide which one it is
}

// Form is a syntax line with every modifier chosen.
type Form struct {
	Row *Row
	// Types are those of the operands, in the order of the row. NoType stands for none, and
	// for types that the table does not tell.
	Types []Type
	// Elements is the number of elements of the operands that .vec makes vectors; 1 without it.
	Elements int
	// Ignored are the numbers of the modifiers that are taken, but have no effect.
	Ignored []int

	chosen []int8 // by slot: the number of its value, or -1
}

// Value returns what is written in a slot of the row, such as ".rnd", or "".
func (f *Form) Value(slot string) string {
	for i, s := range f.Row.Slots {
		if s.Name == slot && f.chosen[i] >= 0 {
			return s.Values[f.chosen[i]]
		}
	}
	return ""
}

// Has reports whether a modifier is written.
func (f *Form) Has(modifier string) bool {
	for i, s := range f.Row.Slots {
		if n := f.chosen[i]; n >= 0 && s.Values[n] == modifier {
			return true
		}
	}
	return slices.Contains(f.Row.rest, modifier)
}

// Names returns the mnemonics of all ordinary instructions, each up to its first dot.
func Names() []string { return slices.Clone(theTable().names) }

// Known reports whether there is an ordinary instruction of that name: "mul", not "mul.lo".
func Known(name string) bool { return theTable().byName[name] != nil }

// Newest is the version of PTX that the table describes. What later ones add it does not know.
var Newest = isa.Version{Major: 9, Minor: 2}

// Sections returns the sections of the manual that have ordinary instructions.
func Sections() []*Section { return slices.Clone(theTable().sections) }

// Rows returns the syntax lines of a mnemonic, which is written up to its first dot.
func Rows(name string) []*Row { return slices.Clone(theTable().rows(name)) }

// Find looks up an instruction by its name up to the first dot and its modifiers, each with
// its dot. If no line of the table fits, the problems say why, measured against the line that
// comes nearest; o is nil then.
func Find(name string, modifiers []string) (o *Opcode, problems []Problem) {
	rows := theTable().rows(name)
	if rows == nil {
		return nil, []Problem{{Kind: UnknownName}}
	}
	w := newWritten(modifiers[:min(len(modifiers), maxModifiers)])
	if len(modifiers) > maxModifiers {
		return nil, tooMany(rows, w)
	}
	for _, row := range rows {
		if f := row.match(w); f != nil {
			if o == nil {
				o = new(Opcode)
			}
			o.Forms = append(o.Forms, *f)
		}
	}
	if o == nil {
		return nil, explain(rows, w)
	}
	return o, nil
}

// maxModifiers is how many modifiers are looked at. No instruction has half as many.
const maxModifiers = 32

// tooMany tells what is wrong with the first of too many modifiers, at least that the next one
// is too many.
func tooMany(rows []*Row, w *written) []Problem {
	if problems := explain(rows, w); len(problems) > 0 {
		return problems
	}
	return []Problem{{Kind: ForeignModifier, Row: rows[0], At: maxModifiers}}
}

// Nearest returns the instructions, video instructions among them, that a name which is none
// was probably meant to be.
func Nearest(name string) []string { return isa.Nearest(name, allNames()) }

var allNames = sync.OnceValue(func() []string {
	names := Names()
	for _, op := range isa.Ops() {
		names = append(names, op.String())
	}
	return names
})

// written are modifiers with the types that some of them are.
type written struct {
	words []string
	types []Type // NoType for those that are none
}

func newWritten(modifiers []string) *written {
	w := &written{modifiers, make([]Type, len(modifiers))}
	for i, m := range modifiers {
		w.types[i] = ParseType(m)
	}
	return w
}

// match returns the form that the modifiers choose of a row, or nil if they do not fit.
func (r *Row) match(w *written) *Form {
	if len(w.words) < r.modifiers {
		return nil
	}
	if at, _ := r.disordered(w); at >= 0 {
		return nil
	}
	p, ok := r.place(w)
	if !ok || r.required&^p.filled != 0 {
		return nil
	}
	p.form.Ignored = p.ignored
	p.form.resolve()
	return &p.form
}

// disordered returns which modifier is written before another one that must come first, and that one; or -1. Layouts of matrices keep their
// order, priorities in a cache, and the state spaces that copies go to and come from.
func (r *Row) disordered(w *written) (at int, first []string) {
	for i, second := range r.ordered {
		if i == 0 {
			continue
		}
		of := func(s *Slot) int {
			return slices.IndexFunc(w.words, func(word string) bool { return s.value(word) >= 0 })
		}
		if before, after := of(r.ordered[i-1]), of(second); after >= 0 && before > after {
			return after, r.ordered[i-1].Values
		}
	}
	return -1, nil
}

// keepOrder finds the modifiers that keep their order.
func (r *Row) keepOrder() {
	for _, kind := range [][]string{
		{".row", ".col"}, {".global", ".shared::cta", ".shared::cluster"}, {".shared", ".global"}, {".lasting", ".secondary"}, {".first", ".unchanged"},
	} {
		var slots []*Slot
		for _, s := range r.Slots {
			if slices.Contains(kind, s.Name) {
				slots = append(slots, s)
			}
		}
		if len(slots) == 2 {
			r.ordered = slots
		}
	}
}

// placing is the modifiers of an instruction put into the slots of a row.
type placing struct {
	form   Form
	filled uint64  // the set of slots that are filled
	types  []*Slot // the slots for types that come after those filled

	ignored []int // the modifiers without effect
}

// place puts modifiers into the slots of a row; ok is false if one has no place. They come in
// any order, but those of the mnemonic first; types fill the row's slots for types in order.
func (r *Row) place(w *written) (p placing, ok bool) {
	p = placing{form: Form{Row: r, chosen: make([]int8, len(r.Slots)), Elements: 1}, types: r.types}
	for i := range p.form.chosen {
		p.form.chosen[i] = -1
	}
	if !r.begins(w) {
		return p, false
	}
	for i := min(len(r.rest), len(w.words)); i < len(w.words); i++ {
		if r.ignored(w.words[i], p.filled) {
			p.ignored = append(p.ignored, i)
			continue
		}
		slot, value := r.free(w.words[i], p.filled)
		if w.types[i] != NoType {
			slot, value = p.nextType(w.words[i])
		}
		switch {
		case value >= 0:
			p.filled |= 1 << slot.index
			p.form.chosen[slot.index] = int8(value)
		case !r.Loose || w.types[i] != NoType && len(r.types) > 0:
			return p, false
		}
	}
	return p, true
}

// nextType returns the slot for the next type, or the one after it if that may be left out, and
// the number of the type among its values, or -1.
func (p *placing) nextType(word string) (slot *Slot, value int) {
	for len(p.types) > 0 {
		slot, p.types = p.types[0], p.types[1:]
		if value = slot.value(word); value >= 0 || !slot.Optional {
			return slot, value
		}
	}
	return nil, -1
}

// begins reports whether the modifiers begin with those of the mnemonic, as far as they go.
func (r *Row) begins(w *written) bool {
	for i, word := range r.rest[:min(len(r.rest), len(w.words))] {
		if w.words[i] != word {
			return false
		}
	}
	return true
}

// free returns the first slot that takes a modifier and is not filled, and the number of its
// value, or -1.
func (r *Row) free(word string, filled uint64) (*Slot, int) {
	for _, s := range r.Slots {
		if s.Type || filled>>s.index&1 != 0 {
			continue
		}
		if n := s.value(word); n >= 0 {
			return s, n
		}
	}
	return nil, -1
}

// ignored reports whether a modifier that fills no slot is taken and has no meaning: a flag once
// more, and .pred beside the types of instructions that have .sat or .ftz, but not of abs and
// div. Of the flags .sat is known to be taken twice, and .ftz not; the others are of the kind of .sat.
func (r *Row) ignored(word string, filled uint64) bool {
	switch word {
	case ".pred":
		return r.name != "abs" && r.name != "div" && r.flags
	case ".sat", ".cc", ".approx", ".sync", ".shiftamt", ".NaN", ".uni", ".aligned":
		s := r.slot(word)
		return s != nil && filled>>s.index&1 != 0
	}
	return false
}

// resolve finds the types of the operands.
func (f *Form) resolve() {
	f.Types = make([]Type, len(f.Row.Operands))
	for i := range f.Row.Operands {
		f.Types[i] = f.typeOf(&f.Row.Operands[i])
	}
	for n, modifier := range map[int]string{2: ".v2", 4: ".v4", 8: ".v8"} {
		if f.Has(modifier) {
			f.Elements = n
		}
	}
}

// typeOf returns the type of an operand in this form.
func (f *Form) typeOf(o *Operand) Type {
	t := o.typ.fixed
	if s := o.typ.slot; s != nil && f.chosen[s.index] >= 0 {
		t = s.types[f.chosen[s.index]]
	}
	if o.typ.twice {
		return t.twice()
	}
	return t
}

// counts returns how many elements a vector may have that is an operand.
func (f *Form) counts(o *Operand) []int {
	if o.counter == nil {
		return o.counts
	}
	s := o.counter.slot
	return o.counter.counts(s.Values[f.chosen[s.index]])
}
