//go:build race

package native

import (
	"runtime"
	"unsafe"
)

// raceEnabled reports whether the race detector is on. It does not see what machine code reads and
// writes, so it is told.
const raceEnabled = true

func reportRead(words []uint32) {
	if len(words) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&words[0]), len(words)*4)
	}
}

func reportWrite(words []uint32) {
	if len(words) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&words[0]), len(words)*4)
	}
}
