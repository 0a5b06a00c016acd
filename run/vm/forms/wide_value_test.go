package forms

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// wideHeader is that of kernels with values of 128 bits, which atomic operations have from PTX 8.3 and sm_90 on.
const wideHeader = ".version 8.3\n.target sm_90\n.address_size 64\n"

// wideTrial is a kernel that works on 16 bytes of two buffers for each thread: %a is the address in the first, which has numbers, and %o that in the second.
func wideTrial(threads int, outside, body string) vmtest.Trial {
	in := make([]byte, 16*(threads+2))
	for i := range in {
		in[i] = byte(i*i>>3 ^ 7*i)
	}
	text := wideHeader + outside + `
.visible .entry k(.param .u64 in, .param .u64 out, .param .b128 given)
{
	.reg .pred %p, %e; .reg .b32 %r<8>, %tid0; .reg .b64 %in, %out, %a, %o, %d<8>; .reg .b128 %q<8>;
	.shared .align 16 .b128 s[128]; .local .align 16 .b128 l[3];
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %tid0, %tid.x;
	mad.wide.u32 %a, %tid0, 16, %in; mad.wide.u32 %o, %tid0, 16, %out;
	and.b32 %r7, %tid0, 3; setp.eq.u32 %p, %r7, 2; setp.eq.u32 %e, 0, 1;
` + body + `
	ret;
}
`
	return vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, 16*threads), int64(-0x123456789abcdef)}}
}

// half returns a half of the 128 bits of a thread.
func half(data []byte, thread, n int) uint64 { return binary.LittleEndian.Uint64(data[16*thread+8*n:]) }

