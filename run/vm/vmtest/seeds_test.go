package vmtest

import (
	"sync"
	"testing"
)

// TestEachSeed: each seed is tested once, and all have been when EachSeed returns.
func TestEachSeed(t *testing.T) {
	var mutex sync.Mutex
	tested := map[uint64]int{}
	EachSeed(t, 5, 300, func(_ *testing.T, seed uint64) {
		mutex.Lock()
		defer mutex.Unlock()
		tested[seed]++
	})
	for seed := uint64(0); seed < 310; seed++ {
		if want := map[bool]int{true: 1}[5 <= seed && seed < 300]; tested[seed] != want {
			t.Errorf("seed %d is tested %d times, want %d", seed, tested[seed], want)
		}
	}
}
