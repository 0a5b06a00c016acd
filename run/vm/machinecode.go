package vm

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// machineCode returns the level of the machine code that kernels become. ok is false if they have none: on other levels
// than avx512 package portable executes them.
func (m *Module) machineCode() (l native.Level, ok bool) {
	l, ok = m.level.Native()
	return l, ok && l == native.AVX512
}

// caps returns the operations that video instructions become.
func (m *Module) caps() word.Caps {
	if l, ok := m.machineCode(); ok {
		return native.Caps(l)
	}
	return word.Portable
}

// compile makes machine code of a function. The error says why there is none.
func (k *Kernel) compile(f *simt.Function) (*native.Kernel, error) {
	l, ok := k.module.machineCode()
	if !ok {
		return nil, fmt.Errorf("kernels have no %v code yet: %w", k.module.level, errors.ErrUnsupported)
	}
	return native.CompileKernel(f, native.Options{Level: l})
}

// bind makes code of a function: machine code where there is some.
func (k *Kernel) bind(f *simt.Function, callees map[*check.Function]*portable.Code) *portable.Code {
	if compiled, err := k.compile(f); err == nil {
		return portable.BindFast(f, callees, compiled.Homes(), fast{compiled})
	}
	return portable.Bind(f, callees)
}
