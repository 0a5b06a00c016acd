package programs

import (
	"encoding/binary"
	"fmt"
	"github.com/vop-ptx/vop/run/vm/vmtest"
	"math/rand/v2"
	"testing"
)

// TestLookBack adds up all words before each one in a single launch, whose CTAs wait for those before them.
func TestLookBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	eachProgram(t, "scan", func(p *vmtest.Program) {
		for _, kernel := range []string{"scanAlone", "scanTogether"} {
			for _, n := range []int{0, 1, 31, 32, 33, 127, 1000, 4097, 20001} {
				for _, threads := range []int{32, 128} {
					in, want := make([]uint32, n), make([]uint32, n)
					sum := uint32(0)
					for i := range in {
						in[i], want[i] = rng.Uint32(), sum
						sum += in[i]
					}
					blocks := blocksFor(n, threads)
					state, out := p.Filled("state", 2+2*blocks, 0), p.Filled("out", n, 77)
					p.Launch(kernel, blocks, threads, state, p.Words("in", in...), out, uint32(n))
					what := fmt.Sprintf("%s of %d words, %d at once", kernel, n, threads)
					p.Hold(what, out, want)
					last := binary.LittleEndian.Uint64(state.Bytes()[8*blocks:])
					if last != 2<<32|uint64(sum) {
						p.Fatalf("%s: the state of the last block is %#x, want %#x", what, last, 2<<32|uint64(sum))
					}
				}
			}
		}
	})
}
