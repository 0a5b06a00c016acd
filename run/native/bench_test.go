package native_test

import (
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt/build"
)

// measured is a form whose speed is watched, and the same as a plain Go loop: helper
// functions on one word, as one would write them to port a kernel.
type measured struct {
	spelling string // with the operands d, a, b, c
	form     isa.Form
	loop     func(dst, a, b, c []uint32)
}

var measuredForms = []measured{
	{"vabsdiff4.u32.u32.u32.add d, a, b, c;", whole(isa.Form{Op: isa.Vabsdiff4, Second: isa.SecondAdd}),
		func(dst, a, b, c []uint32) {
			for i := range dst {
				sum := c[i]
				for lane := range 4 {
					x, y := int32(uint8(a[i]>>(8*lane))), int32(uint8(b[i]>>(8*lane)))
					sum += uint32(max(x-y, y-x))
				}
				dst[i] = sum
			}
		}},
	{"vadd4.s32.s32.s32.sat d, a, b, c;", whole(allSigned(isa.Form{Op: isa.Vadd4, Sat: true})),
		bytewise(func(x, y int8) int8 { return int8(max(min(int32(x)+int32(y), 127), -128)) })},
	{"vmax4.s32.s32.s32 d, a, b, c;", whole(allSigned(isa.Form{Op: isa.Vmax4})),
		bytewise(func(x, y int8) int8 { return max(x, y) })},
	{"vset4.u32.u32.eq d, a, b, c;", whole(isa.Form{Op: isa.Vset4, Cmp: isa.Eq}),
		bytewise(func(x, y int8) int8 { return truth(x == y) })},
	{"vmin.s32.s32.s32.max d, a, b, c;", allSigned(isa.Form{Op: isa.Vmin, Second: isa.SecondMax}),
		wordwise(func(x, y, z uint32) uint32 { return uint32(max(min(int32(x), int32(y)), int32(z))) })},
	{"vshl.u32.u32.u32.clamp.add d, a, b, c;", isa.Form{Op: isa.Vshl, Mode: isa.Clamp, Second: isa.SecondAdd},
		wordwise(func(x, y, z uint32) uint32 { return x<<y + z })},
	{"vadd2.s32.s32.s32.sat d, a, b, c;", whole(allSigned(isa.Form{Op: isa.Vadd2, Sat: true})),
		wordwise(func(x, y, _ uint32) uint32 {
			add := func(x, y int16) uint32 { return uint32(uint16(max(min(int32(x)+int32(y), 1<<15-1), -1<<15))) }
			return add(int16(x), int16(y)) | add(int16(x>>16), int16(y>>16))<<16
		})},
	{"vavrg4.u32.u32.u32 d, a, b, c;", whole(isa.Form{Op: isa.Vavrg4}),
		bytewise(func(x, y int8) int8 { return int8((uint32(uint8(x)) + uint32(uint8(y)) + 1) >> 1) })},
	{"vmad.u32.u32.u32 d, a.b0, b.b0, c;", isa.Form{Op: isa.Vmad, ASel: isa.B0, BSel: isa.B0},
		wordwise(func(x, y, z uint32) uint32 { return x&0xff*(y&0xff) + z })},
	{"vsub4.u32.u32.u32 d, a, b, c;", whole(isa.Form{Op: isa.Vsub4}),
		bytewise(func(x, y int8) int8 { return x - y })},
}

func allSigned(f isa.Form) isa.Form {
	f.DType, f.AType, f.BType = isa.S32, isa.S32, isa.S32
	return f
}

// whole gives a SIMD form the selectors and the mask that are the default.
func whole(f isa.Form) isa.Form {
	f.ALane, f.BLane = isa.DefaultLanes(f.Op)
	f.Mask = isa.FullMask(f.Op)
	return f
}

func bytewise(f func(x, y int8) int8) func(dst, a, b, c []uint32) {
	return wordwise(func(x, y, _ uint32) uint32 {
		d := uint32(0)
		for lane := range 4 {
			d |= uint32(uint8(f(int8(x>>(8*lane)), int8(y>>(8*lane))))) << (8 * lane)
		}
		return d
	})
}

func wordwise(f func(x, y, z uint32) uint32) func(dst, a, b, c []uint32) {
	return func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = f(a[i], b[i], c[i])
		}
	}
}

// filled returns the arrays that speed is measured on. None stays as the operating system
// gave it, since pages that were never written share their memory.
func filled(n int) (dst, a, b, c []uint32) {
	dst, a, b, c = make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for i := range n {
		dst[i], a[i], b[i], c[i] = 1, uint32(i)*2654435761, uint32(i)*40503>>(i%29), uint32(i)*69069
	}
	return dst, a, b, c
}

// compile makes an array of a form.
func compile(t testing.TB, f isa.Form, l native.Level) *native.Array {
	t.Helper()
	k, err := native.CompileWith(build.Program(lower.Form(f, native.Caps(l))), native.Options{Level: l})
	if err != nil {
		t.Fatalf("%v on %v: %v", f, l, err)
	}
	return k
}

func truth(b bool) int8 {
	if b {
		return 1
	}
	return 0
}
