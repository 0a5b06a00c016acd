package codepage

import "unsafe"

// Enter calls machine code at an address and returns the reason with which it left. The
// package documentation says what the code must keep to.
//
// Enter has no stack check: it runs code on the goroutine's own stack, which uses none
// of it.
func Enter(code, context uintptr) (reason uint64)

// EnterArray calls machine code for arrays at an address: RDI is dst, RSI, RDX and RCX are a, b and
// c, R8 is n, and R9 is the frame. Besides what the package documentation says, the code leaves
// RBP as it is.
//
//go:noescape
func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer)
