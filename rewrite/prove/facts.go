package prove

import (
	"iter"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// constants are the immediates that classes are proven with: those that leave nothing of an
// operation, or much, the ends of ranges, and distances of shifts.
var constants = []uint32{0, 1, 0xffffffff, 2, 5, 31, 32, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0x12345678}

// FactClasses yields, for every form, what may be known of its operands as files show it: registers
// that come twice, in each way; and for scalar forms, which alone take immediates, one of
// them in each place, another one for each form.
func FactClasses(forms iter.Seq[isa.Form]) iter.Seq2[isa.Form, lower.Facts] {
	return func(yield func(isa.Form, lower.Facts) bool) {
		n := 0
		for f := range forms {
			n++
			for _, facts := range factsOf(f, n) {
				if !yield(f, facts) {
					return
				}
			}
		}
	}
}

// factsOf returns the facts for form number n.
func factsOf(f isa.Form, n int) (all []lower.Facts) {
	all = append(all, lower.Facts{SameAB: true})
	if f.ReadsC() {
		all = append(all, lower.Facts{SameAC: true}, lower.Facts{SameBC: true}, lower.Facts{SameAB: true, SameAC: true, SameBC: true})
	}
	if f.Op.SIMD() {
		return all
	}
	for operand := range 3 {
		if operand == 2 && !f.ReadsC() {
			break
		}
		var facts lower.Facts
		facts.Known[operand] = lower.Constant(constants[(n+5*operand)%len(constants)])
		all = append(all, facts)
	}
	return all
}
