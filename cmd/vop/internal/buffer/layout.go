package buffer

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/number"
)

// MaxBytes is the largest buffer that a file or an argument may ask for: 8 GiB,
// or what an int can count where that is less.
const MaxBytes = min(8<<30, math.MaxInt)

// Elem is the type of a buffer's elements.
type Elem struct {
	Name  string // as in SIZE: "i16"
	descr string // as in the header of .npy: "<i2"
	Bytes int
}

// elems are the types an .npy file may hold; all are little-endian.
var elems = []Elem{
	{"u8", "|u1", 1}, {"u16", "<u2", 2}, {"u32", "<u4", 4}, {"u64", "<u8", 8},
	{"i8", "|i1", 1}, {"i16", "<i2", 2}, {"i32", "<i4", 4}, {"i64", "<i8", 8},
	{"f16", "<f2", 2}, {"f32", "<f4", 4}, {"f64", "<f8", 8},
	{"bool", "|b1", 1},
}

var u8 = elems[0]

// elemNames is the list of element types for messages.
func elemNames() string {
	names := make([]string, len(elems))
	for i, e := range elems {
		names[i] = e.Name
	}
	return strings.Join(names, " ")
}

// elemBy returns the element type for which key gives text.
func elemBy(key func(Elem) string, text string) (Elem, bool) {
	i := slices.IndexFunc(elems, func(e Elem) bool { return key(e) == text })
	if i < 0 {
		return Elem{}, false
	}
	return elems[i], true
}

// Layout is what the bytes of a buffer are: an array of elements, the last index
// running fastest. Raw bytes are a vector of u8; pixels are u8 of shape {height,
// width} (grey) or {height, width, channels}.
type Layout struct {
	Elem  Elem
	Shape []int
}

// raw is the layout of n bytes of which nothing else is known.
func raw(n int) Layout { return Layout{u8, []int{n}} }

// size returns the number of bytes, or an error if they are more than [MaxBytes].
// All of the shape are at least 0.
func (l Layout) size() (int, error) {
	n, over := uint64(l.Elem.Bytes), false
	for _, d := range l.Shape {
		high, low := bits.Mul64(n, uint64(d))
		n, over = low, over || high != 0
	}
	if slices.Contains(l.Shape, 0) {
		return 0, nil
	}
	if over || n > MaxBytes {
		return 0, fmt.Errorf("%s is more than the %d bytes a buffer may have", l, uint64(MaxBytes))
	}
	return int(n), nil
}

// String spells the layout as SIZE of an .npy file: "32x32x2xi16".
func (l Layout) String() string {
	var s strings.Builder
	for _, d := range l.Shape {
		s.WriteString(strconv.Itoa(d))
		s.WriteByte('x')
	}
	s.WriteString(l.Elem.Name)
	return s.String()
}

// picture returns the layout of width x height pixels.
func picture(width, height, channels int) Layout {
	if channels == 1 {
		return Layout{u8, []int{height, width}}
	}
	return Layout{u8, []int{height, width, channels}}
}

// pixels returns the size of a picture of this layout. ok is false if it cannot be one.
func (l Layout) pixels() (width, height, channels int, ok bool) {
	if l.Elem != u8 || len(l.Shape) < 2 || len(l.Shape) > 3 || l.Shape[0] == 0 || l.Shape[1] == 0 {
		return 0, 0, 0, false
	}
	height, width, channels = l.Shape[0], l.Shape[1], 1
	if len(l.Shape) == 3 {
		channels = l.Shape[2]
	}
	return width, height, channels, channels == 1 || channels == 3 || channels == 4
}

// count reads a number of SIZE: decimal or 0x hexadecimal, at least 1.
func count(text string) (int, error) {
	n, err := number.Unsigned(text, 63)
	switch {
	case number.IsLeadingZero(err):
		return 0, err
	case errors.Is(err, number.ErrRange), err == nil && n > MaxBytes:
		return 0, fmt.Errorf("%q is more than the %d bytes a buffer may have", text, uint64(MaxBytes))
	case err != nil, n == 0:
		return 0, fmt.Errorf("%q is not a number from 1 on", text)
	}
	return int(n), nil
}

// counts reads numbers with x between them: "1536x1536x3".
func counts(text string) ([]int, error) {
	var ns []int
	for word := range strings.SplitSeq(text, "x") {
		n, err := count(word)
		if err != nil {
			return nil, err
		}
		ns = append(ns, n)
	}
	return ns, nil
}
