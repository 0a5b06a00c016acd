package op

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSine holds sine, cosine and hyperbolic tangent to package math: most f32 are the same when they are rounded.
func TestSine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	draw := []func() float32{
		func() float32 { return math.Float32frombits(rng.Uint32()) },
		func() float32 { return rng.Float32()*4*math.Pi - 2*math.Pi },
		func() float32 { return rng.Float32()*200*math.Pi - 100*math.Pi },
		func() float32 { return float32(rng.Float64() * 0x1p40) },
		func() float32 { // next to a multiple of a quarter
			x := float32(float64(rng.IntN(1<<20)) * math.Pi / 2)
			return math.Float32frombits(math.Float32bits(x) + uint32(rng.IntN(5)) - 2)
		},
	}
	const most = 1_000_000
	for name, f := range map[string][2]func(x float64) float64{"sine": {sine, math.Sin}, "cosine": {cosine, math.Cos}, "tangent": {tangent, math.Tanh}} {
		other := 0
		for n := range most {
			x := float64(draw[n%len(draw)]())
			got, want := f[0](x), f[1](x)
			switch {
			case want != want:
				if got == got {
					t.Errorf("%s of %g: %g", name, x, got)
				}
			case math.Abs(got) > 1:
				t.Errorf("%s of %g: %g", name, x, got)
			case math.Abs(x) > 0x1p40: // nothing but that is said
			case math.Abs(got-want) > 0x1p-25*math.Abs(want):
				t.Errorf("%s of %g: %g, want %g", name, x, got, want)
			case float32(got) != float32(want):
				other++
			}
		}
		if other > 5 {
			t.Errorf("%s: %d of %d are another f32", name, other, most)
		}
	}
	for x, want := range map[float64]float64{0: 0, math.Copysign(0, -1): math.Copysign(0, -1), 0x1p-149: 0x1p-149} {
		if got := sine(x); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("sine of %g: %g", x, got)
		}
	}
}