// TestWideValues executes what there is for registers of 128 bits on all levels, and holds it against what the halves must be.
func TestWideValues(t *testing.T) {
	const threads = 77
	for name, c := range map[string]struct {
		outside, body string
		want          func(in []byte, thread int) (low, high uint64)
	}{
		"copy": {body: "ld.global.b128 %q0, [%a]; mov.b128 %q1, %q0; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) { return half(in, thread, 0), half(in, thread, 1) }},
		"halves in reverse": {body: "ld.b128 %q0, [%a+16]; mov.b128 {%d0, %d1}, %q0; mov.b128 %q0, {%d1, %d0}; st.b128 [%o], %q0;",
			want: func(in []byte, thread int) (low, high uint64) { return half(in, thread+1, 1), half(in, thread+1, 0) }},
		"words": {body: "ldu.global.b128 %q0, [%a]; mov.b128 {%r0, _, %r2, %r3}, %q0; mov.b128 %q1, {%r3, %r2, 7, %r0}; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) {
				word := func(n int) uint64 { return uint64(binary.LittleEndian.Uint32(in[16*thread+4*n:])) }
				return word(3) | word(2)<<32, 7 | word(0)<<32
			}},
		"one half": {body: "ld.global.nc.b128 %q0, [%a]; mov.b128 {_, %d1}, %q0; mov.b128 %q1, {%d1, 5}; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) { return half(in, thread, 1), 5 }},
		"constants": {body: "mov.b128 %q0, -2; @%p mov.b128 %q0, 0x123456789abcdef0; st.global.b128 [%o], %q0;",
			want: func(_ []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return 0x123456789abcdef0, 0
				}
				return 1<<64 - 2, 0
			}},
		"guards": {body: "mov.b128 %q0, 9; @!%p ld.relaxed.gpu.global.b128 %q0, [%a]; mov.b128 {%d0, %d1}, %q0; @%p mov.b128 %q0, {%d1, %d0}; st.global.b128 [%o], 3; @!%e st.release.sys.b128 [%o], %q0; @%e st.b128 [%o+1], %q0;",
			want: func(in []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return 0, 9
				}
				return half(in, thread, 0), half(in, thread, 1)
			}},
		"parameter": {body: "ld.param.b128 %q0, [given]; st.volatile.global.b128 [%o], %q0; ld.param.u64 %d0, [given]; mov.b128 %q1, {%d0, 3}; @%p st.mmio.relaxed.sys.global.b128 [%o], %q1;",
			want: func(_ []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return 0xfedcba9876543211, 3
				}
				return 0xfedcba9876543211, 1<<64 - 1
			}},
		"variables": {outside: ".global .align 16 .b128 g[2] = {1, 0x8000000000000000};\n.const .align 16 .b128 c = -1;\n",
			body: "ld.global.b128 %q0, [g+16]; ld.const.b128 %q1, [c]; @%p mov.b128 %q0, %q1; st.global.b128 [%o], %q0;",
			want: func(_ []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return 1<<64 - 1, 0
				}
				return 1 << 63, 0
			}},
		"shared memory": {body: "mov.u32 %r0, s; mad.lo.u32 %r1, %tid0, 16, %r0; ld.acquire.cta.global.b128 %q0, [%a]; st.shared.b128 [%r1], %q0; bar.sync 0; xor.b32 %r2, %tid0, 1; min.u32 %r2, %r2, 76; mad.lo.u32 %r1, %r2, 16, %r0; " +
			"ld.volatile.shared.b128 %q1, [%r1]; cvta.shared.u64 %d0, s; ld.acquire.cta.b128 %q2, [%d0]; @%p mov.b128 %q1, %q2; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) {
				from := min(thread^1, 76)
				if thread&3 == 2 {
					from = 0
				}
				return half(in, from, 0), half(in, from, 1)
			}},
		"local memory": {body: "mov.u64 %d0, l; ld.global.b128 %q0, [%a]; and.b32 %r0, %tid0, 1; mad.wide.u32 %d1, %r0, 16, %d0; st.local.b128 [%d0], 1; st.local.b128 [l+16], 2; st.local.b128 [%d1], %q0; ld.local.b128 %q1, [l+16]; " +
			"cvta.local.u64 %d0, l; ld.relaxed.cta.b128 %q2, [%d0]; @%p mov.b128 %q1, %q2; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) {
				if thread&1 == 1 || thread&3 == 2 {
					return half(in, thread, 0), half(in, thread, 1)
				}
				return 2, 0
			}},
		"loop": {body: "mov.u32 %r0, 0; ld.global.b128 %q0, [%a]; mov.b128 %q1, 1;\n$turn: mov.b128 {%d0, %d1}, %q0; mov.b128 {%d2, %d3}, %q1; add.u64 %d0, %d0, %d3; xor.b64 %d1, %d1, %d2; mov.b128 %q2, %q1; mov.b128 %q1, {%d1, %d0}; mov.b128 %q0, %q2; " +
			"add.u32 %r0, %r0, 1; setp.le.u32 %p, %r0, %r7; @%p bra $turn; st.global.b128 [%o], %q1;",
			want: func(in []byte, thread int) (low, high uint64) {
				a, b := [2]uint64{half(in, thread, 0), half(in, thread, 1)}, [2]uint64{1, 0}
				for range thread&3 + 1 {
					a, b = b, [2]uint64{a[1] ^ b[0], a[0] + b[1]}
				}
				return b[0], b[1]
			}},
		"functions": {outside: `
.func (.reg .b128 %d) swapped(.reg .b128 %x) { .reg .b64 %l<2>; mov.b128 {%l0, %l1}, %x; mov.b128 %d, {%l1, %l0}; ret; }
.func (.param .b128 d, .param .b32 e) more(.param .b32 n, .param .b128 x) { .reg .b64 %l<2>; .reg .b32 %n; .reg .b128 %x; ld.param.b128 %x, [x]; ld.param.b32 %n, [n]; mov.b128 {%l0, %l1}, %x; mad.wide.u32 %l0, %n, 3, %l0; mov.b128 %x, {%l0, %l1}; st.param.b128 [d], %x; st.param.b32 [e], 5; ret; }
.global .u64 address = swapped;
`, body: "ld.global.b128 %q0, [%a]; call (%q1), swapped, (%q0); call (%q2, %r0), more, (%tid0, %q1); { .param .b128 from; .param .b128 to; st.param.b128 [from], %q2; call (to), swapped, (from); ld.param.b128 %q3, [to]; } " +
			"{ .param .b128 to; ld.global.u64 %d0, [address]; $like: .callprototype (.param .b128 _) _ (.param .b128 _); call (to), %d0, (%q3), $like; ld.param.b128 %q4, [to]; } @%p mov.b128 %q3, %q4; st.global.b128 [%o], %q3;",
			want: func(in []byte, thread int) (low, high uint64) {
				low, high = half(in, thread, 0), half(in, thread, 1)+3*uint64(thread)
				if thread&3 == 2 {
					return high, low
				}
				return low, high
			}},
		"atomic operations alone": {body: "ld.global.b128 %q0, [%a]; st.global.b128 [%o], 4; mov.b128 {%d0, %d1}, %q0; mov.b128 %q1, {4, %d0}; selp.b64 %d2, 0, %d0, %p; mov.b128 %q1, {4, 0}; mov.b128 %q2, {%d1, %d2}; @!%p atom.global.cas.b128 _, [%o], %q1, %q2; " +
			"@%p atom.acq_rel.gpu.exch.b128 %q3, [%o], %q0; mov.b128 %q4, {4, 1}; atom.global.cas.b128 %q5, [%o], %q4, %q1; mov.b128 %q4, {5, 0}; atom.relaxed.sys.cas.b128 %q5, [%o], %q4, %q1; @%p atom.exch.b128 %q6, [%o], %q3; @%p atom.exch.b128 _, [%o], %q6;",
			want: func(in []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return half(in, thread, 0), half(in, thread, 1)
				}
				return half(in, thread, 1), half(in, thread, 0)
			}},
		"atomic operations in shared memory": {body: "ld.global.b128 %q0, [%a]; mov.u32 %r0, s; mad.lo.u32 %r1, %tid0, 16, %r0; st.shared.b128 [%r1], 4; atom.shared.cas.b128 %q1, [%r1], 4, %q0; atom.acquire.cta.shared.exch.b128 %q2, [%r1], %q1; " +
			"cvt.u64.u32 %d0, %r1; cvta.shared.u64 %d0, %d0; @%p atom.cas.b128 %q2, [%d0], %q1, 6; @%p ld.shared.b128 %q2, [%r1]; st.global.b128 [%o], %q2;",
			want: func(in []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return 6, 0
				}
				return half(in, thread, 0), half(in, thread, 1)
			}},
		"one for all": {body: "ld.relaxed.gpu.global.b128 %q0, [%in]; ld.global.b128 %q1, [%in+16]; @%p mov.b128 %q0, %q1; st.global.b128 [%o], %q0; mov.b128 {%d0, %d1}, %q1; @%e st.global.u64 [%d0], %d1;",
			want: func(in []byte, thread int) (low, high uint64) {
				if thread&3 == 2 {
					return half(in, 1, 0), half(in, 1, 1)
				}
				return half(in, 0, 0), half(in, 0, 1)
			}},
	} {
		t.Run(name, func(t *testing.T) {
			k := wideTrial(threads, c.outside, c.body)
			e, err := k.Same(vmtest.Ways())
			if err != nil {
				t.Fatalf("%v\n%s", err, c.body)
			}
			for thread := range threads {
				low, high := c.want(k.Args[0].([]byte), thread)
				if l, h := half(e.Buffers[1], thread, 0), half(e.Buffers[1], thread, 1); l != low || h != high {
					t.Fatalf("thread %d has %#x and %#x, want %#x and %#x\n%s", thread, l, h, low, high, c.body)
				}
			}
		})
	}
}

