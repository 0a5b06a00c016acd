package median

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

const width, height = 52, 23 // pixels

// median is the dull model: sorts the nine neighbours of each pixel.
func median[T uint8 | uint16](in []T) []T {
	out := make([]T, len(in))
	for y := range height {
		for x := range width {
			var neighbours []T
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					nx, ny := min(max(x+dx, 0), width-1), min(max(y+dy, 0), height-1)
					neighbours = append(neighbours, in[ny*width+nx])
				}
			}
			slices.Sort(neighbours)
			out[y*width+x] = neighbours[4]
		}
	}
	return out
}

// test filters random pixels with the kernel that takes perWord pixels in a word.
func test[T uint8 | uint16](t *testing.T, kernel string, perWord int) {
	rng := rand.New(rand.NewPCG(3, 4))
	in := make([]T, width*height)
	for i := range in {
		in[i] = T(rng.Uint32())
		if i%3 == 0 {
			in[i] = T(rng.IntN(4)) // equal ones, too
		}
	}
	want := median(in)
	kerneltest.Each(t, kernel, func(t *testing.T, launch kerneltest.Launch) {
		out := make([]T, len(in))
		words := width / perWord
		launch(vop.Grid{X: (words + 7) / 8, Y: (height + 7) / 8}, vop.Block{X: 8, Y: 8}, in, out, words, height)
		if diff := cmp.Diff(want, out); diff != "" {
			t.Error(diff)
		}
	})
}

func TestBytes(t *testing.T)  { test[uint8](t, "medianBytes", 4) }
func TestHalves(t *testing.T) { test[uint16](t, "medianHalves", 2) }
