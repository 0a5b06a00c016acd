package codepage

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

var flushInstructionCache = windows.NewLazySystemDLL("kernel32.dll").NewProc("FlushInstructionCache")

// flush makes code that has been written visible to the fetching of instructions, which has a cache of its own.
func flush(code []byte) error {
	if len(code) == 0 {
		return nil
	}
	if err := flushInstructionCache.Find(); err != nil {
		return err
	}
	ok, _, err := flushInstructionCache.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(unsafe.SliceData(code))), uintptr(len(code)))
	if ok == 0 {
		return fmt.Errorf("codepage: FlushInstructionCache: %w", err)
	}
	return nil
}
