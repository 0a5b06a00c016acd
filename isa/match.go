package isa

import "sync"

// Written is an instruction as somebody wrote it: the words in their order,
// before it is known which form they mean, if any.
type Written struct {
	Op        Op
	Modifiers []string // ".s32", ".sat": in any order; types keep theirs (ruling R15)
	Operands  []Argument
}

// Argument is one operand of a [Written] instruction: d, a, b, c in this order.
type Argument struct {
	Kind     ArgumentKind
	Negated  bool   // a minus sign before a register
	Selector string // ".b0", ".h10", or "" if none is written
}

// ArgumentKind tells what an operand is, as far as the syntax lines care.
type ArgumentKind uint8

// The kinds. Video instructions work on registers; scalar ones also take
// immediates as sources (ruling R17); nothing else is allowed.
const (
	RegisterArgument ArgumentKind = iota
	ImmediateArgument
	OtherArgument
)

// Match finds the form that a written instruction means and stores it in f.
//
// Everything it knows comes from the rows: a modifier fills the first free slot
// of a row that has it among its values, so that modifiers may come in any order
// while types keep theirs; all slots that are not optional must be filled; each
// operand takes the selector and the sign that the row has there.
//
// If no row fits, ok is false and the problems say why, measured against the
// row that comes nearest. If ok is true the problems, mostly none, are all
// [Problem.Tolerated]: things that are accepted but mean nothing. What is no video instruction has the one
// problem [UnknownMnemonic].
func Match(w *Written, f *Form) (ok bool, problems []Problem) {
	if !w.Op.known() {
		*f = Form{}
		return false, []Problem{{Kind: UnknownMnemonic}}
	}
	ids := w.words()
	rows := plans()[w.Op]
	for i := range rows {
		m := matching{plan: &rows[i], written: w, ids: ids, form: f}
		if m.run() {
			return true, nil
		}
	}
	return explain(w, f)
}

// maxModifiers is how many modifiers are looked at. No row has half as many, so
// one that comes after them is wrong in any case.
const maxModifiers = 16

// words returns the modifiers as words.
func (w *Written) words() (ids [maxModifiers]word) {
	v := words()
	for i, text := range w.Modifiers[:min(len(w.Modifiers), maxModifiers)] {
		ids[i] = v.find(text)
	}
	return ids
}

// plan is a row made ready for matching.
type plan struct {
	row      *Row
	slots    []slotPlan // of the modifiers, in the row's order
	required uint32     // the set of slots that must be filled
}

// slotPlan is a slot of a modifier with its values as words: which are allowed,
// and the code that each has in a [Form].
type slotPlan struct {
	*Slot
	allowed uint32 // set of words
	codes   [32]uint16
}

var plans = sync.OnceValue(func() *[numOps][]plan {
	v := words()
	all := new([numOps][]plan)
	for _, op := range Ops() {
		for _, row := range RowsOf(op) {
			p := plan{row: row}
			for k, slot := range row.Modifiers {
				sp := slotPlan{Slot: slot}
				for i, text := range slot.Values {
					w := v.find(text)
					sp.allowed |= 1 << w
					sp.codes[w] = slot.codes[i]
				}
				if !slot.Optional {
					p.required |= 1 << k
				}
				p.slots = append(p.slots, sp)
			}
			all[op] = append(all[op], p)
		}
	}
	return all
})

// matching is one attempt to read a written instruction as one row.
type matching struct {
	*plan
	written *Written
	ids     [maxModifiers]word // of the modifiers; 0 for unknown ones
	form    *Form

	filled uint32   // the set of slots that are filled
	by     [16]int8 // which modifier filled each

	// explaining is set when no row fits and each is read again: to the end,
	// with the problems collected.
	explaining bool
	problems   []Problem
}

// wrong notes a problem and reports whether to go on reading.
func (m *matching) wrong(p Problem) (goOn bool) {
	if m.explaining {
		p.Row = m.row
		m.problems = append(m.problems, p)
	}
	return m.explaining
}

// run reads the instruction and reports whether the row means it as written.
func (m *matching) run() bool {
	*m.form = Form{Op: m.written.Op}
	if !m.count() || !m.modifiers() {
		return false
	}
	for i := range min(len(m.written.Operands), 4) {
		place := &ignoredOperand
		if i < len(m.row.Operands) {
			place = &m.row.Operands[i]
		}
		if !m.operand(i, place) {
			return false
		}
	}
	return m.negation() && len(m.problems) == 0
}

