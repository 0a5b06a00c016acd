//go:build !amd64 && !arm64

package codepage

import "unsafe"

// Enter is not there for this processor: code for it is never made.
func Enter(code, context uintptr) (reason uint64) {
	panic("codepage: no trampoline for this processor")
}

// EnterFlushing is not there for this processor.
func EnterFlushing(code, context uintptr) (reason uint64) {
	panic("codepage: no trampoline for this processor")
}

// EnterArray is not there for this processor.
func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer) {
	panic("codepage: no trampoline for this processor")
}
