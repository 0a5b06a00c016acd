package sum3

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// gcc's kernel takes one argument, a struct of pointers to what its OpenACC clauses name
// and to n, and runs with blocks of one warp.
func TestSum3(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	a, b, c, want := make([]uint32, 1000), make([]uint32, 1000), make([]uint32, 1000), make([]uint32, 1000)
	for i := range want {
		a[i], b[i], c[i] = rng.Uint32(), rng.Uint32(), rng.Uint32()
		want[i] = a[i] + b[i] + c[i]
	}
	kerneltest.Each(t, "sum3$_omp_fn$0", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]uint32, len(want))
		launch(vop.Grid{X: 5}, vop.Block{X: 32}, kerneltest.Addresses{got, a, b, c, []int32{int32(len(want))}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
