package amd64

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/encode/mnemonic"
)

// Line is an instruction of a listing, or a label, which takes no bytes.
type Line struct {
	At, End int // offsets in the code
	Text    string
}

// instructionText returns an instruction as it is listed.
func instructionText(o encode.Op, operands []encode.Operand) string {
	var b strings.Builder
	b.WriteString(mnemonic.Of(o))
	for n, x := range operands {
		b.WriteString([]string{" ", ", "}[min(n, 1)])
		b.WriteString(x.String())
	}
	return b.String()
}

// jumpIf writes a jump and bind a label, both with their lines.
func (c *builder) jumpIf(cond encode.Cond, l encode.Label) {
	at := c.asm.Len()
	c.asm.JumpIf(cond, l)
	if c.o.Listing {
		c.lines = append(c.lines, Line{at, c.asm.Len(), fmt.Sprintf("j%s .%d", mnemonic.Condition(cond), l)})
	}
}

func (c *builder) bind(l encode.Label) {
	c.asm.Bind(l)
	if c.o.Listing {
		c.lines = append(c.lines, Line{c.asm.Len(), c.asm.Len(), fmt.Sprintf(".%d:", l)})
	}
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
