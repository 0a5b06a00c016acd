package sem

import "github.com/vop-ptx/vop/isa"

// Eval returns the value that an instruction of the given form writes to d, by
// the manual. Where the form does not read c ([isa.Form.ReadsC]), c is ignored.
// The form must be valid.
func Eval(f isa.Form, a, b, c uint32) uint32 {
	switch f.Op.Kind() {
	case isa.Mad:
		return mad(f, a, b, c).d
	case isa.Set:
		if f.Op.SIMD() {
			return simdSet(f, a, b, c).d
		}
		return set(f, a, b, c).d
	case isa.Shl, isa.Shr:
		return shift(f, a, b, c).d
	}
	if f.Op.SIMD() {
		return simd(f, a, b, c).d
	}
	return scalar(f, a, b, c).d
}
