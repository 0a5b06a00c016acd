package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
)

// Module is a loaded module: its global and constant variables have memory, and its
// kernels can be built and launched.
type Module struct {
	decl      *check.Module
	memory    *Memory
	level     level.Level                 // that executes kernels
	reading   isa.Reading                 // of video instructions
	variables map[*check.Variable]*Buffer // .global and .const
	addresses map[*check.Function]uint64  // that stand for functions

	mutex     sync.Mutex
	kernels   map[string]*Kernel
	addressed map[*check.Function]bool // whose addresses are used; nil until asked for
	locals    []*check.Variable        // of the module: in .local and .param, which every function has of its own
}

// Load loads a checked module into an address space of its own. The default level executes it: see
// [level.Default].
func Load(m *check.Module) (*Module, error) { return NewMemory().Load(m, level.Auto) }

// Load loads a checked module into the address space. Its variables become allocations there. The error says, among
// others, that this machine does not have the level that is to execute kernels.
func (mem *Memory) Load(m *check.Module, l level.Level) (*Module, error) {
	return mem.LoadAs(isa.Manual, m, l)
}

// LoadAs is Load of a module whose video instructions compute what a reading says.
func (mem *Memory) LoadAs(r isa.Reading, m *check.Module, l level.Level) (*Module, error) {
	if m.Errors {
		return nil, fmt.Errorf("%s has errors: it cannot be loaded", m.Source.Name)
	}
	l, err := l.Resolve()
	if err != nil {
		return nil, err
	}
	mod := &Module{decl: m, memory: mem, level: l, reading: r, variables: map[*check.Variable]*Buffer{}, addresses: map[*check.Function]uint64{}, kernels: map[string]*Kernel{}}
	for i, f := range m.Functions {
		mod.addresses[f] = codeWindow + 16*uint64(i)
	}
	var variables []*check.Variable
	for _, v := range m.Variables {
		if v.Space == check.Local || v.Space == check.Param {
			mod.locals = append(mod.locals, v)
		}
		if v.Space != check.Global && v.Space != check.Const {
			continue
		}
		if !v.Extern { // kernels that use what nobody defines cannot be built
			variables = append(variables, v)
		}
	}
	for _, f := range m.Functions {
		for _, v := range f.Variables {
			if v.Space == check.Global || v.Space == check.Const {
				variables = append(variables, v)
			}
		}
	}
	if err := mod.allocate(variables); err != nil {
		return nil, err
	}
	for v := range mod.variables {
		if err := mod.relocate(v); err != nil {
			return nil, err
		}
	}
	return mod, nil
}

// allocate gives variables memory and their initial values.
func (m *Module) allocate(variables []*check.Variable) error {
	var all layout
	for _, v := range variables {
		all.place(v)
	}
	if err := m.memory.reserve(all.size, m.decl.Source.Name, "global and constant variables"); err != nil {
		return err
	}
	for _, v := range variables {
		data := allocate(v.Size)
		copy(data, v.Data)
		b := m.memory.adopt(v.Name, data)
		b.readOnly = v.Space == check.Const
		m.variables[v] = b
	}
	return nil
}

// relocate writes the addresses that are part of a variable's initial value.
func (m *Module) relocate(v *check.Variable) error {
	data := m.variables[v].data
	for _, r := range v.Relocs {
		var address uint64
		switch target, ok := m.variables[r.Var]; {
		case r.Func != nil:
			address = m.addressOf(r.Func)
		case ok:
			address = target.address + uint64(r.Addend)
		case r.Var.Extern:
			return fmt.Errorf("%s: the initial value of %s has the address of %s, which is .extern, and %s", where(v), v.Name, r.Var.Name, m.decl.Missing(r.Var.Name))
		default:
			return fmt.Errorf("%s: the initial value of %s holds an address that does not exist before a launch", where(v), v.Name)
		}
		if r.Mask != 0 {
			address = address & r.Mask >> bits.TrailingZeros64(r.Mask)
		}
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], address)
		copy(data[r.At:r.At+min(r.Size, len(bytes))], bytes[:])
	}
	return nil
}

// addressOf returns what stands for the address of a function.
func (m *Module) addressOf(f *check.Function) uint64 { return m.addresses[f] }

// where is the place of a declaration, for messages.
func where(v *check.Variable) string { return v.Module.Where(v.Decl) }

// Memory returns the address space that the module is in.
func (m *Module) Memory() *Memory { return m.memory }

// Variable returns the memory of the module's .global or .const variable of the given name.
func (m *Module) Variable(name string) (*Buffer, bool) {
	_, b := m.named(name, func(check.Type) bool { return true })
	return b, b != nil
}

// named returns the variable of a name, and its memory. Of several the one that other modules see
// comes first, then the first one of the text.
func (m *Module) named(name string, accepts func(check.Type) bool) (found *check.Variable, memory *Buffer) {
	consider := func(variables []*check.Variable) {
		for _, v := range variables {
			b := m.variables[v]
			if v.Name == name && b != nil && accepts(v.Type) && (found == nil || found.Linkage == check.Internal && v.Linkage != check.Internal) {
				found, memory = v, b
			}
		}
	}
	consider(m.decl.Variables)
	for _, f := range m.decl.Functions {
		consider(f.Variables)
	}
	return found, memory
}

// KernelNames returns the names of the module's kernels, in the order of the text.
func (m *Module) KernelNames() (names []string) {
	for _, f := range m.decl.Functions {
		if f.Entry && !f.Extern {
			names = append(names, f.Name)
		}
	}
	return names
}

// ErrNoKernel is what errors.Is finds in the error of [Module.Kernel] for a name that
// no kernel has.
var ErrNoKernel = errors.New("no such kernel")

// Kernel returns the kernel of the given name, ready to be launched. An error
// says that there is none, and which there are; or it is a [*MissingError] that lists what
// the kernel needs and the machine does not have.
func (m *Module) Kernel(name string) (*Kernel, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if k, ok := m.kernels[name]; ok {
		return k, nil
	}
	for _, f := range m.decl.Functions {
		if f.Entry && !f.Extern && f.Name == name {
			k, err := buildKernel(m, f)
			if err == nil {
				m.kernels[name] = k
			}
			return k, err
		}
	}
	names := m.KernelNames()
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: %q; the module has no kernels at all", ErrNoKernel, name)
	}
	return nil, fmt.Errorf("%w: %q; the module has %s", ErrNoKernel, name, strings.Join(names, ", "))
}
