package random

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestModelMatrices runs random kernels that compute with small matrices, and holds what they do against
// the model.
func TestModelMatrices(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](600, 30))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		testModelKernel(t, model.WithMatrices(seed), allModelWays(seed))
	})
}
