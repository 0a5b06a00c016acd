package check

import (
	"slices"

	"github.com/vop-ptx/vop/read/diag"
)

// droppedGuard warns of guards that ptxas 13.0 makes no, or wrong, code of: see docs/rulings.md, "What a GPU does".
func (c *checker) droppedGuard(in *Inst) {
	if in.Guard < 0 {
		return
	}
	name := in.Tree.Guard.Name
	switch in.Tree.Name.Text {
	case "testp":
		c.report(diag.GuardDropped, name.Span(), "ptxas drops this guard: testp writes its result whether "+quote(name.Text)+" holds or not",
			"seen in the code of ptxas 13.0; write the result to another register, and take it under the guard by mov.pred")
	case "set":
		if types := in.types(); len(types) > 1 && convertedBehindGuard(types[0], types[len(types)-1]) {
			c.report(diag.GuardDropped, name.Span(), "ptxas converts what the destination holds to "+types[0].String()+" where this guard keeps set from writing it",
				"seen in the code of ptxas 13.0; write the result to another register, and take it under the guard by mov")
		}
	}
}

// types are the types among the modifiers of an instruction.
func (in *Inst) types() (all []Type) {
	for _, m := range in.Tree.Modifiers {
		if t := ParseType(m.Text); t != NoType {
			all = append(all, t)
		}
	}
	return all
}

// convertedBehindGuard reports whether ptxas 13.0 first chooses between what set has found, an integer, and the old value, as the guard says,
// and then converts to the type of the result.
func convertedBehindGuard(result, operands Type) bool {
	narrow := []Type{B16, U16, S16, F16, BF16}
	switch result {
	case F16, BF16, F32:
		return true
	case U32, S32:
		return slices.Contains(narrow, operands)
	}
	return false
}
