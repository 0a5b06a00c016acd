package compare

import (
	"encoding/binary"
	"image/color"
	"math"
	"strings"
	"testing"
)

func data(t *testing.T, values any) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestArrays(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name, kind string
		got, want  any
		tolerance  Tolerance
		count      int
	}{
		{"equal", "i16", []int16{1, -2}, []int16{1, -2}, Tolerance{}, 0},
		{"one", "i16", []int16{1, -3}, []int16{1, -2}, Tolerance{}, 1},
		{"within", "i16", []int16{1, -3}, []int16{1, -2}, Tolerance{Absolute: 1}, 0},
		{"beyond", "i16", []int16{1, -4}, []int16{1, -2}, Tolerance{Absolute: 1}, 1},
		{"signed", "i8", []int8{127}, []int8{-128}, Tolerance{Absolute: 200}, 1},
		{"unsigned", "u8", []uint8{127}, []uint8{128}, Tolerance{Absolute: 1}, 0},
		{"large", "u64", []uint64{math.MaxUint64}, []uint64{math.MaxUint64 - 1}, Tolerance{}, 1},
		{"relative", "f32", []float32{100.5, 1.5}, []float32{100, 1}, Tolerance{Relative: 0.01}, 1},
		{"zeros", "f32", []float32{0}, []float32{float32(math.Copysign(0, -1))}, Tolerance{}, 0},
		{"not a number", "f64", []float64{nan, nan, 1}, []float64{-nan, 1, nan}, Tolerance{Absolute: 1e9}, 2},
		{"infinite", "f64", []float64{inf, inf, 1}, []float64{inf, -inf, inf}, Tolerance{Absolute: 1e9, Relative: 1}, 2},
		{"half", "f16", []uint16{0x3c00, 0x3c01, 0x0001}, []uint16{0x3c01, 0x4000, 0x0002}, Tolerance{Absolute: 0.001}, 1},
		{"allowed", "i32", []int32{1, 2, 3}, []int32{0, 0, 3}, Tolerance{Allowed: 2}, 0},
		{"not allowed", "i32", []int32{1, 2, 3}, []int32{0, 0, 0}, Tolerance{Allowed: 2}, 3},
	} {
		want := Array{test.kind, []int{binary.Size(test.want) / sizes[test.kind]}, data(t, test.want)}
		d, err := Arrays(data(t, test.got), want, test.tolerance)
		count := 0
		if d != nil {
			count = d.Count
		}
		if err != nil || count != test.count {
			t.Errorf("%s: %d differ, want %d (%v)", test.name, count, test.count, err)
		}
	}
	if _, err := Arrays(make([]byte, 3), Array{"u8", []int{4}, make([]byte, 4)}, Tolerance{}); err == nil || err.Error() != "there are 3 bytes, 4 are wanted" {
		t.Error(err)
	}
	if _, err := Arrays(nil, Array{Type: "c8"}, Tolerance{}); err == nil {
		t.Error("a type that is unknown")
	}
}

func TestHalf(t *testing.T) {
	for x, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 5.9604644775390625e-8, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1), 0x8000: 0, 0x3555: 0.333251953125} {
		if got := half(x); got != want {
			t.Errorf("%#04x is %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) {
		t.Error("not a NaN")
	}
}

func TestString(t *testing.T) {
	want := Array{"u8", []int{32, 128}, make([]byte, 32*128)}
	got := make([]byte, 32*128)
	for i := range 13 {
		got[128+i] = byte(i + 1)
	}
	d, err := Arrays(got, want, Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	const text = `13 of 4096 elements differ; the largest difference is 13 at [1, 12]
  [1, 0]  got 1    want 0
  [1, 1]  got 2    want 0
  [1, 2]  got 3    want 0
  [1, 3]  got 4    want 0
  [1, 4]  got 5    want 0
  [1, 5]  got 6    want 0
  [1, 6]  got 7    want 0
  [1, 7]  got 8    want 0
  [1, 8]  got 9    want 0
  [1, 9]  got 10   want 0
  and 3 more
  where (# all differ, 1-9 so many tenths, . none; 32 x 128 elements):
    5555553`
	if !strings.HasPrefix(d.String(), text) {
		t.Errorf("got\n%s", d)
	}
	picture := d.Picture(want)
	if picture.At(3, 1) != (color.RGBA{R: 255, A: 255}) || picture.At(3, 2) != (color.RGBA{A: 255}) || picture.Bounds().Dx() != 128 {
		t.Error("the picture is another")
	}
	flat, _ := Arrays([]byte{1}, Array{"u8", []int{1}, []byte{0}}, Tolerance{})
	if flat.Picture(want) != nil || flat.String() != "1 of 1 elements differ\n  [0]  got 1    want 0\n" {
		t.Errorf("got %q", flat)
	}
	near, _ := Arrays(data(t, []float32{1, 3}), Array{"f32", []int{2}, data(t, []float32{2, 3})}, Tolerance{Absolute: 0.5, Relative: 0.25})
	if !strings.HasPrefix(near.String(), "1 of 2 elements differ by more than 0.5 and 0.25 of the wanted value\n  [0]  got 1    want 2\n") {
		t.Errorf("got %q", near)
	}
}
