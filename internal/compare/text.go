package compare

import (
	"fmt"
	"image"
	"image/color"
	"strings"
)

// String tells the difference in several lines: how many, the first ones, the largest, and for arrays of two
// dimensions where they lie.
func (d *Difference) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d of %d elements differ", d.Count, d.Total)
	if !d.tolerance.Exact() {
		fmt.Fprintf(&s, " by more than %s", d.tolerance)
	}
	if d.tolerance.Allowed > 0 {
		fmt.Fprintf(&s, ", %d may", d.tolerance.Allowed)
	}
	if d.Count > 1 {
		fmt.Fprintf(&s, "; the largest difference is %.6g at %s", d.Largest, place(d.LargestAt))
	}
	s.WriteByte('\n')
	at, got := 0, len("got")
	for _, e := range d.First {
		at, got = max(at, len(place(e.Index))), max(got, len(e.Got))
	}
	for _, e := range d.First {
		fmt.Fprintf(&s, "  %-*s  got %-*s  want %s\n", at, place(e.Index), got, e.Got, e.Want)
	}
	if more := d.Count - len(d.First); more > 0 {
		fmt.Fprintf(&s, "  and %d more\n", more)
	}
	s.WriteString(d.plan())
	return s.String()
}

func (t Tolerance) String() string {
	switch {
	case t.Relative == 0:
		return fmt.Sprintf("%g", t.Absolute)
	case t.Absolute == 0:
		return fmt.Sprintf("%g of the wanted value", t.Relative)
	}
	return fmt.Sprintf("%g and %g of the wanted value", t.Absolute, t.Relative)
}

func place(index []int) string { return strings.ReplaceAll(fmt.Sprint(index), " ", ", ") }

// The size of a plan, in characters, at most.
const planWidth, planHeight = 64, 16

// plane returns the rows and columns of an array of two dimensions, and how many elements each place has;
// ok is false of all others.
func (d *Difference) plane() (rows, columns, deep int, ok bool) {
	if len(d.Shape) < 2 || len(d.Shape) > 3 || d.Shape[0] < 2 || d.Shape[1] < 2 || d.Total == 0 {
		return 0, 0, 0, false
	}
	deep = 1
	if len(d.Shape) == 3 {
		deep = d.Shape[2]
	}
	return d.Shape[0], d.Shape[1], deep, true
}

// plan draws where the elements differ: a dot where none does, digits for up to nine tenths, and # for all.
func (d *Difference) plan() string {
	rows, columns, deep, ok := d.plane()
	if !ok {
		return ""
	}
	height, width := min(rows, planHeight), min(columns, planWidth)
	var s strings.Builder
	fmt.Fprintf(&s, "  where (# all differ, 1-9 so many tenths, . none; %d x %d elements):\n", rows, columns)
	for y := range height {
		s.WriteString("    ")
		for x := range width {
			n, all := d.within(y*rows/height, (y+1)*rows/height, x*columns/width, (x+1)*columns/width, columns, deep)
			switch {
			case n == 0:
				s.WriteByte('.')
			case n == all:
				s.WriteByte('#')
			default:
				s.WriteByte(byte('1' + n*9/all))
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// within counts the places that differ in a rectangle, and all.
func (d *Difference) within(top, bottom, left, right, columns, deep int) (n, all int) {
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			all++
			if d.at(y*columns+x, deep) {
				n++
			}
		}
	}
	return n, all
}

// at reports whether anything at a place differs.
func (d *Difference) at(place, deep int) bool {
	for _, differs := range d.differs[place*deep:][:deep] {
		if differs {
			return true
		}
	}
	return false
}

// Picture draws the array, if it has two dimensions, with red where elements differ, and the wanted pixels
// dimmed elsewhere where they are known; otherwise it returns nil.
func (d *Difference) Picture(want Array) image.Image {
	rows, columns, deep, ok := d.plane()
	if !ok {
		return nil
	}
	img := image.NewRGBA(image.Rect(0, 0, columns, rows))
	for y := range rows {
		for x := range columns {
			c := color.RGBA{A: 255}
			switch i := y*columns + x; {
			case d.at(i, deep):
				c.R = 255
			case want.Type == "u8":
				grey := want.Data[i*deep] / 2
				c.R, c.G, c.B = grey, grey, grey
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}
