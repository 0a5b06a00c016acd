// Package motion is the example that the README begins with: block-matching motion
// estimation by vabsdiff4, run by "vop run" on two frames whose motion is known.
//
// The kernel is motion.cu, compiled to motion.ptx. This package is the known motion:
// package frames makes the frames by it, and the tests hold the kernel's vectors
// against it. README.md says more.
package motion

import (
	"image"
	"image/color"
	"math"
)

// Size is the width and height of the frames in pixels. They show less than the
// photograph does, so that nothing comes into view that it does not have.
const Size = 480

// The camera pulls back between the frames and pans a little: what is at p, in pixels
// from the top left corner of the first frame, is in the second at
//
//	centre + Zoom * (p - centre) + Pan
const (
	Zoom       = 0.955
	PanX, PanY = +4.0, -3.0
	centre     = Size / 2
)

// At returns how far what is at (x, y) in the first frame has moved in the second.
func At(x, y float64) (dx, dy float64) {
	return (Zoom-1)*(x-centre) + PanX, (Zoom-1)*(y-centre) + PanY
}

// Frames returns what the camera sees of a photograph before and after its move. The
// first frame is the middle of the photograph as it is; the second is sampled from it.
func Frames(photo *image.Gray) (first, second *image.Gray) {
	first = image.NewGray(image.Rect(0, 0, Size, Size))
	second = image.NewGray(first.Rect)
	left, top := (photo.Rect.Dx()-Size)/2, (photo.Rect.Dy()-Size)/2
	for y := range Size {
		for x := range Size {
			first.SetGray(x, y, photo.GrayAt(left+x, top+y))
			// The middle of pixel (x, y) is at (x+0.5, y+0.5).
			fromX := centre + (float64(x)+0.5-centre-PanX)/Zoom
			fromY := centre + (float64(y)+0.5-centre-PanY)/Zoom
			second.SetGray(x, y, color.Gray{Y: bicubic(photo, float64(left)+fromX-0.5, float64(top)+fromY-0.5)})
		}
	}
	return first, second
}

// bicubic returns the value between the pixels of a picture, by the Catmull-Rom spline.
// Outside, the picture is as at its edge.
func bicubic(img *image.Gray, x, y float64) uint8 {
	left, top := math.Floor(x), math.Floor(y)
	weightsX, weightsY := catmullRom(x-left), catmullRom(y-top)
	sum := 0.0
	for j, weightY := range weightsY {
		row := min(max(int(top)+j-1, 0), img.Rect.Dy()-1)
		for i, weightX := range weightsX {
			column := min(max(int(left)+i-1, 0), img.Rect.Dx()-1)
			sum += float64(float64(weightX*weightY) * float64(img.GrayAt(column, row).Y))
		}
	}
	return uint8(min(max(math.Round(sum), 0), 255))
}

// catmullRom returns the weights of the four values around a place t, 0 <= t < 1,
// after the second of them. The conversions here and in bicubic keep compilers from
// fusing multiplication and addition, so that every machine makes the same frame.
func catmullRom(t float64) [4]float64 {
	t2 := float64(t * t)
	t3 := float64(t2 * t)
	return [4]float64{
		float64(-0.5*t3) + t2 - float64(0.5*t),
		float64(1.5*t3) - float64(2.5*t2) + 1,
		float64(-1.5*t3) + float64(2*t2) + float64(0.5*t),
		float64(0.5*t3) - float64(0.5*t2),
	}
}
