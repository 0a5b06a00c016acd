package vm

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/engine"
)

// Sets of threads are masks over the threads of a CTA; all those of one machine
// have the same length.

func isEmpty(a engine.Mask) bool {
	for _, narrow := range a {
		if narrow != 0 {
			return false
		}
	}
	return true
}

// covers reports whether a has all threads of b.
func covers(a, b engine.Mask) bool {
	for i := range b {
		if b[i]&^a[i] != 0 {
			return false
		}
	}
	return true
}

// include adds the threads of b to a.
func include(a, b engine.Mask) {
	for i := range b {
		a[i] |= b[i]
	}
}

// exclude takes the threads of b out of a.
func exclude(a, b engine.Mask) {
	for i := range b {
		a[i] &^= b[i]
	}
}

func count(a engine.Mask) (n int) {
	for _, narrow := range a {
		n += bits.OnesCount64(narrow)
	}
	return n
}

// first and last return the ends of a set that is not empty.
func first(a engine.Mask) int {
	for i, narrow := range a {
		if narrow != 0 {
			return i*64 + bits.TrailingZeros64(narrow)
		}
	}
	return -1
}

func last(a engine.Mask) int {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != 0 {
			return i*64 + 63 - bits.LeadingZeros64(a[i])
		}
	}
	return -1
}

// contains reports whether a thread is in the set.
func contains(a engine.Mask, thread int) bool { return a[thread/64]>>(thread%64)&1 != 0 }

// warpOf returns the 32 threads of a warp.
func warpOf(a engine.Mask, warp int) uint32 { return uint32(a[warp/2] >> (warp % 2 * 32)) }

// fillTo makes a the set of threads 0 to n-1.
func fillTo(a engine.Mask, n int) {
	for i := range a {
		a[i] = 1<<max(0, min(64, n-i*64)) - 1
	}
}
