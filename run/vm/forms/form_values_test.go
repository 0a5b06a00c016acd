package forms

import (
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// A formValue is some code that leaves a value in %d, from %v: an operand that the threads load each for itself.
type formValue struct {
	code string
	v    uint64
	want uint64
}

// holdValues runs code on all levels, with an operand that the threads load and with one that all share.
func holdValues(t *testing.T, values []formValue) {
	t.Helper()
	for _, c := range values {
		for _, at := range []string{"%at", "%base"} {
			k := vmtest.Trial{
				Text: ordinaryHeader + `.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .pred %p, %q; .reg .b32 %i, %r, %s; .reg .b64 %v, %d, %base, %at;
mov.u32 %i, %tid.x; setp.lt.u32 %p|%q, %i, 20; ld.param.u64 %base, [in]; mad.wide.u32 %at, %i, 8, %base; ld.global.b64 %v, [` + at + `];
` + c.code + `
ld.param.u64 %at, [out]; mad.wide.u32 %at, %i, 8, %at; st.global.b64 [%at], %d; ret; }`,
				Kernel: "test", Grid: vm.Grid{Block: vm.Dim{X: 40}},
			}
			in := make([]byte, 40*8)
			for i := range 40 {
				vmtest.Put(in, i, 64, c.v)
			}
			k.Args = []any{in, make([]byte, 40*8)}
			m, err := k.Checked()
			if err != nil {
				t.Fatalf("%s: %v", c.code, err)
			}
			for _, level := range level.Levels() {
				e, err := k.Run(m, vmtest.Way{Level: level, Workers: 1})
				if err != nil {
					t.Fatalf("%s: %v: %v", c.code, level, err)
				}
				for i := range 40 {
					if got := vmtest.Get(e.Buffers[1], i, 64); got != c.want {
						t.Errorf("%v, [%s]: %s\nof %#x, thread %d: got %#x, want %#x", level, at, c.code, c.v, i, got, c.want)
						break
					}
				}
			}
		}
	}
}

// TestSubWordResultInWiderRegister holds that a conversion to 16 bits extends its result by its own type: cvt.u16.s8 was
// extended by the sign of its source.
func TestSubWordResultInWiderRegister(t *testing.T) {
	holdValues(t, []formValue{
		{"cvt.u32.u64 %r, %v; cvt.u16.s8 %s, %r; cvt.u64.u32 %d, %s;", 0x80, 0xff80},
		{"cvt.u32.u64 %r, %v; cvt.s16.s8 %s, %r; cvt.u64.u32 %d, %s;", 0x80, 0xffffff80},
		{"cvt.u32.u64 %r, %v; cvt.u16.s16 %s, %r; cvt.u64.u32 %d, %s;", 0x8000, 0x8000},
		{"cvt.u32.u64 %r, %v; cvt.s8.u8 %s, %r; cvt.u64.u32 %d, %s;", 0x80, 0xffffff80},
		{"cvt.u16.s8 %d, %v;", 0x80, 0xff80},
		{"mov.b64 {%r, _}, %v; cvt.rn.f16.f32 %s, %r; cvt.u64.u32 %d, %s;", 0xbf800000, 0xbc00},
		{"mov.b64 {%r, _}, %v; cvt.f32.f32 %d, %r;", 0xffffffffbf800000, 0xbf800000},
	})
}

// TestNaNToInteger holds that a NaN becomes 0 only where no type of 64 bits has to do with it.
func TestNaNToInteger(t *testing.T) {
	const nan32, nan64 = 0x7fc00001, 0x7ff8000000000001
	holdValues(t, []formValue{
		{"mov.b64 {%r, _}, %v; cvt.rzi.s32.f32 %s, %r; cvt.s64.s32 %d, %s;", nan32, 0},
		{"mov.b64 {%r, _}, %v; cvt.rzi.u8.f32 %d, %r;", nan32, 0},
		{"mov.b64 {%r, _}, %v; cvt.rzi.s64.f32 %d, %r;", nan32, 1 << 63},
		{"mov.b64 {%r, _}, %v; cvt.rni.sat.u64.f32 %d, %r;", nan32, 1 << 63},
		{"cvt.rzi.s32.f64 %s, %v; cvt.s64.s32 %d, %s;", nan64, 0xffffffff80000000},
		{"cvt.rzi.u32.f64 %s, %v; cvt.u64.u32 %d, %s;", nan64, 0x80000000},
		{"cvt.rmi.u8.f64 %d, %v;", nan64, 0x80},
		{"cvt.rmi.s8.f64 %d, %v;", nan64, 0xffffffffffffff80},
		{"cvt.rpi.u64.f64 %d, %v;", nan64, 1 << 63},
	})
}

// TestComparisonIntoItsOwnOperands holds that setp reads c and its guard before it writes either destination.
func TestComparisonIntoItsOwnOperands(t *testing.T) {
	const show = " selp.u64 %d, 1, 0, %p; selp.b32 %r, 2, 0, %q; cvt.u64.u32 %at, %r; or.b64 %d, %d, %at;"
	holdValues(t, []formValue{
		{"setp.ne.u64 %p, %v, 1; setp.eq.and.u64 %p|%q, %v, 0, %p;" + show, 5, 2}, // p is c
		{"setp.ne.u64 %q, %v, 1; setp.eq.and.u64 %p|%q, %v, 0, %q;" + show, 5, 2},
		{"setp.ne.u64 %p, %v, 1; setp.eq.u64 %q, %v, 1; @%p setp.eq.u64 %p|%q, %v, 0;" + show, 5, 2}, // p is the guard
		{"setp.ne.u64 %q, %v, 1; setp.eq.u64 %p, %v, 1; @%q setp.eq.u64 %p|%q, %v, 5;" + show, 5, 1},
		{"setp.eq.u64 %p, %v, 1; setp.eq.u64 %q, %v, 1; @!%p setp.eq.u64 %p|%q, %v, 5;" + show, 5, 1},
	})
}

// TestZerosAreNormal holds what the manual says of testp.normal.
func TestZerosAreNormal(t *testing.T) {
	holdValues(t, []formValue{
		{"testp.normal.f64 %p, %v; selp.u64 %d, 1, 0, %p;", 0, 1},
		{"testp.normal.f64 %p, %v; selp.u64 %d, 1, 0, %p;", 1 << 63, 1},
		{"testp.normal.f64 %p, %v; selp.u64 %d, 1, 0, %p;", 1, 0},
		{"mov.b64 {%r, _}, %v; testp.normal.f32 %p, %r; selp.u64 %d, 1, 0, %p;", 0x80000000, 1},
		{"mov.b64 {%r, _}, %v; testp.subnormal.f32 %p, %r; selp.u64 %d, 1, 0, %p;", 0x80000000, 0},
	})
}

// TestNthSetBit holds fns whose result takes the place of the mask, and the least of all offsets.
func TestNthSetBit(t *testing.T) {
	holdValues(t, []formValue{
		{"cvt.u32.u64 %r, %v; fns.b32 %r, %r, 0, 2; cvt.u64.u32 %d, %r;", 0b10100, 4},
		{"cvt.u32.u64 %r, %v; fns.b32 %r, %r, 31, -2147483648; cvt.u64.u32 %d, %r;", 0b10100, 0xffffffff},
	})
}

// TestQuotientByHugeNumbers holds that div.approx multiplies by the reciprocal, which is zero for divisors beyond 2^126.
func TestQuotientByHugeNumbers(t *testing.T) {
	const one, huge, infinity = 0x3f800000, 0x7f000000, 0x7f800000 // huge is 2^127
	holdValues(t, []formValue{
		{"mov.b64 {%r, %s}, %v; div.approx.f32 %r, %r, %s; cvt.u64.u32 %d, %r;", huge<<32 | huge, 0},
		{"mov.b64 {%r, %s}, %v; div.approx.ftz.f32 %r, %r, %s; cvt.u64.u32 %d, %r;", (huge|1<<31)<<32 | one, 1 << 31},
		{"mov.b64 {%r, %s}, %v; div.approx.f32 %r, %r, %s; cvt.u64.u32 %d, %r;", huge<<32 | infinity, 0x7fffffff},
		{"mov.b64 {%r, %s}, %v; div.full.f32 %r, %r, %s; cvt.u64.u32 %d, %r;", huge<<32 | huge, one},
	})
}

// TestRoughReciprocals holds that rcp and rsqrt.approx.ftz.f64 look at the upper word alone, and which NaN they give.
func TestRoughReciprocals(t *testing.T) {
	holdValues(t, []formValue{
		{"rcp.approx.ftz.f64 %d, %v;", 0x7ff8000000000001, 0x7fffffff00000000},
		{"rsqrt.approx.ftz.f64 %d, %v;", 0xbff0000000000000, 0x7fffffff00000000},
		{"rcp.approx.ftz.f64 %d, %v;", 0x4000000000000000, 0x3fe0000000000000},
		{"rcp.approx.ftz.f64 %d, %v;", 0x3fffffff00000000, 0x3fe0000000000000},
		{"rcp.approx.ftz.f64 %d, %v;", 0x3fffffffffffffff, 0x3fe0000000000000},
	})
}
