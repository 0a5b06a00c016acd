package vm

import "unsafe"

// padding is what allocations have before and behind them, in bytes: machine code may read what lanes would that are not
// at work, if it is as near to those that are, and vectors of which lanes need a part. Allocations begin at multiples of
// alignment, the size of the largest vector.
const padding, alignment = 512, 64

// allocate returns size bytes, all zero, for an allocation.
func allocate(size int) []byte {
	if size == 0 {
		return nil
	}
	memory := make([]byte, size+2*padding+alignment)
	at := padding + int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&(alignment-1))
	return memory[at : at+size : at+size]
}
