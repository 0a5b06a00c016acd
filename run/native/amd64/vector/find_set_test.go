package vector_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
)

// TestFindNthSet looks for all bits of words, from every place on, and for some that there are not.
func TestFindNthSet(t *testing.T) {
	eachChecker(t, "fns.b32", func(c *floatChecker) {
		rng := rand.New(rand.NewPCG(6, 0))
		words := []uint64{0, 1, 1 << 31, math.MaxUint32, math.MaxUint32 - 1, math.MaxInt32, 0x55555555, 0xaaaaaaaa, 0xffff0000, 0xffff, 0x80000001}
		for range long.Of(2000, 20) {
			words = append(words, uint64(rng.Uint32()), uint64(rng.Uint32()&rng.Uint32()&rng.Uint32()), uint64(rng.Uint32()|rng.Uint32()|rng.Uint32()))
		}
		for _, word := range words {
			for _, base := range []uint64{32, 33, 63, 64, 1 << 31, math.MaxUint32, uint64(rng.Uint32())} {
				for _, n := range []uint64{0, 1, 2, 32, 33, math.MaxUint32, math.MaxUint32 - 1, math.MaxUint32 - 31} {
					c.check([]uint64{word, base, n})
				}
			}
			for base := range uint64(32) {
				for n := range int32(70) {
					c.check([]uint64{word, base, uint64(uint32(n - 35))})
				}
				for _, n := range []uint64{1 << 31, 1<<31 + 1, 1<<31 - 1, 1<<31 - 2, 1<<31 + 40, 1<<31 - 33, uint64(rng.Uint32())} {
					c.check([]uint64{word, base, n})
				}
			}
		}
	})
}
