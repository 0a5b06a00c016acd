package ordinary

import (
	"math"
	"math/big"
	"strings"
)

// byteFormat is a floating-point format of a byte: the values of its patterns without a sign, up to the largest number.
type byteFormat struct {
	name   string
	values []float64
}

// byteFormats are e4m3, which has no infinities and one NaN, and e5m2.
var byteFormats = []byteFormat{newByteFormat("e4m3", 3, 7, 0x7e), newByteFormat("e5m2", 2, 15, 0x7b)}

func newByteFormat(name string, fraction, bias, top int) byteFormat {
	f := byteFormat{name: name}
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

// nearest finds the pattern whose value is nearest to an f32, by trying all. What is more than the largest number is that.
func (f byteFormat) nearest(x float32, relu bool) uint64 {
	sign := uint64(0)
	if math.Signbit(float64(x)) {
		sign = 0x80
	}
	switch {
	case x != x:
		return 0x7f
	case relu && sign != 0:
		return 0
	case math.IsInf(float64(x), 0):
		return sign | uint64(len(f.values)-1)
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
	switch magnitude := pattern & 0x7f; {
	case f.name == "e5m2" && magnitude > 0x7c, magnitude > 0x7c && int(magnitude) >= len(f.values):
		return half.nan
	case pattern&0x80 != 0 && relu:
		return 0
	case f.name == "e5m2" && magnitude == 0x7c:
		return pattern&0x80<<8 | half.infinity()
	default:
		return pattern&0x80<<8 | half.encode(double.decode(math.Float64bits(f.values[magnitude])), Nearest)
	}
}

// byteConversions enters the conversions to and from two bytes that are numbers.
func (t *table) byteConversions() {
	for _, f := range byteFormats {
		for _, relu := range []bool{false, true} {
			end := strings.Repeat(".relu", int(truth(relu)))
			pair := f.name + "x2"
			t.bitwise("cvt.rn.satfinite"+end+"."+pair+".f32", "b16", "f32 f32", func(x []uint64) uint64 {
				return f.nearest(math.Float32frombits(uint32(x[0])), relu)<<8 | f.nearest(math.Float32frombits(uint32(x[1])), relu)
			})
			t.bitwise("cvt.rn.satfinite"+end+"."+pair+".f16x2", "b16", "f16x2", func(x []uint64) (d uint64) {
				for i := range 2 {
					v := math.Float32frombits(uint32(single.encode(half.decode(x[0]>>(16*i)&0xffff), Nearest)))
					d |= f.nearest(v, relu) << (8 * i)
				}
				return d
			})
			t.bitwise("cvt.rn"+end+".f16x2."+pair, "f16x2", "b16", func(x []uint64) uint64 {
				return f.half(x[0]&0xff, relu) | f.half(x[0]>>8, relu)<<16
			})
		}
	}
}
