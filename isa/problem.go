package isa

import (
	"slices"
	"strings"
)

// ProblemKind says what is wrong with a written instruction.
type ProblemKind uint8

// The kinds of problems, and what [Problem.At] is in each.
const (
	UnknownModifier     ProblemKind = iota + 1 // modifier At is none of any video instruction
	ForeignModifier                            // modifier At belongs to other video instructions
	RepeatedModifier                           // modifier At stands for what modifier Other says already
	TooManyTypes                               // modifier At is a type, and all Want types are written
	WrongType                                  // modifier At is a type other than the one that Slot fixes
	MissingTypes                               // At types are written, Want are needed; the last is modifier Other, or -1
	MissingModifier                            // nothing is written for Slot
	ModifierConflict                           // modifier At excludes Other
	MissingOperand                             // At operands are written, Want are needed
	ExtraOperand                               // operand At is one too many
	NotRegister                                // operand At is neither a register nor an immediate
	ImmediateNotAllowed                        // operand At is an immediate, and must be a register
	SelectorOnImmediate                        // operand At is an immediate and has a selector
	SelectorNotAllowed                         // operand At has a selector
	SelectorConflict                           // the selector of operand At excludes Other
	WrongSelector                              // the selector of operand At is none of Slot's values
	MissingSelector                            // operand At has no selector
	NegationNotAllowed                         // operand At has a minus sign
	NegationConflict                           // the minus sign of operand At excludes Other
	UnknownMnemonic                            // Written.Op is no video instruction: there is no Row

	IgnoredOperand  // operand At, c, has no effect (ruling R16)
	IgnoredSelector // the selector of operand At has no effect
	IgnoredModifier // modifier At repeats modifier Other, which has no effect
	IgnoredNegation // the minus signs of operands At and Other have no effect (ruling R20)
)

// problemKinds says for each kind which part of the instruction it is about, and
// how far it takes a row from what was written: something written that must go
// weighs more than something that is missing, for people rather forget than invent.
var problemKinds = [...]struct {
	place  Place
	weight int
}{
	UnknownModifier:     {ModifierPlace, 6},
	ForeignModifier:     {ModifierPlace, 6},
	RepeatedModifier:    {ModifierPlace, 6},
	TooManyTypes:        {ModifierPlace, 6},
	WrongType:           {ModifierPlace, 6},
	MissingTypes:        {NoPlace, 4},
	MissingModifier:     {NoPlace, 4},
	ModifierConflict:    {ModifierPlace, 6},
	MissingOperand:      {NoPlace, 4},
	ExtraOperand:        {OperandPlace, 6},
	NotRegister:         {OperandPlace, 6},
	ImmediateNotAllowed: {OperandPlace, 6},
	SelectorOnImmediate: {SelectorPlace, 6},
	SelectorNotAllowed:  {SelectorPlace, 6},
	SelectorConflict:    {SelectorPlace, 6},
	WrongSelector:       {SelectorPlace, 5},
	MissingSelector:     {OperandPlace, 4},
	NegationNotAllowed:  {SignPlace, 6},
	NegationConflict:    {SignPlace, 6},
	UnknownMnemonic:     {NoPlace, 6},
	IgnoredOperand:      {OperandPlace, 1},
	IgnoredSelector:     {SelectorPlace, 1},
	IgnoredModifier:     {ModifierPlace, 1},
	IgnoredNegation:     {SignPlace, 1},
}

// Place is a part of a written instruction: a numbered modifier or operand, or
// the selector or the sign of an operand.
type Place uint8

// The places. NoPlace is that of what is missing.
const (
	NoPlace Place = iota
	ModifierPlace
	OperandPlace
	SelectorPlace
	SignPlace
)

// Problem is one thing that is wrong with a written instruction, as data: the
// words for it are the caller's.
type Problem struct {
	Kind ProblemKind
	Row  *Row // the syntax line that comes nearest to what is written
	At   int  // the number of the modifier or operand; see the kinds
	Want int

	// Other and OtherPlace are what collides with it.
	Other      int
	OtherPlace Place

	Slot *Slot    // what belongs there, or nil
	Near []string // what was probably meant: nothing, one thing, or one of several
}

