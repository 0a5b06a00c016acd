package forms

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestParametersInRegisters calls functions whose parameters and results are registers, of every kind of argument.
func TestParametersInRegisters(t *testing.T) {
	holdThreads(t, vmtest.Header, []threadCase{
		{"words, half words and doubles", `
.func (.reg .u32 %r, .reg .u64 %q) f(.reg .u32 %a, .reg .u16 %h, .reg .u64 %w, .reg .f32 %x) {
	.reg .u32 %t; cvt.u32.u16 %t, %h; add.u32 %r, %a, %t; mov.b32 %t, %x; cvt.u64.u32 %q, %t; add.u64 %q, %q, %w; ret;
}`, `
	ld.global.v2.b32 {%r1, %r2}, [%in]; ld.global.b64 %q1, [%in+8]; ld.global.f32 %f1, [%in+16]; cvt.u16.u32 %h1, %r2;
	call (%r3, %q2), f, (%r1, %h1, %q1, %f1);
	call (%r4, %q3), f, (7, 9, 0x100000000, 0f3F800000);
	st.global.v2.b32 [%out], {%r3, %r4}; st.global.b64 [%out+8], %q2; st.global.b64 [%out+16], %q3; st.global.b64 [%out+24], 0;`,
			func(_ uint32, x [8]uint32) [8]uint32 {
				wide := uint64(x[2]) | uint64(x[3])<<32
				wide += uint64(x[4])
				return [8]uint32{x[0] + x[1]&0xffff, 16, uint32(wide), uint32(wide >> 32), 0x3f800000, 1, 0, 0}
			}},
		{"predicates", `
.func (.reg .pred %r, .reg .b32 %n) f(.reg .pred %p, .reg .b32 %x) {
	not.pred %r, %p; mov.b32 %n, 1; @%p add.u32 %n, %n, %x; ret;
}`, `
	setp.lt.u32 %p1, %id, 40; call (%p2, %r1), f, (%p1, %id); call (%p3, %r2), f, (%p2, 5);
	selp.b32 %r3, 1, 0, %p2; selp.b32 %r4, 1, 0, %p3;
	st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(id uint32, _ [8]uint32) [8]uint32 {
				if id < 40 {
					return [8]uint32{1 + id, 1, 0, 1}
				}
				return [8]uint32{1, 6, 1, 0}
			}},
		{"mixed with parameters in memory, and with arguments in memory", `
.func (.param .b32 r) f(.reg .b32 %a, .param .b32 b, .reg .b32 %c) {
	.reg .b32 %t; ld.param.b32 %t, [b]; shl.b32 %t, %t, 1; add.u32 %t, %t, %a; mad.lo.u32 %t, %c, 100, %t; st.param.b32 [r], %t; ret;
}`, `
	ld.global.v4.b32 {%r1, %r2, %r3, _}, [%in];
	call (%r4), f, (%r1, %r2, %r3);
	{ .param .b32 a, b, c, r; st.param.b32 [a], %r1; st.param.b32 [b], %r2; st.param.b32 [c], %r3; call (r), f, (a, b, c); ld.param.b32 %r5, [r]; }
	st.global.v4.b32 [%out], {%r4, %r5, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(_ uint32, x [8]uint32) [8]uint32 {
				y := x[0] + 2*x[1] + 100*x[2]
				return [8]uint32{y, y}
			}},
		{"recursion, a loop from the first instruction on, and several returns", `
.func (.reg .u32 %r) fib(.reg .u32 %n) {
	.reg .pred %p; .reg .u32 %a, %b, %m;
	setp.lt.u32 %p, %n, 2; @%p mov.u32 %r, %n; @%p ret;
	sub.u32 %m, %n, 1; call (%a), fib, (%m); sub.u32 %m, %n, 2; call (%b), fib, (%m); add.u32 %r, %a, %b;
}
.func (.reg .u32 %r) log(.reg .u32 %n, .reg .u32 %k) {
$turn:	.reg .pred %p; shr.u32 %n, %n, 1; add.u32 %k, %k, 1; mov.b32 %r, %k; setp.ne.u32 %p, %n, 0; @%p bra $turn; ret;
}`, `
	and.b32 %r1, %id, 7; call (%r2), fib, (%r1); call (%r3), log, (%id, 0);
	st.global.v4.b32 [%out], {%r2, %r3, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(id uint32, _ [8]uint32) [8]uint32 {
				n := uint32(1)
				for x := id >> 1; x != 0; x >>= 1 {
					n++
				}
				return [8]uint32{[...]uint32{0, 1, 1, 2, 3, 5, 8, 13}[id&7], n}
			}},
		{"through an address", `
.func (.reg .u32 %r) f(.reg .u32 %n) { add.u32 %r, %n, 1; ret; }
.func (.reg .u32 %r) g(.reg .u32 %n) { add.u32 %r, %n, %n; ret; }`, `
	mov.u64 %q1, f; mov.u64 %q2, g; setp.lt.u32 %p1, %id, 33; selp.b64 %q3, %q1, %q2, %p1;
prototype: .callprototype (.reg .u32 _) _ (.reg .u32 _);
	{ .param .b32 r; call (r), %q3, (%id), prototype; ld.param.b32 %r1, [r]; }
	st.global.v4.b32 [%out], {%r1, 0, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(id uint32, _ [8]uint32) [8]uint32 {
				if id < 33 {
					return [8]uint32{id + 1}
				}
				return [8]uint32{2 * id}
			}},
	})
}

// TestParametersInRegistersThatCannotBe: kernels have none, and vectors are not passed in registers.
func TestParametersInRegistersThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		".entry k(.reg .u32 %a) { ret; }":                                                                                                                          "the parameter '%a' of a kernel is in a register",
		".func f(.reg .u32 %a<3>) { ret; } .entry k() { ret; }":                                                                                                    "the parameter '%a' is several registers",
		".func f(.reg .v2 .u32 %a) { ret; } .entry k() { .reg .v2 .u32 %v; call f, (%v); ret; }":                                                                   "the vector %v, which is passed in a register",
		".func (.reg .v2 .u32 %a) f() { ret; } .entry k() { .reg .v2 .u32 %v; call (%v), f; ret; }":                                                                "the vector %v, which is passed in a register",
		".func (.reg .u32 %a) f() { ret; } .entry k() { .reg .u32 %r; .reg .u64 %q; mov.u64 %q, f; p: .callprototype (.reg .u32 _) _ (); call (%r), %q, p; ret; }": "the result %r of a call through an address, which is no .param variable",
		".func f(.reg .pred %a) { ret; } .entry k() { .reg .u32 %v; call f, (%v); ret; }":                                                                          "%v is not of the kind that the instruction reads",
		".func f(.reg .u32 %a, .reg .u32 %a) { ret; } .entry k() { .reg .u32 %v; call f, (%v); ret; }":                                                             "'%a' is declared twice in this scope",
	} {
		tree, found := syntax.Parse(source.New("test.ptx", vmtest.Header+text))
		m, more := check.Check(tree)
		got := ""
		for _, d := range append(found, more...) {
			got += d.Message + "\n"
		}
		if !m.Errors {
			module, err := vm.Load(m)
			if err == nil {
				_, err = module.Kernel("k")
			}
			if err != nil {
				got += err.Error()
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
