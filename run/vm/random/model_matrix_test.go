package random

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestModelMatrices runs random kernels that compute with small matrices, and holds what they do against
// the model.
func TestModelMatrices(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](600, 30))
	const shards = 2
	for i := range uint64(shards) {
		t.Run(fmt.Sprintf("shard%d", i), func(t *testing.T) {
			t.Parallel()
			for seed := from + i; seed < to && !t.Failed(); seed += shards {
				testModelKernel(t, model.WithMatrices(seed), allModelWays(seed))
			}
		})
	}
}
