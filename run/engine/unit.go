package engine

import (
	"slices"
	"unsafe"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// unit is the vector machine of one level. Package machine says what it does.
type unit struct {
	caps     word.Caps
	vector   int // bytes of a vector register
	handlers *handlers

	twoSourcePerm bool // Perm picks from both sources by one vector of numbers, not by one for each
	narrowDot     bool // DotU8 adds products in 16 bits

	// registers are the places besides the accumulator that values may be saved in.
	// Without them, the first slot is the second accumulator.
	registers []machine.Place
}

// handlers are the addresses of handlers, 0 where the machine has no such step.
type handlers struct {
	steps [machine.NumHandlers]uintptr
	pairs [machine.NumPairs]uintptr // of machine.Pairs
}

// words returns the number of words of a block.
func (u *unit) words() int { return machine.Registers * u.vector / 4 }

// column returns the number of bytes of a slot.
func (u *unit) column() int { return machine.Registers * u.vector }

// handler returns the handler of a step, or 0.
func (u *unit) handler(op machine.Op, mode machine.Mode) uintptr {
	return u.handlers.steps[machine.Handler(op, mode)]
}

// pair returns the handler of a pair, or 0.
func (u *unit) pair(p machine.Pair) uintptr {
	if i := slices.Index(machine.Pairs, p); i >= 0 {
		return u.handlers.pairs[i]
	}
	return 0
}

// has reports whether the machine has an operation, in any mode.
func (u *unit) has(op machine.Op) bool {
	for _, mode := range machine.Modes() {
		if u.handler(op, mode) != 0 {
			return true
		}
	}
	return false
}

// alignment is that of vectors in memory: a cache line, so that none lies in two.
const alignment = 64

// aligned returns n zero bytes that start at a multiple of alignment.
func aligned(n int) []byte {
	b := make([]byte, n+alignment-1)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (alignment - 1)
	return b[skip : skip+n : skip+n]
}
