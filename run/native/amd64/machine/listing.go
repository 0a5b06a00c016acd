package machine

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/encode/mnemonic"
	"github.com/vop-ptx/vop/run/native/listing"
)

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

// JumpIf writes a jump, with its line in the listing.
func (c *Builder) JumpIf(cond encode.Cond, l encode.Label) {
	at := c.Asm.Len()
	c.Asm.JumpIf(cond, l)
	if c.Options.Listing {
		c.Lines = append(c.Lines, listing.Line{At: at, End: c.Asm.Len(), Text: fmt.Sprintf("j%s .%d", mnemonic.Condition(cond), l)})
	}
}

// Bind binds a label here.
func (c *Builder) Bind(l encode.Label) {
	c.Asm.Bind(l)
	if c.Options.Listing {
		c.Lines = append(c.Lines, listing.Line{At: c.Asm.Len(), End: c.Asm.Len(), Text: fmt.Sprintf(".%d:", l)})
	}
}
