package ordinary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

var allForms = sync.OnceValue(Forms)

// find returns a form by its name, with registers of the usual widths, and of those of the name the one with the fewest operands.
func find(t *testing.T, name string) *Form {
	t.Helper()
	var found *Form
	for _, f := range allForms() {
		if f.Name == name && strings.Contains(f.Code, name+" D0, S0") && !strings.Contains(f.Code, "!") && (found == nil || len(f.Sources) < len(found.Sources)) {
			found = &f
		}
	}
	if found == nil {
		t.Fatalf("there is no form %s", name)
	}
	return found
}

func TestForms(t *testing.T) {
	names, seen := map[string]bool{}, map[string]bool{}
	for _, f := range Forms() {
		names[f.Name] = true
		key := f.Code
		for _, o := range append(append([]Operand{}, f.Results...), f.Sources...) {
			key += " " + o.String()
		}
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
		if (f.Compute == nil) == (f.Near == nil) {
			t.Errorf("%s: want Compute or Near", f.Name)
		}
	}
	if len(names) < 1200 {
		t.Errorf("%d forms, want 1200 at least", len(names))
	}
	t.Logf("%d forms, %d with the registers they may have", len(names), len(seen))
}

// TestManualValues holds the values that the manual itself gives, and some that follow from its text at once.
func TestManualValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []uint64
		want    uint64
	}{
		{"bmsk.wrap.b32", []uint64{1, 2}, 6},
		{"bmsk.clamp.b32", []uint64{4, 32}, 0xfffffff0},
		{"szext.wrap.u32", []uint64{0xffffffff, 0}, 0},
		{"szext.clamp.s32", []uint64{0x80, 8}, 0xffffff80},
		{"fns.b32", []uint64{0b10100, 4, ^uint64(1)}, 2}, // -2: the second below
		{"fns.b32", []uint64{0b10100, 0, 3}, 0xffffffff},
		{"prmt.b32.b4e", []uint64{0x33221100, 0x77665544, 0}, 0x55667700},
		{"prmt.b32", []uint64{0x33228100, 0x77665544, 0x7691}, 0x7766ff81},
		{"lop3.b32", []uint64{0xf0, 0xcc, 0xaa}, 0}, // the table 0
		{"shf.l.clamp.b32", []uint64{1, 2, 40}, 1},
		{"shf.r.clamp.b32", []uint64{1, 2, 40}, 2},
		{"bfe.s32", []uint64{0x80, 4, 4}, 0xfffffff8},
		{"bfind.shiftamt.u32", []uint64{1}, 31},
		{"mul24.hi.u32", []uint64{0xffffff, 0xffffff}, 0xfffffe00},
		{"testp.normal.f32", []uint64{0x80000000}, 1},
		{"cvt.u16.s8", []uint64{0x80}, 0xff80},
		{"cvt.rzi.s32.f32", []uint64{0x7fc00000}, 0},
		{"cvt.rzi.s64.f32", []uint64{0x7fc00000}, 1 << 63},
		{"cvt.rzi.u32.f64", []uint64{0x7ff8000000000000}, 1 << 31},
		{"cvt.rni.f32.f32", []uint64{0x40200000}, 0x40000000}, // 2.5
		{"cvt.rn.f16.f32", []uint64{0x477ff000}, 0x7c00},      // 65520
		{"cvt.rz.f16.f32", []uint64{0x477ff000}, 0x7bff},
		{"cvt.pack.sat.s8.s32.b32", []uint64{200, ^uint64(199), 0xabcd1234}, 0x12347f80},
		{"add.sat.f32", []uint64{0x7fc00000, 0}, 0},
		{"add.rm.f32", []uint64{0x3f800000, 0xbf800000}, 0x80000000},
		{"min.f32", []uint64{0x00000000, 0x80000000}, 0x80000000},
		{"max.NaN.f16", []uint64{0x3c00, 0x7c01}, 0x7fff},
		{"sqrt.rn.f32", []uint64{0x80000000}, 0x80000000},
		{"div.rn.f32", []uint64{0x3f800000, 0x40400000}, 0x3eaaaaab},
		{"div.rz.f32", []uint64{0x3f800000, 0x40400000}, 0x3eaaaaaa},
	} {
		if got := find(t, c.name).Compute(c.sources)[0]; got != c.want {
			t.Errorf("%s of %#x = %#x, want %#x", c.name, c.sources, got, c.want)
		}
	}
}

