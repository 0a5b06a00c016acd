package sem

import "github.com/vop-ptx/vop/isa"

// Reading says whose word is taken for what an instruction computes.
type Reading = isa.Reading

// The readings: the manual's pseudo-code under the rulings, and the code that ptxas
// emits, which departs from it by [Rules].
const (
	ISA  = isa.Manual
	SM86 = isa.SM86
)

// rulesOf returns the rules by which a reading departs from the manual.
func rulesOf(r Reading) ruleSet {
	if r == SM86 {
		return allRules
	}
	return 0
}
