package vop

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// Reading says whose word is taken for what an instruction computes.
type Reading uint8

// The readings.
const (
	ISA  Reading = iota // the manual, under the rulings of docs/rulings.md
	SM86                // the code that ptxas 11.8 emits for sm_86; it differs in corners of scalar instructions
)

// ParseReading returns the reading of a name: isa or sm_86.
func ParseReading(name string) (Reading, error) {
	r, err := isa.ParseReading(name)
	return Reading(r), err
}

// String returns "isa" or "sm_86".
func (r Reading) String() string { return r.known().String() }

// known is the reading as the packages below have it. There are no others.
func (r Reading) known() isa.Reading {
	if r > SM86 {
		panic(fmt.Sprintf("vop: there is no reading %d", uint8(r)))
	}
	return isa.Reading(r)
}
