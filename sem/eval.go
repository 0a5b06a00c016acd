package sem

import "github.com/vop-ptx/vop/isa"

// Eval returns the value that an instruction of the given form writes to d, by
// the manual. Where the form does not read c ([isa.Form.ReadsC]), c is ignored.
// The form must be valid.
func Eval(f isa.Form, a, b, c uint32) uint32 { return evaluate(0, f, a, b, c) }

// EvalAs is [Eval] under the given reading.
func EvalAs(r Reading, f isa.Form, a, b, c uint32) uint32 {
	return evaluate(rulesOf(r), f, a, b, c)
}

// evaluate is the manual but for the given rules.
func evaluate(q ruleSet, f isa.Form, a, b, c uint32) uint32 {
	switch f.Op.Kind() {
	case isa.Mad:
		return mad(q, f, a, b, c).d
	case isa.Set:
		if f.Op.SIMD() {
			return simdSet(f, a, b, c).d
		}
		return set(q, f, a, b, c).d
	case isa.Shl, isa.Shr:
		return shift(q, f, a, b, c).d
	}
	if f.Op.SIMD() {
		return simd(f, a, b, c).d
	}
	return scalar(q, f, a, b, c).d
}
