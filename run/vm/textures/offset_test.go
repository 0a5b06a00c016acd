package textures

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// texelKernel reads a texture at coordinates from an array, with offsets and whatever else is written behind them, and stores 16 bytes.
func texelKernel(form, d, coordinates, more string) string {
	return vmtest.Header + `.visible .entry test(.param .u64 texture, .param .u64 where, .param .u64 out) {
	.reg .b64 %d<4>; .reg .b32 %r<8>, %c<4>; .reg .b16 %h<4>; .reg .s32 %s<4>; .reg .pred %p;
	ld.param.u64 %d0, [texture]; ld.param.u64 %d1, [where]; ld.param.u64 %d2, [out];
	mov.u32 %r0, %tid.x; mul.wide.u32 %d3, %r0, 16; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
	ld.global.v4.u32 {%c0, %c1, %c2, %c3}, [%d1];
	mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.s32 %s0, -3; setp.eq.u32 %p, %r0, %r0;
	` + form + ` ` + d + `, [%d0, ` + coordinates + `]` + more + `;
	@!%p mov.u32 %r4, 99;
	st.global.v4.u32 [%d2], {%r4, %r5, %r6, %r7};
	ret;
}`
}

// readTexel runs such a kernel on a level.
func readTexel(t *testing.T, l level.Level, text string, image vm.Image, how vm.Sampling, places [][4]uint32) []byte {
	t.Helper()
	m := vmtest.LoadOn(t, l, text)
	texture, err := m.Memory().NewTexture(image, how)
	if err != nil {
		t.Fatal(err)
	}
	where, _ := m.Memory().Alloc("where", 16*len(places))
	out, _ := m.Memory().Alloc("out", 16*len(places))
	for i, p := range places {
		for c := range p {
			vmtest.Put(where.Bytes(), 4*i+c, 32, uint64(p[c]))
		}
	}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: len(places)}}, texture, where, out)
	return out.Bytes()
}

// cuboid is an image of 8 x 4 x 4 texels.
func cuboid() vm.Image {
	i := vm.Image{Width: 8, Height: 4, Depth: 4, Channels: 2, Texel: vm.TexelU8}
	for n := range 8 * 4 * 4 * 2 {
		i.Data = append(i.Data, byte(37*n+n/16))
	}
	return i
}

// TestTexelOffsets: reads with offsets are reads at coordinates so many texels further, in every kind of geometry, by tex and tld4, on all levels.
func TestTexelOffsets(t *testing.T) {
	const all, texel = "{%c0, %c1, %c2, %c3}", "{%r4, %r5, %r6, %r7}"
	for _, c := range []struct {
		form, coordinates, offset string
		by                        [4]int // what is added to the coordinates in its place
	}{
		{"tex.1d.v4.u32.s32", "{%c0}", "{2}", [4]int{2}}, {"tex.1d.v4.u32.s32", "{%c0}", "%s0", [4]int{-3}}, {"tex.2d.v4.u32.s32", "{%c0, %c1}", "{%s0, 1}", [4]int{-3, 1}},
		{"tex.2d.v4.u32.s32", "{%c0, %c1}", "{-8, 7}", [4]int{-8, 7}}, {"tex.3d.v4.s32.s32", all, "{1, -1, 2, 5}", [4]int{1, -1, 2}},
		{"tex.a1d.v4.u32.s32", "{%c0, %c1}", "{3}", [4]int{0, 3}}, {"tex.a2d.v4.u32.s32", all, "{1, -2}", [4]int{0, 1, -2}},
		{"tex.1d.v4.f32.f32", "{%c0}", "{2}", [4]int{2}}, {"tex.2d.v4.u32.f32", "{%c0, %c1}", "{-1, 1}", [4]int{-1, 1}}, {"tex.2d.v4.f32.f32", "{%c0, %c1}", "{-1, 3}", [4]int{-1, 3}},
		{"tex.3d.v4.f32.f32", all, "{-1, 3, 1, 0}", [4]int{-1, 3, 1}}, {"tex.level.2d.v4.f32.f32", "{%c0, %c1}", "{4, -4}", [4]int{4, -4}},
		{"tex.grad.a2d.v4.f32.f32", all, "{1, -2}", [4]int{0, 1, -2}}, {"tld4.g.2d.v4.u32.f32", "{%c0, %c1}", "{1, -1}", [4]int{1, -1}}, {"tld4.r.a2d.v4.f32.f32", all, "{2, 1}", [4]int{0, 2, 1}},
	} {
		before := "" // what stands between coordinates and offset
		switch {
		case strings.Contains(c.form, ".level"):
			before = ", 0f00000000"
		case strings.Contains(c.form, ".grad"):
			before = ", {%c0, %c1}, {%c1, %c0}"
		}
		for _, how := range []vm.Sampling{{}, {Linear: true}, {Address: vm.Border}, {Address: vm.Wrap, Normalized: true}, {Linear: true, Address: vm.Mirror, Normalized: true}} {
			number := strings.HasSuffix(c.form, ".f32")
			layered := strings.Contains(c.form, ".a1d") || strings.Contains(c.form, ".a2d")
			var places, shifted [][4]uint32
			for n := range 40 {
				var p, q [4]uint32
				for d := range 4 {
					x := float64(n*(d+3)%11-2) + 0.375
					size := []float64{8, 4, 4, 1}[d]
					if layered {
						size = []float64{1, 8, 4, 1}[d]
					}
					switch {
					case !number || layered && d == 0:
						p[d], q[d] = uint32(int32(x)), uint32(int32(x)+int32(c.by[d]))
					case how.Normalized:
						p[d], q[d] = math.Float32bits(float32(x/size)), math.Float32bits(float32((x+float64(c.by[d]))/size))
					default:
						p[d], q[d] = math.Float32bits(float32(x)), math.Float32bits(float32(x+float64(c.by[d])))
					}
				}
				places, shifted = append(places, p), append(shifted, q)
			}
			image := cuboid()
			if layered && strings.Contains(c.form, "1d") {
				image.Width, image.Height, image.Depth = 8, 16, 1
			}
			want := readTexel(t, level.Portable, texelKernel(c.form, texel, c.coordinates, before), image, how, shifted)
			for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
				if got := readTexel(t, l, texelKernel(c.form, texel, c.coordinates, before+", "+c.offset), image, how, places); !bytes.Equal(got, want) {
					t.Errorf("%v, %s %s, %+v: differs at byte %d", l, c.form, c.offset, how, vmtest.FirstDifference(got, want))
				}
			}
		}
	}
}

