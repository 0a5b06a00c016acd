package texture

import "math"

// The NaNs of f32 and f16 (ruling O4).
const (
	nan32 = 0x7fffffff
	nan16 = 0x7fff
)

// fromHalf is an f16 as an f32.
func fromHalf(h uint32) uint32 {
	sign, exponent, fraction := h>>15<<31, int(h>>10&31), h&1023
	switch {
	case exponent == 31 && fraction != 0:
		return nan32
	case exponent == 31:
		return sign | 0x7f800000
	case exponent == 0:
		return sign | math.Float32bits(float32(fraction)/(1<<24))
	}
	return sign | uint32(exponent+127-15)<<23 | fraction<<13
}

// ToHalf is an f32 as an f16, rounded to the nearest, ties to even.
func ToHalf(bits uint32) uint32 {
	x := float64(math.Float32frombits(bits))
	if x != x {
		return nan16
	}
	sign, x := bits>>31<<15, math.Abs(x)
	var all uint32 // of the numbers that f16 has, from 0 up, the greatest that is not greater
	for step := uint32(1 << 14); step > 0; step /= 2 {
		if next := all + step; next <= 0x7c00 && halfMagnitude(next) <= x {
			all = next
		}
	}
	if all == 0x7c00 {
		return sign | all
	}
	below, above := halfMagnitude(all), halfMagnitude(all+1)
	if x-below > above-x || x-below == above-x && all&1 != 0 {
		all++
	}
	return sign | all
}

// halfMagnitude is a number of f16 without a sign. What stands for the infinity is the number that
// would follow, to which numbers are rounded as to any other.
func halfMagnitude(h uint32) float64 {
	if h>>10 == 0 {
		return math.Ldexp(float64(h), -24)
	}
	return math.Ldexp(float64(1024|h&1023), int(h>>10)-25)
}
