package vm

import (
	"math"
	"sync/atomic"
)

// handout gives the CTAs of a launch to its workers, in their order.
type handout struct {
	grid *Grid
	next atomic.Int64
}

// count returns how many are left, or as many as an int has.
func (h *handout) count() int { return int(min(max(h.grid.blocks()-h.next.Load(), 0), math.MaxInt)) }

// take returns the next CTAs of a row, want at most: fewer where other workers might wait for the last ones in the end.
// There are none left if n is 0.
func (h *handout) take(want int) (first Dim, n int) {
	for {
		at := h.next.Load()
		left := h.grid.blocks() - at
		if left <= 0 {
			return Dim{}, 0
		}
		first = h.grid.blockAt(at)
		if workers := int64(h.grid.Workers); workers > 1 {
			left /= 4 * workers
		}
		n = max(1, int(min(int64(want), left, int64(h.grid.Grid.X-first.X))))
		if h.next.CompareAndSwap(at, at+int64(n)) {
			return first, n
		}
	}
}
