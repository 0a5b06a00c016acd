package vm

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// machineCode returns the level of the machine code that kernels become. ok is false if they have none: then package
// portable executes them.
func (m *Module) machineCode() (l native.Level, ok bool) { return m.level.ForKernels() }

// caps returns the operations that video instructions become.
func (m *Module) caps() word.Caps {
	if l, ok := m.machineCode(); ok {
		return native.Caps(l)
	}
	return word.Portable
}

// bind makes code of a function: machine code where there is some.
func (k *Kernel) bind(f *simt.Function, callees map[*check.Function]*portable.Code) *portable.Code {
	l, ok := k.module.machineCode()
	if !ok {
		return portable.Bind(f, callees)
	}
	variants := &machineCode{function: f, level: l, made: map[variant]made{}}
	return portable.BindFast(f, callees, native.Homes(f), variants)
}

// machineCodeOptions are switches of machine code, for tests, and noMachineCode is called where there is none for a
// function: tests hold that this is so only where it must be.
var (
	machineCodeOptions native.Options
	noMachineCode      = func(error) {}
)

// machineCode is the machine code of a function: made when it is first launched, for blocks of that shape, and again for
// others.
type machineCode struct {
	function *simt.Function
	level    native.Level
	mutex    sync.Mutex
	made     map[variant]made
}

// variant is what machine code is made for.
type variant struct {
	block   Dim
	careful bool // see native.Options
}

// made is code, or why there is none.
type made struct {
	kernel *native.Kernel
	err    error
}

// kernel returns a variant of the code. The error says why there is none.
func (c *machineCode) kernel(v variant) (*native.Kernel, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m, ok := c.made[v]
	if !ok {
		o := machineCodeOptions
		o.Level, o.Careful, o.Block = c.level, v.careful, [3]int{v.block.X, v.block.Y, v.block.Z}
		if m.kernel, m.err = native.CompileKernel(c.function, o); m.err != nil {
			noMachineCode(m.err)
		}
		c.made[v] = m
	}
	return m.kernel, m.err
}

// listing returns the machine code of a function for blocks of a shape, as text. The error says why there is none.
func (k *Kernel) listing(f *simt.Function, block Dim) (string, error) {
	l, ok := k.module.machineCode()
	if !ok {
		return "", fmt.Errorf("kernels have no %v code", k.module.level)
	}
	c := &machineCode{function: f, level: l, made: map[variant]made{}}
	code, err := c.kernel(variant{block: block})
	if err != nil {
		return "", err
	}
	return code.String(), nil
}