// TestValuesOfMachines holds what an H200 gives where the manual is silent: rulings O1 and O12.
func TestValuesOfMachines(t *testing.T) {
	for bits, typ := range map[int]string{16: "16", 32: "32", 64: "64"} {
		for _, name := range []string{"div.u", "div.s", "rem.u", "rem.s"} {
			ones := ^uint64(0) >> (64 - bits)
			for _, x := range []uint64{0, 7, ^uint64(6) & ones} {
				if got := find(t, name+typ).Compute([]uint64{x, 0})[0]; got != ones {
					t.Errorf("%s of %#x by 0 = %#x, want %#x", name+typ, x, got, ones)
				}
			}
		}
	}
	for typ, one := range map[string]uint64{"f16": 0x3c00, "bf16": 0x3f80} {
		plain, fma, both := find(t, "fma.rn."+typ), find(t, "fma.rn.oob."+typ), find(t, "fma.rn.oob."+typ+"x2")
		for x := range uint64(1 << 16) {
			if x&0x7c00 != 0x7c00 && x%16 != 0 { // all NaNs, and some numbers
				continue
			}
			want := plain.Compute([]uint64{x, one, 0})[0]
			if x == 0x7ff7 || x == 0xfff7 {
				want = 0
			}
			for _, factors := range [][]uint64{{x, one, 0}, {one, x, 0}} {
				if got := fma.Compute(factors)[0]; got != want {
					t.Fatalf("%s of %#x = %#x, want %#x", fma.Name, factors, got, want)
				}
			}
			factors := []uint64{x<<16 | one, one<<16 | x, 0}
			if got := both.Compute(factors)[0]; got != want<<16|want {
				t.Fatalf("%s of %#x = %#x, want %#x twice", both.Name, factors, got, want)
			}
		}
		for _, c := range []struct{ a, b, c, want uint64 }{
			{one, one, 0x7ff7, 0x7fff}, {0x7ff7, one, 0x7ff7, 0}, {one, 0xfff7, 0x7fff, 0}, {0x7ff7, 0x7fff, 0, 0}, {0x7ff6, one, 0, 0x7fff},
		} {
			if got := fma.Compute([]uint64{c.a, c.b, c.c})[0]; got != c.want {
				t.Errorf("%s of %#x, %#x, %#x = %#x, want %#x", fma.Name, c.a, c.b, c.c, got, c.want)
			}
		}
	}
}

// TestNearest compares the model with this machine's arithmetic, which rounds to nearest.
func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random64 := func() float64 { // often near each other, or near the ends of the range
		e := []uint64{rng.Uint64() % 2047, 1023 + rng.Uint64()%60, rng.Uint64() % 60, 2046 - rng.Uint64()%3}[rng.IntN(4)]
		return math.Float64frombits(rng.Uint64()<<63 | e<<52 | rng.Uint64()>>12&(1<<rng.IntN(53)-1))
	}
	for _, c := range []struct {
		name string
		of   func(x []float64) float64
	}{
		{"add.rn.f64", func(x []float64) float64 { return x[0] + x[1] }},
		{"sub.rn.f64", func(x []float64) float64 { return x[0] - x[1] }},
		{"mul.rn.f64", func(x []float64) float64 { return x[0] * x[1] }},
		{"div.rn.f64", func(x []float64) float64 { return x[0] / x[1] }},
		{"fma.rn.f64", func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) }},
		{"sqrt.rn.f64", func(x []float64) float64 { return math.Sqrt(x[0]) }},
	} {
		f := find(t, c.name)
		for range 20000 {
			x := make([]float64, len(f.Sources))
			bits := make([]uint64, len(x))
			for i := range x {
				x[i] = random64()
				bits[i] = math.Float64bits(x[i])
			}
			got, want := math.Float64frombits(f.Compute(bits)[0]), c.of(x)
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Fatalf("%s of %g = %g, want %g", c.name, x, got, want)
			}
		}
	}
	narrow := find(t, "cvt.rn.f32.f64")
	for range 20000 {
		x := random64()
		if got, want := uint32(narrow.Compute([]uint64{math.Float64bits(x)})[0]), math.Float32bits(float32(x)); got != want {
			t.Fatalf("cvt.rn.f32.f64 of %g = %#x, want %#x", x, got, want)
		}
	}
}

// TestDirected holds what the other rounding modes mean: the results of rm and rp enclose an inexact number and are
// neighbours, and rz gives the one nearer to zero.
func TestDirected(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range []format{half, single, double} {
		for range 20000 {
			x := number{negative: rng.IntN(2) == 0, magnitude: new(big.Int).SetUint64(rng.Uint64() >> rng.IntN(64)), exponent: rng.IntN(3*f.bias()) - 2*f.bias()}
			if x.zero() {
				continue
			}
			down, up, cut := f.encode(x, Down), f.encode(x, Up), f.encode(x, TowardZero)
			low, high := f.decode(down), f.decode(up)
			below, _ := compare(low, x)
			above, _ := compare(high, x)
			if below > 0 || above < 0 {
				t.Fatalf("%s: %v is not between %#x and %#x", f.name, x, down, up)
			}
			magnitudes := [2]uint64{down &^ f.signBit(), up &^ f.signBit()}
			if x.negative {
				magnitudes[0], magnitudes[1] = magnitudes[1], magnitudes[0]
			}
			inexact := below != 0
			if magnitudes[1]-magnitudes[0] != truth(inexact) || cut&^f.signBit() != magnitudes[0] {
				t.Fatalf("%s: %v: rm %#x, rp %#x, rz %#x", f.name, x, down, up, cut)
			}
		}
	}
}
