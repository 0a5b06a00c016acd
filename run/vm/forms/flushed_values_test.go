package forms

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/vop-ptx/vop/internal/ordinary"
)

// flushedOperations are those whose results may be inexact where .ftz makes them zeros, in double precision.
var flushedOperations = map[string]func(x []float64) float64{
	"mul": func(x []float64) float64 { return x[0] * x[1] },
	"fma": func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) },
	"mad": func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) },
	"div": func(x []float64) float64 { return x[0] / x[1] },
	"rcp": func(x []float64) float64 { return 1 / x[0] },
}

// flushes reports whether a form is of these, with operands of f32 or f16.
func flushes(f *ordinary.Form) bool {
	name, modifiers, _ := strings.Cut(f.Name, ".")
	o := f.Sources[0]
	return flushedOperations[name] != nil && strings.Contains(modifiers, "ftz") && (o.Kind == 'f' && o.Bits < 64 || o.Kind == 'x')
}

// small is f32 or f16: its least normal number and how many digits it has.
type small struct {
	least  float64
	digits int
}

// round is the nearest number of the format, if that is normal.
func (s small) round(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, s.digits)), exponent-s.digits)
}

func (s small) encode(x float64) uint64 {
	if s.digits == 24 {
		return uint64(math.Float32bits(float32(x)))
	}
	fraction, exponent := math.Frexp(math.Abs(x))
	b := uint64(fraction*2048) - 1024 + uint64(exponent+14)<<10
	if x == 0 {
		b = 0
	}
	if math.Signbit(x) {
		b |= 0x8000
	}
	return b
}

// nearLeast changes operands so that the result is near to the least normal number, mostly a little less (ruling O2).
func nearLeast(rng *rand.Rand, f *ordinary.Form, x []uint64) {
	name, _, _ := strings.Cut(f.Name, ".")
	s, width := small{0x1p-126, 24}, 32
	if f.Sources[0].Kind == 'x' || f.Sources[0].Bits == 16 {
		s, width = small{0x1p-14, 11}, 16
	}
	for shift := 0; shift < f.Sources[0].Bits; shift += width {
		for k, v := range s.nearLeast(rng, name, len(x)) {
			mask := uint64(1)<<width - 1
			x[k] = x[k]&^(mask<<shift) | s.encode(v)<<shift
		}
	}
}

// nearLeast draws operands until they are as they should be. Of reciprocals few are.
func (s small) nearLeast(rng *rand.Rand, name string, operands int) []float64 {
	for {
		x := s.aroundLeast(rng, name, operands)
		short := 1 - math.Abs(flushedOperations[name](x)/s.least) // of the least normal number
		if unit := math.Ldexp(1, -s.digits); short > -unit && short < 3*unit || rng.IntN(16) == 0 {
			return x
		}
	}
}

func (s small) aroundLeast(rng *rand.Rand, name string, operands int) []float64 {
	result := s.least * (1 - rng.Float64()*math.Ldexp(3, -s.digits))
	if rng.IntN(2) == 0 {
		result = -result
	}
	// With few digits results are halfway between two numbers.
	digits := 1 + rng.IntN(s.digits)
	factor := math.Ldexp(float64(1<<(digits-1)+rng.IntN(1<<(digits-1))), rng.IntN(s.digits)-s.digits-digits)
	switch {
	case name == "rcp":
		return []float64{s.round(1 / result)}
	case name == "div":
		return []float64{s.round(result * factor * 4096), s.round(factor * 4096)}
	case operands == 2:
		return []float64{factor, s.round(result / factor)}
	}
	addend := 0.0
	if rng.IntN(2) == 0 { // of which the product is taken
		addend = s.round(s.least * math.Ldexp(1+rng.Float64(), rng.IntN(3)))
	}
	return []float64{factor, s.round((result - addend) / factor), addend}
}
