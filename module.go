package vop

import (
	"bytes"
	"encoding/binary"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// Engine is what executes kernels.
type Engine uint8

// The engines. A machine may lack some of them.
const (
	Auto     Engine = iota // what $VOP_ENGINE says, or else the fastest of this machine
	Portable               // plain Go, on every machine
	AVX2                   // machine code for amd64 with AVX2
	AVX512                 // machine code for amd64 with AVX-512
	NEON                   // machine code for arm64, of arrays; kernels run on plain Go
)

// Engines returns the engines that this machine has, the slowest first.
func Engines() (all []Engine) {
	for _, l := range level.Levels() {
		all = append(all, Engine(l))
	}
	return all
}

// String returns the engine's name, as VOP_ENGINE takes it.
func (e Engine) String() string { return level.Level(e).String() }

// ErrNoKernel is what errors.Is finds in the error of [Module.Kernel] for a name that no kernel has.
var ErrNoKernel = vm.ErrNoKernel

// Module is a loaded PTX module: its global and constant variables have memory, and its kernels can be launched.
type Module struct{ module *vm.Module }

// Load reads a PTX module. name stands for it in messages. A text with errors gives an [*InputError].
func Load(name, text string) (*Module, error) { return LoadWith(name, text, LoadOptions{}) }

// LoadOptions say how a module is loaded. The zero value is what [Load] does.
type LoadOptions struct {
	Reading Reading // what video instructions compute
	Engine  Engine  // what executes kernels
	Beside  *Module // a module whose memory this one shares, so that both take the same buffers; nil for memory of its own
}

// LoadWith is [Load] with options.
func LoadWith(name, text string, o LoadOptions) (*Module, error) {
	return LoadAll([]Text{{name, text}}, o)
}

// Text is a PTX text. Name stands for it in messages.
type Text struct{ Name, Text string }

// LoadAll reads PTX modules and links them to one: what one of them declares .extern is what another defines. Texts with
// errors give an [*InputError]. What else keeps them from being linked is told with the places in both.
func LoadAll(texts []Text, o LoadOptions) (*Module, error) {
	options := front.LoadOptions{Reading: o.Reading.known(), Engine: level.Level(o.Engine)}
	if o.Beside != nil {
		options.Memory = o.Beside.module.Memory()
	}
	all := make([]front.Text, len(texts))
	for i, t := range texts {
		all[i] = front.Text(t)
	}
	m, err := front.LoadAll(all, options)
	if err != nil {
		return nil, outward(err)
	}
	return &Module{m}, nil
}

// Kernel returns the kernel of the given name, ready to be launched. An error says which kernels there are, or what the
// kernel has that cannot be executed.
func (m *Module) Kernel(name string) (*Kernel, error) {
	k, err := m.module.Kernel(name)
	if err != nil {
		return nil, err
	}
	return &Kernel{kernel: k}, nil
}

// KernelNames returns the names of the module's kernels, in the order of the text.
func (m *Module) KernelNames() []string { return m.module.KernelNames() }

// Variable returns the memory of the module's .global or .const variable of the given name.
func (m *Module) Variable(name string) (*Buffer, bool) {
	b, ok := m.module.Variable(name)
	return &Buffer{b}, ok
}

// Alloc returns a new buffer of size bytes, all zero. The name is for messages.
func (m *Module) Alloc(name string, size int) (*Buffer, error) {
	b, err := m.module.Memory().Alloc(name, size)
	if err != nil {
		return nil, err
	}
	return &Buffer{b}, nil
}

// Buffer is global memory, which kernels get by their pointers.
type Buffer struct{ buffer *vm.Buffer }

// Number is what the elements of a buffer can be.
type Number interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// NewBuffer returns a buffer in the memory of a module that holds a copy of data. The name is for messages.
func NewBuffer[T Number](m *Module, name string, data []T) (*Buffer, error) {
	b, err := m.Alloc(name, binary.Size(data))
	if err != nil {
		return nil, err
	}
	if _, err := binary.Encode(b.Bytes(), binary.LittleEndian, data); err != nil {
		return nil, err
	}
	return b, nil
}

// Values returns a copy of what a buffer holds, as numbers of type T. Bytes that do not fill a T at the end are left out.
func Values[T Number](b *Buffer) []T {
	var element T
	values := make([]T, len(b.Bytes())/binary.Size(element))
	// The slice has the size of what is read, and its type has a fixed one: no error is possible.
	_ = binary.Read(bytes.NewReader(b.Bytes()), binary.LittleEndian, values)
	return values
}

// Name returns the name that messages call the buffer by.
func (b *Buffer) Name() string { return b.buffer.Name() }

// Bytes returns the memory itself, to be read and written while no kernel is running.
func (b *Buffer) Bytes() []byte { return b.buffer.Bytes() }

// Address returns the buffer's address in kernels: a multiple of 256.
func (b *Buffer) Address() uint64 { return b.buffer.Address() }

// Free gives the memory back. Kernels that still use its address fail.
func (b *Buffer) Free() { b.buffer.Free() }

// MarkUnset says that the buffer's contents mean nothing yet: launches with checks then report reads of bytes that none has
// written.
func (b *Buffer) MarkUnset() { b.buffer.MarkUnset() }
