package native_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/native"
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

// TestGuardPages runs arrays with memory on either side that may not be read or written. Code that
// goes beyond its slices ends the test with a fault.
func TestGuardPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, l := range needCode(t) {
		var arrays []*native.Array
		for f := range isa.Sample(rng) {
			if arrays = append(arrays, compileWith(t, lower.Form(f, native.Caps(l)), switched(rng, l, len(arrays)%2 == 0))); len(arrays) == 12 {
				break
			}
		}
		for n := 1; n <= 150; n++ {
			var atEnd, atStart [4][]uint32
			for i := range atEnd {
				atEnd[i], atStart[i] = guarded(t, n)
			}
			for _, k := range arrays {
				for _, s := range [][4][]uint32{atEnd, atStart} {
					k.Run(s[0], s[1], s[2], s[3])
					k.Run(s[0], s[0], s[2], s[3])
				}
			}
		}
	}
}
