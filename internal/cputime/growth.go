// Package cputime measures the time that a processor has worked, for tests and benchmarks: what else a machine does does not
// count.
package cputime

import (
	"testing"
	"time"
)

const (
	ratio = 16                     // of the sizes that Linear compares
	most  = 64                     // times as much for the large one is allowed: between 16, and the 256 that the square of a size takes
	free  = 100 * time.Millisecond // is too little to be measured
)

// Linear fails a test if f takes time by more than a size: if size takes more than 64 times as much as a sixteenth of it. It
// tries three times, since what a collection of garbage takes falls on one or the other.
func Linear(t testing.TB, size int, f func(size int)) {
	t.Helper()
	var small, large time.Duration
	for range 3 {
		begin := Now()
		f(size / ratio)
		small = Now() - begin
		begin = Now()
		f(size)
		if large = Now() - begin; large <= most*small || large < free {
			return
		}
	}
	t.Errorf("%d took %v and %d %v: %.1f times as much, want at most %d", size/ratio, small, size, large, float64(large)/float64(small), most)
}
