package lower

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/scalar"
	"github.com/vop-ptx/vop/rewrite/lower/simd"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Form lowers a form for a target. The form must be [isa.Form.Valid]. The
// program computes what the manual says under the rulings, as package sem does.
func Form(f isa.Form, caps word.Caps) *word.Program { return FormWith(f, caps, Facts{}) }

// FormWith lowers a form whose operands are partly known. The program computes the
// same as that of [Form] for every operand that agrees with the facts.
func FormWith(f isa.Form, caps word.Caps, facts Facts) *word.Program {
	return FormAs(isa.Manual, f, caps, facts)
}

// FormAs is [FormWith] under a reading: the program computes what package sem does
// under it. Where no rule of the reading isa.SM86 can change the value, it is that of FormWith.
//
// Programs are remembered, so that asking again is cheap; they are shared, and must not be changed.
func FormAs(r isa.Reading, f isa.Form, caps word.Caps, facts Facts) *word.Program {
	return programs.get(cacheKey{r, f, caps, facts}, func() *word.Program { return lowered(r, f, caps, facts) })
}

// lowered makes a program anew.
func lowered(r isa.Reading, f isa.Form, caps word.Caps, facts Facts) *word.Program {
	if f.Op.SIMD() && !facts.constants() { // the readings agree on SIMD instructions
		return selected(f, caps, facts)
	}
	if f.Op.SIMD() {
		return simd.Program(f, caps, facts.operands())
	}
	return scalar.Program(r, f, caps, facts.operands())
}
