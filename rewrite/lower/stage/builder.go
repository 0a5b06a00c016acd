package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/packed"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Builder is a [packed.Builder] that also has the stages of instructions.
type Builder struct{ packed.Builder }

// New returns the builder of programs for a target.
func New(caps word.Caps, operands builder.Operands) Builder {
	return Builder{packed.New(caps, operands)}
}
