package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// WebAssembly makes no machine code: see package level.

// machineCode returns false.
func (m *Module) machineCode() (none struct{}, ok bool) { return none, false }

// caps returns the operations that video instructions become.
func (m *Module) caps() word.Caps { return word.Portable }

// build builds a function for launches that nobody watches.
func (k *Kernel) build(decl *check.Function) (f *simt.Function, lacks build.Missing) {
	return build.Function(decl, k.options())
}

// bind makes code of a function.
func (k *Kernel) bind(f *simt.Function, callees map[*check.Function]*portable.Code) *portable.Code {
	return portable.Bind(f, callees)
}

// listing returns an error.
func (k *Kernel) listing(*simt.Function, Dim) (string, error) {
	return "", fmt.Errorf("kernels have no %v code yet", k.module.level)
}

// stepped returns nothing: there is no machine code that would be left.
func (k *Kernel) stepped(Dim) steppedAt { return nil }
