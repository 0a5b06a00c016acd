package codepage

import "unsafe"

// Enter calls machine code at an address and returns the reason with which it left. The
// package documentation says what the code must keep to.
//
// Enter has no stack check: it runs code on the goroutine's own stack, which uses none
// of it.
func Enter(code, context uintptr) (reason uint64)

// EnterFlushing is Enter for code whose floats are flushed: subnormal operands count as zeros, and results that are less than the
// least normal number when they are rounded as if exponents had no end become zeros. The code leaves MXCSR alone.
func EnterFlushing(code, context uintptr) (reason uint64) {
	mode, left := floatMode(), false
	defer func() {
		if !left { // a fault in the code
			setFloatMode(mode)
		}
	}()
	reason = enterFlushing(code, context)
	left = true
	return reason
}

func enterFlushing(code, context uintptr) (reason uint64)

func floatMode() uint32

func setFloatMode(mode uint32)

// EnterArray calls machine code for arrays at an address: RDI is dst, RSI, RDX and RCX are a, b and
// c, R8 is n, and R9 is the frame. Besides what the package documentation says, the code leaves
// RBP as it is.
//
//go:noescape
func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer)