// TestWideFaults: 128 bits are inside of memory as a whole, and their address is a multiple of 16.
func TestWideFaults(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"ld.global.b128 %q, [%d+8];", "ld.global.b128 of 16 bytes misaligned"},
		{"st.global.b128 [%d+8], %q;", "st.global.b128 of 16 bytes misaligned"},
		{"ld.relaxed.gpu.global.b128 %q, [%d+24];", "ld.relaxed.gpu.global.b128 of 16 bytes misaligned"},
		{"st.release.gpu.b128 [%d+4], %q;", "st.release.gpu.b128 of 16 bytes misaligned"},
		{"atom.global.cas.b128 %q, [%d+8], %q, 1;", "atom.global.cas.b128 of 16 bytes misaligned"},
		{"atom.shared.exch.b128 %q, [s+8], 1;", "atom.shared.exch.b128 of 16 bytes misaligned"},
		{"ld.local.b128 %q, [l+8];", "ld.local.b128 of 16 bytes misaligned"},
		{"ld.local.b128 %q, [l+32];", "ld.local.b128 of 16 bytes out of bounds"},
		{"ld.shared.b128 %q, [s+32];", "ld.shared.b128 of 16 bytes out of bounds"},
		{"ld.global.b128 %q, [%d+64];", "ld.global.b128 of 16 bytes out of bounds"},
		{"st.volatile.global.b128 [%d+64], %q;", "st.volatile.global.b128 of 16 bytes out of bounds"},
		{"atom.exch.b128 _, [%d+64], %q;", "atom.exch.b128 of 16 bytes out of bounds"},
		{"cvta.local.u64 %d, l; atom.exch.b128 _, [%d], %q;", "atom.exch.b128 of 16 bytes"},
		{"@%p ld.global.b128 %q, [%d+8]; @%p atom.global.exch.b128 _, [%d+8], %q; @%p ld.acquire.gpu.b128 %q, [0];", ""},
		{"ld.global.b128 %q, [%d+48]; st.global.b128 [%d+48], %q; ld.local.b128 %q, [l+16];", ""},
	} {
		for _, l := range level.Levels() {
			m := vmtest.LoadOn(t, l, wideHeader+".visible .entry k(.param .u64 p) {.reg .b64 %d; .reg .b128 %q; .reg .pred %p; .shared .align 16 .b8 s[32]; .local .align 16 .b8 l[32];"+
				" ld.param.u64 %d, [p]; mov.b128 %q, 1; setp.ne.u32 %p, 0, 0;\n"+c.code+"\nret; }\n")
			buffer, _ := m.Memory().Alloc("buffer", 72)
			err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}}, buffer)
			_, isFault := errors.AsType[*vm.Fault](err)
			if isFault != (c.want != "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "test.ptx:5:")) {
				t.Errorf("%v, %s: %v, want %s", l, c.code, err, c.want)
			}
		}
	}
}

