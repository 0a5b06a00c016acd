package sad

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

const (
	width, height = 96, 64
	side, reach   = 16, 16
)

// match is the dull model: the vector of the block at (x0, y0) of first.
func match(first, second []byte, x0, y0 int) (vector [2]int16) {
	least, shortest := math.MaxInt, math.MaxInt
	for dy := -reach; dy < reach; dy++ {
		for dx := -reach; dx < reach; dx++ {
			if x0+dx < 0 || x0+dx+side > width || y0+dy < 0 || y0+dy+side > height {
				continue
			}
			sum, length := 0, dx*dx+dy*dy
			for y := range side {
				for x := range side {
					d := int(first[(y0+y)*width+x0+x]) - int(second[(y0+dy+y)*width+x0+dx+x])
					sum += max(d, -d)
				}
			}
			if sum < least || sum == least && length < shortest {
				least, shortest, vector = sum, length, [2]int16{int16(dx), int16(dy)}
			}
		}
	}
	return vector
}

func TestSAD(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	first, second := make([]byte, width*height), make([]byte, width*height)
	for i := range first {
		first[i] = byte(rng.Uint32())
	}
	for y := range height {
		for x := range width { // the lower half moves the other way
			dx, dy := 5, -3
			if y >= height/2 {
				dx, dy = -9, 2
			}
			from := min(max(y-dy, 0), height-1)*width + min(max(x-dx, 0), width-1)
			second[y*width+x] = first[from] + byte(rng.IntN(3))
		}
	}
	var want []int16
	for y0 := 0; y0 < height; y0 += side {
		for x0 := 0; x0 < width; x0 += side {
			vector := match(first, second, x0, y0)
			want = append(want, vector[:]...)
		}
	}
	kerneltest.Each(t, "sad", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]int16, len(want))
		launch(vop.Grid{X: width / side, Y: height / side}, vop.Block{X: side, Y: side}, first, second, width, height, got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
