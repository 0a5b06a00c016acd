// Package compare tells how an array differs from the one that was wanted: how many elements, by how
// much, which first, and where they lie.
package compare

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Array is an array of numbers, little-endian, the last index running fastest.
type Array struct {
	Type  string // as NumPy: u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 bool
	Shape []int
	Data  []byte
}

// sizes are the bytes of the types' elements.
var sizes = map[string]int{"u8": 1, "i8": 1, "bool": 1, "u16": 2, "i16": 2, "f16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8}

// Tolerance is by how much an element may differ: by Absolute, or by Relative times the wanted one,
// whichever is more. The zero value wants the same value. Allowed is how many elements may differ by more.
type Tolerance struct {
	Absolute, Relative float64
	Allowed            int
}

// Exact reports whether equal values are wanted.
func (t Tolerance) Exact() bool { return t.Absolute == 0 && t.Relative == 0 }

// Element is one that differs.
type Element struct {
	Index     []int
	Got, Want string
}

// Difference is how an array differs from the wanted one.
type Difference struct {
	Type         string
	Shape        []int
	Count, Total int
	First        []Element // at most maxFirst
	Largest      float64   // difference
	LargestAt    []int
	differs      []bool // by element
	tolerance    Tolerance
}

// maxFirst is how many differing elements are told.
const maxFirst = 10

// Arrays compares. The shapes and types are those of want; got has as many bytes, or there is an error. The result is
// nil if no more elements differ than the tolerance allows.
func Arrays(got []byte, want Array, tolerance Tolerance) (*Difference, error) {
	size := sizes[want.Type]
	if size == 0 {
		return nil, fmt.Errorf("elements of type %q cannot be compared", want.Type)
	}
	if len(got) != len(want.Data) {
		return nil, fmt.Errorf("there are %d bytes, %d are wanted", len(got), len(want.Data))
	}
	if bytes.Equal(got, want.Data) {
		return nil, nil
	}
	d := &Difference{Type: want.Type, Shape: want.Shape, Total: len(got) / size, tolerance: tolerance}
	d.differs = make([]bool, d.Total)
	for i := range d.Total {
		g, w := got[i*size:][:size], want.Data[i*size:][:size]
		if bytes.Equal(g, w) || near(want.Type, g, w, tolerance) {
			continue
		}
		d.differs[i] = true
		if d.Count++; len(d.First) < maxFirst {
			d.First = append(d.First, Element{d.index(i), spell(want.Type, g), spell(want.Type, w)})
		}
		by := math.Abs(value(want.Type, g) - value(want.Type, w))
		if d.LargestAt == nil || by > d.Largest {
			d.Largest, d.LargestAt = by, d.index(i)
		}
	}
	if d.Count <= tolerance.Allowed {
		return nil, nil
	}
	return d, nil
}

// near reports whether two values are within the tolerance. Floating-point numbers are the same if they are
// equal, as 0 and -0, or if both are NaN.
func near(kind string, got, want []byte, t Tolerance) bool {
	g, w := value(kind, got), value(kind, want)
	switch {
	case kind[0] == 'f' && (g == w || math.IsNaN(g) && math.IsNaN(w)):
		return true
	case t.Exact() || math.IsInf(g, 0) || math.IsInf(w, 0):
		return false
	}
	return math.Abs(g-w) <= max(t.Absolute, t.Relative*math.Abs(w))
}

// value returns an element as a number; of 64 bits some are rounded.
func value(kind string, e []byte) float64 {
	switch x := bits(e); kind {
	case "i8", "i16", "i32", "i64":
		shift := 64 - 8*len(e)
		return float64(int64(x<<shift) >> shift)
	case "f16":
		return half(uint16(x))
	case "f32":
		return float64(math.Float32frombits(uint32(x)))
	case "f64":
		return math.Float64frombits(x)
	default:
		return float64(x)
	}
}

func bits(e []byte) uint64 {
	var word [8]byte
	copy(word[:], e)
	return binary.LittleEndian.Uint64(word[:])
}

// half returns the value of a number of 16 bits.
func half(x uint16) float64 {
	sign, exponent, fraction := 1.0, int(x>>10&31), float64(x&1023)
	if x>>15 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// spell writes an element for people.
func spell(kind string, e []byte) string {
	switch x := bits(e); kind {
	case "f16", "f64":
		return fmt.Sprintf("%v", value(kind, e))
	case "f32":
		return fmt.Sprintf("%v", math.Float32frombits(uint32(x)))
	case "i8", "i16", "i32", "i64":
		shift := 64 - 8*len(e)
		return fmt.Sprint(int64(x<<shift) >> shift)
	default:
		return fmt.Sprint(x)
	}
}

// index returns the indices of the element at a position.
func (d *Difference) index(i int) []int {
	index := make([]int, len(d.Shape))
	for k := len(d.Shape) - 1; k >= 0; k-- {
		if d.Shape[k] > 0 {
			index[k], i = i%d.Shape[k], i/d.Shape[k]
		}
	}
	return index
}
