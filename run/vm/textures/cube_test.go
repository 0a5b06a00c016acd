package textures

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// cubeMap is an image of cubes whose texels tell their layer and their place: 100 times the layer, 10 times the row, the column.
func cubeMap(size, cubes int) vm.Image {
	image := vm.Image{Width: size, Height: size, Depth: 6 * cubes, Texel: vm.TexelU16}
	for layer := range image.Depth {
		for y := range size {
			for x := range size {
				n := 100*layer + 10*y + x
				image.Data = append(image.Data, byte(n), byte(n>>8))
			}
		}
	}
	return image
}

// A direction goes through one of six faces, which lie as CUDA's programming guide says: +x, -x, +y, -y, +z, -z.
func TestCube(t *testing.T) {
	for _, c := range []struct {
		x, y, z float64
		want    uint32 // layer, row, column
	}{
		{1, 0, 0, 22}, {-1, 0, 0, 122}, {0, 1, 0, 222}, {0, -1, 0, 322}, {0, 0, 1, 422}, {0, 0, -1, 522}, // the middles
		{5, 4, 0, 2}, {5, -4, 0, 42}, {5, 0, 4, 20}, {5, 0, -4, 24}, // +x: up is +y, to the left is +z
		{-5, 4, 0, 102}, {-5, 0, 4, 124}, {-5, 0, -4, 120},
		{4, 5, 0, 224}, {-4, 5, 0, 220}, {0, 5, 4, 242}, {0, 5, -4, 202}, // +y: to the right is +x, down is +z
		{4, -5, 0, 324}, {0, -5, 4, 302}, {0, -5, -4, 342},
		{4, 0, 5, 424}, {0, 4, 5, 402}, {4, 0, -5, 520}, {-4, 0, -5, 524}, {0, 4, -5, 502},
		{1e30, 8e29, 0, 2}, {1e-30, -8e-30, 0, 322}, // the length counts for nothing
		{1, 1, 1, 404}, {1, 1, 0, 224}, {-1, -1, -1, 544}, // z before y before x
		{0, 0, 0, 400}, {math.NaN(), 0, 1, 0}, // no direction: a texel, and no more is said
	} {
		place := [][4]uint32{{single(c.x), single(c.y), single(c.z)}}
		// The coordinates are from 0 to 1, whatever the sampling says of others.
		for _, s := range []vm.Sampling{{}, {Normalized: true}} {
			if got := readTexels(t, "tex.cube.v4.u32.f32", "", cubeMap(5, 1), s, place)[0][0]; got != c.want {
				t.Errorf("(%v, %v, %v), %+v: %d, want %d", c.x, c.y, c.z, s, got, c.want)
			}
		}
	}
}

// Texels are interpolated within a face, and gathered there.
func TestCubeLinear(t *testing.T) {
	image := vm.Image{Width: 2, Height: 2, Depth: 6, Texel: vm.TexelU8, Data: make([]byte, 24)}
	copy(image.Data[4*4:], []byte{0, 51, 102, 255}) // +z
	place := [][4]uint32{{single(0), single(0), single(3)}, {single(0.5), single(0), single(1)}}
	for i, want := range []float64{(0 + 0.2 + 0.4 + 1) / 4, (0.2 + 1) / 2} {
		got := math.Float32frombits(readTexels(t, "tex.cube.v4.f32.f32", "", image, vm.Sampling{Linear: true}, place)[i][0])
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("place %d: %v, want %v", i, got, want)
		}
	}
	if got := readTexels(t, "tld4.r.cube.v4.u32.f32", "", image, vm.Sampling{}, place)[0]; got != [4]uint32{102, 255, 51, 0} {
		t.Errorf("gathered %v", got)
	}
}

// A direction whose components are zeros was that of the sign of its largest one, so that the face was -z for (0, 0, -0): the guide
// asks whether z < 0. So it was for what is no number.
func TestCubeOfNegativeZero(t *testing.T) {
	none := math.Float64frombits(math.Float64bits(math.NaN()) | 1<<63)
	zero := math.Copysign(0, -1)
	for _, c := range []struct {
		at   [3]float64
		want uint32
	}{{[3]float64{0, 0, zero}, 400}, {[3]float64{zero, zero, zero}, 400}, {[3]float64{none, 0, 0}, 0}} {
		place := [][4]uint32{{single(c.at[0]), single(c.at[1]), single(c.at[2])}}
		if got := readTexels(t, "tex.cube.v4.u32.f32", "", cubeMap(5, 1), vm.Sampling{}, place)[0][0]; got != c.want {
			t.Errorf("%v: %d, want %d", c.at, got, c.want)
		}
	}
}

