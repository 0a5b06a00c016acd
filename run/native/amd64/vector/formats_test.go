package vector_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt/op"
)

// packedNames are the formats of 8 bits and less with a sign, with how many bits they have.
var packedNames = map[string]int{"e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4}

// eachChecker calls f with a checker of an operation for every level.
func eachChecker(t *testing.T, name string, f func(c *floatChecker)) {
	t.Helper()
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		o := op.Must(name)
		code, args, result := oneOperation(o, nil)
		w, err := newWarp(t, code, amd64.Options{Level: l})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := &floatChecker{t: t, o: o, w: w, args: args, result: result}
		f(c)
		c.finish()
	})
}

// formatSteps are the finite numbers of a format that have no sign, upwards, and what would follow the largest one.
func formatSteps(name string, bits int) (all []float64) {
	decode := op.Must("cvt.f32." + name)
	for code := range uint64(1) << (bits - 1) {
		if x := float64(math.Float32frombits(uint32(op.Fold(decode, code)))); x == x && !math.IsInf(x, 0) {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	n := len(all)
	return append(all, 2*all[n-1]-all[n-2])
}

// formatEdges are the numbers of a format, the middles of two, quarters, what is far too large or small, and whatever is special.
func formatEdges(name string, bits int) (all []float64) {
	all = formatSteps(name, bits)
	for n := range len(all) - 1 {
		all = append(all, (all[n]+all[n+1])/2, (3*all[n]+all[n+1])/4, (all[n]+3*all[n+1])/4)
	}
	return append(all, 2*all[len(all)-1], 0x1p-150, 0x1p-149, 0x1p-126, 0x1p127, math.MaxFloat32, 0x1p128, 0x1p1000, 0x1p-1000, math.Inf(1))
}

// TestSmallFormatCodes converts all patterns of 16 bits to f32, whatever is above them, and limits them.
func TestSmallFormatCodes(t *testing.T) {
	names := []string{"cvt.f32.ue8m0"}
	for name := range packedNames {
		names = append(names, "cvt.f32."+name, "relu."+name, "satfinite."+name)
	}
	for _, name := range names {
		rng := rand.New(rand.NewPCG(1, uint64(len(name))))
		eachChecker(t, name, func(c *floatChecker) {
			for x := range uint64(1 << 16) {
				c.check([]uint64{x})
				c.check([]uint64{x | uint64(rng.Uint32())<<16&math.MaxUint32})
			}
		})
	}
}

// TestRoundedToSmallFormats rounds f32 and f64 that lie at the numbers of a format, in the middle of two, and beside these; and random ones.
func TestRoundedToSmallFormats(t *testing.T) {
	for name, bits := range packedNames {
		edges := formatEdges(name, bits)
		for source, f := range floatSizes {
			eachChecker(t, "cvt.rn."+name+"."+source, func(c *floatChecker) {
				sign := uint64(1) << (f.bits - 1)
				both := func(x uint64) {
					c.check([]uint64{x})
					c.check([]uint64{x ^ sign})
				}
				for _, x := range f.edges() {
					c.check([]uint64{x})
				}
				for _, x := range edges {
					for _, step := range []uint64{0, 1, 2, 1 << (f.digits - 20)} {
						both((f.encode(x) + step) & (1<<f.bits - 1))
						both((f.encode(x) - step) & (1<<f.bits - 1))
					}
				}
				rng := rand.New(rand.NewPCG(2, uint64(c.o)))
				for range long.Of(400_000, 50_000) {
					c.check([]uint64{rng.Uint64() >> (64 - f.bits)})
					x := edges[rng.IntN(len(edges))] * (1 + rng.NormFloat64()/8)
					both(f.encode(x))
					both(f.encode(x) &^ (1<<rng.IntN(f.digits) - 1)) // with few digits
				}
			})
		}
	}
}

// TestRoundedByRandomBits adds random bits to f32, most of which bring a number just to the next one, or not quite.
func TestRoundedByRandomBits(t *testing.T) {
	formats := map[string]int{"f16": 16, "bf16": 16}
	for name, bits := range packedNames {
		formats[name] = bits
	}
	for name, bits := range formats {
		steps := formatSteps(name, bits)
		digits := 16
		if name == "f16" {
			digits = 13
		}
		eachChecker(t, "cvt.rs."+name+".f32", func(c *floatChecker) {
			rng := rand.New(rand.NewPCG(3, uint64(c.o)))
			for _, x := range floatSizes["f32"].edges() {
				for _, random := range []uint64{0, 1, 1<<digits - 1, 1 << digits, math.MaxUint32, rng.Uint64() & math.MaxUint32} {
					c.check([]uint64{x, random})
				}
			}
			for range long.Of(600_000, 100_000) {
				n, part := rng.IntN(len(steps)-1), rng.Uint64N(1<<digits)
				x := steps[n] + (steps[n+1]-steps[n])*math.Ldexp(float64(part), -digits)
				random := 1<<digits - part + rng.Uint64N(3) - 1
				bits := (bits32(float32(x)) + rng.Uint64N(5) - 2) & math.MaxUint32
				c.check([]uint64{bits ^ rng.Uint64N(2)<<31, random&(1<<digits-1) | rng.Uint64()<<digits&math.MaxUint32})
				c.check([]uint64{rng.Uint64() & math.MaxUint32, rng.Uint64() & math.MaxUint32})
			}
		})
	}
}

// TestScales rounds f32 to the exponents that ue8m0 has: of all powers of two, beside these, and random ones.
func TestScales(t *testing.T) {
	var numbers []uint64
	for exponent := range uint64(256) {
		for _, part := range []uint64{0, 1, 1<<22 - 1, 1 << 22, 1<<22 + 1, 1<<23 - 1} {
			x := exponent<<23 | part
			numbers = append(numbers, x, x|1<<31)
		}
	}
	rng := rand.New(rand.NewPCG(4, 0))
	for range long.Of(1_000_000, 50_000) {
		numbers = append(numbers, rng.Uint64()&math.MaxUint32)
	}
	for _, name := range []string{"cvt.rz.ue8m0.f32", "cvt.rp.ue8m0.f32"} {
		eachChecker(t, name, func(c *floatChecker) {
			for _, x := range numbers {
				c.check([]uint64{x})
			}
		})
	}
	eachChecker(t, "satfinite.ue8m0.f32", func(c *floatChecker) {
		for n, x := range numbers {
			for _, code := range []uint64{0xff, 0xfe, uint64(n) & 0xff, 0x1ff} {
				c.check([]uint64{code, x})
			}
		}
	})
}
