package phash

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// answer has the layout of Answer in phash.cu.
type answer struct{ Nearest, Distance, Near uint32 }

// search is the dull model.
func search(query uint64, hashes []uint64, within int) answer {
	a := answer{Distance: 65}
	for i, hash := range hashes {
		distance := bits.OnesCount64(query ^ hash)
		if distance < int(a.Distance) {
			a.Nearest, a.Distance = uint32(i), uint32(distance)
		}
		if distance <= within {
			a.Near++
		}
	}
	return a
}

func TestPhash(t *testing.T) {
	const queries, within = 10, 25
	rng := rand.New(rand.NewPCG(9, 10))
	hashes := make([]uint64, 1000) // no multiple of a warp
	for i := range hashes {
		hashes[i] = rng.Uint64()
	}
	copy(hashes[500:], hashes[:100]) // equally near ones
	query, want := make([]uint64, queries), make([]answer, queries)
	for q := range query {
		query[q] = hashes[rng.IntN(len(hashes))] ^ 1<<rng.IntN(64) ^ 1<<rng.IntN(64)
		want[q] = search(query[q], hashes, within)
	}
	kerneltest.Each(t, "phash", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]answer, queries)
		launch(vop.Grid{X: 3}, vop.Block{X: 128}, query, queries, hashes, len(hashes), within, got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
