package op

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
)

// TestExponential holds powers of two against those of package math, which are within a unit of an f64: rounded to f32 they are the
// same but where that lies in between. Whole powers are exact.
func TestExponential(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 1000000 {
		x := float64(math.Float32frombits(rng.Uint32()))
		if n%2 == 0 {
			x = float64(float32(rng.NormFloat64() * 40))
		}
		if got, want := float32(exponential(x)), float32(math.Exp2(x)); got != want && want == want {
			t.Errorf("2^%v is %v, want %v", x, got, want)
		}
	}
	for n := -1000; n <= 1000; n++ {
		if got, want := float32(exponential(float64(n))), float32(math.Ldexp(1, n)); got != want {
			t.Errorf("2^%d is %v, want %v", n, got, want)
		}
	}
	for x, want := range map[float64]float64{math.Inf(1): math.Inf(1), math.Inf(-1): 0, 0: 1, math.Copysign(0, -1): 1, 0x1p-149: 1, 127.5: 0x1.6a09e6p127, -149: 0x1p-149, -150.5: 0} {
		if got := float32(exponential(x)); float64(got) != want {
			t.Errorf("2^%v is %v, want %v", x, got, want)
		}
	}
	if x := exponential(math.NaN()); x == x {
		t.Errorf("2^NaN is %v", x)
	}
}

// TestLogarithm does so for logarithms. Those of whole powers are exact.
func TestLogarithm(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 1000000 {
		x := float64(math.Float32frombits(rng.Uint32() >> 1))
		if n%2 == 0 {
			x = float64(float32(1 + rng.NormFloat64()/float64(int(1)<<rng.IntN(24))))
		}
		if got, want := float32(logarithm(x)), float32(math.Log2(x)); got != want && want == want && math.Abs(x-1) > 0x1p-20 {
			t.Errorf("the logarithm of %v is %v, want %v", x, got, want)
		} else if exact := math.Log1p(x-1) * math.Log2E; math.Abs(float64(got)-exact) > math.Abs(exact)*0x1.01p-24 && x < 2 && x > 0.5 {
			t.Errorf("the logarithm of %v is %v, want %v", x, got, exact)
		}
	}
	for n := -149; n <= 127; n++ {
		if got := logarithm(math.Ldexp(1, n)); got != float64(n) {
			t.Errorf("the logarithm of 2^%d is %v", n, got)
		}
	}
	for x, want := range map[float64]float64{math.Inf(1): math.Inf(1), 0: math.Inf(-1), math.Copysign(0, -1): math.Inf(-1)} {
		if got := logarithm(x); got != want {
			t.Errorf("the logarithm of %v is %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{math.NaN(), -1, math.Inf(-1), -0x1p-149} {
		if got := logarithm(x); got == got {
			t.Errorf("the logarithm of %v is %v", x, got)
		}
	}
}

// TestRounded holds all powers of two of f32 that are neither 0, 1 nor infinite, and the logarithms of 32 powers, against those of
// package math: rounded to f32 they are the same.
func TestRounded(t *testing.T) {
	long.Only(t)
	log := func(x float64) float64 {
		if x > 0.5 && x < 2 {
			return math.Log1p(x-1) / math.Ln2
		}
		return math.Log2(x)
	}
	for _, c := range []struct {
		first, last float32
		got, want   func(x float64) float64
	}{
		{0x1p-27, 160, exponential, math.Exp2}, {-0x1p-27, -160, exponential, math.Exp2}, {0.25, 4, logarithm, log}, {4, 0x1p30, logarithm, log},
	} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for bits, end := math.Float32bits(c.first), math.Float32bits(c.last); bits != end; bits++ {
				x := float64(math.Float32frombits(bits))
				if got, want := float32(c.got(x)), float32(c.want(x)); got != want {
					t.Fatalf("of %v: %v, want %v", x, got, want)
				}
			}
		})
	}
}