// count compares the number of operands.
func (m *matching) count() bool {
	written, want := len(m.written.Operands), len(m.row.Operands)
	switch {
	case written < want:
		return m.wrong(Problem{Kind: MissingOperand, At: written, Want: want})
	case written == want:
		return true
	case want == 3 && written == 4:
		return m.wrong(Problem{Kind: IgnoredOperand, At: want})
	}
	return m.wrong(Problem{Kind: ExtraOperand, At: 4, Want: want})
}

// modifiers fills the slots of the row.
func (m *matching) modifiers() bool {
	for i := range m.written.Modifiers {
		if i == maxModifiers {
			return m.wrong(Problem{Kind: ForeignModifier, At: i})
		}
		if k := m.place(m.ids[i]); k >= 0 {
			m.fill(k, i)
		} else if !m.explaining {
			return false
		} else {
			m.misplaced(i)
		}
	}
	if missing := m.required &^ m.filled; missing == 0 {
		return true
	} else if m.explaining {
		m.missing(missing)
	}
	return m.explaining
}

// place returns the slot that a word fills: the first that allows it and is
// still free, or -1.
func (m *matching) place(id word) int {
	for k := range m.slots {
		if m.slots[k].allowed>>id&1 != 0 && m.filled>>k&1 == 0 {
			return k
		}
	}
	return -1
}

// fill puts modifier i into slot k.
func (m *matching) fill(k, i int) {
	m.filled |= 1 << k
	m.by[k] = int8(i)
	slot := &m.slots[k]
	slot.field.put(m.form, slot.codes[m.ids[i]])
}

// ignoredOperand is the place of a fourth operand that means nothing: like any c,
// it takes neither sign nor selector.
var ignoredOperand Operand

// operand reads operand i, for which the row has place.
func (m *matching) operand(i int, place *Operand) bool {
	arg := &m.written.Operands[i]
	switch arg.Kind {
	case OtherArgument:
		return m.wrong(Problem{Kind: NotRegister, At: i})
	case ImmediateArgument:
		if i == 0 || m.row.Op.SIMD() {
			return m.wrong(Problem{Kind: ImmediateNotAllowed, At: i})
		}
		return arg.Selector == "" || m.wrong(Problem{Kind: SelectorOnImmediate, At: i})
	}
	if arg.Negated && !m.sign(i, place.Neg) {
		return false
	}
	return m.selector(i, arg.Selector, place.Sel)
}

// sign reads the minus sign of operand i. ptxas knows only whether the product of a
// and b is negated, so that two signs are none, in every instruction (ruling R20).
func (m *matching) sign(i int, slot *Slot) bool {
	switch cancel := m.negated(1) && m.negated(2); {
	case slot != nil:
		slot.field.put(m.form, 1)
		return true
	case cancel && i == 1:
		return m.wrong(Problem{Kind: IgnoredNegation, At: 1, Other: 2, OtherPlace: SignPlace})
	case cancel && i == 2:
		return true // said with the first
	}
	return m.wrong(Problem{Kind: NegationNotAllowed, At: i})
}

// negated reports whether operand i is a register with a minus sign.
func (m *matching) negated(i int) bool {
	return i < len(m.written.Operands) && m.written.Operands[i].Negated && m.written.Operands[i].Kind == RegisterArgument
}

// selector reads the selector or mask of operand i.
func (m *matching) selector(i int, text string, slot *Slot) bool {
	if ignoredSelector(m.row.Op, i, text) {
		if !m.wrong(Problem{Kind: IgnoredSelector, At: i}) {
			return false
		}
		text = ""
	}
	switch {
	case text == "" && slot == nil:
		return true
	case text == "" && slot.Default != "":
		text = slot.Default
	case text == "" && slot.Optional:
		return true
	case text == "":
		return m.wrong(Problem{Kind: MissingSelector, At: i, Slot: slot})
	case slot == nil:
		return m.wrong(Problem{Kind: SelectorNotAllowed, At: i})
	}
	code, ok := slot.field.parse(m.row.Op, text)
	if !ok {
		if !m.explaining {
			return false
		}
		return m.wrong(Problem{Kind: WrongSelector, At: i, Slot: slot, Near: slot.nearestSelector(text)})
	}
	slot.field.put(m.form, code)
	return true
}

// negation holds vmad's signs against each other.
func (m *matching) negation() bool {
	f := m.form
	if f.Op != Vmad || negationAllowed(f.NegA, f.NegB, f.NegC) {
		return true
	}
	product := 1
	if f.NegB {
		product = 2
	}
	return m.wrong(Problem{Kind: NegationConflict, At: 3, Other: product, OtherPlace: SignPlace})
}
