package texture

import (
	"math"
	"testing"
)

// line is a texture of one row of f32.
func line(s Sampling, texels ...float32) *Texture {
	t := &Texture{Image{Width: len(texels), Height: 1, Depth: 1, Count: 1, Channel: F32}, s}
	for _, x := range texels {
		bits := math.Float32bits(x)
		t.Data = append(t.Data, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return t
}

// TestFormulas holds reads against values that were computed by hand from the guide's formulas.
func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		s    Sampling
		x    float32
		want float32
	}{
		{Sampling{}, 1.99, 20}, {Sampling{}, 2, 40}, {Sampling{}, -1, 10}, {Sampling{}, 9, 80},
		{Sampling{Address: Border}, -0.001, 0}, {Sampling{Address: Border}, 4, 0}, {Sampling{Address: Border}, 3.99, 80},
		{Sampling{Address: Wrap}, -1, 10}, // of coordinates that are not normalized it clamps
		{Sampling{Address: Wrap, Normalized: true}, 1.3, 20}, {Sampling{Address: Wrap, Normalized: true}, -0.1, 80},
		{Sampling{Address: Mirror, Normalized: true}, 1.3, 40}, {Sampling{Address: Mirror, Normalized: true}, -0.1, 10},
		{Sampling{Linear: true}, 1.5, 20}, {Sampling{Linear: true}, 2, 30}, {Sampling{Linear: true}, 2.25, 35},
		{Sampling{Linear: true}, 0.25, 10}, {Sampling{Linear: true, Address: Border}, 0.25, 7.5},
		{Sampling{Linear: true}, 0.5 + 1.0/512, 10 + 10.0/256}, {Sampling{Linear: true}, 0.5 + 0.99/512, 10},
		{Sampling{Linear: true, Normalized: true, Address: Wrap}, 0, 45}, {Sampling{Linear: true, Normalized: true, Address: Mirror}, 1, 80},
	} {
		f := Form{Dimensions: 1, Numbers: true}
		got := line(c.s, 10, 20, 40, 80).Read(f, 0, []uint32{math.Float32bits(c.x)}, nil)
		if x := math.Float32frombits(got[0]); x != c.want {
			t.Errorf("%+v at %v: %v, want %v", c.s, c.x, x, c.want)
		}
	}
}

// TestHalves rounds numbers at the ends of f16's range and halfway between two of them.
func TestHalves(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want uint32
	}{
		{0, 0}, {math.Copysign(0, -1), 0x8000}, {1, 0x3c00}, {1 + 1.0/2048, 0x3c00}, {1 + 3.0/2048, 0x3c02}, {65504, 0x7bff}, {65519.9, 0x7bff}, {65520, 0x7c00},
		{math.Inf(-1), 0xfc00}, {math.NaN(), 0x7fff}, {1.0 / (1 << 24), 1}, {0.5 / (1 << 24), 0}, {1.5 / (1 << 24), 2}, {-1023.5 / (1 << 24), 0x8400},
	} {
		if got := ToHalf(math.Float32bits(float32(c.x))); got != c.want {
			t.Errorf("%v: %#x, want %#x", c.x, got, c.want)
		}
	}
	for h := range uint32(0x7c01) {
		if got := ToHalf(fromHalf(h)); got != h {
			t.Fatalf("%#x comes back as %#x", h, got)
		}
	}
}
