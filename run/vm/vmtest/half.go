package vmtest

import (
	"math/big"

	"github.com/vop-ptx/vop/internal/model/matrix"
)

var half = matrix.Types["f16"]

// Half is the number that the bits of an f16 stand for.
func Half(h uint64) float64 { return half.Number(h) }

// NearestHalf finds the f16 nearest to an exact number by trying all.
func NearestHalf(x *big.Float) uint64 {
	sign := uint64(0)
	if x.Signbit() {
		sign = 0x8000
	}
	limit := big.NewFloat(65520)
	magnitude := new(big.Float).Abs(x)
	if magnitude.Cmp(limit) >= 0 {
		return sign | 0x7c00
	}
	low, high := uint64(0), uint64(0x7bff) // the last not above, by bisection
	for low < high {
		middle := (low + high + 1) / 2
		if big.NewFloat(Half(middle)).Cmp(magnitude) <= 0 {
			low = middle
		} else {
			high = middle - 1
		}
	}
	if low == 0x7bff {
		return sign | low
	}
	below := new(big.Float).Sub(magnitude, big.NewFloat(Half(low)))
	above := new(big.Float).Sub(big.NewFloat(Half(low+1)), magnitude)
	if c := below.Cmp(above); c > 0 || c == 0 && low%2 == 1 {
		low++
	}
	return sign | low
}
