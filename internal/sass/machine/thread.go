package machine

import (
	"encoding/binary"
	"fmt"
)

// Launch is what a kernel is run with.
type Launch struct {
	// Target is the compute capability, 80 of sm_80: it says where parameters begin in the constant
	// bank 0.
	Target int
	// Parameters are the bytes of the kernel's parameters.
	Parameters []byte
	Memory     *Memory
	// Block and Grid are the sizes of a CTA and of the grid; zeros are ones.
	Block, Grid [3]uint32
	// Steps is how many instructions a thread may execute; 0 is a million.
	Steps int
}

// thread is the state of a thread.
type thread struct {
	launch     *Launch
	program    *Program
	registers  [256]uint32
	uniform    [64]uint32
	predicates [8]bool
	uniformP   [8]bool
	tid, cta   [3]uint32
	local      map[uint32]byte
	next       int // the number of the instruction to execute next
	ended      bool
	err        error // what went wrong in an operand
}

// fail ends the thread with an error, if it is one.
func (t *thread) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Where the parameters of a kernel begin in the constant bank 0, and where else ptxas 11.8 reads it: 0x28
// (sm_70 on) is the stack pointer, 0x118 (0x208 on sm_90) the descriptor of global memory.
const (
	parameters   = 0x160
	parameters90 = 0x210
)

// constant reads n bytes of a constant bank.
func (t *thread) constant(bank int, offset int64, n int) (uint64, error) {
	var from []byte
	at := offset
	switch {
	case bank != 0:
		from = t.program.constants[bank]
	case t.launch.Target >= 100:
		return 0, fmt.Errorf("c[0x0][%#x]: where parameters begin is not known of sm_%d", offset, t.launch.Target)
	default:
		begin := int64(parameters)
		if t.launch.Target >= 90 {
			begin = parameters90
		}
		if offset < begin {
			return t.driver(offset, n)
		}
		from, at = t.launch.Parameters, offset-begin
	}
	if at < 0 || at+int64(n) > int64(len(from)) {
		return 0, fmt.Errorf("c[%#x][%#x] is not there: there are %d bytes", bank, offset, len(from))
	}
	var word [8]byte
	copy(word[:n], from[at:])
	return binary.LittleEndian.Uint64(word[:]), nil
}

// driver reads what the driver writes below the parameters. Sizes are where listings read them: 0x0 to 0x8
// for the CTA, 0xc to 0x14 for the grid.
func (t *thread) driver(offset int64, n int) (uint64, error) {
	sizes := append(append([]uint32{}, t.launch.Block[:]...), t.launch.Grid[:]...)
	switch {
	case n == 4 && offset%4 == 0 && offset/4 < int64(len(sizes)) && offset >= 0:
		return uint64(max(sizes[offset/4], 1)), nil
	case n == 4 && offset == 0x28:
		return localSize, nil
	case offset&^4 == 0x118 || offset&^4 == 0x208 && t.launch.Target >= 90:
		return 0, nil // a descriptor or a half of it, which loads and stores name and nothing computes with
	}
	return 0, fmt.Errorf("c[0x0][%#x] of %d bytes is not known: what does the driver write there?", offset, n)
}

// localSize is how much local memory a thread has; its stack pointer begins at the end of it.
const localSize = 1 << 16

// Memory is global memory: buffers at addresses of their own.
type Memory struct{ buffers []buffer }

type buffer struct {
	address uint64
	bytes   []byte
}

// Add puts a buffer into memory and returns its address. No two buffers are less than a page apart.
func (m *Memory) Add(bytes []byte) uint64 {
	address := uint64(0x7f_0000_0000) // its upper half is not 0
	if n := len(m.buffers); n > 0 {
		last := m.buffers[n-1]
		address = (last.address + uint64(len(last.bytes)) + 0x1fff) &^ 0xfff
	}
	m.buffers = append(m.buffers, buffer{address, bytes})
	return address
}

// at returns n bytes of memory.
func (m *Memory) at(address uint64, n int) ([]byte, error) {
	if m != nil {
		for _, b := range m.buffers {
			if address >= b.address && address-b.address+uint64(n) <= uint64(len(b.bytes)) {
				return b.bytes[address-b.address:][:n], nil
			}
		}
	}
	return nil, fmt.Errorf("%d bytes at %#x are in no buffer", n, address)
}
