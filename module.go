package vop

import (
	"bytes"
	"encoding/binary"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// The machine that runs kernels: see package vm for what each can do.
type (
	// Module is a loaded PTX module.
	Module = vm.Module
	// Kernel is one of a module's kernels, ready to be launched.
	Kernel = vm.Kernel
	// Grid says how many blocks of how many threads a launch has.
	Grid = vm.Grid
	// Dim is a size or a place in up to three dimensions; 0 counts as 1 in a Grid.
	Dim = vm.Dim
	// Buffer is global memory of the machine.
	Buffer = vm.Buffer
	// Fault is the error of a launch that a thread's doing has stopped, such as an
	// access out of bounds: kernel, line, block, thread, address.
	Fault = vm.Fault
	// CheckError is the error of a launch under Grid.Check: all that is wrong, each with a count.
	CheckError = vm.CheckError
	// StoppedError is the error of a launch whose context has ended: the loop it was in.
	StoppedError = vm.StoppedError
	// Stats are the counts of Grid.Stats.
	Stats = vm.Stats
	// Texture is an image that kernels read or write by texture and surface instructions.
	Texture = vm.Texture
	// Level is what executes kernels: plain Go, or machine code for an instruction set.
	Level = level.Level
)

// The levels. A machine may have fewer; see [LoadOptions].
const (
	Portable = level.Portable
	AVX2     = level.AVX2
	AVX512   = level.AVX512
	NEON     = level.NEON
)

// Load reads a PTX module. name stands for it in messages. A text with errors
// gives an [*InputError].
func Load(name, text string) (*Module, error) { return LoadWith(name, text, LoadOptions{}) }

// LoadOptions say how a module is loaded. The zero value is what [Load] does.
type LoadOptions struct {
	Reading Reading    // what video instructions compute
	Memory  *vm.Memory // an address space that modules share; nil for one of its own
	Engine  Level      // what executes; if left out, what $VOP_ENGINE says, or else the fastest of this machine
}

// LoadWith is [Load] with options.
func LoadWith(name, text string, o LoadOptions) (*Module, error) {
	tree, findings := syntax.Parse(source.New(name, text))
	if findings.HasErrors() {
		return nil, inputError(findings)
	}
	module, findings := check.Check(tree)
	if findings.HasErrors() {
		return nil, inputError(findings)
	}
	if o.Memory == nil {
		o.Memory = vm.NewMemory()
	}
	return o.Memory.LoadAs(o.Reading, module, o.Engine)
}

// Number is what the elements of a buffer can be.
type Number interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// NewBuffer returns a buffer in the address space of a module that holds a copy of
// data. The name is for messages.
func NewBuffer[T Number](m *Module, name string, data []T) (*Buffer, error) {
	b, err := m.Memory().Alloc(name, binary.Size(data))
	if err != nil {
		return nil, err
	}
	if _, err := binary.Encode(b.Bytes(), binary.LittleEndian, data); err != nil {
		return nil, err
	}
	return b, nil
}

// Values returns a copy of what a buffer holds, as numbers of type T. Bytes that
// do not fill a T at the end are left out.
func Values[T Number](b *Buffer) []T {
	var element T
	values := make([]T, len(b.Bytes())/binary.Size(element))
	// The slice has the size of what is read, and its type has a fixed one: no error is possible.
	_ = binary.Read(bytes.NewReader(b.Bytes()), binary.LittleEndian, values)
	return values
}
