package random

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestModelInStep runs random kernels for targets before sm_70, on which the lanes of a warp keep in
// step, and holds what they do against the model.
func TestModelInStep(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](600, 50))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		testModelKernel(t, model.InStep(seed), allModelWays(seed))
	})
}

// TestModelInStepTurns does so with short turns: lanes in loops let others go first all the time, other
// warps and not those that keep in step with them.
func TestModelInStepTurns(t *testing.T) {
	defer vmtest.WithTurns(8)() // long loops are of 8,191 turns, and lanes are held in step for 1,024 of these
	defer vmtest.WithMachineCode(native.Options{Turn: 50})()
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](300, 50))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		testModelKernel(t, model.InStep(seed), allModelWays(seed))
	})
}
