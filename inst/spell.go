package inst

import (
	"fmt"
	"slices"
	"strings"
)

// spell writes a row in the manual's notation, and notes where its operands are.
func (r *Row) spell() string {
	var s strings.Builder
	r.places = make([][2]int, len(r.Operands))
	s.WriteString(r.Mnemonic)
	for _, slot := range r.Slots {
		s.WriteString(braced(slot.Name, slot.Optional))
	}
	if r.Loose {
		s.WriteString("{...}")
	}
	separator := " "
	for i := range r.Operands {
		o := &r.Operands[i]
		text := separator + o.spell()
		start := s.Len() + len(separator)
		if o.Optional {
			start++ // the brace
			text = braced(text, true)
		}
		s.WriteString(text)
		r.places[i] = [2]int{start, start + len(o.spell())}
		separator = ", "
	}
	if r.More {
		s.WriteString(separator + "...")
	}
	s.WriteString(";")
	return s.String()
}

// Places says which bytes of the line each operand is: "a" of "add.type d, a, b;".
func (r *Row) Places() [][2]int { return slices.Clone(r.places) }

// spell writes an operand in the manual's notation.
func (o *Operand) spell() string {
	text := o.Name
	switch o.Shape {
	case Memory:
		if o.Index != nil {
			if o.Handle == texref {
				text += "{, b}"
			}
			text += ", " + o.Index.spell()
		}
		return "[" + text + "]"
	case Constant:
		return "imm"
	case Packed:
		return "{" + text + "0, " + text + "1, ...}"
	case Several:
		if o.counter != nil {
			return "{" + text + "0, ...}"
		}
		return vectorOf(text, o.counts[0])
	}
	if o.Not {
		text = "{!}" + text
	}
	if o.With != nil {
		text = "cache-policy"
	}
	if o.Second != nil {
		text += braced("|"+o.Second.Name, !o.NeedsSecond)
	}
	return text
}

// vectorOf spells a vector of n elements: "{a0, a1}", or "{a0, ..., a7}" of more.
func vectorOf(name string, n int) string {
	switch {
	case n == 1:
		return "{" + name + "}"
	case n > 2:
		return fmt.Sprintf("{%[1]s0, ..., %[1]s%[2]d}", name, n-1)
	}
	return fmt.Sprintf("{%[1]s0, %[1]s1}", name)
}

func braced(text string, optional bool) string {
	if optional {
		return "{" + text + "}"
	}
	return text
}

// Where says what may stand in the slots of the row that are no modifiers themselves, each as
// in ".rnd = .rn .rz .rm .rp".
func (r *Row) Where() (lines []string) {
	for _, s := range r.Slots {
		if len(s.Values) > 1 || s.Values[0] != s.Name {
			lines = append(lines, s.Name+" = "+strings.Join(s.Values, " "))
		}
	}
	return lines
}
