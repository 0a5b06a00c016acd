package codepage

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func mapPages(size int) ([]byte, error) {
	address, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The memory is not Go's: the address is read through a pointer, so that no uintptr
	// becomes one.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}

func protectPages(memory []byte) error {
	var before uint32
	return windows.VirtualProtect(uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), windows.PAGE_EXECUTE_READ, &before)
}

func unmapPages(memory []byte) error {
	return windows.VirtualFree(uintptr(unsafe.Pointer(&memory[0])), 0, windows.MEM_RELEASE)
}
