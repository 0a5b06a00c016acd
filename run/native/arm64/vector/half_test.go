package vector

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
)

// half returns the value of the bits of a finite f16.
func half(bits uint32) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&0x3ff)
	x := math.Ldexp(fraction, -24)
	if exponent > 0 {
		x = math.Ldexp(fraction+1024, exponent-25)
	}
	if bits&halfSign != 0 {
		return -x
	}
	return x
}

// finiteHalves are all of them.
func finiteHalves() (all []float64) {
	for bits := range uint32(1 << 16) {
		if bits&halfExponent != halfExponent {
			all = append(all, half(bits))
		}
	}
	return all
}

// betweenHalves reports whether a number is the middle of two f16 that stand side by side: what rounds to one must not.
func betweenHalves(x float64) bool {
	_, exponent := math.Frexp(x)
	unit := math.Ldexp(1, max(exponent-1, -14)-10)
	units := math.Abs(x) / unit
	return units-math.Floor(units) == 0.5
}

// TestSumsOfHalves holds that a sum of two f16, rounded to f32 and then to f16, is rounded as if once: no sum that is not
// exact in f32 becomes the middle of two f16. All sums are looked at with VOP_TEST=all. The f64 sum is the exact one.
func TestSumsOfHalves(t *testing.T) {
	all := finiteHalves()
	step := long.Of(1, 997)
	for n := 0; n < len(all)/2; n += step { // the others are the same with a minus
		for _, y := range all {
			sum := all[n] + y
			if once := float64(float32(sum)); once != sum && betweenHalves(once) {
				t.Fatalf("%v + %v = %v is %v as an f32", all[n], y, sum, once)
			}
		}
	}
}

// TestFusedProductsOfHalves holds that x*y+z of f16 is never the middle of two f16 as an f64 where it is not exact, and that
// as an f32 it is: that is why it is not computed in f32. Operands are drawn that are far apart.
func TestFusedProductsOfHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 11))
	all := finiteHalves()
	inexact, wrong := 0, 0
	for range long.Of(30_000_000, 300_000) {
		x, y, z := all[rng.IntN(len(all))], all[rng.IntN(len(all))], all[rng.IntN(len(all))]
		product := x * y // exact
		sum := product + z
		rest := sum - product // how far the f64 is from the exact sum (Knuth's TwoSum)
		rest = (product - (sum - rest)) + (z - rest)
		if rest != 0 {
			inexact++
			if betweenHalves(sum) {
				t.Fatalf("%v * %v + %v is %v as an f64, and not exact", x, y, z, sum)
			}
		}
		if once := float64(float32(sum)); (once != sum || rest != 0) && betweenHalves(once) {
			wrong++
		}
		if float64(float32(product)) != product {
			t.Fatalf("%v * %v is not exact in f32", x, y)
		}
	}
	if inexact == 0 || wrong == 0 {
		t.Errorf("%d sums are not exact in f64, and %d in f32 are in the middle: the operands tell nothing", inexact, wrong)
	}
}
