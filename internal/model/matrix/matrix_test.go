package matrix

import (
	"math"
	"testing"
)

// TestFragments: the lanes have every element of a matrix, and each one once.
func TestFragments(t *testing.T) {
	for _, form := range []string{
		"m16n8k8.row.col.f32.f16.f16.f32", "m16n8k4.row.col.f32.tf32.tf32.f32", "m16n8k32.row.col.s32.s8.u8.s32", "m8n8k32.row.col.s32.u4.s4.s32",
		"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "m8n8k4.row.col.f64.f64.f64.f64.rz",
	} {
		p, err := Form(form)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []struct {
			rows, columns int
			of            func(lane int) []Place
		}{{p.M, p.K, p.OfA}, {p.K, p.N, p.OfB}, {p.M, p.N, p.OfC}} {
			m := Empty(part.rows, part.columns)
			for lane := range Lanes {
				for _, at := range part.of(lane) {
					m[at.Row][at.Column]++
				}
			}
			for i, row := range m {
				for j, n := range row {
					if n != 1 {
						t.Errorf("%s: %d lanes have the element %d, %d of %d x %d", form, n, i, j, part.rows, part.columns)
					}
				}
			}
		}
	}
}

// TestNearestHalf: each f16 is nearest to itself, and what lies in the middle between two goes to the even one.
func TestNearestHalf(t *testing.T) {
	half := Types["f16"]
	const infinity = 0x7c00
	for bits := uint64(0); bits < infinity; bits++ {
		x := half.Number(bits)
		next := half.Number(bits + 1)
		if bits+1 == infinity {
			next = 65536
		}
		middle := (x + next) / 2
		for _, c := range []struct {
			x    float64
			want uint64
		}{{x, bits}, {math.Nextafter(middle, 0), bits}, {middle, bits + bits&1}, {math.Nextafter(middle, next), bits + 1}} {
			if got := half.Nearest(c.x); got != c.want {
				t.Errorf("nearest to %v is %#x, want %#x", c.x, got, c.want)
			}
			if got := half.Nearest(-c.x); got != c.want|0x8000 && c.x != 0 {
				t.Errorf("nearest to %v is %#x, want %#x", -c.x, got, c.want|0x8000)
			}
		}
	}
	for _, c := range []struct {
		x    float64
		want uint64
	}{{math.Inf(1), 0x7c00}, {math.Inf(-1), 0xfc00}, {1e300, 0x7c00}, {math.NaN(), 0x7fff}, {math.Copysign(0, -1), 0x8000}} {
		if got := half.Nearest(c.x); got != c.want {
			t.Errorf("nearest to %v is %#x, want %#x", c.x, got, c.want)
		}
	}
}

// TestForms: what is not a form is said.
func TestForms(t *testing.T) {
	p, err := Form("m16n8k32.row.col.satfinite.s32.u8.s8.s32")
	if want := (Product{M: 16, N: 8, K: 32, D: "s32", A: "u8", B: "s8", C: "s32", Saturating: true}); err != nil || p != want {
		t.Errorf("%+v (%v), want %+v", p, err, want)
	}
	for _, form := range []string{"", "m16n8k32.row.col.s32.u8.s8", "k32.row.col.s32.u8.s8.s32", "m16n8k32.row.col.s32.u8.s9.s32.s33"} {
		if p, err := Form(form); err == nil {
			t.Errorf("%q is taken for %+v", form, p)
		}
	}
}
