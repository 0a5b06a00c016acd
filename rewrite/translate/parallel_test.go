package translate

import (
	"runtime"
	"testing"
)

// TestInParallel calls every number once, however many there are and whatever the processors.
func TestInParallel(t *testing.T) {
	for _, processors := range []int{1, 2, 3} {
		before := runtime.GOMAXPROCS(processors)
		for _, n := range []int{0, 1, atOnce - 1, 2 * atOnce, 5*atOnce + 7, 1000} {
			calls := make([]int, n)
			inParallel(n, func(i int) { calls[i]++ })
			for i, times := range calls {
				if times != 1 {
					t.Errorf("%d processors, %d of %d: called %d times", processors, i, n, times)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestParallelPanics: the caller can recover from what goes wrong in a worker.
func TestParallelPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "one of them" {
			t.Errorf("recovered %v", p)
		}
	}()
	inParallel(1000, func(i int) {
		if i == 500 {
			panic("one of them")
		}
	})
	t.Error("nothing panicked")
}
