package motion

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vop-ptx/vop"
)

const (
	side    = 16 // pixels on a side of a block
	reach   = 16 // the largest component of a vector
	columns = Size / side
)

// vector is how far a block has moved, in pixels.
type vector struct{ dx, dy int16 }

// match is the dull model of the kernel: the vector of the block at (x0, y0) of first.
func match(first, second *image.Gray, x0, y0 int) vector {
	var best vector
	least, shortest := math.MaxInt, math.MaxInt
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			there := image.Rect(0, 0, side, side).Add(image.Pt(x0+dx, y0+dy))
			if !there.In(second.Rect) {
				continue
			}
			sum, length := 0, dx*dx+dy*dy
			for y := range side {
				row := second.Pix[second.PixOffset(x0+dx, y0+dy+y):]
				for x, here := range first.Pix[first.PixOffset(x0, y0+y):][:side] {
					d := int(here) - int(row[x])
					sum += max(d, -d)
				}
			}
			if sum < least || sum == least && length < shortest {
				least, shortest, best = sum, length, vector{int16(dx), int16(dy)}
			}
		}
	}
	return best
}

// matchAll returns the vectors of all blocks, rows from the top.
func matchAll(first, second *image.Gray) []vector {
	var vectors []vector
	for y0 := 0; y0 < first.Rect.Dy(); y0 += side {
		for x0 := 0; x0 < first.Rect.Dx(); x0 += side {
			vectors = append(vectors, match(first, second, x0, y0))
		}
	}
	return vectors
}

func readGray(t testing.TB, name string) *image.Gray {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.Gray)
}

// recovered counts the blocks whose vector is, in both components, within a distance of
// the true motion of the block's middle.
func recovered(vectors []vector, within float64) (n int) {
	for i, v := range vectors {
		dx, dy := At(float64(i%columns*side+side/2), float64(i/columns*side+side/2))
		if math.Abs(float64(v.dx)-dx) <= within && math.Abs(float64(v.dy)-dy) <= within {
			n++
		}
	}
	return n
}

// The frames in the repository are those that the known motion makes of the photograph.
func TestFrames(t *testing.T) {
	first, second := Frames(readGray(t, "photo.png"))
	if !bytes.Equal(first.Pix, readGray(t, "frame0.png").Pix) || !bytes.Equal(second.Pix, readGray(t, "frame1.png").Pix) {
		t.Error("frame0.png and frame1.png are not what examples/motion/frames makes of photo.png: run it again")
	}
}

// No block moves further than the search reaches or out of the frame, so all could be found.
func TestMotionIsWithinReach(t *testing.T) {
	for _, corner := range [][2]float64{{0, 0}, {Size, 0}, {0, Size}, {Size, Size}} {
		x, y := corner[0], corner[1]
		dx, dy := At(x, y)
		if max(math.Abs(dx), math.Abs(dy)) > reach || x+dx < 0 || x+dx > Size || y+dy < 0 || y+dy > Size {
			t.Errorf("(%g, %g) moves by (%g, %g)", x, y, dx, dy)
		}
	}
}

// The figures are those of README.md.
func TestRecovered(t *testing.T) {
	vectors := matchAll(readGray(t, "frame0.png"), readGray(t, "frame1.png"))
	for _, test := range []struct {
		within float64
		want   int
	}{{0.5, 649}, {1, 826}} {
		if got := recovered(vectors, test.within); got != test.want {
			t.Errorf("%d of %d blocks within %g; README.md says %d", got, len(vectors), test.within, test.want)
		}
	}
}

// hue is the colour of an arrow: each channel a cosine of its direction, 120 degrees apart.
func hue(v vector) (rgb [3]float64) {
	angle := math.Atan2(float64(v.dy), float64(v.dx))
	for channel := range rgb {
		rgb[channel] = min(160+130*math.Cos(angle-float64(channel)*2*math.Pi/3), 255)
	}
	return rgb
}

// The kernel gives exactly the vectors of the model, and paints them.
func TestKernel(t *testing.T) {
	text, err := os.ReadFile("motion.ptx")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := vop.Load("motion.ptx", string(text))
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := mod.Kernel("motion")
	if err != nil {
		t.Fatal(err)
	}
	first, second := readGray(t, "frame0.png"), readGray(t, "frame1.png")
	want := matchAll(first, second)
	frame0, err0 := vop.NewBuffer(mod, "frame0", first.Pix)
	frame1, err1 := vop.NewBuffer(mod, "frame1", second.Pix)
	vectors, err2 := vop.NewBuffer(mod, "vectors", make([]int16, 2*len(want)))
	picture, err3 := vop.NewBuffer(mod, "picture", make([]uint8, 3*enlarged*enlarged))
	if err := errors.Join(err0, err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if err := kernel.Launch(t.Context(), vop.Grid{X: columns, Y: columns}, vop.Block{X: side, Y: side}, frame0, frame1, Size, Size, vectors, picture); err != nil {
		t.Fatal(err)
	}

	var got []vector
	for pair := range slices.Chunk(vop.Values[int16](vectors), 2) {
		got = append(got, vector{pair[0], pair[1]})
	}
	if !slices.Equal(got, want) {
		t.Errorf("the kernel's vectors are not the model's: %v; want %v", got, want)
	}
	pixels := vop.Values[uint8](picture)
	for i, v := range want {
		x0, y0 := i%columns*side, i/columns*side
		checkCorner(t, pixels, first, x0, y0)
		checkMiddle(t, pixels, v, x0, y0)
	}
}

const enlarged = 3 * Size // picture pixels on a side

func pixel(pixels []uint8, x, y int) []uint8 { return pixels[3*(y*enlarged+x):][:3] }

// checkCorner demands the frame, dimmed, in the corner of a block, where no arrow reaches.
func checkCorner(t *testing.T, pixels []uint8, frame *image.Gray, x0, y0 int) {
	t.Helper()
	want := float64(frame.GrayAt(x0, y0).Y) * 0.6
	for _, channel := range pixel(pixels, 3*x0+1, 3*y0+1) {
		if math.Abs(float64(channel)-want) > 1.5 {
			t.Errorf("at block (%d, %d) the picture is %d, want %g", x0, y0, channel, want)
		}
	}
}

// checkMiddle demands an arrow of the right colour, or a white dot, in the middle of a block.
func checkMiddle(t *testing.T, pixels []uint8, v vector, x0, y0 int) {
	t.Helper()
	want := hue(v)
	if v == (vector{}) {
		want = [3]float64{255, 255, 255}
	}
	got := pixel(pixels, 3*(x0+side/2), 3*(y0+side/2))
	for channel, value := range got {
		if math.Abs(float64(value)-want[channel]) > 20 { // samples at the pixel's edge may be outside
			t.Errorf("the middle of block (%d, %d), with vector %v, is %v, want about %.0f", x0, y0, v, got, want)
			return
		}
	}
}

// motion.ptx is what the build script makes of motion.cu.
func TestPTXIsBuilt(t *testing.T) {
	if _, err := exec.LookPath("clang-16"); err != nil {
		t.Skip("clang-16 is not installed")
	}
	built := filepath.Join(t.TempDir(), "motion.ptx")
	if out, err := exec.Command("./build", built).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("motion.ptx")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("motion.ptx is not what ./build makes of motion.cu: run it again")
	}
}
