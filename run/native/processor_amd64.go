package native

import (
	"github.com/vop-ptx/vop/run/native/amd64/array"
	"github.com/vop-ptx/vop/run/native/amd64/kernel"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// This file knows this machine's processor alone: what makes code for the other would be 1 MB of every command.

// compile makes the code of a function for arrays.
func compile(f *simt.Function, o Options) (*code, error) {
	c, err := array.Compile(f, o.amd64())
	if err != nil {
		return nil, err
	}
	return &code{c.Bytes, c.Frame, c}, nil
}

// compileKernel makes the code of a function for warps.
func compileKernel(f *simt.Function, homes *simt.Homes, o Options) (*frame.Code, error) {
	return kernel.Compile(f, homes, o.amd64())
}

// Homes says where the values of a function must be for machine code of a level, for blocks of any shape.
func Homes(f *simt.Function, _ Level) *simt.Homes { return kernel.Homes(f) }
