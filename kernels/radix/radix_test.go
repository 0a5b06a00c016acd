package radix

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

const tile = 1024 // keys that a block sorts

// pair is a key and what moves with it.
type pair struct{ key, value uint32 }

func TestRadix(t *testing.T) {
	const tiles = 3
	rng := rand.New(rand.NewPCG(11, 12))
	pairs := make([]pair, tiles*tile)
	for i := range pairs {
		pairs[i] = pair{rng.Uint32(), uint32(i)}
		if i < tile {
			pairs[i].key %= 50 // equal keys, which keep their order
		}
	}
	keys, values := split(pairs)
	for part := range slices.Chunk(pairs, tile) {
		slices.SortStableFunc(part, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	}
	wantKeys, wantValues := split(pairs)
	kerneltest.Each(t, "radix", func(t *testing.T, launch kerneltest.Launch) {
		gotKeys, gotValues := slices.Clone(keys), slices.Clone(values)
		launch(vop.Grid{X: tiles}, vop.Block{X: 128}, gotKeys, gotValues)
		if diff := gocmp.Diff(wantKeys, gotKeys); diff != "" {
			t.Errorf("keys: %.1000s", diff)
		}
		if diff := gocmp.Diff(wantValues, gotValues); diff != "" {
			t.Errorf("values: %.1000s", diff)
		}
	})
}

func split(pairs []pair) (keys, values []uint32) {
	for _, p := range pairs {
		keys, values = append(keys, p.key), append(values, p.value)
	}
	return keys, values
}
