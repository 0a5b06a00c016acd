package sem

import "fmt"

// Reading says whose word is taken for what an instruction computes.
type Reading uint8

const (
	// ISA is the manual's pseudo-code, under rulings R1 to R18.
	ISA Reading = iota
	// SM86 is the code that ptxas 11.8 emits for sm_86, and for sm_70, sm_75,
	// sm_80 and sm_90 to the same effect. It differs from ISA in scalar
	// instructions only, by [Rules].
	SM86
)

var readingNames = [...]string{ISA: "isa", SM86: "sm_86"}

// Readings returns all readings, the default first.
func Readings() []Reading { return []Reading{ISA, SM86} }

// String returns "isa" or "sm_86".
func (r Reading) String() string { return readingNames[r] }

// ParseReading is the inverse of [Reading.String].
func ParseReading(name string) (Reading, error) {
	for r, known := range readingNames {
		if name == known {
			return Reading(r), nil
		}
	}
	return ISA, fmt.Errorf("no reading %q: there are isa (the manual) and sm_86 (as compiled for sm_86)", name)
}

// rules returns the rules by which the reading departs from the manual.
func (r Reading) rules() ruleSet {
	if r == SM86 {
		return allRules
	}
	return 0
}
