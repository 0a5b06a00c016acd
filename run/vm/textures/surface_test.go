package textures

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// storeFormatted stores values by one sust.p, and returns what the surface has then.
func storeFormatted(t *testing.T, image vm.Image, form, place string, values [4]uint32) ([]byte, error) {
	t.Helper()
	source := "{%r0}"
	switch {
	case strings.Contains(form, ".v4"):
		source = "{%r0, %r1, %r2, %r3}"
	case strings.Contains(form, ".v2"):
		source = "{%r0, %r1}"
	}
	m := vmtest.Load(t, vmtest.Header+fmt.Sprintf(`
.visible .entry test(.param .u64 surface, .param .u32 a, .param .u32 b, .param .u32 c, .param .u32 e) {
	.reg .b64 %%d; .reg .b32 %%r<4>;
	ld.param.u64 %%d, [surface]; ld.param.u32 %%r0, [a]; ld.param.u32 %%r1, [b]; ld.param.u32 %%r2, [c]; ld.param.u32 %%r3, [e];
	%s [%%d, %s], %s;
	ret;
}`, form, place, source))
	surface, err := m.Memory().NewTexture(image, vm.Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	err = vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{}, surface, values[0], values[1], values[2], values[3])
	return surface.Image().Data, err
}

// sust.p converts 32-bit values to what the surface holds: components from left to right, those without a place passed over.
func TestFormattedStore(t *testing.T) {
	const one, all = "sust.p.1d.b32.trap", "sust.p.1d.v4.b32.trap"
	negative := func(n int32) uint32 { return uint32(n) }
	for _, c := range []struct {
		texel    vm.Texel
		channels int
		form     string
		values   [4]uint32
		want     []byte
	}{
		{vm.TexelU8, 4, all, [4]uint32{0, 255, 256, math.MaxUint32}, []byte{0, 255, 255, 255}},
		{vm.TexelS8, 4, all, [4]uint32{127, 128, negative(-128), negative(-129)}, []byte{127, 127, 0x80, 0x80}},
		{vm.TexelU16, 2, all, [4]uint32{0xffff, 0x10000, 7, 7}, []byte{0xff, 0xff, 0xff, 0xff}},
		{vm.TexelS16, 2, all, [4]uint32{0x8000, negative(-0x8001), 7, 7}, []byte{0xff, 0x7f, 0, 0x80}},
		{vm.TexelU32, 1, one, [4]uint32{0x80000001}, []byte{1, 0, 0, 0x80}},
		{vm.TexelS32, 1, one, [4]uint32{0x80000001}, []byte{1, 0, 0, 0x80}},
		{vm.TexelF32, 2, "sust.p.2d.v2.b32.trap", [4]uint32{single(1.5), 0x7fc00001}, []byte{0, 0, 0xc0, 0x3f, 1, 0, 0xc0, 0x7f}},
		// f16: to nearest, ties to even; too large is infinite; subnormal numbers stay.
		{vm.TexelF16, 4, all, [4]uint32{single(1 + 1.0/2048), single(65520), single(-0x1p-24), single(math.NaN())}, []byte{0, 0x3c, 0, 0x7c, 1, 0x80, 0xff, 0x7f}},
		{vm.TexelU8, 1, all, [4]uint32{9, 8, 7, 6}, []byte{9}},
		{vm.TexelU8, 4, one, [4]uint32{9, 8, 7, 6}, []byte{9, 0, 0, 0}},
	} {
		place := "{0}"
		if c.form == "sust.p.2d.v2.b32.trap" {
			place = "{0, 0}"
		}
		data := slices.Repeat([]byte{0xaa}, len(c.want))
		got, err := storeFormatted(t, vm.Image{Width: 1, Channels: c.channels, Texel: c.texel, Data: data}, c.form, place, c.values)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s of %x to %d x %v: %x, want %x (%v)", c.form, c.values, c.channels, c.texel, got, c.want, err)
		}
	}
}

// The coordinates of sust.p count texels. Outside, each mode does what its name says.
func TestFormattedStorePlaces(t *testing.T) {
	const width, height, depth = 3, 2, 2
	for _, c := range []struct {
		form, place string
		at          int // of the texel that is stored, or -1
	}{
		{"sust.p.1d.b32.trap", "{2}", 2}, {"sust.p.2d.b32.trap", "{2, 1}", 5}, {"sust.p.3d.b32.trap", "{1, 1, 1, 9}", 10},
		{"sust.p.2d.b32.zero", "{3, 1}", -1}, {"sust.p.2d.b32.zero", "{-1, 1}", -1}, {"sust.p.2d.b32.zero", "{0, 2}", -1},
		{"sust.p.2d.b32.clamp", "{3, 1}", 5}, {"sust.p.2d.b32.clamp", "{2147483647, -2147483648}", 2}, {"sust.p.3d.b32.clamp", "{-1, 5, 1, 0}", 9},
		{"sust.p.1d.b32.clamp", "{536870912}", 2}, // which is 0 bytes of 32 bits, were it counted so
	} {
		want := make([]byte, 8*width*height*depth)
		if c.at >= 0 {
			want[8*c.at] = 5
		}
		got, err := storeFormatted(t, vm.Image{Width: width, Height: height, Depth: depth, Channels: 2, Texel: vm.TexelU32}, c.form, c.place, [4]uint32{5})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s %s: %v (%v)", c.form, c.place, got, err)
		}
	}
	for _, place := range []string{"{3, 0}", "{0, -1}", "{-2147483648, 0}"} {
		_, err := storeFormatted(t, vm.Image{Width: width, Height: height}, "sust.p.2d.b32.trap", place, [4]uint32{})
		if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.OutOfBounds {
			t.Errorf("%s: %v", place, err)
		}
	}
}
