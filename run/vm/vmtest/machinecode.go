//go:build !wasm

package vmtest

import (
	"errors"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm/internal/override"
)

// A kernel whose compilation fails is executed by package portable, rightly and slowly, so that
// nothing else would tell.
func init() {
	override.NoMachineCode = func(err error) {
		if !errors.Is(err, errors.ErrUnsupported) {
			panic("vm: the compilation of a kernel has failed: " + err.Error())
		}
	}
	override.MachineCode.CheckRegisters = true
}

// WithMachineCode sets switches of machine code until what it returns is called.
func WithMachineCode(o native.Options) (restore func()) {
	before := override.MachineCode
	o.CheckRegisters = true
	override.MachineCode = o
	return func() { override.MachineCode = before }
}

// WithSuperblocks lets kernels of a level have superblocks, be they executed by steps, until what
// it returns is called.
func WithSuperblocks(l level.Level) (restore func()) {
	override.Superblocks = l == level.Portable
	return func() { override.Superblocks = false }
}

// HasMachineCode reports whether kernels become machine code at a level.
func HasMachineCode(l level.Level) bool {
	_, ok := l.ForKernels()
	return ok
}
