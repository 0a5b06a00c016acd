//go:build !wasm

package override

import "github.com/vop-ptx/vop/run/native"

// MachineCode are switches of machine code.
var MachineCode native.Options

// NoMachineCode is called where there is no machine code for a function: package portable executes
// it, rightly and slowly, so that nothing else would tell.
var NoMachineCode = func(error) {}

// Superblocks lets kernels have superblocks that do not become machine code.
var Superblocks bool
