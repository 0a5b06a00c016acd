package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Compiler is the state of one compilation of a function.
type Compiler struct {
	*machine.Builder
	*simt.Function
	Nodes   []Node
	LastUse []int32 // by value: the node that reads it last
	// interleaved says that 64-bit elements are the even lanes of a group, then the odd ones.
	interleaved bool
	// Flushing says that the code runs where the processor flushes subnormal floats: see Flushes.
	Flushing bool
}

// NewCompiler returns the state at the beginning.
func NewCompiler(f *simt.Function, o amd64.Options) *Compiler {
	return &Compiler{Builder: machine.NewBuilder(o), Function: f}
}
