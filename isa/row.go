package isa

import "slices"

// Section is a section of the manual that defines video instructions.
type Section struct {
	Number string  // "9.7.18.2.1"
	Title  string  // "vadd2, vsub2, ..."
	PTX    Version // "Introduced in PTX ISA version 3.0."
	SM     int     // "require sm_30 or higher"
	Ops    []Op
	Rows   []*Row
}

// Row is one mnemonic with one syntax line of the manual. Two rows of an Op
// never share a form.
type Row struct {
	Op        Op
	Section   *Section
	Comment   string // "32-bit scalar operation, with optional data merge"
	Line      string // as the manual prints it, "vop" replaced by the mnemonic
	Modifiers []*Slot
	Operands  []Operand // d, a, b and, where the line has it, c

	choices []choice
}

// Slot is a place in a syntax line that takes one of several values.
type Slot struct {
	Name     string   // the manual's name, ".dtype", or the literal itself, ".sat"
	Optional bool     // written in braces, or with a default
	Values   []string // what may stand there, in the manual's order
	Default  string   // what is meant where nothing stands, if that is one of Values

	op    Op
	field *field
	codes []uint16 // codes[i] is the code of Values[i]; ascending
}

// of spells what the form has in the slot: "" if nothing.
func (s *Slot) of(f *Form) string { return s.field.spell(s.op, s.field.take(f)) }

// Operand is d, a, b or c in a syntax line.
type Operand struct {
	Name string
	Neg  *Slot // {-}, or nil
	Sel  *Slot // the selector or mask, or nil
}

// choice is one independent choice among the forms of a row. The forms of a row
// are numbered in mixed radix over its choices, the last varying fastest.
type choice struct {
	n    int
	put  func(f *Form, i int)
	find func(f *Form) (i int, ok bool)
}

// choice returns the choice that the slot leaves.
func (s *Slot) choice() choice {
	codes := s.codes
	if s.Optional && s.Default == "" {
		codes = append([]uint16{0}, codes...)
	}
	return choice{
		n:    len(codes),
		put:  func(f *Form, i int) { s.field.put(f, codes[i]) },
		find: func(f *Form) (int, bool) { return slices.BinarySearch(codes, s.field.take(f)) },
	}
}

// Slots returns all slots of the row in the order in which they are written.
func (r *Row) Slots() []*Slot {
	all := append([]*Slot(nil), r.Modifiers...)
	for _, operand := range r.Operands {
		if operand.Neg != nil {
			all = append(all, operand.Neg)
		}
		if operand.Sel != nil {
			all = append(all, operand.Sel)
		}
	}
	return all
}

// Count returns the number of forms of the row.
func (r *Row) Count() uint64 {
	n := uint64(1)
	for _, c := range r.choices {
		n *= uint64(c.n)
	}
	return n
}

// At returns form number i of the row, 0 <= i < Count().
func (r *Row) At(i uint64) Form {
	f := Form{Op: r.Op}
	for k := len(r.choices) - 1; k >= 0; k-- {
		c := r.choices[k]
		c.put(&f, int(i%uint64(c.n)))
		i /= uint64(c.n)
	}
	return f
}

// Index returns the number of a form in the row; ok is false if the form is
// not one of the row's.
func (r *Row) Index(f Form) (i uint64, ok bool) {
	if f.Op != r.Op {
		return 0, false
	}
	for _, c := range r.choices {
		k, ok := c.find(&f)
		if !ok {
			return 0, false
		}
		i = i*uint64(c.n) + uint64(k)
	}
	// A form that also has something the row has no slot for is another row's.
	if r.At(i) != f {
		return 0, false
	}
	return i, true
}

// row returns the row that the form belongs to, or nil.
func (f Form) row() *Row {
	if int(f.Op) >= numOps {
		return nil
	}
	for _, r := range RowsOf(f.Op) {
		if _, ok := r.Index(f); ok {
			return r
		}
	}
	return nil
}

// Row returns the syntax line that the form is written by, or nil if the form
// is not [Form.Valid].
func (f Form) Row() *Row { return f.row() }
