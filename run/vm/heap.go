package vm

import (
	"fmt"
	"slices"
	"sync"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// heapSize is how many bytes malloc gives kernels of an address space, as CUDA's device heap has if nobody asks for
// another size, and heapAlign what its blocks begin at multiples of.
const (
	heapSize  = 8 << 20
	heapAlign = 16
)

// heapName is what messages call the heap.
const heapName = "the heap of malloc"

// heap is what malloc gives blocks of. It keeps them from launch to launch, as a GPU does.
type heap struct {
	mutex  sync.Mutex
	buffer *Buffer
	blocks []heapBlock   // in the order of their offsets, which they keep: a block that is free is given away whole
	free   map[int][]int // numbers of blocks, by their room
	used   int           // bytes of all blocks
}

// heapBlock is a block: of so much room, of which size bytes have been asked for.
type heapBlock struct {
	offset, room, size int
	live               bool
}

// usesHeap reports whether a function calls malloc or free.
func usesHeap(f *simt.Function) bool {
	for b := range f.Blocks {
		insts := f.Blocks[b].Insts
		for i := range insts {
			if call, ok := insts[i].Aux.(*simt.HostCall); ok && (call.Name == "malloc" || call.Name == "free") {
				return true
			}
		}
	}
	return false
}

// theHeap returns the heap of an address space, which is made when it is first needed.
func (m *Memory) theHeap() (*heap, error) {
	m.heapMutex.Lock()
	defer m.heapMutex.Unlock()
	if m.heap != nil {
		return m.heap, nil
	}
	if err := m.reserve(heapSize, heapName, "global memory"); err != nil {
		return nil, err
	}
	h := &heap{free: map[int][]int{}}
	h.buffer = m.adoptFor(h, heapName, allocate(heapSize))
	m.heap = h
	return h, nil
}

// malloc returns the address of a new block, or 0 if there is no room, or nothing is asked for. While there is room that
// no block has had, those that are free are left alone if keep says so: who still uses them is then found out.
func (h *heap) malloc(size uint64, keep bool) uint64 {
	if size == 0 || size > heapSize {
		return 0
	}
	room := (int(size) + heapAlign - 1) &^ (heapAlign - 1)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	n := -1
	if list := h.free[room]; len(list) > 0 && !keep {
		n = h.take(room)
	}
	if n < 0 && h.used+room <= heapSize {
		n = len(h.blocks)
		h.blocks = append(h.blocks, heapBlock{offset: h.used, room: room})
		h.used += room
	}
	if n < 0 {
		best := heapSize + 1
		for r, list := range h.free {
			if r >= room && len(list) > 0 {
				best = min(best, r)
			}
		}
		if best > heapSize {
			return 0
		}
		n = h.take(best)
	}
	h.blocks[n].size, h.blocks[n].live = int(size), true
	return h.buffer.address + uint64(h.blocks[n].offset)
}

// take takes a block of some room from those that are free.
func (h *heap) take(room int) (n int) {
	list := h.free[room]
	n, h.free[room] = list[len(list)-1], list[:len(list)-1]
	return n
}

// find returns the number of the block that an address is in or behind, or -1.
func (h *heap) find(address uint64) int {
	offset := int(address - h.buffer.address)
	n, exact := slices.BinarySearchFunc(h.blocks, offset, func(b heapBlock, at int) int { return b.offset - at })
	if !exact {
		n--
	}
	return n
}

// release is free. The text says what is wrong with the address, if anything.
func (h *heap) release(address uint64) (wrong string) {
	if address == 0 {
		return ""
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	n := -1
	if address-h.buffer.address < heapSize {
		n = h.find(address)
	}
	if n < 0 || h.buffer.address+uint64(h.blocks[n].offset) != address {
		return fmt.Sprintf("free of 0x%x, which malloc has not returned", address)
	}
	b := &h.blocks[n]
	if !b.live {
		return fmt.Sprintf("free of 0x%x, which is free already", address)
	}
	b.live = false
	h.free[b.room] = append(h.free[b.room], n)
	return ""
}

// window returns the memory of the block that an address is in, and its address.
func (h *heap) window(address uint64) (data []byte, base uint64, ok bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	n := h.find(address)
	if n < 0 || !h.blocks[n].live {
		return nil, 0, false
	}
	b := &h.blocks[n]
	return h.buffer.data[b.offset : b.offset+b.size : b.offset+b.size], h.buffer.address + uint64(b.offset), true
}

// describe says what an address in the heap misses.
func (h *heap) describe(address uint64) string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	n := h.find(address)
	if n < 0 || address-h.buffer.address >= uint64(h.used) {
		return "malloc has not given that memory to anybody"
	}
	b := &h.blocks[n]
	at := h.buffer.address + uint64(b.offset)
	if !b.live {
		return fmt.Sprintf("the block at 0x%x, of %s, is free", at, diag.Count(b.size, "byte"))
	}
	return fmt.Sprintf("not inside of the block at 0x%x, of %s", at, diag.Count(b.size, "byte"))
}
