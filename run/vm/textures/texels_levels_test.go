package textures

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// texelsKernel reads one of two textures, by the block, at coordinates from memory: whole numbers or not; some lanes by a guard.
func texelsKernel(dimensions, result, coordinates string) string {
	registers := map[string]string{"1d": "{%r2}", "2d": "{%r2, %r3}"}[dimensions]
	return vmtest.Header + `.visible .entry test(.param .u64 in, .param .u64 out, .param .u64 one, .param .u64 two) {
	.reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<8>;
	mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r10, %r1, 64, %r0;
	ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u64 %d2, [one]; ld.param.u64 %d3, [two];
	and.b32 %r11, %r1, 1; setp.ne.u32 %p0, %r11, 0; selp.b64 %d2, %d3, %d2, %p0;
	mul.wide.u32 %d4, %r10, 8; add.u64 %d4, %d0, %d4;
	ld.global.v2.u32 {%r2, %r3}, [%d4];
	tex.` + dimensions + `.v4.` + result + `.` + coordinates + ` {%r4, %r5, %r6, %r7}, [%d2, ` + registers + `];
	and.b32 %r11, %r0, 2; setp.ne.u32 %p1, %r11, 0; mov.u32 %r8, 77;
	@%p1 tex.` + dimensions + `.v4.` + result + `.` + coordinates + ` {%r8, %r9, %r9, %r9}, [%d2, ` + registers + `];
	xor.b32 %r7, %r7, %r8;
	mul.wide.u32 %d5, %r10, 16; add.u64 %d5, %d1, %d5;
	st.global.v4.u32 [%d5], {%r4, %r5, %r6, %r7};
	ret;
}`
}

// Machine code reads the texels of every kind of texture as portable code does, or leaves them to it.
func TestTexelsOnLevels(t *testing.T) {
	const threads = 4 * 64
	rng := rand.New(rand.NewPCG(1, 2))
	coordinates := make([]byte, 8*threads)
	for n := range 2 * threads {
		edges := []uint32{0, 1, 0x3f000000, 0x40a00000, 0x40dfffff, 0xbf800000, 0x7fc00000, 0x7f800000, 0xff800000, 0x4b800001, 0x80000000, 0x7fffffff, 6, 7, 8, 0xffffffff}
		vmtest.Put(coordinates, n, 32, uint64(edges[rng.IntN(len(edges))]))
		if rng.IntN(2) == 0 {
			vmtest.Put(coordinates, n, 32, uint64(rng.IntN(12)))
		}
	}
	run := func(l level.Level, text string, one, two vm.Image, how vm.Sampling) []byte {
		m := vmtest.LoadOn(t, l, text)
		in, _ := m.Memory().Alloc("in", len(coordinates))
		copy(in.Bytes(), coordinates)
		out, _ := m.Memory().Alloc("out", 16*threads)
		var all [2]*vm.Texture
		for n, i := range []vm.Image{one, two} {
			var err error
			if all[n], err = m.Memory().NewTexture(i, how); err != nil {
				t.Fatal(err)
			}
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 64}}, in, out, all[0], all[1])
		return out.Bytes()
	}
	n := 0
	for texel := vm.TexelU8; texel <= vm.TexelF32; texel++ {
		for _, channels := range []int{1, 2, 4} {
			for _, form := range [][3]string{{"1d", "u32", "s32"}, {"2d", "u32", "s32"}, {"2d", "s32", "f32"}, {"2d", "f32", "f32"}, {"1d", "f32", "s32"}} {
				for _, how := range []vm.Sampling{{}, {Address: vm.Border}, {Linear: true}, {Normalized: true}, {Address: vm.Wrap}} {
					if n++; n%long.Of(1, 4) != 0 {
						continue
					}
					var images [2]vm.Image
					for n := range images {
						i := vm.Image{Width: 7 + n, Height: 5 + n, Channels: channels, Texel: texel}
						if form[0] == "1d" {
							i.Height = 1
						}
						data := make([]byte, n+i.Width*i.Height*channels*texel.Bytes())
						for at := range data {
							data[at] = byte(rng.Uint32())
						}
						i.Data = data[n:] // the second one begins anywhere
						images[n] = i
					}
					text := texelsKernel(form[0], form[1], form[2])
					want := run(level.Portable, text, images[0], images[1], how)
					for _, l := range vmtest.MachineLevels(t) {
						if got := run(l, text, images[0], images[1], how); !bytes.Equal(got, want) {
							t.Error(fmt.Errorf("%v, %v: %d x %v, %+v: differs at byte %d", l, form, channels, texel, how, vmtest.FirstDifference(got, want)))
						}
					}
				}
			}
		}
	}
}

// A handle of 0 is none also where no texture has been read yet.
func TestNoTextureOnLevels(t *testing.T) {
	for _, l := range vmtest.MachineLevels(t) {
		m := vmtest.LoadOn(t, l, texelsKernel("2d", "u32", "s32"))
		in, _ := m.Memory().Alloc("in", 8*64)
		out, _ := m.Memory().Alloc("out", 16*64)
		if err := vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 64}}, in, out, uint64(0), uint64(0)); err == nil {
			t.Errorf("%v: a texture is read that is none", l)
		}
	}
}
