package vm

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Memory is a global address space: the buffers and variables that kernels see. Several
// modules can be loaded into one. All methods may be called at the same time.
type Memory struct {
	mutex       sync.Mutex // of changes
	reductions  sync.Mutex // of surfaces, one at a time
	allocations atomic.Pointer[[]*Buffer]
	next        uint64
	bytes       uint64      // of buffers, variables and textures
	hasUnset    atomic.Bool // a buffer has been marked unset
	textures    atomic.Pointer[map[uint64]*Texture]
	handles     int // given to textures
	heapMutex   sync.Mutex
	heap        *heap // of malloc; nil until a kernel needs it. heapMutex guards it
}

// The address space. Below globalBase are the windows of generic addresses of memory that is not global (see
// [simt.SharedWindow]), and numbers that stand for what has no memory. All addresses lie below 4 GiB as long as
// they fit, so that modules with 32-bit addresses work the same way. There is nothing at address 0.
const (
	codeWindow    = simt.ParamWindow + simt.WindowSize // the addresses of functions
	textureWindow = codeWindow + simt.WindowSize       // the handles of textures
	globalBase    = 0x1000_0000
)

// gap is the least number of bytes between allocations. An access that runs over the end
// of one falls into it, and is reported as missing that one.
const gap = 1 << 16

// pageSize is the alignment of allocations.
const pageSize = 256

// NewMemory returns an address space without allocations.
func NewMemory() *Memory {
	m := &Memory{next: globalBase}
	m.allocations.Store(&[]*Buffer{})
	return m
}

// Buffer is an allocation in global memory.
type Buffer struct {
	name     string
	address  uint64
	data     []byte
	readOnly bool // of .const variables
	memory   *Memory
	heap     *heap // that gives away blocks of it, or nil
	// unset has a bit for each byte that has not been written; nil if all count as written.
	unset atomic.Pointer[[]uint32]
}

// Name returns the name that messages call the buffer by.
func (b *Buffer) Name() string { return b.name }

// Address returns the buffer's address in kernels: a multiple of 256.
func (b *Buffer) Address() uint64 { return b.address }

// Bytes returns the buffer's contents: the memory itself, to be read and written
// while no kernel is running.
func (b *Buffer) Bytes() []byte { return b.data }

// Alloc returns a new buffer of size bytes, all zero. The name is for messages. The error is a
// [*LimitError] if that is more than there may be.
func (m *Memory) Alloc(name string, size int) (*Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("buffer %s: size %d is negative", name, size)
	}
	if err := m.reserve(uint64(size), "buffer "+name, "global memory"); err != nil {
		return nil, err
	}
	return m.adopt(name, allocate(size)), nil
}

// reserve takes bytes of what the address space may hold, or returns an error that says who has asked for what.
func (m *Memory) reserve(bytes uint64, who, what string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if all := availableMemory(); bytes > all-m.bytes {
		return &LimitError{who, what, bytes, all, m.bytes}
	}
	m.bytes += bytes
	return nil
}

func (m *Memory) adopt(name string, data []byte) *Buffer { return m.adoptFor(nil, name, data) }

// adoptFor is adopt, for the heap if there is one.
func (m *Memory) adoptFor(h *heap, name string, data []byte) *Buffer {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	b := &Buffer{name: name, address: m.next, data: data, memory: m, heap: h}
	m.next = (m.next + uint64(len(data)) + gap + pageSize - 1) &^ (pageSize - 1)
	// Launches that go on keep the list they began with: they do not see what is appended behind its end.
	all := append(*m.allocations.Load(), b)
	m.allocations.Store(&all)
	return b
}

// Free removes the buffer from its address space. Kernels that still use its address fail.
func (b *Buffer) Free() {
	m := b.memory
	m.mutex.Lock()
	defer m.mutex.Unlock()
	before := *m.allocations.Load()
	all := slices.DeleteFunc(slices.Clone(before), func(other *Buffer) bool { return other == b })
	if len(all) < len(before) {
		m.bytes -= uint64(len(b.data))
	}
	m.allocations.Store(&all)
}

// find returns the buffer at an address: the last that begins there or before, which need
// not reach so far. It is nil if there is none.
func find(allocations []*Buffer, address uint64) *Buffer {
	low, high := 0, len(allocations)
	for low < high {
		middle := int(uint(low+high) / 2)
		if allocations[middle].address <= address {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return nil
	}
	return allocations[low-1]
}

// inSpace reports whether a generic address is one of global or of constant memory.
func (m *Memory) inSpace(space check.Space, address uint64) bool {
	if address < globalBase {
		return false
	}
	b := find(*m.allocations.Load(), address)
	inConstant := b != nil && b.readOnly && address-b.address < uint64(len(b.data))
	return inConstant == (space == check.Const)
}

// MarkUnset says that the buffer's contents mean nothing yet. A launch with [Grid.Check] then reports
// reads of bytes that no such launch has written since. Buffers that are never marked count as
// set, and so does all memory after a launch without checks.
func (b *Buffer) MarkUnset() {
	bits := make([]uint32, (len(b.data)+31)/32)
	for i := range bits {
		bits[i] = ^uint32(0)
	}
	b.unset.Store(&bits)
	b.memory.hasUnset.Store(true)
}

// forgetUnset makes all memory count as set.
func (m *Memory) forgetUnset() {
	if m.hasUnset.CompareAndSwap(true, false) {
		for _, b := range *m.allocations.Load() {
			b.unset.Store(nil)
		}
	}
}