// Place returns the part of the instruction that the problem is about.
func (p *Problem) Place() Place { return problemKinds[p.Kind].place }

// Tolerated reports whether the instruction is accepted in spite of the problem.
func (p *Problem) Tolerated() bool { return p.Kind >= IgnoredOperand }

// ignoredSelector reports whether ptxas takes a selector on d or c of a scalar
// instruction without giving it a meaning. These three name neighbouring bytes, the
// lower first. ptxas 11.8 accepts them, and no others that the grammar has not, in
// every scalar instruction, and emits the code of the instruction without them
// (ruling R19).
func ignoredSelector(op Op, operand int, selector string) bool {
	if op.SIMD() || operand != 0 && operand != 3 {
		return false
	}
	return selector == ".b01" || selector == ".b12" || selector == ".b23"
}

// explain finds what is wrong with an instruction that no row fits: it reads all
// rows to the end and takes the one with the lightest problems.
func explain(w *Written, f *Form) (ok bool, problems []Problem) {
	rows, ids := plans()[w.Op], w.words()
	readings := make([]matching, len(rows))
	best, least := 0, -1
	for i := range rows {
		m := &readings[i]
		*m = matching{plan: &rows[i], written: w, ids: ids, form: new(Form), explaining: true}
		m.run()
		weight := 0
		for k := range m.problems {
			weight += problemKinds[m.problems[k].Kind].weight
		}
		if least < 0 || weight < least {
			best, least = i, weight
		}
	}
	problems = readings[best].problems
	ok = true
	for i := range problems {
		p := &problems[i]
		ok = ok && p.Tolerated()
		for k := range readings {
			if k != best {
				p.blame(readings[k].problems)
			}
		}
	}
	*f = *readings[best].form
	return ok, problems
}

// blame turns "not allowed" into "not allowed together with", if another row
// would take the same thing but for something else that is written.
func (p *Problem) blame(others []Problem) {
	conflict := map[ProblemKind]ProblemKind{
		ForeignModifier:    ModifierConflict,
		SelectorNotAllowed: SelectorConflict,
		NegationNotAllowed: NegationConflict,
	}[p.Kind]
	if conflict == 0 {
		return
	}
	var culprit *Problem
	for i := range others {
		o := &others[i]
		switch {
		case o.Place() == p.Place() && o.At == p.At:
			return // the other row does not take it either
		case culprit == nil && o.Place() != NoPlace && !o.Tolerated():
			culprit = o
		}
	}
	if culprit != nil {
		p.Kind, p.Other, p.OtherPlace = conflict, culprit.At, culprit.Place()
	}
}

// isType reports whether the slot is .dtype, .atype or .btype.
func (s *Slot) isType() bool { return s.field == dtype || s.field == atype || s.field == btype }

// misplaced says why modifier i fills no slot of the row.
func (m *matching) misplaced(i int) {
	id, text := m.ids[i], m.written.Modifiers[i]
	if id == 0 {
		m.unknown(i, text)
		return
	}
	for k := range m.slots {
		slot := &m.slots[k]
		taken := slot.allowed>>id&1 != 0 // by another modifier: it would have been filled
		switch first := int(m.by[k]); {
		case taken && slot.field == sat:
			m.wrong(Problem{Kind: IgnoredModifier, At: i, Other: first, OtherPlace: ModifierPlace})
			return
		case taken && !slot.isType():
			m.wrong(Problem{Kind: RepeatedModifier, At: i, Other: first, OtherPlace: ModifierPlace, Slot: slot.Slot})
			return
		}
	}
	if !isTypeName(text) {
		m.wrong(Problem{Kind: ForeignModifier, At: i})
		return
	}
	types := 0
	for k := range m.slots {
		if !m.slots[k].isType() {
			continue
		}
		types++
		if m.filled>>k&1 == 0 { // a slot for one type only, such as vshl's .u32
			m.filled |= 1 << k
			m.by[k] = int8(i)
			m.wrong(Problem{Kind: WrongType, At: i, Slot: m.slots[k].Slot, Near: m.slots[k].Values})
			return
		}
	}
	if !m.has(TooManyTypes) { // one is enough
		m.wrong(Problem{Kind: TooManyTypes, At: i, Want: types})
	}
}

