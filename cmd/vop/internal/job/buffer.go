package job

import (
	"fmt"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
)

// Buffer is a buffer of a job.
type Buffer struct {
	Name   string // "" on the command line: takes that of its parameter
	Arg    *buffer.Arg
	Memory *vm.Buffer // from Load on

	where string // before messages about it: "launch.toml:4: buffer frame: ", "" on the command line
	// variable says that the memory is that of a variable of a module.
	variable bool
	// unset says that nothing is put into the memory before the launches, as with out:.
	unset bool
}

// Describe says what the output is: the array, and the size of the file where it holds the bytes of that alone.
func (b *Buffer) Describe() string {
	if !b.Arg.Raw() {
		return b.Arg.Layout.String()
	}
	return fmt.Sprintf("%v, %s", b.Arg.Layout, diag.Count(len(b.Memory.Bytes()), "byte"))
}
