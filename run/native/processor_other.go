//go:build !amd64 && !arm64

package native

import (
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// There is no machine code for this processor.

func compile(_ *simt.Function, o Options) (*code, error) { return nil, unsupported(o.Level) }

func compileKernel(_ *simt.Function, _ *simt.Homes, o Options) (*frame.Code, error) {
	return nil, unsupported(o.Level)
}

// Homes is nil: nobody asks for the homes of code that cannot be made.
func Homes(*simt.Function, Level) *simt.Homes { return nil }
