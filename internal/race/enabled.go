//go:build race

package race

import (
	"runtime"
	"unsafe"
)

// Enabled reports whether the race detector is on.
const Enabled = true

// order stands for all memory by which kernels let others know what they have done.
var order byte

// Read says that words are read.
func Read(words []uint32) {
	if len(words) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&words[0]), len(words)*4)
	}
}

// Write says that words are written.
func Write(words []uint32) {
	if len(words) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&words[0]), len(words)*4)
	}
}

// Release says that others may learn from now on what this goroutine has done: what they do behind Acquire comes after that.
func Release() { runtime.RaceReleaseMerge(unsafe.Pointer(&order)) }

// Acquire says that this goroutine may have learnt what others have done.
func Acquire() { runtime.RaceAcquire(unsafe.Pointer(&order)) }
