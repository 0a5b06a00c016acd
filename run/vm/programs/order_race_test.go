//go:build race

package programs

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestOrderByMachineCode runs CTAs that tell each other by an atomic operation that they are done, some in machine code and some by
// steps. The race detector, which sees steps alone, must not take what is written before and read behind for a race.
func TestOrderByMachineCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	eachProgram(t, "blocks", func(p *vmtest.Program) {
		for range 20 { // before the detector was told, one in six showed it
			if p.How.Turn > 0 {
				lastBlock(p, rng)
			}
		}
	})
}