// TestWideAtomics has several workers change 128 bits by loops of cas, by exchanges and by strong stores, which others load: each is seen as a whole, and no change is lost.
func TestWideAtomics(t *testing.T) {
	const blocks, threads, turns = 16, 32, 4
	text := wideHeader + `
.visible .entry k(.param .u64 out) {
	.reg .b64 %d, %l<4>; .reg .b128 %q<4>; .reg .b32 %i, %t, %u; .reg .pred %p, %e;
	ld.param.u64 %d, [out]; mov.u32 %t, %ctaid.x; shl.b32 %t, %t, 5; mov.u32 %i, %tid.x; add.u32 %t, %t, %i; mov.u32 %i, 0; and.b32 %u, %t, 1;
// The sum of all is in the lower half, and twice as much in the upper one.
ADD:	ld.relaxed.gpu.global.b128 %q0, [%d];
AGAIN:	mov.b128 {%l0, %l1}, %q0; add.u64 %l0, %l0, 1; add.u64 %l1, %l1, 2; mov.b128 %q1, {%l0, %l1};
	atom.global.cas.b128 %q2, [%d], %q0, %q1;
	mov.b128 {%l2, %l3}, %q2; shl.b64 %l0, %l2, 1; setp.ne.u64 %e, %l0, %l3; @%e red.global.add.u32 [%d+48], 1;
	mov.b128 {%l0, %l1}, %q0; mov.b128 %q0, %q2; setp.ne.u64 %p, %l0, %l2; @%p bra AGAIN;
	add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra ADD;
// Others have the same number in both halves always.
	mov.u32 %i, 0; setp.eq.u32 %p, %u, 0;
TURN:	add.u32 %t, %t, 512; cvt.u64.u32 %l0, %t; mov.b128 %q1, {%l0, %l0}; mov.b128 %q3, 0;
	@%p st.relaxed.gpu.global.b128 [%d+16], %q1;
	@!%p atom.exch.b128 %q3, [%d+16], %q1;
	mov.b128 {%l2, %l3}, %q3; setp.ne.u64 %e, %l2, %l3; @%e red.global.add.u32 [%d+48], 1;
	ld.acquire.gpu.b128 %q3, [%d+16]; mov.b128 {%l2, %l3}, %q3; setp.ne.u64 %e, %l2, %l3; @%e red.global.add.u32 [%d+48], 1;
	add.u32 %i, %i, 1; setp.lt.u32 %e, %i, 400; @%e bra TURN; ret; }`
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 64)}}
	m, err := k.Checked()
	if err != nil {
		t.Fatal(err)
	}
	const n = blocks * threads * turns
	for _, l := range level.Levels() {
		for _, w := range []vmtest.Way{{Level: l, Workers: 4}, {Level: l, Workers: 1}} {
			restore := vmtest.WithMachineCode(native.Options{Base: w.Workers == 1})
			e, err := k.Run(m, w)
			restore()
			if err != nil {
				t.Fatal(err)
			}
			if low, high := half(e.Buffers[0], 0, 0), half(e.Buffers[0], 0, 1); low != n || high != 2*n {
				t.Errorf("%v: the sums are %d and %d, want %d and %d", w, low, high, n, 2*n)
			}
			if torn := half(e.Buffers[0], 3, 0); torn != 0 {
				t.Errorf("%v: %d times two halves were not of the same value", w, torn)
			}
		}
	}
}

