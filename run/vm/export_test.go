package vm

import "github.com/vop-ptx/vop/run/native"

// WithMachineCode sets switches of machine code until what it returns is called.
func WithMachineCode(o native.Options) (restore func()) {
	before := machineCodeOptions
	machineCodeOptions = o
	return func() { machineCodeOptions = before }
}
