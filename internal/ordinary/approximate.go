package ordinary

import (
	"fmt"
	"math"
)

// An approximation is an instruction for which the manual gives a bound of the error, and a table of results.
type approximation struct {
	name  string
	count int
	exact func(x []float64) float64 // in double precision, whose own error does not count here
	// bound is the greatest error at a result, or negative where the manual gives none.
	bound func(x []float64, want float64) float64
	ftz   []finish
}

// ulp is the distance of the f32 at a magnitude.
func ulp(want float64) float64 {
	_, e := math.Frexp(want)
	return math.Ldexp(1, max(e-24, -149))
}

func ulps(n float64) func([]float64, float64) float64 {
	return func(_ []float64, want float64) float64 { return n * ulp(want) }
}

// relative allows half a unit besides, without which no f32 might be near enough.
func relative(bound float64) func([]float64, float64) float64 {
	return func(_ []float64, want float64) float64 { return bound*math.Abs(want) + ulp(want)/2 }
}

// angle is the bound of sin and cos.
func angle(x []float64, want float64) float64 {
	switch a := math.Abs(x[0]); {
	case a <= 2*math.Pi:
		return 0x1p-20 * math.Sqrt2 / 2 // 2^-20.5
	case a <= 100*math.Pi:
		return math.Exp2(-14.7)
	}
	return -1
}

var approximationList = []approximation{
	{"rcp", 1, func(x []float64) float64 { return 1 / x[0] }, ulps(1), flushing},
	{"sqrt", 1, func(x []float64) float64 { return math.Sqrt(x[0]) }, relative(0x1p-23), flushing},
	{"rsqrt", 1, func(x []float64) float64 { return 1 / math.Sqrt(x[0]) }, relative(math.Exp2(-22.9)), flushing},
	{"sin", 1, func(x []float64) float64 { return math.Sin(x[0]) }, angle, flushing},
	{"cos", 1, func(x []float64) float64 { return math.Cos(x[0]) }, angle, flushing},
	{"lg2", 1, func(x []float64) float64 { return math.Log2(x[0]) }, func(x []float64, want float64) float64 {
		if x[0] > 0.5 && x[0] < 2 {
			return 0x1p-22
		}
		return relative(0x1p-22)(x, want)
	}, flushing},
	{"ex2", 1, func(x []float64) float64 { return math.Exp2(x[0]) }, ulps(2.5), flushing}, // 2 from the rounded result
	{"tanh", 1, func(x []float64) float64 { return math.Tanh(x[0]) }, relative(0x1p-11), plainly},
	{"div", 2, func(x []float64) float64 {
		if b := math.Abs(x[1]); b > 0x1p126 && !math.IsInf(b, 0) { // the reciprocal is 0
			return x[0] * math.Copysign(0, x[1])
		}
		return x[0] / x[1]
	}, func(x []float64, want float64) float64 {
		if b := math.Abs(x[1]); b != 0 && b < 0x1p-126 {
			return -1
		}
		return 2 * ulp(want)
	}, flushing},
}

// approximations enters the .approx instructions, and div.full.
func (t *table) approximations() {
	for _, a := range approximationList {
		for _, m := range a.ftz {
			t.near(a.name+".approx"+m.suffix()+".f32", a, m)
		}
	}
	full := approximation{"div", 2, func(x []float64) float64 { return x[0] / x[1] }, ulps(2), flushing}
	for _, m := range flushing {
		t.near("div.full"+m.suffix()+".f32", full, m)
	}
	t.roughly("rcp.approx.ftz.f64", func(x float64) float64 { return 1 / x })
	t.roughly("rsqrt.approx.ftz.f64", func(x float64) float64 { return 1 / math.Sqrt(x) })
	f := t.add("rsqrt.approx.f64", "f64", "f64", nil)
	f.Compute = nil
	f.Near = func(x []uint64, got uint64) string {
		want := 1 / math.Sqrt(math.Float64frombits(x[0]))
		return compareNear(math.Float64frombits(got), want, 0x1p-50*math.Abs(want)) // the manual gives no bound: almost exact
	}
}

func compareNear(got, want, bound float64) string {
	switch {
	case bound < 0, got != got && want != want:
		return ""
	case got == want && math.Signbit(got) == math.Signbit(want):
		return ""
	case want == 0 || math.IsInf(want, 0) || !(math.Abs(got-want) <= bound):
		return fmt.Sprintf("got %g, want %g within %g", got, want, bound)
	}
	return ""
}

func (t *table) near(name string, a approximation, m finish) {
	f := t.add(name, "f32", repeated("f32", a.count), nil)
	f.Compute = nil
	f.Near = func(x []uint64, got uint64) string {
		values := make([]float64, len(x))
		for i := range x {
			p := uint32(x[i])
			if m.ftz {
				p = uint32(single.flush(uint64(p)))
			}
			values[i] = float64(math.Float32frombits(p))
		}
		want := a.exact(values)
		result := float64(math.Float32frombits(uint32(got)))
		bound := a.bound(values, want)
		if m.ftz && result == 0 && math.Abs(want) < 0x1p-126+bound && math.Signbit(result) == math.Signbit(want) {
			return "" // flushed
		}
		if m.ftz && result != 0 && math.Abs(result) < 0x1p-126 {
			return fmt.Sprintf("got the subnormal number %g", result)
		}
		if math.Abs(want) > math.MaxFloat32 && math.IsInf(result, 0) || math.IsInf(float64(float32(want)), 0) {
			want = float64(float32(want))
		}
		if float32(want) == 0 && want != 0 { // too small for an f32
			return compareNear(math.Abs(result), 0x1p-149, max(bound, 0x1p-149))
		}
		return compareNear(result, want, bound)
	}
}

// roughly enters an approximation of f64 that computes with the upper words alone.
func (t *table) roughly(name string, exact func(x float64) float64) {
	f := t.add(name, "f64", "f64", nil)
	f.Compute = nil
	f.Near = func(x []uint64, got uint64) string {
		if double.decode(x[0]).nan {
			if got != 0x7fffffff00000000 {
				return fmt.Sprintf("got the NaN %x, want 7fffffff00000000", got)
			}
			return ""
		}
		if got&mask(32) != 0 {
			return fmt.Sprintf("got %x with a lower word that is not 0", got)
		}
		v := exact(math.Float64frombits(double.flush(x[0] &^ mask(32))))
		if math.Abs(v) < 0x1p-1022 {
			v = math.Copysign(0, v)
		}
		// The results have 20 bits of fraction.
		return compareNear(math.Float64frombits(got), v, 0x1p-19*math.Abs(v))
	}
}
