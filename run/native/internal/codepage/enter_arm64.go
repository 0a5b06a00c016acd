package codepage

import "unsafe"

// Enter calls machine code at an address, with the context in X0, and returns the reason with which it left, in X0. The
// package documentation says what the code must keep to.
func Enter(code, context uintptr) (reason uint64)

// EnterFlushing is not there for this processor, which flushes in another way.
func EnterFlushing(code, context uintptr) (reason uint64) {
	panic("codepage: no trampoline that flushes for this processor")
}

// EnterArray calls machine code for arrays at an address: X0 is dst, X1, X2 and X3 are a, b and c, X4 is n, and X5 is
// the frame.
//
//go:noescape
func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer)
