//go:build !amd64

package codepage

// Enter is not there for this processor: code for it is never made.
func Enter(code, context uintptr) (reason uint64) {
	panic("codepage: no trampoline for this processor")
}
