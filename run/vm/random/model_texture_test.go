package random

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// texturedWays are the ways to execute a kernel with textures. Accesses to surfaces that cannot be
// made stop their thread, with checks as well, so that kernels that may have some are not watched.
func texturedWays(k *model.Kernel) [][]modelWay {
	if k.Traps {
		return onlyPlain(level.Levels())
	}
	return allModelWays(k.Seed)
}

// TestModelTextures runs random kernels that read textures and access surfaces, and holds what they
// do against the model.
func TestModelTextures(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](1000, 40))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		k := model.WithTextures(seed)
		testModelKernel(t, k, texturedWays(k))
	})
}
