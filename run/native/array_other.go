//go:build !amd64 && !arm64

package native

import "github.com/vop-ptx/vop/run/simt"

// compile says that there is no machine code for this processor.
func compile(_ *simt.Function, o Options) (*code, error) { return nil, unsupported(o.Level) }