func (m *matching) has(kind ProblemKind) bool {
	for i := range m.problems {
		if m.problems[i].Kind == kind {
			return true
		}
	}
	return false
}

// unknown reports modifier i, which no video instruction has, and fills the slot
// that it was probably meant for, so that this is not reported as missing too.
func (m *matching) unknown(i int, text string) {
	p := Problem{Kind: UnknownModifier, At: i}
	var values []string
	for k := range m.slots {
		if m.filled>>k&1 == 0 {
			values = append(values, m.slots[k].Values...)
		}
	}
	p.Near = Nearest(text, values)
	guess := word(0)
	if len(p.Near) > 0 {
		guess = words().find(p.Near[0])
	}
	for k := range m.slots {
		slot := &m.slots[k]
		if m.filled>>k&1 != 0 {
			continue
		}
		if slot.allowed>>guess&1 != 0 || guess == 0 && slot.isType() && isTypeName(text) {
			m.filled |= 1 << k
			m.by[k] = int8(i)
			p.Slot = slot.Slot
			break
		}
	}
	m.wrong(p)
}

// missing reports the slots that nothing fills: the types as one problem, and
// none that an unknown modifier may have been meant for.
func (m *matching) missing(slots uint32) {
	var strangers []*Problem
	for i := range m.problems {
		if p := &m.problems[i]; p.Kind == UnknownModifier && p.Slot == nil {
			strangers = append(strangers, p)
		}
	}
	types := Problem{Kind: MissingTypes, Other: -1}
	for k := range m.slots {
		slot := &m.slots[k]
		empty := slots>>k&1 != 0
		if empty && len(strangers) > 0 {
			strangers[0].Slot = slot.Slot
			strangers = strangers[1:]
			empty = false
		}
		switch {
		case slot.isType() && empty:
			types.Want++
			types.Slot = slot.Slot
		case slot.isType():
			types.Want++
			types.At++
			if m.filled>>k&1 != 0 {
				types.Other = int(m.by[k])
			}
		case empty:
			m.wrong(Problem{Kind: MissingModifier, Slot: slot.Slot})
		}
	}
	if types.Slot != nil {
		m.wrong(types)
	}
}

// nearestSelector returns what a wrong selector of the slot was probably meant to
// be. A mask with its lanes in another order, or with some of them twice, is
// meant to be the one with the same lanes.
func (s *Slot) nearestSelector(text string) []string {
	if s.field == mask && len(text) > 2 {
		digits := []byte(text[2:])
		slices.Sort(digits)
		slices.Reverse(digits)
		ordered := text[:2] + string(slices.Compact(digits))
		if slices.Contains(s.Values, ordered) {
			return []string{ordered}
		}
	}
	return Nearest(text, s.Values)
}

// isTypeName reports whether a modifier looks like a PTX type: ".u8", ".f16x2".
func isTypeName(text string) bool {
	if len(text) < 3 || text[2] < '0' || text[2] > '9' {
		return false
	}
	switch text[1] | 0x20 {
	case 'b', 'u', 's', 'f':
		return true
	}
	return false
}

// Describe says in a few words what may stand in the slot: the values, or for
// SIMD selectors, of which there are 16 or 4096, how they are made.
func (s *Slot) Describe() string {
	if len(s.Values) <= 15 {
		return strings.Join(s.Values, " ")
	}
	first, last := s.Values[0], s.Values[len(s.Values)-1]
	digits := len(last) - len(".b")
	return first[:2] + " and " + [...]string{2: "two", 4: "four"}[digits] + " digits from 0 to " + last[len(last)-1:] +
		", highest lane first: " + first + " to " + last
}
