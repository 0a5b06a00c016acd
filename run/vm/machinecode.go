//go:build !wasm

package vm

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/row"
	"github.com/vop-ptx/vop/run/simt/superblock"
	"github.com/vop-ptx/vop/run/vm/internal/override"
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
	variants := newMachineCode(f, l, k.size)
	return portable.BindFast(f, callees, variants.homes, variants)
}

// build builds a function for launches that nobody watches. Kernels that become machine code have superblocks.
func (k *Kernel) build(decl *check.Function) (f *simt.Function, lacks build.Missing) {
	f, lacks = build.Function(decl, k.options())
	_, ok := k.module.machineCode()
	if len(lacks) == 0 && (ok && override.MachineCode.Without&native.FuseBlocks == 0 || override.Superblocks) {
		superblock.Form(f)
		row.Form(f)
	}
	return f, lacks
}

// machineCode is the machine code of a function: made when it is first launched, for blocks of that shape, and again for
// others.
type machineCode struct {
	function *simt.Function
	homes    *simt.Homes
	level    native.Level
	params   int // bytes of the kernel's parameters
	mutex    sync.Mutex
	made     map[Dim]*made // by the shape of blocks
}

// made is code, or why there is none.
type made struct {
	kernel *native.Kernel
	err    error
	times  int // it has been made
}

// maxTimes is how often code is made for blocks of a shape, each time since another sum has wrapped around. Then it is
// made so that all may.
const maxTimes = 6

func newMachineCode(f *simt.Function, l native.Level, params int) *machineCode {
	return &machineCode{function: f, homes: native.Homes(f, l), level: l, params: params, made: map[Dim]*made{}}
}

// kernel returns the code for blocks of a shape. The error says why there is none.
func (c *machineCode) kernel(block Dim) (*native.Kernel, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.made[block]
	switch {
	case m == nil:
		m = &made{}
		c.made[block] = m
		c.compile(m, block, nil, false)
	case m.kernel != nil && m.kernel.Wrapped():
		c.compile(m, block, m.kernel.Wraps(), m.kernel.Stepped())
	}
	return m.kernel, m.err
}

// compile makes code in which certain sums may wrap around, or any where blocks have been executed by steps.
func (c *machineCode) compile(m *made, block Dim, wrapping []int32, stepped bool) {
	o := override.MachineCode
	o.Level, o.Block, o.Params, o.Wrapping, o.Stepped = c.level, [3]int{block.X, block.Y, block.Z}, c.params, wrapping, stepped
	m.times++
	o.Careful = o.Careful || m.times == maxTimes
	if m.kernel, m.err = native.CompileKernel(c.function, c.homes, o); m.err != nil {
		override.NoMachineCode(m.err)
	}
}

// stepped returns what has no machine code when the kernel is launched with blocks of a shape. On the level portable
// that is nothing: there is none to be left.
func (k *Kernel) stepped(block Dim) steppedAt {
	l, ok := k.module.machineCode()
	if !ok {
		return nil
	}
	functions, err := k.functionsOf()
	if err != nil {
		return nil // it could not be launched
	}
	all := steppedAt{}
	for _, f := range functions {
		at := map[int32]bool{}
		all[f.Decl] = at
		code, err := newMachineCode(f, l, k.size).kernel(block)
		if err != nil {
			at[everywhere] = true
			continue
		}
		code.Steps(func(n int32) { at[n] = true })
	}
	return all
}

// listing returns the machine code of a function for blocks of a shape, as text. The error says why there is none.
func (k *Kernel) listing(f *simt.Function, block Dim) (string, error) {
	l, ok := k.module.machineCode()
	if !ok {
		return "", fmt.Errorf("kernels have no %v code", k.module.level)
	}
	code, err := newMachineCode(f, l, k.size).kernel(block)
	if err != nil {
		return "", err
	}
	return code.String(), nil
}