// A direction that goes through the border of two texels gives the second one, whatever the number of texels; one next to it, be it
// by less than a number from 0 to 1 can tell, the first. The place was rounded three times.
func TestCubeBorders(t *testing.T) {
	for _, c := range []struct {
		size int
		x, z float32 // the direction is (x, 0, z), through +z
		want uint32  // the column
	}{
		{3, 1, 3, 2}, {3, 1, math.Nextafter32(3, 4), 1}, {3, -1, 3, 1}, {3, math.Nextafter32(-1, -2), 3, 0},
		{6, 1, 3, 4}, {7, 3, 7, 5}, {7, -1, 7, 3}, {5, 3, 5, 4}, {4, -1e-30, 1, 1}, {4, 1e-30, 1, 2}, {4, 0, 1, 2}, {49, 5, 49, 27},
	} {
		image := cubeMap(c.size, 1)
		place := [][4]uint32{{math.Float32bits(c.x), 0, math.Float32bits(c.z)}}
		want := 400 + uint32(c.size/2)*10 + c.want
		if got := readTexels(t, "tex.cube.v4.u32.f32", "", image, vm.Sampling{}, place)[0][0]; got != want {
			t.Errorf("(%v, 0, %v) of %d texels: %d, want %d", c.x, c.z, c.size, got, want)
		}
	}
}

// The cube of an array is chosen by a number, which is clamped as other layers are; levels and gradients choose among one level.
func TestCubeArray(t *testing.T) {
	for form, operands := range map[string]string{
		"tex.acube.v4.u32.f32": "", "tex.base.acube.v4.u32.f32": "", "tex.level.acube.v4.u32.f32": ", 0f00000000",
		"tex.grad.acube.v4.u32.f32": ", {%c1, %c2, %c3, %c3}, {%c1, %c2, %c3, %c3}",
	} {
		text := strings.Replace(textureKernel(form, "%d0", 3), "{%c0, %c1, %c2, %c3}];", "{%c0, %c1, %c2, %c3}]"+operands+";", 1)
		m := vmtest.Load(t, text)
		texture, err := m.Memory().NewTexture(cubeMap(3, 2), vm.Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		cubes := []int{0, 1, 2, -1}
		where, _ := m.Memory().Alloc("where", 16*len(cubes))
		out, _ := m.Memory().Alloc("out", 16*len(cubes))
		for i, n := range cubes {
			for c, x := range []uint32{uint32(n), single(0), single(-1), single(0)} {
				vmtest.Put(where.Bytes(), 4*i+c, 32, uint64(x))
			}
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 32}}, texture, where, out, len(cubes))
		for i, want := range []uint64{311, 911, 911, 911} { // a number has no sign
			if got := vmtest.Get(out.Bytes(), 4*i, 32); got != want {
				t.Errorf("%s, cube %d: %d, want %d", form, cubes[i], got, want)
			}
		}
	}
}

// What is no cube is a fault, not something read.
func TestNotCubes(t *testing.T) {
	for _, image := range []vm.Image{{Width: 2, Height: 2}, {Width: 2, Height: 3, Depth: 6}, {Width: 2, Height: 2, Depth: 7}} {
		m := vmtest.Load(t, textureKernel("tex.cube.v4.u32.f32", "%d0", 3))
		texture, _ := m.Memory().NewTexture(image, vm.Sampling{})
		data, _ := m.Memory().Alloc("data", 32)
		err := vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{}, texture, data, data, 1)
		fault, ok := errors.AsType[*vm.Fault](err)
		want := fmt.Sprintf("what is bound there is no cube: it has %d x %d texels in %s; want a square, and six layers for each cube", image.Width, image.Height, diag.Count(max(image.Depth, 1), "layer"))
		if !ok || fault.Kind != vm.NoTexture || fault.Detail != want {
			t.Errorf("%+v: %v", image, err)
		}
	}
}

// Depths to compare with were passed over: another value was read than was asked for.
func TestTextureDepthIsTold(t *testing.T) {
	for _, operand := range []string{"0f3f000000", "{1, 1}, 0f3f000000"} {
		text := strings.Replace(textureKernel("tex.2d.v4.u32.f32", "%d0", 2), "{%c0, %c1}];", "{%c0, %c1}], "+operand+";", 1)
		m := vmtest.Load(t, text)
		_, err := m.Kernel("test")
		if err == nil || !strings.Contains(err.Error(), "comparisons with a depth") {
			t.Errorf("%s: %v", operand, err)
		}
	}
}
