package vm

import (
	"math"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt/op"
)

// TestAllocationsHavePadding looks at the bytes before and behind allocations: they are there, and nobody else's.
func TestAllocationsHavePadding(t *testing.T) {
	for size := range 300 {
		data := allocate(size)
		if len(data) != size || cap(data) != size || size == 0 && data != nil {
			t.Fatalf("%d bytes: %d, of %d", size, len(data), cap(data))
		}
		if size == 0 {
			continue
		}
		start := unsafe.Pointer(&data[0])
		if uintptr(start)%alignment != 0 {
			t.Errorf("%d bytes begin at %v", size, start)
		}
		around := unsafe.Slice((*byte)(unsafe.Add(start, -padding)), padding+size+padding)
		for i := range around {
			if around[i] != 0 {
				t.Fatalf("%d bytes: byte %d is %d", size, i-padding, around[i])
			}
			around[i] = 0xff
		}
	}
}

// TestHalfValue holds the values of texels against the conversion of kernels, NaNs included.
func TestHalfValue(t *testing.T) {
	convert := op.Must("cvt.f32.f16").Info().Loop.(op.Map1[uint32, uint32])
	for h := range uint32(1 << 16) {
		var want [1]uint32
		convert(want[:], []uint32{h})
		if got := math.Float32bits(float32(halfValue(h))); got != want[0] {
			t.Fatalf("%#x: %#x, want %#x", h, got, want[0])
		}
	}
}
