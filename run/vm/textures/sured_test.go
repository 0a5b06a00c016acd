package textures

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// suredKernel reduces values from an array into a surface, one a thread, at places from an array.
func suredKernel(form, place, value string) string {
	return strings.Replace(vmtest.Header, ".version 7.8", ".version 8.1", 1) + `.visible .entry test(.param .u64 surface, .param .u64 in, .param .u32 n) {
	.reg .b64 %d<4>, %v<2>; .reg .b32 %r<4>, %c<4>; .reg .pred %p;
	ld.param.u64 %d0, [surface]; ld.param.u64 %d1, [in]; ld.param.u32 %r1, [n];
	mov.u32 %r0, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r0, %r2, 64, %r0;
	setp.ge.u32 %p, %r0, %r1; @%p bra END;
	mul.wide.u32 %d2, %r0, 32; add.u64 %d1, %d1, %d2;
	ld.global.v4.u32 {%c0, %c1, %c2, %c3}, [%d1]; ld.global.u64 %v0, [%d1+16]; cvt.u32.u64 %r3, %v0;
	` + form + ` [%d0, ` + place + `], ` + value + `;
END: ret;
}`
}

// reduceAll runs such a kernel and returns what the surface has then.
func reduceAll(t *testing.T, l level.Level, text string, image vm.Image, threads [][5]uint64) ([]byte, error) {
	t.Helper()
	image.Data = bytes.Clone(image.Data)
	m := vmtest.LoadOn(t, l, text)
	surface, err := m.Memory().NewTexture(image, vm.Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	in, _ := m.Memory().Alloc("in", 32*len(threads))
	for i, thread := range threads {
		for c, x := range thread[:4] {
			vmtest.Put(in.Bytes(), 8*i+c, 32, x)
		}
		vmtest.Put(in.Bytes(), 4*i+2, 64, thread[4])
	}
	err = vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: (len(threads) + 63) / 64}, Block: vm.Dim{X: 64}}, surface, in, len(threads))
	return image.Data, err
}

// TestSurfaceReductions: sured of every operation and type, at places inside and outside, as one reduction after the other gives them: they give
// the same in any order. The lanes of a warp, warps and CTAs often meet at one place.
func TestSurfaceReductions(t *testing.T) {
	for form := range strings.FieldsSeq(`sured.b.add.1d.u32 sured.b.add.2d.s32 sured.b.add.3d.u64 sured.b.min.1d.u32 sured.b.min.2d.s32 sured.b.max.2d.u32 sured.b.max.1d.s32
		sured.b.min.1d.u64 sured.b.min.2d.s64 sured.b.max.3d.u64 sured.b.max.1d.s64 sured.b.and.2d.b32 sured.b.or.2d.b32
		sured.p.add.2d.b32 sured.p.min.1d.b32 sured.p.max.3d.b32 sured.p.and.1d.b32 sured.p.or.2d.b32 sured.p.min.2d.b64 sured.p.max.1d.b64`) {
		for _, texel := range []vm.Texel{vm.TexelU32, vm.TexelS32, vm.TexelF32} {
			for _, mode := range []string{"zero", "clamp"} {
				words := strings.Split(form, ".")
				operation, geometry, typ := words[2], words[3], words[4]
				samples := words[1] == "p"
				size := map[bool]int{true: 8, false: 4}[strings.HasSuffix(typ, "64")]
				signed := typ[0] == 's' || samples && texel == vm.TexelS32
				image := vm.Image{Width: 6, Height: 1, Depth: 1, Channels: 2, Texel: texel}
				dimensions := int(geometry[0] - '0')
				if dimensions > 1 {
					image.Height = 3
				}
				if dimensions > 2 {
					image.Depth = 2
				}
				row := image.Width * 8
				image.Data = make([]byte, row*image.Height*image.Depth)
				for i := range image.Data {
					image.Data[i] = byte(91 * i)
				}
				var threads [][5]uint64
				want := bytes.Clone(image.Data)
				for n := range 300 {
					at := [3]int{n%(row/size+2) - 1, n/5%5 - 1, n/11%4 - 1}
					value := uint64(n) * 0x9e3779b97f4a7c15
					thread := [5]uint64{4: value}
					for d := range dimensions {
						thread[d] = uint64(uint32(at[d]))
						if d == 0 && !samples {
							thread[d] = uint64(uint32(at[d] * size))
						}
					}
					threads = append(threads, thread)
					inside := true
					for d, limit := range []int{row / size, image.Height, image.Depth} {
						if d >= dimensions {
							at[d] = 0
						}
						if at[d] < 0 || at[d] >= limit {
							inside = false
							at[d] = min(max(at[d], 0), limit-1)
						}
					}
					if inside || mode == "clamp" {
						i := ((at[2]*image.Height+at[1])*row)/size + at[0]
						vmtest.Put(want, i, 8*size, expectedReduction(operation, signed, size, vmtest.Get(want, i, 8*size), value))
					}
				}
				place := map[int]string{1: "{%c0}", 2: "{%c0, %c1}", 3: "{%c0, %c1, %c2, %c3}"}[dimensions]
				text := suredKernel(form+"."+mode, place, map[int]string{4: "%r3", 8: "%v0"}[size])
				for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
					if got, err := reduceAll(t, l, text, image, threads); err != nil || !bytes.Equal(got, want) {
						t.Error(fmt.Errorf("%v, %s.%s of %v: differs at byte %d (%w)", l, form, mode, texel, vmtest.FirstDifference(got, want), err))
					}
				}
			}
		}
	}
}

// expectedReduction is what an operation makes of so many bytes.
func expectedReduction(operation string, signed bool, size int, old, value uint64) uint64 {
	if size == 4 {
		old, value = uint64(uint32(old)), uint64(uint32(value))
	}
	a, b := int64(old), int64(value)
	if size == 4 && signed {
		a, b = int64(int32(old)), int64(int32(value))
	}
	if size == 8 && !signed { // the order of numbers without signs
		a, b = a^-1<<63, b^-1<<63
	}
	switch {
	case operation == "add":
		return old + value
	case operation == "and":
		return old & value
	case operation == "or":
		return old | value
	case operation == "min" && a < b, operation == "max" && a > b:
		return old
	}
	return value
}

// TestSurfaceReductionTraps: .trap ends the kernel outside, and says where.
func TestSurfaceReductionTraps(t *testing.T) {
	image := vm.Image{Width: 4, Height: 2, Texel: vm.TexelU32, Data: make([]byte, 32)}
	for form, want := range map[string]string{"sured.b.add.2d.u32.trap": "byte 16 of row 1 of layer 0, in a surface of 16 bytes x 2 x 1", "sured.p.or.2d.b32.trap": "byte 64 of row 1 of layer 0, in a surface of 16 bytes x 2 x 1"} {
		for _, l := range append([]level.Level{level.Portable}, vmtest.MachineLevels(t)...) {
			got, err := reduceAll(t, l, suredKernel(form, "{%c0, %c1}", "%r3"), image, [][5]uint64{{16, 1, 0, 0, 7}})
			fault, ok := errors.AsType[*vm.Fault](err)
			if !ok || fault.Kind != vm.OutOfBounds || fault.Detail != want || !bytes.Equal(got, image.Data) {
				t.Errorf("%v, %s: %v, and the surface is %x", l, form, err, got)
			}
		}
	}
}
