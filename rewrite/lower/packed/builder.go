package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Builder is a [builder.Builder] that also computes with the lanes of words.
type Builder struct{ builder.Builder }

// New returns the builder of programs for a target.
func New(caps word.Caps, operands builder.Operands) Builder {
	return Builder{builder.New(caps, operands)}
}
