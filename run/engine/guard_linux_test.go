package engine

import (
	"fmt"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/vop-ptx/vop/rewrite/lower"
)

// guarded returns two slices of n words: one that ends where memory that may not be
// touched begins, and one that begins where such memory ends.
func guarded(t *testing.T, n int) (atEnd, atStart []uint32) {
	t.Helper()
	page := unix.Getpagesize()
	size := (4*n + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	inside := unsafe.Slice((*uint32)(unsafe.Pointer(&memory[page])), size/4)
	return inside[len(inside)-n:], inside[:n]
}

// TestGuardPages runs kernels on arrays with memory on either side that may not be
// read or written. A kernel that goes beyond its slices ends the test with a fault.
func TestGuardPages(t *testing.T) {
	for n := range mostTail + 1 {
		if n == 0 {
			continue
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var atEnd, atStart [4][]uint32
			for i := range atEnd {
				atEnd[i], atStart[i] = guarded(t, n)
			}
			for _, e := range engines(t) {
				for _, f := range samples(t) {
					k := e.Compile(lower.Form(f, e.Caps()))
					for _, s := range [][4][]uint32{atEnd, atStart} {
						k.Run(s[0], s[1], s[2], s[3])
						k.Run(s[0], s[0], s[2], s[3])
					}
				}
			}
		})
	}
}
