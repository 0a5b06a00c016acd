package portable

import (
	"testing"
	"unsafe"
)

// TestLocalMemoryHasPadding looks at what is before and behind local memory, which vectors may read.
func TestLocalMemoryHasPadding(t *testing.T) {
	for words := 32; words < 3000; words += 32 {
		local := newLocal(words)
		start := unsafe.Pointer(&local[0])
		if len(local) != words || cap(local) != words || uintptr(start)%64 != 0 {
			t.Fatalf("%d words: %d of %d, at %v", words, len(local), cap(local), start)
		}
		around := unsafe.Slice((*uint32)(unsafe.Add(start, -64)), 16+words+16)
		for i := range around {
			if around[i] != 0 {
				t.Fatalf("%d words: word %d is %d", words, i-16, around[i])
			}
			around[i] = 1
		}
	}
}
