package textures

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// textureKernel reads a texture at coordinates from an array, one set a thread, and stores all four channels.
func textureKernel(form, texture string, coordinates int) string {
	registers := "{%c0, %c1, %c2, %c3}"
	switch coordinates {
	case 1:
		registers = "{%c0}"
	case 2:
		registers = "{%c0, %c1}"
	}
	return vmtest.Header + `
.global .texref photo;
.visible .entry test(.param .u64 texture, .param .u64 where, .param .u64 out, .param .u32 n) {
	.reg .b64 %d<4>; .reg .b32 %r<8>, %c<4>; .reg .pred %p;
	ld.param.u64 %d0, [texture];
	ld.param.u64 %d1, [where];
	ld.param.u64 %d2, [out];
	ld.param.u32 %r1, [n];
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p, %r0, %r1;
	@%p bra END;
	mul.wide.u32 %d3, %r0, 16;
	add.u64 %d1, %d1, %d3;
	add.u64 %d2, %d2, %d3;
	ld.global.v4.u32 {%c0, %c1, %c2, %c3}, [%d1];
	` + form + ` {%r4, %r5, %r6, %r7}, [` + texture + `, ` + registers + `];
	st.global.v4.u32 [%d2], {%r4, %r5, %r6, %r7};
END:
	ret;
}`
}

// read runs a texture kernel at some places.
func readTexels(t *testing.T, form, variable string, image vm.Image, sampling vm.Sampling, places [][4]uint32) [][4]uint32 {
	t.Helper()
	coordinates := 3
	for i, name := range []string{"1d", "2d"} {
		if strings.Contains(form, "."+name) {
			coordinates = i + 1
		}
	}
	operand := variable
	if variable == "" {
		operand = "%d0"
	}
	m := vmtest.Load(t, textureKernel(form, operand, coordinates))
	texture, err := m.Memory().NewTexture(image, sampling)
	if err != nil {
		t.Fatal(err)
	}
	args := []any{texture}
	if variable != "" {
		if err := m.BindTexture(variable, texture); err != nil {
			t.Fatal(err)
		}
		args[0] = 0
	}
	where, _ := m.Memory().Alloc("where", 16*len(places))
	out, _ := m.Memory().Alloc("out", 16*len(places))
	binary.Encode(where.Bytes(), binary.LittleEndian, places)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 1024}}, append(args, where, out, len(places))...)
	got := make([][4]uint32, len(places))
	binary.Decode(out.Bytes(), binary.LittleEndian, got)
	return got
}

// gray is an image of 5 x 4 pixels.
var gray = vm.Image{Width: 5, Height: 4, Texel: vm.TexelU8, Data: []byte{
	10, 20, 30, 40, 50,
	11, 21, 31, 41, 51,
	12, 22, 32, 42, 52,
	13, 23, 33, 43, 255,
}}

// pixel is the one of gray that an address mode gives: by counting up or down to a place inside.
func pixel(x, y int, mode vm.AddressMode) byte {
	inside := func(i, n int) int {
		switch mode {
		case vm.Clamp:
			return min(max(i, 0), n-1)
		case vm.Wrap:
			for i < 0 {
				i += n
			}
			for i >= n {
				i -= n
			}
		case vm.Mirror:
			for i < 0 || i >= n {
				if i < 0 {
					i = -1 - i
				} else {
					i = 2*n - 1 - i
				}
			}
		}
		return i
	}
	x, y = inside(x, 5), inside(y, 4)
	if x < 0 || y < 0 || x >= 5 || y >= 4 {
		return 0
	}
	return gray.Data[5*y+x]
}

func single(x float64) uint32 { return math.Float32bits(float32(x)) }