// TestWideOffset: of an offset the four lowest bits count (ruling O22).
func TestWideOffset(t *testing.T) {
	places := [][4]uint32{{3}, {0}, {7}}
	for offset, by := range map[string]string{"{8}": "{-8}", "{17}": "{1}", "{-9}": "{7}"} {
		form := func(offset string) []byte {
			return readTexel(t, level.Portable, texelKernel("tex.1d.v4.u32.s32", "{%r4, %r5, %r6, %r7}", "{%c0}", ", "+offset), cuboid(), vm.Sampling{}, places)
		}
		if got, want := form(offset), form(by); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", offset, got, want)
		}
	}
}

// TestHalfTexels: texels as f16, alone or in pairs, are those of f32, rounded; with offsets and a predicate too, on all levels.
func TestHalfTexels(t *testing.T) {
	places := make([][4]uint32, 64)
	for n := range places {
		places[n] = [4]uint32{math.Float32bits(float32(n)*0.37 - 2), math.Float32bits(float32(n)*0.11 - 1), math.Float32bits(float32(n % 5))}
	}
	words := [][4]uint32{ // f16's own borders among what an image of f32 has
		{0x3f801000, 0x3f803000, 0x477fefff, 0x477ff000}, {0x33000000, 0x33000001, 0x38800000, 0x80000001}, {0x7f800000, 0xff800001, 0x7fc00000, 0xc7800000},
	}
	for texel := vm.TexelU8; texel <= vm.TexelF32; texel++ {
		image := vm.Image{Width: 8, Height: 3, Depth: 2, Channels: 4, Texel: texel}
		for n := range 8 * 3 * 2 * 4 * texel.Bytes() {
			image.Data = append(image.Data, byte(31*n+n/7))
		}
		if texel == vm.TexelF32 {
			for n := range 8 * 3 * 2 {
				for c, w := range words[n%3] {
					vmtest.Put(image.Data, 4*n+c, 32, uint64(w))
				}
			}
		}
		for _, how := range []vm.Sampling{{}, {Linear: true}, {Address: vm.Border}} {
			for _, form := range []string{"tex.2d.v4.f32.f32", "tex.3d.v4.f32.f32", "tex.base.a2d.v4.f32.f32", "tex.level.2d.v4.f32.f32"} {
				coordinates := map[bool]string{true: "{%c0, %c1}", false: "{%c2, %c0, %c1, %c3}"}[strings.Contains(form, ".2d")]
				more := map[bool]string{true: ", 0f3f800000"}[strings.Contains(form, "level")]
				numbers := readTexel(t, level.Portable, texelKernel(form, "{%r4, %r5, %r6, %r7}", coordinates, more), image, how, places)
				want := make([]byte, len(numbers))
				for thread := range places { // eight bytes of sixteen; the others are zero
					for c := range 4 {
						vmtest.Put(want, 8*thread+c, 16, roundedHalf(uint32(vmtest.Get(numbers, 4*thread+c, 32))))
					}
				}
				single := texelKernel(strings.Replace(form, "v4.f32", "v4.f16", 1), "{%h0, %h1, %h2, %h3}", coordinates, more)
				single = strings.Replace(single, "@!%p mov.u32 %r4, 99;", "mov.b32 %r4, {%h0, %h1}; mov.b32 %r5, {%h2, %h3};", 1)
				pairs := texelKernel(strings.Replace(form, "v4.f32", "v2.f16x2", 1), "{%r4, %r5}|%p", coordinates, more)
				for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
					for name, text := range map[string]string{"f16": single, "f16x2": pairs} {
						if got := readTexel(t, l, text, image, how, places); !bytes.Equal(got, want) {
							t.Error(fmt.Errorf("%v, %s as %s, %v, %+v: differs at byte %d", l, form, name, texel, how, vmtest.FirstDifference(got, want)))
						}
					}
				}
			}
		}
	}
}

// roundedHalf is the f16 next to an f32, ties to even: what PTX's cvt.rn gives, found by trying all.
func roundedHalf(bits uint32) uint64 {
	x := float64(math.Float32frombits(bits))
	sign := uint64(bits >> 31 << 15)
	x = math.Abs(x)
	switch {
	case x != x:
		return 0x7fff
	case x >= 65520:
		return sign | 0x7c00
	}
	value := func(h uint64) float64 {
		if e := h >> 10; e > 0 {
			return math.Ldexp(float64(1024+h&1023), int(e)-25)
		}
		return math.Ldexp(float64(h), -24)
	}
	low, high := uint64(0), uint64(0x7c00) // value(low) <= x < value(high), the last one as if the numbers went on
	for high-low > 1 {
		if middle := (low + high) / 2; value(middle) <= x {
			low = middle
		} else {
			high = middle
		}
	}
	switch down, up := x-value(low), value(high)-x; {
	case up < down, up == down && low&1 == 1:
		return sign | high
	}
	return sign | low
}
