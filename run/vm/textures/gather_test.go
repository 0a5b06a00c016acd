package textures

import (
	"math"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestGather reads one component of four texels: lower left, lower right, upper right, upper left of the point.
func TestGather(t *testing.T) {
	image := vm.Image{Width: 4, Height: 3, Channels: 2, Texel: vm.TexelU8}
	for i := range 4 * 3 {
		image.Data = append(image.Data, byte(10+i), byte(100+i))
	}
	texel := func(x, y int) uint32 { return uint32(min(max(y, 0), 2)*4 + min(max(x, 0), 3)) }
	for form, c := range map[string]struct {
		first      uint32
		normalized bool
	}{"tld4.r.2d.v4.u32.f32": {10, false}, "tld4.g.2d.v4.s32.f32": {100, false}, "tld4.g.2d.v4.u32.f32": {100, true}} {
		var places [][4]uint32
		var want [][4]uint32
		for _, at := range [][2]float64{{1, 1}, {2.75, 1.5}, {0.25, 0.25}, {3.9, 2.9}, {2, 0.5}, {-7, 1.6}} {
			x, y := int(math.Floor(at[0]-0.5)), int(math.Floor(at[1]-0.5))
			want = append(want, [4]uint32{c.first + texel(x, y+1), c.first + texel(x+1, y+1), c.first + texel(x+1, y), c.first + texel(x, y)})
			if c.normalized {
				at[0], at[1] = at[0]/4, at[1]/3
			}
			places = append(places, [4]uint32{math.Float32bits(float32(at[0])), math.Float32bits(float32(at[1]))})
		}
		for i, got := range readTexels(t, form, "", image, vm.Sampling{Normalized: c.normalized}, places) {
			if got != want[i] {
				t.Errorf("%s, place %d: %v, want %v", form, i, got, want[i])
			}
		}
	}
}

// TestGradients: of a texture with one level, gradients and levels choose that one.
func TestGradients(t *testing.T) {
	places := [][4]uint32{{math.Float32bits(1.3), math.Float32bits(2.2)}, {math.Float32bits(4.9), math.Float32bits(0.1)}}
	image := vm.Image{Width: 5, Height: 4, Channels: 1, Texel: vm.TexelU8, Data: gray.Data}
	want := readTexels(t, "tex.2d.v4.f32.f32", "", image, vm.Sampling{Linear: true}, places)
	for form, more := range map[string]string{"tex.base.2d.v4.f32.f32": "", "tex.grad.2d.v4.f32.f32": ", {%c0, %c1}, {%c1, %c0}"} {
		text := strings.Replace(textureKernel(form, "%d0", 2), "{%c0, %c1}];", "{%c0, %c1}]"+more+";", 1)
		m := vmtest.Load(t, text)
		texture, err := m.Memory().NewTexture(image, vm.Sampling{Linear: true})
		if err != nil {
			t.Fatal(err)
		}
		where, _ := m.Memory().Alloc("where", 16*len(places))
		out, _ := m.Memory().Alloc("out", 16*len(places))
		for i, p := range places {
			vmtest.Put(where.Bytes(), 4*i, 32, uint64(p[0]))
			vmtest.Put(where.Bytes(), 4*i+1, 32, uint64(p[1]))
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 32}}, texture, where, out, len(places))
		for i := range places {
			for c := range 4 {
				if got := uint32(vmtest.Get(out.Bytes(), 4*i+c, 32)); got != want[i][c] {
					t.Errorf("%s, place %d: component %d is %#x, want %#x", form, i, c, got, want[i][c])
				}
			}
		}
	}
}
