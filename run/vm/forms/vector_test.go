package forms

import (
	"testing"

	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestVectorRegisters moves, loads and stores vector registers as a whole, and by elements.
func TestVectorRegisters(t *testing.T) {
	holdThreads(t, vmtest.Header, []threadCase{
		{"load and store as a whole", "", `
	.reg .v4 .u32 %v; .reg .v2 .u64 %w;
	ld.global.v4.u32 %v, [%in]; ld.global.v2.u64 %w, [%in+16];
	st.global.v2.u64 [%out], %w; st.global.v4.u32 [%out+16], %v;`, func(_ uint32, x [8]uint32) [8]uint32 {
			return [8]uint32{x[4], x[5], x[6], x[7], x[0], x[1], x[2], x[3]}
		}},
		{"elements by both kinds of names", "", `
	.reg .v4 .f32 %v; .reg .v4 .b32 %w;
	ld.global.v4.f32 %v, [%in]; mov.b32 %w.x, %v.a; mov.b32 %w.g, %v.z; mov.b32 %w.z, %v.g; mov.b32 %w.a, %v.x;
	st.global.v4.b32 [%out], {%w.r, %w.y, %w.b, %w.w}; st.global.v4.b32 [%out+16], %w;`, func(_ uint32, x [8]uint32) [8]uint32 {
			return [8]uint32{x[3], x[2], x[1], x[0], x[3], x[2], x[1], x[0]}
		}},
		{"a permutation of itself", "", `
	.reg .v4 .b32 %v;
	ld.global.v4.b32 %v, [%in]; mov.v4.b32 %v, {%v.w, %v.x, %v.y, %v.z}; mov.v4.b32 {%v.y, %v.x, _, %v.w}, %v;
	st.global.v4.b32 [%out], %v; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`, func(_ uint32, x [8]uint32) [8]uint32 {
			return [8]uint32{x[0], x[3], x[1], x[2]}
		}},
		{"constants, as gcc clears memory", "", `
	.reg .v2 .u64 %z; .reg .v2 .u32 %c;
	mov.v2.u64 %z, { 0, -1 }; mov.v2.u32 %c, { 7, 0xffffffff };
	st.global.v2.u64 [%out], %z; st.global.v2.u32 [%out+16], %c; st.global.v2.u32 [%out+24], {%c.y, %c.x};`, func(uint32, [8]uint32) [8]uint32 {
			return [8]uint32{0, 0, 0xffffffff, 0xffffffff, 7, 0xffffffff, 0xffffffff, 7}
		}},
		{"copies, one under a guard", "", `
	.reg .v2 .b32 %v, %w;
	ld.global.v2.b32 %v, [%in]; mov.v2.b32 %w, {1, 2}; setp.lt.u32 %p1, %id, 40; @%p1 mov.v2.b32 %w, %v; @!%p1 ld.global.v2.b32 %v, [%in+16];
	st.global.v2.b32 [%out], %w; st.global.v2.b32 [%out+8], %v; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`, func(tid uint32, x [8]uint32) [8]uint32 {
			if tid < 40 {
				return [8]uint32{x[0], x[1], x[0], x[1]}
			}
			return [8]uint32{1, 2, x[4], x[5]}
		}},
		{"packed and unpacked", "", `
	.reg .v2 .b32 %v; .reg .v4 .b16 %w; .reg .v2 .u16 %x;
	ld.global.b64 %q1, [%in]; mov.b64 %v, %q1; mov.b64 %w, %q1; mov.b64 %q2, {%v.y, %v.x}; mov.v4.b16 %w, {%w.w, %w.z, %w.y, %w.x}; mov.b64 %q3, %w;
	mov.b32 %x, %v.x; mov.b32 %r1, %x; mov.b32 %r2, {%x.y, %x.x};
	st.global.b64 [%out], %q2; st.global.b64 [%out+8], %q3; st.global.v4.b32 [%out+16], {%r1, %r2, 0, 0};`, func(_ uint32, x [8]uint32) [8]uint32 {
			turned := func(w uint32) uint32 { return w<<16 | w>>16 }
			return [8]uint32{x[1], x[0], turned(x[1]), turned(x[0]), x[0], turned(x[0])}
		}},
		{"narrow elements in wide registers", "", `
	.reg .v4 .u32 %v; .reg .v2 .s32 %w;
	ld.global.v4.u8 %v, [%in]; ld.global.v2.s16 %w, [%in+4];
	st.global.v4.u32 [%out], %v; st.global.v2.s32 [%out+16], %w; st.global.v4.u8 [%out+24], {%v.w, %v.z, %v.y, %v.x}; st.global.v2.u16 [%out+28], %w;`, func(_ uint32, x [8]uint32) [8]uint32 {
			w := x[0]
			return [8]uint32{w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff, w >> 24, uint32(int32(int16(x[1]))), uint32(int32(x[1]) >> 16), w<<24 | w>>8&0xff<<16 | w>>16&0xff<<8 | w>>24, x[1]}
		}},
		{"in a loop, across calls and in an index", `
.func (.param .align 16 .b8 r[16]) twice(.param .align 16 .b8 x[16]) {
	.reg .v4 .u32 %v;
	ld.param.v4.u32 %v, [x]; add.u32 %v.x, %v.x, %v.x; add.u32 %v.w, %v.w, %v.y; st.param.v4.u32 [r], %v; ret;
}`, `
	.reg .v4 .u32 %v; .reg .v2 .u64 %base;
	mov.v2.u64 %base, {%in, %out}; ld.global.v4.u32 %v, [%base.x]; mov.u32 %r1, 0;
$turn:
	{ .param .align 16 .b8 a[16]; .param .align 16 .b8 b[16]; st.param.v4.u32 [a], %v; call (b), twice, (a); ld.param.v4.u32 %v, [b]; }
	add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra $turn;
	st.global.v4.u32 [%base.y], %v; st.global.v4.u32 [%base.y+16], {0, 0, 0, 0};`, func(_ uint32, x [8]uint32) [8]uint32 {
			return [8]uint32{8 * x[0], x[1], x[2], x[3] + 3*x[1]}
		}},
	})
}
