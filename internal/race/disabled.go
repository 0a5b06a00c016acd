//go:build !race

package race

// Enabled reports whether the race detector is on.
const Enabled = false

// Read says that words are read.
func Read([]uint32) {}

// Write says that words are written.
func Write([]uint32) {}

// Release says that others may learn from now on what this goroutine has done.
func Release() {}

// Acquire says that this goroutine may have learnt what others have done.
func Acquire() {}
