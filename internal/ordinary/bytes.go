package ordinary

import (
	"math"
	"math/big"
	"strings"
)

// byteFormat is a floating-point format of at most a byte: the values of its patterns without a sign, up to the largest number.
type byteFormat struct {
	name   string
	bits   int
	values []float64
	nan    uint64 // what a NaN becomes: the largest number where there is none
}

// byteFormats are those of which there are several in a register.
var byteFormats = []byteFormat{
	newByteFormat("e4m3", 8, 3, 7, 0x7e, 0x7f), newByteFormat("e5m2", 8, 2, 15, 0x7b, 0x7f), // e4m3 has no infinities and one NaN
	newByteFormat("e2m3", 6, 3, 1, 0x1f, 0x1f), newByteFormat("e3m2", 6, 2, 3, 0x1f, 0x1f), newByteFormat("e2m1", 4, 1, 1, 7, 7),
}

func newByteFormat(name string, bits, fraction, bias, top int, nan uint64) byteFormat {
	f := byteFormat{name: name, bits: bits, nan: nan}
	for pattern := range top + 1 {
		exponent, digits := pattern>>fraction, float64(pattern%(1<<fraction))/float64(int(1)<<fraction)
		if exponent == 0 {
			f.values = append(f.values, math.Ldexp(digits, 1-bias))
		} else {
			f.values = append(f.values, math.Ldexp(1+digits, exponent-bias))
		}
	}
	return f
}

// step is how many bits of a register each number has.
func (f byteFormat) step() int {
	if f.bits == 4 {
		return 4
	}
	return 8
}

// special returns what a format has instead of a number, and whether that is so; the sign otherwise.
func (f byteFormat) special(x float32, relu bool) (pattern uint64, ok bool) {
	sign := uint64(0)
	if math.Signbit(float64(x)) {
		sign = 1 << (f.bits - 1)
	}
	switch {
	case x != x:
		return f.nan, true
	case relu && sign != 0:
		return 0, true
	case math.IsInf(float64(x), 0):
		return sign | uint64(len(f.values)-1), true
	}
	return sign, false
}

// nearest finds the pattern whose value is nearest to an f32, by trying all. What is more than the largest number is that.
func (f byteFormat) nearest(x float32, relu bool) uint64 {
	sign, special := f.special(x, relu)
	if special {
		return sign
	}
	distance := func(v float64) *big.Float {
		d := new(big.Float).SetPrec(400).SetFloat64(v)
		return d.Abs(d.Sub(d, new(big.Float).SetPrec(400).SetFloat64(math.Abs(float64(x)))))
	}
	best := 0
	for pattern, v := range f.values {
		if c := distance(v).Cmp(distance(f.values[best])); c < 0 || c == 0 && pattern%2 == 0 {
			best = pattern
		}
	}
	return sign | uint64(best)
}

// half returns the f16 of a pattern's value.
func (f byteFormat) half(pattern uint64, relu bool) uint64 {
	signBit := uint64(1) << (f.bits - 1)
	sign := pattern & signBit << (16 - f.bits)
	switch magnitude := pattern & (signBit - 1); {
	case f.name == "e5m2" && magnitude > 0x7c, f.name == "e4m3" && magnitude == 0x7f:
		return half.nan
	case sign != 0 && relu:
		return 0
	case f.name == "e5m2" && magnitude == 0x7c:
		return sign | half.infinity()
	default:
		return sign | half.encode(double.decode(math.Float64bits(f.values[magnitude])), Nearest)
	}
}

// small brings most of what are f32 among some patterns near to 1, and some of them between two numbers of few digits.
func small(x []uint64) {
	for i := range x {
		if x[i]&3 != 0 {
			exponent := 127 - 8 + x[i]>>2&15
			x[i] = x[i]&^(0xff<<23) | exponent<<23
		}
		if x[i]&0xc0 == 0 {
			x[i] &^= 1<<18 - 1
		}
	}
}

// byteConversions enters the conversions to and from two numbers of at most a byte.
func (t *table) byteConversions() {
	for _, f := range byteFormats {
		step := f.step()
		register := map[int]string{4: "b8/8", 8: "b16"}[step]
		for _, relu := range []bool{false, true} {
			end := strings.Repeat(".relu", int(truth(relu)))
			pair := f.name + "x2"
			t.bitwise("cvt.rn.satfinite"+end+"."+pair+".f32", register, "f32 f32", func(x []uint64) uint64 {
				return f.nearest(math.Float32frombits(uint32(x[0])), relu)<<step | f.nearest(math.Float32frombits(uint32(x[1])), relu)
			}).Restrict = small
			for from, format := range map[string]format{"f16x2": half, "bf16x2": brain} {
				t.bitwise("cvt.rn.satfinite"+end+"."+pair+"."+from, register, from, func(x []uint64) (d uint64) {
					for i := range 2 {
						v := math.Float32frombits(uint32(single.encode(format.decode(x[0]>>(16*i)&0xffff), Nearest)))
						d |= f.nearest(v, relu) << (step * i)
					}
					return d
				})
			}
			t.bitwise("cvt.rn"+end+".f16x2."+pair, "f16x2", register, func(x []uint64) uint64 {
				number := uint64(1)<<f.bits - 1
				return f.half(x[0]&number, relu) | f.half(x[0]>>step&number, relu)<<16
			})
		}
	}
	t.scaleConversions()
	t.stochasticConversions()
}
