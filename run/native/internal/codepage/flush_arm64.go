//go:build arm64 && !windows

package codepage

import (
	"runtime"
	"sync"
	"unsafe"
)

func cacheLines() (data, code uintptr)
func cleanLines(from, to, line uintptr)
func dropLines(from, to, line uintptr)

// lines are the lengths of cache lines. Linux lets programs read them; elsewhere they are taken to be those of Apple's
// processors, or longer.
var lines = sync.OnceValue(func() (l struct{ data, code uintptr }) {
	l.data, l.code = 64, 64
	if runtime.GOOS == "linux" || runtime.GOOS == "android" {
		l.data, l.code = cacheLines()
	}
	return l
})

// flush makes code that has been written visible to the fetching of instructions, which has a cache of its own.
func flush(code []byte) error {
	if len(code) == 0 {
		return nil
	}
	l := lines()
	from := uintptr(unsafe.Pointer(unsafe.SliceData(code)))
	to := from + uintptr(len(code))
	cleanLines(from&^(l.data-1), to, l.data)
	dropLines(from&^(l.code-1), to, l.code)
	synchronize()
	return nil
}
