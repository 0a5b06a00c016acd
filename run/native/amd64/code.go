package amd64

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// Code is machine code that runs at any address that is a multiple of 64.
type Code struct {
	Bytes []byte
	// Frame is how many bytes of memory the code needs besides its operands, aligned to 64.
	Frame int
	// Uses are the features that a processor must have.
	Uses  encode.Feature
	Lines []Line // with Options.Listing
}

// Line is an instruction of a listing, or a label, which takes no bytes.
type Line struct {
	At, End int // offsets in the code
	Text    string
}

// String lists the code: offsets, bytes, instructions in Intel's order of operands. Constants stand
// behind the code.
func (c *Code) String() string {
	var b strings.Builder
	end := 0
	for _, l := range c.Lines {
		if l.At == l.End {
			fmt.Fprintf(&b, "%s\n", l.Text)
			continue
		}
		fmt.Fprintf(&b, "%5x  %-24x  %s\n", l.At, c.Bytes[l.At:l.End], l.Text)
		end = l.End
	}
	if end < len(c.Bytes) {
		fmt.Fprintf(&b, "%5x  %d bytes of constants\n", end, len(c.Bytes)-end)
	}
	return b.String()
}
