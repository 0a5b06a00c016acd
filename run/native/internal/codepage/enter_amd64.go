package codepage

// Enter calls machine code at an address and returns the reason with which it left. The
// package documentation says what the code must keep to.
//
// Enter has no stack check: it runs code on the goroutine's own stack, which uses none
// of it.
func Enter(code, context uintptr) (reason uint64)
