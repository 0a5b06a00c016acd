package syntax

import (
	"slices"

	"github.com/vop-ptx/vop/isa"
)

// OrderModifiers returns the modifiers of a video instruction in the order of its
// syntax line (PTX ISA 9.7.18). ptxas takes them in any order and so does vop; only
// the types, which all look alike, keep their order among themselves. The modifiers
// of other instructions, and those that fit no syntax line, are returned as they are.
func OrderModifiers(i *Instruction) []Word {
	op := isa.ParseOp(i.Name.Text)
	if op == isa.NoOp {
		return i.Modifiers
	}
	for _, row := range isa.RowsOf(op) {
		if ordered := fit(i.Modifiers, row); ordered != nil {
			return ordered
		}
	}
	return i.Modifiers
}

// fit distributes modifiers among the slots of a syntax line; nil if they do not
// fit. No two slots but those of the types have a value in common.
func fit(modifiers []Word, row *isa.Row) []Word {
	rest := slices.Clone(modifiers)
	ordered := make([]Word, 0, len(modifiers))
	for _, slot := range row.Modifiers {
		at := slices.IndexFunc(rest, func(w Word) bool { return slices.Contains(slot.Values, w.Text) })
		switch {
		case at >= 0:
			ordered = append(ordered, rest[at])
			rest = slices.Delete(rest, at, at+1)
		case !slot.Optional:
			return nil
		}
	}
	if len(rest) > 0 {
		return nil
	}
	return ordered
}
