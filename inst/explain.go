package inst

import (
	"slices"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// explain finds what is wrong with modifiers that no row of an instruction fits: it reads all
// rows and takes the one with the lightest problems.
func explain(rows []*Row, w *written) []Problem {
	readings := make([]reading, len(rows))
	best, least, latest := 0, -1, 0
	s := &strangers{near: map[string][]string{}}
	for i, row := range rows {
		readings[i] = reading{row: row, rows: rows, written: w, strangers: s}
		readings[i].run()
		weight := 0
		if row.Loose && !row.begins(w) {
			weight = notBegun // it would take all else
		}
		for k := range readings[i].problems {
			weight += weights[readings[i].problems[k].Kind] + readings[i].problems[k].weight
		}
		first := readings[i].firstAt()
		if later := first > latest && first < len(w.words); least < 0 || weight < least || weight == least && later {
			best, least, latest = i, weight, first
		}
	}
	problems := readings[best].problems
	for i := range problems {
		problems[i].widen(readings, best)
	}
	return problems
}

// firstAt returns the first modifier that the row does not take. Of two lines that are as near, that is meant which takes more of what is
// written first.
func (r *reading) firstAt() int {
	first := len(r.written.words)
	for _, p := range r.problems {
		switch p.Kind {
		case UnknownModifier, ForeignModifier, RepeatedModifier, WrongType, TooManyTypes:
			first = min(first, p.At)
		}
	}
	return first
}

// notBegun is the weight of a row that takes any modifiers, but whose mnemonic is not written.
const notBegun = 100

// reading is one attempt to read modifiers as a row, to the end.
type reading struct {
	row     *Row
	rows    []*Row // of the mnemonic
	written *written
	*strangers
	filled   uint64
	by       [64]int8 // by slot: which modifier fills it
	meant    int      // how many unknown modifiers must be meant to be types
	problems []Problem
}

func (r *reading) wrong(p Problem) {
	p.Row = r.row
	r.problems = append(r.problems, p)
}

func (r *reading) run() {
	skip := r.mnemonic()
	var types []int // the modifiers that are types
	for i, word := range r.written.words {
		if slices.Contains(skip, i) {
			continue
		}
		if r.row.ignored(word, r.filled) {
			continue
		}
		if r.written.types[i] != NoType {
			types = append(types, i)
			continue
		}
		if s, value := r.row.free(word, r.filled); value >= 0 {
			r.fill(s, i)
		} else if !r.row.Loose {
			r.misplaced(i, word)
		}
	}
	if at, first := r.row.disordered(r.written); at >= 0 {
		r.wrong(Problem{Kind: WrongType, At: at, Values: first})
	}
	r.readTypes(types)
	for _, s := range r.row.Slots {
		if s.Optional || s.Type || r.filled>>s.index&1 != 0 {
			continue
		}
		r.wrong(Problem{Kind: MissingModifier, Values: s.Values})
	}
}

func (r *reading) fill(s *Slot, by int) {
	r.filled |= 1 << s.index
	r.by[s.index] = int8(min(by, 127))
}

// mnemonic looks for the modifiers that belong to the mnemonic and returns where they are.
func (r *reading) mnemonic() (at []int) {
	for i, word := range r.row.rest {
		switch found := slices.Index(r.written.words, word); {
		case found == i:
			at = append(at, i)
		case found >= 0:
			at = append(at, found)
			r.wrong(Problem{Kind: MisplacedName, At: found})
		default:
			p := Problem{Kind: MissingModifier, Values: r.names(i)}
			if slices.ContainsFunc(r.rows, func(row *Row) bool { return len(row.rest) == 0 }) {
				p.weight = 3 // without it this is another instruction, which is no worse a guess
			}
			r.wrong(p)
		}
	}
	return at
}

// names returns the modifiers that belong to the mnemonic in place i, in any row.
func (r *reading) names(i int) (values []string) {
	for _, row := range r.rows {
		if i < len(row.rest) && !slices.Contains(values, row.rest[i]) {
			values = append(values, row.rest[i])
		}
	}
	return values
}

// misplaced says why modifier i fills no slot of the row.
func (r *reading) misplaced(i int, word string) {
	for _, s := range r.row.Slots {
		if s.Type || r.filled>>s.index&1 == 0 || s.value(word) < 0 {
			continue
		}
		r.wrong(Problem{Kind: RepeatedModifier, At: i, Other: int(r.by[s.index]), Values: s.Values})
		return
	}
	if len(r.row.rest) > 0 && slices.Contains(r.names(0), word) {
		if first := slices.Index(r.written.words, r.row.rest[0]); first >= 0 && first < i {
			r.wrong(Problem{Kind: RepeatedModifier, At: i, Other: first, Values: r.names(0)})
			return
		}
	}
	if allWords()[word] || videoModifiers()[word] {
		p := Problem{Kind: ForeignModifier, At: i}
		if i == 0 && slices.Contains(r.names(0), word) {
			p.weight = 3 // it says which instruction is meant: another one
		}
		r.wrong(p)
		return
	}
	p := Problem{Kind: UnknownModifier, At: i, Near: r.meantBy(r.row.name, word)}
	if len(p.Near) > 0 { // it is not to be reported as missing too
		if s, value := r.row.free(p.Near[0], r.filled); value >= 0 {
			r.fill(s, i)
		}
	}
	if len(p.Near) > 0 && ParseType(p.Near[0]) != NoType || likeType(word) {
		r.meant++
	}
	r.wrong(p)
}

// strangers are the unknown modifiers of an instruction, each with those that it was probably
// meant to be.
type strangers struct{ near map[string][]string }

func (s *strangers) meantBy(name, word string) []string {
	near, known := s.near[word]
	if !known {
		near = isa.Nearest(word, theTable().byName[name].modifiers())
		s.near[word] = near
	}
	return near
}

// likeType reports whether an unknown modifier looks like a type: ".i32", ".int8".
func likeType(word string) bool {
	digits := strings.TrimLeft(word[1:], "abcdefghijklmnopqrstuvwxyz")
	return len(digits) > 0 && len(digits) < len(word)-1 && strings.Trim(digits, "0123456789") == ""
}

// videoModifiers are the modifiers of the video instructions.
var videoModifiers = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, s := range isa.Sections() {
		for _, row := range s.Rows {
			for _, slot := range row.Modifiers {
				for _, value := range slot.Values {
					words[value] = true
				}
			}
		}
	}
	return words
})

