package isa

import "fmt"

// Reading says whose word is taken for what an instruction computes.
type Reading uint8

const (
	// Manual is the manual's pseudo-code, under the rulings of docs/rulings.md. It is
	// called isa.
	Manual Reading = iota
	// SM86 is the code that ptxas 11.8 emits for sm_86, and for sm_70, sm_75,
	// sm_80 and sm_90 to the same effect. It differs from Manual in scalar
	// instructions only.
	SM86
)

var readingNames = [...]string{Manual: "isa", SM86: "sm_86"}

// Readings returns all readings, the default first.
func Readings() []Reading { return []Reading{Manual, SM86} }

// String returns "isa" or "sm_86".
func (r Reading) String() string { return readingNames[r] }

// ParseReading is the inverse of [Reading.String].
func ParseReading(name string) (Reading, error) {
	for r, known := range readingNames {
		if name == known {
			return Reading(r), nil
		}
	}
	return Manual, fmt.Errorf("no reading %q: there are isa (the manual) and sm_86 (as compiled for sm_86)", name)
}
