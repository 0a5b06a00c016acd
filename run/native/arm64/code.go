package arm64

import (
	"fmt"
	"strings"
)

// Lanes and Bytes are the size of a group, and of a vector.
const (
	Lanes = 4
	Bytes = 16
)

// Options say how code is made. The zero value is the best code for every processor with NEON.
type Options struct {
	DotProduct bool // the processor has FEAT_DotProd: sdot and udot
	Listing    bool // Code.Lines are wanted

	// The following are for tests and for finding faults.
	NoFuse    bool // no pattern of several operations becomes one instruction
	NoHoist   bool // constants are read where they are used, not kept in registers
	NoPairs   bool // loads and stores of two vectors stay two instructions
	Registers int  // so many vector registers are used, at least 5; 0 is all
	Groups    int  // so many groups of lanes make a turn of an array's loop; 0 is a good number
}

// Code is machine code that runs at any address that is a multiple of 64.
type Code struct {
	Bytes []byte
	// Frame is how many bytes of memory the code needs besides its operands, aligned to 16.
	Frame int
	// Turn and Words are the instructions of the main loop, and the words that one turn of it computes.
	Turn, Words int
	Lines       []Line // with Options.Listing
}

// Line is an instruction of a listing, or a label, which takes no bytes.
type Line struct {
	At, End int // offsets in the code
	Text    string
}

// String lists the code: offsets, bytes, instructions. Constants stand behind the code.
func (c *Code) String() string {
	var b strings.Builder
	end := 0
	for _, l := range c.Lines {
		if l.At == l.End {
			fmt.Fprintf(&b, "%s\n", l.Text)
			continue
		}
		fmt.Fprintf(&b, "%5x  %x  %s\n", l.At, c.Bytes[l.At:l.End], l.Text)
		end = l.End
	}
	if end < len(c.Bytes) {
		fmt.Fprintf(&b, "%5x  %d bytes of constants\n", end, len(c.Bytes)-end)
	}
	return b.String()
}
