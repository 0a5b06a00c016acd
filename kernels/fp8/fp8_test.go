package fp8

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// value returns the number that an E4M3 byte stands for.
func value(b uint8) float64 {
	exponent, mantissa := int(b>>3&15), float64(b&7)
	if b&0x7f == 0x7f {
		return math.NaN()
	}
	v := math.Ldexp(1+mantissa/8, exponent-7)
	if exponent == 0 {
		v = math.Ldexp(mantissa/8, -6)
	}
	if b&0x80 != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

// half returns the bits of a half for a number that is one, normal or zero; NaN is 7e00.
func half(v float64, negative bool) uint16 {
	sign := uint16(0)
	if negative {
		sign = 0x8000
	}
	if math.IsNaN(v) {
		return sign | 0x7e00
	}
	if v == 0 {
		return sign
	}
	fraction, exponent := math.Frexp(math.Abs(v)) // 0.5 <= fraction < 1
	return sign | uint16(exponent+14)<<10 | uint16((2*fraction-1)*1024)
}

// All pairs of neighbouring bytes, so that no byte changes another.
func TestFP8(t *testing.T) {
	var in []uint8
	var want []uint16
	for pair := range 1 << 16 {
		for _, b := range []uint8{uint8(pair), uint8(pair >> 8)} {
			in = append(in, b)
			want = append(want, half(value(b), b >= 0x80))
		}
	}
	kerneltest.Each(t, "fp8", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]uint16, len(want))
		launch(vop.Grid{X: len(in) / 4 / 256}, vop.Block{X: 256}, in, got, len(in)/4)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.1000s", diff)
		}
	})
}