// Point sampling gives the pixel that the coordinates are in; outside, what the address mode says.
func TestTexturePoint(t *testing.T) {
	for _, normalized := range []bool{false, true} {
		for _, mode := range []vm.AddressMode{vm.Clamp, vm.Border, vm.Wrap, vm.Mirror} {
			var places [][4]uint32
			var want []byte
			for y := -9; y < 13; y++ {
				for x := -11; x < 16; x++ {
					u, v := float64(x)+0.3, float64(y)+0.9
					here := mode
					if normalized {
						u, v = u/5, v/4
					} else if mode == vm.Wrap || mode == vm.Mirror {
						here = vm.Clamp
					}
					places = append(places, [4]uint32{single(u), single(v)})
					want = append(want, pixel(x, y, here))
				}
			}
			for _, variable := range []string{"", "photo"} {
				got := readTexels(t, "tex.2d.v4.u32.f32", variable, gray, vm.Sampling{Address: mode, Normalized: normalized}, places)
				for i := range got {
					if got[i][0] != uint32(want[i]) || want[i] != 0 && got[i] != [4]uint32{uint32(want[i]), 0, 0, 1} {
						t.Fatalf("mode %d, normalized %t, variable %q: place %d: got %v, want %d", mode, normalized, variable, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// Linear sampling mixes the pixels around the coordinates, with weights in steps of 1/256.
func TestTextureLinear(t *testing.T) {
	weight := func(x float64) float64 { return math.Round(x*256) / 256 }
	for _, mode := range []vm.AddressMode{vm.Clamp, vm.Border, vm.Wrap, vm.Mirror} {
		var places [][4]uint32
		var want []float64
		for i := range 500 {
			x, y := float64(i%23)*0.37-2, float64(i)*0.019-2
			u, v := float32(x/5), float32(y/4)
			x, y = float64(u)*5, float64(v)*4
			places = append(places, [4]uint32{math.Float32bits(u), math.Float32bits(v)})
			left, top := math.Floor(x-0.5), math.Floor(y-0.5)
			a, b := weight(x-0.5-left), weight(y-0.5-top)
			at := func(dx, dy int) float64 { return float64(pixel(int(left)+dx, int(top)+dy, mode)) / 255 }
			want = append(want, (1-a)*(1-b)*at(0, 0)+a*(1-b)*at(1, 0)+(1-a)*b*at(0, 1)+a*b*at(1, 1))
		}
		got := readTexels(t, "tex.2d.v4.f32.f32", "", gray, vm.Sampling{Address: mode, Normalized: true, Linear: true}, places)
		for i := range got {
			if x := float64(math.Float32frombits(got[i][0])); math.Abs(x-want[i]) > 1e-6 {
				t.Fatalf("mode %d, place %d: got %v, want %v", mode, i, x, want[i])
			}
		}
	}
}

func TestTextureForms(t *testing.T) {
	f32s := func(values ...float32) (data []byte) {
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		return data
	}
	one := single(1)
	line := vm.Image{Width: 4, Texel: vm.TexelS16, Data: []byte{0xff, 0xff, 2, 0, 3, 0, 0, 0x80}}
	for _, test := range []struct {
		form  string
		image vm.Image
		s     vm.Sampling
		place [4]uint32
		want  [4]uint32
	}{
		{"tex.1d.v4.s32.s32", line, vm.Sampling{}, [4]uint32{0}, [4]uint32{0xffffffff, 0, 0, 1}},
		{"tex.1d.v4.u32.s32", line, vm.Sampling{}, [4]uint32{2}, [4]uint32{3, 0, 0, 1}},
		{"tex.1d.v4.f32.s32", line, vm.Sampling{}, [4]uint32{3}, [4]uint32{single(-1), 0, 0, one}},
		{"tex.1d.v4.f32.f32", line, vm.Sampling{}, [4]uint32{single(1.999)}, [4]uint32{single(2.0 / 32767), 0, 0, one}},
		{"tex.1d.v4.f32.s32", vm.Image{Width: 2, Texel: vm.TexelF32, Data: f32s(1.5, -2)}, vm.Sampling{}, [4]uint32{1}, [4]uint32{single(-2), 0, 0, one}},
		{"tex.1d.v4.f32.f32", vm.Image{Width: 2, Texel: vm.TexelF32, Data: f32s(1, 3)}, vm.Sampling{Linear: true}, [4]uint32{single(1.25)}, [4]uint32{single(2.5), 0, 0, one}},
		{"tex.1d.v4.f32.f32", vm.Image{Width: 1, Texel: vm.TexelF16, Data: []byte{0, 0xc2}}, vm.Sampling{}, [4]uint32{0}, [4]uint32{single(-3), 0, 0, one}},
		{"tex.2d.v4.u32.s32", vm.Image{Width: 1, Height: 2, Channels: 4, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, vm.Sampling{}, [4]uint32{0, 1}, [4]uint32{5, 6, 7, 8}},
		{"tex.2d.v4.u32.s32", vm.Image{Width: 1, Height: 2, Channels: 2, Data: []byte{1, 2, 3, 4}}, vm.Sampling{}, [4]uint32{0, 1}, [4]uint32{3, 4, 0, 1}},
		{"tex.3d.v4.u32.s32", vm.Image{Width: 2, Height: 2, Depth: 2, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, vm.Sampling{}, [4]uint32{1, 0, 1}, [4]uint32{6, 0, 0, 1}},
		{"tex.3d.v4.f32.f32", vm.Image{Width: 2, Height: 2, Depth: 2, Texel: vm.TexelF32, Data: f32s(1, 2, 3, 4, 5, 6, 7, 8)}, vm.Sampling{Linear: true},
			[4]uint32{one, one, one}, [4]uint32{single(4.5), 0, 0, one}},
	} {
		got := readTexels(t, test.form, "", test.image, test.s, [][4]uint32{test.place})
		if got[0] != test.want {
			t.Errorf("%s %v at %v: got %x, want %x", test.form, test.image, test.place, got[0], test.want)
		}
	}
}

// Where images repeat, a coordinate far outside is read as any other: it was taken for 2^31 texels, which is not the first one of
// an image of three. Infinity has no place, and stands for the first one.
func TestTextureFarOutside(t *testing.T) {
	image := vm.Image{Width: 3, Texel: vm.TexelU8, Data: []byte{10, 20, 30}}
	for _, c := range []struct {
		mode   vm.AddressMode
		linear bool
		u      float64
		want   float64
	}{
		{vm.Wrap, false, 1e20, 10}, {vm.Wrap, false, -1e20, 10}, {vm.Wrap, false, math.Inf(1), 10}, {vm.Wrap, false, math.Inf(-1), 10}, {vm.Wrap, false, 1<<22 + 0.5, 20},
		{vm.Mirror, false, 1e20, 10}, {vm.Mirror, false, 1<<24 - 1, 30}, {vm.Mirror, false, -(1<<23 + 1), 30}, {vm.Mirror, false, math.Inf(-1), 10},
		{vm.Wrap, true, 1e20, 20}, {vm.Wrap, true, math.Inf(1), 10}, {vm.Mirror, true, 1e20, 10},
		{vm.Clamp, false, 1e20, 30}, {vm.Clamp, false, math.Inf(-1), 10}, {vm.Clamp, true, math.Inf(1), 30}, {vm.Border, false, -1e20, 0}, {vm.Border, true, math.Inf(1), 0},
	} {
		how := vm.Sampling{Address: c.mode, Linear: c.linear, Normalized: true}
		got := readTexels(t, "tex.1d.v4.f32.f32", "", image, how, [][4]uint32{{single(c.u)}})[0][0]
		if x := float64(math.Float32frombits(got)) * 255; math.Abs(x-c.want) > 1e-4 {
			t.Errorf("%+v at %v: %v, want %v", how, c.u, x, c.want)
		}
		if !c.linear {
			if got := readTexels(t, "tex.1d.v4.u32.f32", "", image, how, [][4]uint32{{single(c.u)}})[0][0]; float64(got) != c.want {
				t.Errorf("%+v at %v: %v, want %v", how, c.u, got, c.want)
			}
		}
	}
	gathered := readTexels(t, "tld4.r.2d.v4.u32.f32", "", image, vm.Sampling{Address: vm.Wrap, Normalized: true}, [][4]uint32{{single(1e20), single(-1e20)}})[0]
	if want := [4]uint32{30, 10, 10, 30}; gathered != want {
		t.Errorf("gathered %v, want %v", gathered, want)
	}
}

// What interpolation makes of a NaN, and of infinities of both signs, is the NaN of PTX's arithmetic on all processors: it was what the
// processor of this machine makes of them.
func TestTextureInterpolatesNaN(t *testing.T) {
	for _, texels := range [][2]uint32{{0x7fc12345, 0}, {single(1), 0xffc00001}, {single(math.Inf(1)), single(math.Inf(-1))}} {
		var data []byte
		for _, bits := range texels {
			data = binary.LittleEndian.AppendUint32(data, bits)
		}
		image := vm.Image{Width: 2, Texel: vm.TexelF32, Data: data}
		if got := readTexels(t, "tex.1d.v4.f32.f32", "", image, vm.Sampling{Linear: true}, [][4]uint32{{single(1)}})[0][0]; got != 0x7fffffff {
			t.Errorf("between %#x: %#x", texels, got)
		}
	}
}

// The number of a layer has no sign (PTX ISA 9.7.10.3, 9.7.11.1): -1 is beyond the last one, and not before the first. Layers are
// the depth of arrays of lines too, as in CUDA.
func TestLayersAreUnsigned(t *testing.T) {
	for _, c := range []struct {
		form, place string
	}{{"tex.a1d.v4.u32.s32", "{%c0, %c1}"}, {"tex.a2d.v4.u32.f32", "{%c0, %c1, %c2, %c3}"}, {"suld.b.a1d.v4.b8.clamp", "{%c0, 0}"}, {"suld.b.a2d.v4.b8.clamp", "{%c0, 0, 0, 0}"}} {
		image := vm.Image{Width: 1, Depth: 3, Texel: vm.TexelU8, Data: []byte{10, 20, 30}}
		if strings.HasPrefix(c.form, "suld") {
			image.Channels, image.Data = 4, []byte{10, 0, 0, 1, 20, 0, 0, 1, 30, 0, 0, 1}
		}
		text := strings.Replace(textureKernel(c.form, "%d0", 3), "{%c0, %c1, %c2, %c3}];\n\tst", c.place+"];\n\tst", 1)
		m := vmtest.Load(t, text)
		texture, err := m.Memory().NewTexture(image, vm.Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		where, _ := m.Memory().Alloc("where", 48)
		out, _ := m.Memory().Alloc("out", 48)
		for n, layer := range []uint64{0, 1 << 31, 1<<32 - 1} {
			vmtest.Put(where.Bytes(), 4*n, 32, layer)
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 32}}, texture, where, out, 3)
		for n, want := range []uint64{10, 30, 30} {
			if got := vmtest.Get(out.Bytes(), 4*n, 32); got != want {
				t.Errorf("%s of layer %#x: %d, want %d", c.form, vmtest.Get(where.Bytes(), 4*n, 32), got, want)
			}
		}
	}
}

// Surfaces are read and written by bytes in x; outside, each mode does what its name says.
func TestSurface(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.global .surfref sheet;
.visible .entry test(.param .u64 surface, .param .u64 out) {
	.reg .b64 %d<3>; .reg .b32 %r<8>;
	ld.param.u64 %d0, [surface]; ld.param.u64 %d1, [out];
	mov.u32 %r0, %tid.x; mov.u32 %r1, 2; shl.b32 %r2, %r0, 1;
	sust.b.2d.b16.trap [sheet, {%r2, %r1}], {%r0};
	sust.b.2d.b8.zero [%d0, {%r0, -1}], {%r0};
	sust.b.2d.v2.b8.clamp [%d0, {99, 0}], {7, 8};
	suld.b.2d.b16.clamp {%r3}, [%d0, {-5, 7}];
	suld.b.2d.b32.zero {%r4}, [%d0, {8, 2}];
	suld.b.2d.b32.zero {%r5}, [%d0, {4, 2}];
	suq.width.b32 %r6, [sheet]; txq.height.b32 %r7, [%d0];
	st.global.v4.u32 [%d1], {%r3, %r4, %r5, %r6};
	st.global.u32 [%d1+16], %r7;
	ret;
}
.visible .entry trap(.param .u64 surface) {
	.reg .b64 %d; ld.param.u64 %d, [surface];
	sust.b.2d.b16.trap [%d, {7, 0}], {1};
	ret;
}
.visible .entry unbound() {
	.reg .b32 %r;
	suld.b.2d.b32.trap {%r}, [sheet, {0, 0}];
	ret;
}`)
	ctx := context.Background()
	err := vmtest.Kernel(t, m, "unbound").Launch(ctx, vm.Grid{})
	if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.NoTexture || !strings.Contains(fault.Detail, "sheet") {
		t.Errorf("got %v", err)
	}
	surface, err := m.Memory().NewTexture(vm.Image{Width: 4, Height: 3, Texel: vm.TexelU16}, vm.Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.BindTexture("sheet", surface); err != nil {
		t.Fatal(err)
	}
	out, _ := m.Memory().Alloc("out", 20)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 4}}, surface, out)
	want := []byte{0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0}
	if got := surface.Image().Data; string(got) != string(want) {
		t.Errorf("the surface has %v, want %v", got, want)
	}
	for i, want := range []uint64{0, 0, 0x30002, 4, 3} {
		if got := vmtest.Get(out.Bytes(), i, 32); got != want {
			t.Errorf("result %d: got %#x, want %#x", i, got, want)
		}
	}
	err = vmtest.Kernel(t, m, "trap").Launch(ctx, vm.Grid{}, surface)
	if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.OutOfBounds {
		t.Errorf("got %v", err)
	}
	if err := m.BindTexture("paper", surface); err == nil {
		t.Error("a variable that does not exist")
	}
}

func TestNewTextureErrors(t *testing.T) {
	for _, image := range []vm.Image{{Width: -1}, {Channels: 3}, {Width: 4, Data: make([]byte, 3)}, {Texel: 99}} {
		if _, err := vm.NewMemory().NewTexture(image, vm.Sampling{}); err == nil {
			t.Errorf("%v: no error", fmt.Sprintf("%+v", image))
		}
	}
}
