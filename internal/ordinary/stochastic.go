package ordinary

import (
	"math"
	"math/big"
	"strings"
)

// rational returns a finite number's magnitude.
func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(math.Abs(x)) }

// goesAway reports whether a magnitude from below on, above being the next number, goes there: how far it is on the way, and so
// many random bits as a part of one, are one or more in all.
func goesAway(x, below, above *big.Rat, random uint64, bits int) bool {
	way := new(big.Rat).Quo(new(big.Rat).Sub(x, below), new(big.Rat).Sub(above, below))
	way.Add(way, new(big.Rat).SetFrac64(int64(random), int64(1)<<bits))
	return way.Cmp(new(big.Rat).SetInt64(1)) >= 0
}

// stochastic rounds to a format of at most a byte.
func (f byteFormat) stochastic(x float32, random uint64, relu bool) uint64 {
	sign, special := f.special(x, relu)
	if special {
		return sign
	}
	last := len(f.values) - 1
	for pattern, v := range f.values[:last] {
		if above := f.values[pattern+1]; math.Abs(float64(x)) < above {
			if goesAway(rational(float64(x)), rational(v), rational(above), random, 16) {
				pattern++
			}
			return sign | uint64(pattern)
		}
	}
	return sign | uint64(last)
}

// stochastic rounds an f32 to a format of 16 bits.
func (f format) stochastic(pattern, random uint64, bits int) uint64 {
	x := single.decode(pattern)
	d := f.encode(x, TowardZero)
	if x.nan || x.infinite {
		return d
	}
	value := func(d uint64) *big.Rat {
		if d&^f.signBit() == f.infinity() { // as if there were numbers beyond
			return rational(math.Ldexp(1, f.bias()+1))
		}
		return rational(math.Float64frombits(double.encode(f.decode(d), Nearest)))
	}
	if goesAway(rational(float64(math.Float32frombits(uint32(pattern)))), value(d), value(d+1), random, bits) {
		return d + 1
	}
	return d
}

// reversed returns the lowest 16 bits in reverse.
func reversed(x uint64) (d uint64) {
	for i := range 16 {
		d |= x >> i & 1 << (15 - i)
	}
	return d
}

// stochasticConversions enters cvt.rs (9.7.9.21).
func (t *table) stochasticConversions() {
	for _, relu := range []bool{false, true} {
		end := strings.Repeat(".relu", int(truth(relu)))
		for _, finite := range []bool{false, true} {
			for _, to := range []format{half, brain} {
				bits := map[string]int{"f16": 13, "bf16": 16}[to.name]
				one := func(x, random uint64) uint64 {
					d := to.stochastic(x, random&mask(bits), bits)
					if finite && d&^to.signBit() == to.infinity() {
						d--
					}
					if relu && d&to.signBit() != 0 {
						d = 0
					}
					return d
				}
				t.bitwise("cvt.rs"+end+map[bool]string{true: ".satfinite"}[finite]+"."+to.name+"x2.f32", to.name+"x2", "f32 f32 b32", func(x []uint64) uint64 {
					return one(x[0], x[2]>>16)<<16 | one(x[1], x[2]&0xffff)
				})
			}
		}
		for _, f := range byteFormats {
			name := "cvt.rs" + end + ".satfinite." + f.name + "x4.f32"
			step := f.step()
			t.addCode(name, name+" D0, {S0, S1, S2, S3}, S4", map[int]string{4: "b16", 8: "b32"}[step], "f32 f32 f32 f32 b32", func(x []uint64) []uint64 {
				first, others := x[4]>>16, x[4]&0xffff
				if step == 4 {
					first, others = x[4]>>24<<8|x[4]>>8&0xff, x[4]>>16&0xff<<8|x[4]&0xff
				}
				d := uint64(0)
				for i, random := range []uint64{reversed(first), first, reversed(others), others} { // O11
					d = d<<step | f.stochastic(math.Float32frombits(uint32(x[i])), random, relu)
				}
				return []uint64{d}
			}).Restrict = small
		}
	}
}