// readTypes holds the types that are written against those of the row.
func (r *reading) readTypes(written []int) {
	slots := r.row.types
	if r.row.Loose && len(slots) == 0 {
		return
	}
	optional := 0
	for _, s := range slots {
		if s.Optional {
			optional++
		}
	}
	switch {
	case len(written) > len(slots):
		at, fits := r.extraType(written)
		p := Problem{Kind: TooManyTypes, At: at, Count: len(slots), weight: weights[TooManyTypes] * (len(written) - len(slots) - 1)}
		if !fits {
			p.weight += 2
		}
		r.wrong(p)
		return
	case r.meant > 0:
		return // which types are written in whose place is not known
	case len(written) < len(slots)-optional:
		r.wrong(Problem{Kind: MissingTypes, Have: len(written), Count: len(slots), Values: slots[len(written)].Values})
	}
	for k, i := range written {
		if slots[k].value(r.written.words[i]) < 0 {
			r.wrong(Problem{Kind: WrongType, At: i, Count: k, Values: slots[k].Values})
		}
	}
}

// extraType returns which of the types, of which there is one too many, is the one: that
// without which the others fit, or else the last.
func (r *reading) extraType(written []int) (at int, fits bool) {
	slots := r.row.types
	for k := range written {
		if len(written) == len(slots)+1 && r.fits(slices.Delete(slices.Clone(written), k, k+1)) {
			return written[k], true
		}
	}
	return written[len(written)-1], false
}

func (r *reading) fits(written []int) bool {
	for k, i := range written {
		if r.row.types[k].value(r.written.words[i]) < 0 {
			return false
		}
	}
	return true
}

