package random

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestModelFlushing runs random kernels all of whose f32 are flushed, as compilers make them that are asked for fast arithmetic, and holds what
// they do against the model. On amd64 they run where the processor flushes.
func TestModelFlushing(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](600, 50))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		testModelKernel(t, model.Flushing(seed), allModelWays(seed))
	})
}
