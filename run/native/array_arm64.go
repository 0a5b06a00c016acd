package native

import (
	"github.com/vop-ptx/vop/run/native/arm64/array"
	"github.com/vop-ptx/vop/run/simt"
)

// compile makes the code of a function. It knows this machine's processor alone: what makes code for others would be a
// part of every command.
func compile(f *simt.Function, o Options) (*code, error) {
	c, err := array.Compile(f, o.arm64())
	if err != nil {
		return nil, err
	}
	return &code{c.Bytes, c.Frame, c}, nil
}
