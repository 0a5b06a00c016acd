//go:build race

package engine

import (
	"runtime"
	"unsafe"
)

// raceEnabled says whether the race detector watches.
const raceEnabled = true

// reportRead and reportWrite tell the race detector what assembly reads and
// writes: it sees only Go.
func reportRead(s []uint32) {
	runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(s)), len(s)*4)
}

func reportWrite(s []uint32) {
	runtime.RaceWriteRange(unsafe.Pointer(unsafe.SliceData(s)), len(s)*4)
}
