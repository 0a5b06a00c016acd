package affine

import (
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
)

// Lanes are a number for each lane.
type Lanes [simt.WarpSize]int64

// Value is what is known of an affine value.
type Value struct {
	C     Lanes // of values of 32 bits as signed ones
	None  bool  // there is no scalar: the value is C
	Split bool  // each half of the warp has its own scalar
	Zeros int   // how many of the scalar's lowest bits are zero
	Word  bool  // a value of 64 bits whose upper half is zero
	// The scalar is from 0 to Limit, if that is not negative.
	Limit int64
}

// number returns what is known of a value without a scalar.
func number() Value { return Value{None: true, Zeros: 64, Limit: -1} }

// Uniform reports whether C is the same in all lanes.
func (a *Value) Uniform() bool { return Same(a.C[:]) }

// UniformHalves reports whether C is the same in all lanes of each half of the warp.
func (a *Value) UniformHalves() bool {
	return Same(a.C[:simt.WarpSize/2]) && Same(a.C[simt.WarpSize/2:])
}

// Same reports whether all numbers are the same.
func Same(c []int64) bool {
	for _, x := range c {
		if x != c[0] {
			return false
		}
	}
	return true
}

// Bounds returns the least and the largest of C.
func (a *Value) Bounds() (low, high int64) {
	low, high = a.C[0], a.C[0]
	for _, c := range a.C {
		low, high = min(low, c), max(high, c)
	}
	return low, high
}

// below reports whether all of C are from 0 to 2^Zeros-1: then scalar and C have no bits in common.
func (a *Value) below() bool {
	low, high := a.Bounds()
	return low >= 0 && high < 1<<a.Zeros
}

// Thread returns what is known of a special register for blocks of a shape, or nil.
func Thread(name string, shape [3]int) *Value {
	x, y := shape[0], shape[1]
	a := new(Value)
	*a = number()
	lanes := func(f func(lane int) int) {
		for l := range a.C {
			a.C[l] = int64(f(l))
		}
	}
	switch {
	case name == "%laneid":
		lanes(func(l int) int { return l })
		return a
	case x == 0 || !strings.HasPrefix(name, "%tid."):
		return nil
	}
	// The threads of a warp are 32*w to 32*w+31, which wrap around at the size before, and are divided by the product
	// of those before.
	below, size := 1, x
	switch name {
	case "%tid.y":
		below, size = x, y
	case "%tid.z":
		below, size = x*y, shape[2]
	}
	a.Limit = int64(max(size-1, 0))
	switch {
	case size == 1:
		return a
	case below%simt.WarpSize == 0: // the same in all lanes
		a.None, a.Zeros = false, 0
		return a
	case simt.WarpSize%below != 0:
		return nil
	}
	each := simt.WarpSize / below // so many numbers a warp has
	lanes(func(l int) int { return l / below })
	last := x*y*shape[2] == below*size // nothing wraps around
	switch {
	case size <= each && each%size == 0: // the same in all warps
		lanes(func(l int) int { return l / below % size })
		return a
	case each < size && (size%each == 0 || last):
		a.None, a.Zeros = false, bits.TrailingZeros(uint(each))
		return a
	}
	return nil
}
