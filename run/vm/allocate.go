package vm

import "unsafe"

// padding is what allocations have before and behind them, in bytes: as many as the largest vector has, of which
// machine code may read more than lanes need. It is also their alignment.
const padding = 64

// allocate returns size bytes, all zero, for an allocation.
func allocate(size int) []byte {
	if size == 0 {
		return nil
	}
	memory := make([]byte, size+3*padding)
	at := padding + int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&(padding-1))
	return memory[at : at+size : at+size]
}
