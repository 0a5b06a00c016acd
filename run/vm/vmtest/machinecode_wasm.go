package vmtest

import (
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
)

// WithMachineCode does nothing: there is no machine code whose switches could be set.
func WithMachineCode(native.Options) (restore func()) { return func() {} }

// HasMachineCode returns false.
func HasMachineCode(level.Level) bool { return false }

// WithSuperblocks does nothing: superblocks are for machine code.
func WithSuperblocks(level.Level) (restore func()) { return func() {} }