// widen says what other rows would take: the types of all of them, and for what reason they do
// not take what this one does not take either.
func (p *Problem) widen(readings []reading, best int) {
	switch p.Kind {
	case WrongType, MissingTypes:
		for k := range readings {
			p.addTypes(&readings[k], readings[best].row)
		}
	case MissingModifier:
		p.addAlternatives(readings, best)
	case ForeignModifier:
		p.blame(readings, best)
	}
}

// addTypes adds the types that another row of the same number of types takes in the place.
func (p *Problem) addTypes(other *reading, row *Row) {
	k := p.Count
	if p.Kind == MissingTypes {
		k = p.Have
	}
	if other.row == row || other.row.Loose || len(other.row.types) != len(row.types) || k >= len(row.types) || !slices.Equal(other.row.rest, row.rest) {
		return
	}
	for _, q := range other.problems {
		if q.Kind != WrongType && q.Kind != MissingTypes || q.Kind == WrongType && q.At != p.At {
			return // it does not fit for another reason
		}
	}
	p.Values = slices.Clone(p.Values)
	for _, value := range other.row.types[k].Values {
		if !slices.Contains(p.Values, value) {
			p.Values = append(p.Values, value)
		}
	}
}

// addAlternatives adds what other rows need that lack nothing else.
func (p *Problem) addAlternatives(readings []reading, best int) {
	if len(p.Row.rest) > 0 && slices.Contains(p.Row.rest, p.Values[0]) {
		return // of the mnemonic: all are told already
	}
	p.Values = slices.Clone(p.Values)
	for k := range readings {
		other := &readings[k]
		if k == best || other.row.Loose || len(other.problems) != 1 || other.problems[0].Kind != MissingModifier {
			continue
		}
		for _, value := range other.problems[0].Values {
			if !slices.Contains(p.Values, value) {
				p.Values = append(p.Values, value)
			}
		}
	}
}

// blame turns "not allowed" into "not allowed together with", if another row would take the
// same modifier but for another one that is written.
func (p *Problem) blame(readings []reading, best int) {
	same := func(k int) bool { return slices.Equal(readings[k].row.rest, readings[best].row.rest) }
	other := func(k int) bool { return !same(k) }
	for _, of := range []func(k int) bool{same, other} { // rather the rows of the same mnemonic
		p.blameOf(readings, best, true, of)
		p.blameOf(readings, best, false, of)
	}
}

// blameOf is blame of some of the rows: of those that one modifier alone keeps from taking it, or of all.
func (p *Problem) blameOf(readings []reading, best int, alone bool, of func(k int) bool) {
	for k := range readings {
		if k == best || !of(k) || p.Kind != ForeignModifier {
			continue
		}
		culprit, culprits, missing := -1, 0, 0
		for _, q := range readings[k].problems {
			switch q.Kind {
			case UnknownModifier, ForeignModifier, RepeatedModifier, WrongType, TooManyTypes:
				if culprits++; q.At == p.At {
					culprit = -2 // this row does not take it either
				} else if culprit == -1 {
					culprit = q.At
				}
			case MissingModifier: // what must be written in the place of the culprit, if nothing else is wrong
				if missing++; len(readings[best].problems) > 1 {
					culprit = -2
				}
			case MisplacedName, MissingTypes:
				culprit = -2
			}
			if culprit == -2 {
				break
			}
		}
		if culprit >= 0 && missing <= 1 && (culprits == 1 || !alone) {
			p.Kind, p.Other = ModifierConflict, culprit
			return
		}
	}
}

// Modifiers returns all modifiers that the lines of a mnemonic have, in order.
func Modifiers(name string) []string {
	if f := theTable().byName[name]; f != nil {
		return slices.Clone(f.modifiers())
	}
	return nil
}

func modifiersOf(rows []*Row) (all []string) {
	for _, row := range rows {
		for _, word := range row.rest {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
		for _, s := range row.Slots {
			for _, value := range s.Values {
				if !slices.Contains(all, value) {
					all = append(all, value)
				}
			}
		}
	}
	return all
}

// Describe says which registers can be an operand of the type: ".b32, .u32 or .s32".
func (t Type) Describe() string {
	var names []string
	for _, r := range t.registers() {
		names = append(names, r.String())
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}
