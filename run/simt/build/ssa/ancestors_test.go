package ssa

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
)

// TestClimb holds ways upwards against visits of every block.
func TestClimb(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 300 {
		n := 1 + rng.IntN(200)
		idom, latches := make([]simt.BlockID, n), make([]simt.BlockID, n)
		for b := range idom {
			idom[b], latches[b] = simt.BlockID(b-1), simt.NoBlock
			if b > 0 && rng.IntN(5) == 0 {
				idom[b] = simt.BlockID(rng.IntN(b))
			}
			if rng.IntN(4) == 0 {
				latches[b] = simt.BlockID(b + rng.IntN(n-b))
			}
		}
		a := newAncestors(idom, latches)
		for range 50 {
			from, last := simt.BlockID(rng.IntN(n)), simt.BlockID(rng.IntN(n+1)-1)
			next := from + simt.BlockID(rng.IntN(n-int(from)+1))
			stops := func(b simt.BlockID) bool { return idom[b] <= last || latches[b] >= next }
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