// TestWideChecks: checks find races and unset memory among the 16 bytes of an access, and registers that have not been written, once each.
func TestWideChecks(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"race":           {"mov.u32 %r, s; st.shared.b128 [%r], %q; ld.shared.b128 %q, [s];", []string{"race"}},
		"race of halves": {"setp.eq.u32 %p, %t, 40; @%p st.shared.u64 [s+8], 5; setp.eq.u32 %p, %t, 3; @%p st.shared.b128 [s], %q;", []string{"race"}},
		"no race":        {"mov.u32 %r, s; mad.lo.u32 %r, %t, 16, %r; st.shared.b128 [%r], %q; bar.sync 0; ld.shared.b128 %q, [s+16];", nil},
		"atomic":         {"setp.eq.u32 %p, %t, 0; @%p st.shared.b128 [s], 1; bar.sync 0; atom.shared.exch.b128 %q, [s], %q; ld.relaxed.cta.shared.b128 %q, [s];", nil},
		"unset memory":   {"setp.eq.u32 %p, %t, 0; @%p st.shared.u64 [s], 5; @%p ld.shared.b128 %q, [s]; @%p st.global.b128 [%d], %q;", []string{"unset memory"}},
		"unset atomic":   {"setp.eq.u32 %p, %t, 0; @%p atom.shared.cas.b128 %q, [s+32], %q, 1;", []string{"unset memory"}},
		"lower half":     {"setp.eq.u32 %p, %t, 0; @%p st.shared.u64 [s], 5; @%p ld.shared.b128 %q, [s]; mov.b128 {%d, %m}, %q; and.b64 %m, %m, 0; setp.ne.u64 %p, %m, 0; @%p trap;", nil},
		"unset register": {"setp.eq.u32 %p, %t, 0; @%p st.global.b128 [%d], %n;", []string{"%n"}},
		"unset half":     {"setp.eq.u32 %p, %t, 0; mov.b128 %q, {%d, %m}; @%p st.global.b128 [%d], %q;", []string{"%q"}},
	} {
		for _, l := range level.Levels() {
			m := vmtest.LoadOn(t, l, wideHeader+".visible .entry k(.param .u64 p) {.reg .b64 %d, %m; .reg .b128 %q, %n; .reg .b32 %r, %t; .reg .pred %p; .shared .align 16 .b8 s[1024];"+
				" ld.param.u64 %d, [p]; mov.u32 %t, %tid.x; mov.b128 %q, {%d, 6};\n"+c.code+"\nret; }\n")
			buffer, _ := m.Memory().Alloc("buffer", 64)
			err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 64}, Check: true, Workers: 1}, buffer)
			text := fmt.Sprint(err)
			if (err != nil) != (c.want != nil) {
				t.Errorf("%s, %v: %v", name, l, err)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %v: %v, want %s", name, l, err, want)
				}
			}
		}
	}
}

// TestWideSteps: what machine code leaves for are accesses that are made at once; others are machine code.
func TestWideSteps(t *testing.T) {
	for _, l := range level.Levels() {
		if !vmtest.HasMachineCode(l) {
			continue
		}
		m := vmtest.LoadOn(t, l, wideHeader+`
.visible .entry k(.param .u64 p) {
	.reg .b64 %d; .reg .b128 %q; .reg .b32 %i; .reg .pred %p; .shared .align 16 .b128 s;
	ld.param.u64 %d, [p]; mov.u32 %i, 0;
L:	ld.global.b128 %q, [%d]; st.shared.b128 [s], %q; ld.volatile.shared.b128 %q, [s]; st.global.b128 [%d+16], %q;
	ld.relaxed.gpu.global.b128 %q, [%d]; st.volatile.global.b128 [%d+16], %q; atom.shared.exch.b128 %q, [s], %q;
	add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20; @%p bra L; ret; }`)
		buffer, _ := m.Memory().Alloc("buffer", 32)
		stats := &vm.Stats{}
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}, Stats: stats}, buffer)
		steps := map[string]bool{"ld.relaxed.gpu.global.b128": true, "st.volatile.global.b128": true, "atom.shared.exch.b128": true}
		for _, i := range stats.Instructions {
			if want := steps[i.Opcode]; want && i.Stepped != 20 || !want && i.Stepped != 0 {
				t.Errorf("%v: %s: %d of %d warps are steps", l, i.Opcode, i.Stepped, i.Warps)
			}
			delete(steps, i.Opcode)
		}
		if len(steps) > 0 {
			t.Errorf("%v: nothing is said of %v", l, steps)
		}
	}
}
