package simt

import (
	"math/rand/v2"
	"testing"
)

// TestClimb holds ways upwards against visits of every block.
func TestClimb(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 300 {
		n := 1 + rng.IntN(200)
		idom, latches := make([]BlockID, n), make([]BlockID, n)
		for b := range idom {
			idom[b], latches[b] = BlockID(b-1), NoBlock
			if b > 0 && rng.IntN(5) == 0 {
				idom[b] = BlockID(rng.IntN(b))
			}
			if rng.IntN(4) == 0 {
				latches[b] = BlockID(b + rng.IntN(n-b))
			}
		}
		a := newAncestors(idom, latches)
		for range 50 {
			from, last := BlockID(rng.IntN(n)), BlockID(rng.IntN(n+1)-1)
			next := from + BlockID(rng.IntN(n-int(from)+1))
			stops := func(b BlockID) bool { return idom[b] <= last || latches[b] >= next }
			want := from
			for !stops(want) {
				want = idom[want]
			}
			got, steps := from, 0
			for {
				got = a.climb(got, last, next)
				if stops(got) {
					break
				}
				got = idom[got]
				if steps++; got < want {
					t.Fatalf("from %d, last %d, next %d: passes %d\n%v\n%v", from, last, next, want, idom, latches)
				}
			}
			if got != want || steps > 40 {
				t.Fatalf("from %d, last %d, next %d: %d after %d steps, want %d\n%v\n%v", from, last, next, got, steps, want, idom, latches)
			}
		}
	}
}
