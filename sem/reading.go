package sem

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// Reading says whose word is taken for what an instruction computes.
type Reading uint8

const (
	// ISA is the manual's pseudo-code, under rulings R1 to R18.
	ISA Reading = iota
	// SM86 is the code that ptxas 11.8 emits for sm_86.
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

// EvalAs is [Eval] under the given reading.
func EvalAs(r Reading, f isa.Form, a, b, c uint32) uint32 {
	return Eval(f, a, b, c)
}
