package reduce

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// statistics has the layout of that in reduce.cu.
type statistics struct {
	Sum, Least, Greatest uint32
	Histogram            [256]uint32
}

func TestReduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	in := make([]uint8, 4*5003)
	want := statistics{Least: 255}
	for i := range in {
		v := uint8(3 + rng.NormFloat64()*30 + 110) // all between the ends, unevenly
		in[i] = v
		want.Sum += uint32(v)
		want.Least = min(want.Least, uint32(v))
		want.Greatest = max(want.Greatest, uint32(v))
		want.Histogram[v]++
	}
	kerneltest.Each(t, "reduce", func(t *testing.T, launch kerneltest.Launch) {
		got := []statistics{{Least: 255}}
		launch(vop.Grid{X: 7}, vop.Block{X: 128}, in, len(in)/4, got)
		if diff := cmp.Diff(want, got[0]); diff != "" {
			t.Error(diff)
		}
	})
}
