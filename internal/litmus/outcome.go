package litmus

import (
	"fmt"
	"strings"
)

// An Outcome is what the reads of an instance have returned, and what its memory holds at the end.
// A register of an instruction that has not been executed is 0.
type Outcome struct {
	Registers [][]uint64 // of each thread
	Final     []uint64   // of each location
}

// String returns the outcome in one line: what differs is written differently.
func (o Outcome) String() string {
	var s strings.Builder
	for t, registers := range o.Registers {
		for n, x := range registers {
			fmt.Fprintf(&s, "T%d.r%d=%#x ", t, n, x)
		}
	}
	for l, x := range o.Final {
		fmt.Fprintf(&s, "%s=%#x ", locationName(l), x)
	}
	return strings.TrimSpace(s.String())
}

// locationName returns x, y, z and so on.
func locationName(l int) string { return locationNames[l : l+1] }

const locationNames = "xyzwabcdefgh"
