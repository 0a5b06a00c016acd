package stereo

import (
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

const (
	width, height = 150, 97 // pixels
	disparities   = 16
	reach         = 2
)

// depth is the disparity that the pair is made with: a wall, a box before it and a pole before
// both.
func depth(x, y int) int {
	switch {
	case x >= 100 && x < 118:
		return 13
	case x >= 30 && x < 80 && y >= 25 && y < 75:
		return 8
	}
	return 3
}

// pair cuts the left picture out of a photo and makes the right one of it: what is near lies over what
// is far, and what the left eye does not see is another part of the photo.
func pair(t *testing.T) (left, right []byte) {
	t.Helper()
	file, err := os.Open("../../examples/motion/photo.png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	photo := picture.(*image.Gray)
	for y := range height {
		for x := range width {
			left = append(left, photo.GrayAt(180+x, 60+y).Y)
			right = append(right, photo.GrayAt(20+x, 330+y).Y)
		}
	}
	for _, d := range []int{3, 8, 13} {
		for y := range height {
			for x := range width {
				if depth(x, y) == d && x-d >= 0 {
					right[y*width+x-d] = left[y*width+x]
				}
			}
		}
	}
	return left, right
}

// match is the dull model: it tries every disparity for every pixel.
func match(left, right []byte) (disparity []byte) {
	at := func(picture []byte, x, y int) int {
		return int(picture[min(max(y, 0), height-1)*width+min(max(x, 0), width-1)])
	}
	for y := range height {
		for x := range width {
			least, best := 1<<30, 0
			for d := range disparities {
				sum := 0
				for j := -reach; j <= reach; j++ {
					for i := -reach; i <= reach; i++ {
						difference := at(left, x+i, y+j) - at(right, x+i-d, y+j)
						sum += max(difference, -difference)
					}
				}
				if sum < least {
					least, best = sum, d
				}
			}
			disparity = append(disparity, byte(best))
		}
	}
	return disparity
}

func TestStereo(t *testing.T) {
	left, right := pair(t)
	want := match(left, right)
	found := 0
	for i, d := range want {
		if int(d) == depth(i%width, i/width) {
			found++
		}
	}
	if 100*found < 80*len(want) {
		t.Fatalf("block matching finds %d of %d disparities: the pair is not one", found, len(want))
	}
	texture := func(pixels []byte) kerneltest.Texture {
		return kerneltest.Texture{Image: vop.Image{Width: width, Height: height, Texel: vop.TexelU8, Data: pixels}}
	}
	kerneltest.Each(t, "stereo", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]byte, width*height)
		launch(vop.Grid{X: (width + 31) / 32, Y: (height + 7) / 8}, vop.Block{X: 32, Y: 8}, texture(left), texture(right), got, width, height)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
