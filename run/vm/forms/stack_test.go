package forms

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// stackHeader is that of kernels with dynamic local memory, which there is from PTX 7.3 on.
const stackHeader = ".version 7.3\n.target sm_80\n.address_size 64\n"

// stackTrial is a kernel of several blocks, each thread of which stores a number. %n is its number in its block.
func stackTrial(outside, body string) vmtest.Trial {
	text := stackHeader + outside + `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p, %q; .reg .b32 %n, %i, %r<8>; .reg .b64 %o, %d<8>; .local .align 8 .b32 mine[2];
	ld.param.u64 %o, [out]; mov.u32 %n, %tid.x; mov.u32 %r0, %ctaid.x; mad.lo.u32 %r0, %r0, 70, %n; mad.wide.u32 %o, %r0, 4, %o; and.b32 %r7, %n, 3; setp.eq.u32 %p, %r7, 2;
	st.local.b32 [mine], %n; st.local.b32 [mine+4], 1000;
` + body + `
	st.global.u32 [%o], %r0;
	ret;
}
`
	return vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: 5}, Block: vm.Dim{X: 70}}, Args: []any{make([]byte, 5*70*4)}}
}

// TestDynamicMemory executes alloca, stacksave and stackrestore on all levels.
func TestDynamicMemory(t *testing.T) {
	for name, c := range map[string]struct {
		outside, body string
		want          func(n int) int
	}{
		// As many words as the thread has a number, and one more, which it adds up.
		"sizes that differ": {body: `
	mad.lo.u32 %r1, %n, 4, 4; alloca.u32 %r2, %r1; mov.u32 %i, 0;
FILL:	mad.lo.u32 %r3, %i, 4, %r2; st.local.u32 [%r3], %i; add.u32 %i, %i, 1; setp.le.u32 %q, %i, %n; @%q bra FILL;
	mov.u32 %r0, 0; mov.u32 %i, 0;
ADD:	mad.lo.u32 %r3, %i, 4, %r2; ld.local.u32 %r4, [%r3]; add.u32 %r0, %r0, %r4; add.u32 %i, %i, 1; setp.le.u32 %q, %i, %n; @%q bra ADD;
	ld.local.u32 %r4, [mine]; add.u32 %r0, %r0, %r4; ld.local.u32 %r4, [mine+4]; add.u32 %r0, %r0, %r4;`,
			want: func(n int) int { return n*(n+1)/2 + n + 1000 }},
		// What has been given back is given again; alignments are those asked for, or 8.
		"save and restore": {body: `
	alloca.u64 %d0, 3; alloca.u64 %d1, 1, 4; stacksave.u64 %d2; alloca.u64 %d3, 20, 64; st.local.v2.u32 [%d3], {%n, 5}; stackrestore.u64 %d2; alloca.u64 %d4, 20, 64; stackrestore.u64 %d2; stacksave.u64 %d5;
	sub.u64 %d6, %d4, %d3; sub.u64 %d5, %d5, %d2; or.b64 %d5, %d5, %d6; and.b64 %d6, %d3, 63; or.b64 %d5, %d5, %d6; sub.u64 %d6, %d1, %d0; cvt.u32.u64 %r1, %d5; cvt.u32.u64 %r2, %d6;
	@%p alloca.u64 %d4, 8; @%p st.local.u64 [%d4], %d6; @%p ld.local.u32 %r2, [%d4]; mad.lo.u32 %r0, %r1, 1000, %r2;`,
			want: func(int) int { return 8 }},
		// Lanes that are not at work have what they had; a generic address, bytes, and vectors work as elsewhere.
		"generic addresses": {body: `
	mov.u64 %d0, 0; @!%p alloca.u64 %d0, 48, 16; @%p bra OVER; cvta.local.u64 %d1, %d0; st.v4.u32 [%d1+16], {%n, 7, %n, 9}; st.u8 [%d1+24], 3; ld.local.v2.u64 {%d2, %d3}, [%d0+16]; isspacep.local %q, %d1;
	shr.u64 %d4, %d3, 32; add.u64 %d4, %d4, %d2; and.b64 %d3, %d3, 255; add.u64 %d4, %d4, %d3; @%q add.u64 %d4, %d4, 100; cvt.u32.u64 %r0, %d4;
OVER:	@%p mov.u32 %r0, 1;`,
			want: func(n int) int {
				if n&3 == 2 {
					return 1
				}
				return n + 9 + 3 + 100
			}},
		// A function gives back what it has allocated, and does not lose what its caller has, whichever threads have come to it.
		"functions": {outside: `
.func (.param .b32 d) f(.param .b32 n, .param .b64 at) {
	.reg .b32 %n, %r<3>; .reg .b64 %a, %b, %c; .reg .pred %p; .local .b32 own; .param .b32 inner; .param .b32 less; .param .b64 place;
	ld.param.u32 %n, [n]; ld.param.u64 %a, [at]; st.local.u32 [own], %n; mad.wide.u32 %b, %n, 8, 8; alloca.u64 %b, %b, 16; st.local.u32 [%b], %n; mov.u32 %r0, 0; setp.eq.u32 %p, %n, 0; @%p bra END;
	sub.u32 %r1, %n, 1; st.param.b32 [less], %r1; st.param.b64 [place], %b; call (inner), f, (less, place); ld.param.b32 %r0, [inner];
END:	ld.local.u32 %r1, [%b]; add.u32 %r0, %r0, %r1; ld.local.u32 %r1, [own]; add.u32 %r0, %r0, %r1; ld.local.u32 %r1, [%a]; mad.lo.u32 %r0, %r1, 100, %r0; st.param.b32 [d], %r0; ret;
}
`, body: `
	.param .b32 result; .param .b32 count; .param .b64 place;
	alloca.u64 %d0, 16; st.local.u32 [%d0], 7; stacksave.u64 %d1; and.b32 %r1, %n, 7; st.param.b32 [count], %r1; st.param.b64 [place], %d0; @%p alloca.u64 %d2, 400; @%p st.local.u32 [%d2+396], 2; @%p stacksave.u64 %d1;
	call (result), f, (count, place); call (result), f, (count, place); ld.param.b32 %r0, [result]; stacksave.u64 %d3; sub.u64 %d3, %d3, %d1; cvt.u32.u64 %r1, %d3; ld.local.u32 %r2, [%d0]; mad.lo.u32 %r0, %r2, 10000, %r0; add.u32 %r0, %r0, %r1;
	@%p ld.local.u32 %r2, [%d2+396]; @%p mad.lo.u32 %r0, %r2, 1000000, %r0;`,
			want: func(n int) int {
				d := 70000
				for k := 0; k <= n&7; k++ {
					d += 2*k + 100*map[bool]int{true: 7, false: k + 1}[k == n&7]
				}
				if n&3 == 2 {
					d += 2000000
				}
				return d
			}},
		// What has not been written is 0 in every block, whatever others have left there.
		"zeros": {body: `
	setp.gt.u32 %q, %n, 40; @%q bra LATE; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 40, 40; alloca.u32 %r2, %r1; ld.local.u32 %r0, [%r2+36]; add.u32 %r3, %r2, %r1; ld.local.u32 %r4, [%r3+-4]; add.u32 %r0, %r0, %r4; sub.u32 %r4, %r2, 0x80000; add.u32 %r0, %r0, %r4; st.local.u32 [%r2+36], 77; st.local.u32 [%r3+-4], 78; bra END;
LATE:	mov.u32 %r0, %n;
END:`,
			want: func(n int) int {
				if n > 40 {
					return n
				}
				return 0
			}},
	} {
		t.Run(name, func(t *testing.T) {
			k := stackTrial(c.outside, c.body)
			ways := vmtest.Ways()
			if name == "zeros" { // which it reads
				ways = vmtest.Unchecked()
			}
			e, err := k.Same(ways)
			if err != nil {
				t.Fatalf("%v\n%s", err, k.Text)
			}
			for i := range 5 * 70 {
				if got := int(vmtest.Get(e.Buffers[0], i, 32)); got != c.want(i%70) {
					t.Fatalf("thread %d of block %d: %d, want %d\n%s", i%70, i/70, got, c.want(i%70), c.body)
				}
			}
		})
	}
}

// TestDynamicMemoryOfSomeBlocks: most blocks have none, and are executed in rows.
func TestDynamicMemoryOfSomeBlocks(t *testing.T) {
	const blocks, threads = 300, 64
	text := stackHeader + `
.visible .entry k(.param .u64 out) {
	.reg .b64 %o, %d<2>; .reg .b32 %r<6>; .reg .pred %p;
	ld.param.u64 %o, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; shl.b32 %r2, %r0, 6; add.u32 %r2, %r2, %r1; mad.wide.u32 %o, %r2, 4, %o;
	rem.u32 %r3, %r0, 23; setp.lt.u32 %p, %r3, 20; @%p bra STORE; add.u32 %r4, %r1, 8; alloca.u32 %r4, %r4; ld.local.u32 %r5, [%r4+4]; add.u32 %r2, %r2, %r5; st.local.u32 [%r4+4], 99; sub.u32 %r4, %r4, 0x80000; add.u32 %r2, %r2, %r4;
STORE:	st.global.u32 [%o], %r2; ret; }`
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 4*blocks*threads)}}
	e, err := k.Same(vmtest.Unchecked())
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks * threads {
		if got := int(vmtest.Get(e.Buffers[0], i, 32)); got != i {
			t.Fatalf("thread %d of block %d: %d, want %d", i%threads, i/threads, got, i)
		}
	}
}

// TestDynamicMemoryFaults: there is only so much, and what has not been allocated, or given back, is not there.
func TestDynamicMemoryFaults(t *testing.T) {
	for _, c := range []struct {
		code, want string
	}{
		{"alloca.u64 %d0, 524272; st.local.u8 [%d0+524271], 1;", ""},
		{"alloca.u64 %d0, 524281;", "stack overflow, block (0, 0, 0) thread (0, 0, 0): alloca of 524281 bytes, aligned to 8: a thread has 524288 bytes of local memory, of which 8 are taken"},
		{"alloca.u64 %d0, 524272; alloca.u64 %d1, 9;", "of which 524280 are taken"},
		{"alloca.u64 %d0, -1;", "alloca of 18446744073709551615 bytes"},
		{"alloca.u32 %r0, -16;", "alloca of 4294967280 bytes"},
		{"alloca.u64 %d0, 8, 8388608;", "aligned to 8388608"},
		{"L: alloca.u64 %d0, 1024; bra L;", "stack overflow"},
		{"alloca.u64 %d0, 16; st.local.u64 [%d0+12], 1;", "st.local.u64 of 8 bytes out of bounds at 0x8000c, block (0, 0, 0) thread (0, 0, 0): the last 4 bytes are beyond the end of what alloca has given the thread (16 bytes at 0x80000)"},
		{"alloca.u64 %d0, 16; st.local.u32 [%d0+16], 1;", "right behind the end of what alloca has given the thread (16 bytes at 0x80000)"},
		{"alloca.u64 %d0, 16; cvta.local.u64 %d0, %d0; st.u32 [%d0+16], 1;", "right behind the end of what alloca has given the thread (16 bytes at 0x2080000)"},
		{"stacksave.u64 %d1; alloca.u64 %d0, 16; stackrestore.u64 %d1; st.local.u32 [%d0], 1;", "st.local.u32 of 4 bytes out of bounds"},
		{"stackrestore.u64 5;", "0x5 is not where the stack has ended: it is from 0x80000 to 0x80000 now"},
		{"alloca.u64 %d0, 16; stackrestore.u64 %d0; stackrestore.u64 0x80010;", "0x80010 is not where the stack has ended"},
		{"setp.eq.u32 %p, 0, 1; @%p alloca.u64 %d0, -1; @%p stackrestore.u64 5; @%p st.local.u32 [0x80000], 1;", ""},
		{"alloca.u64 %d0, 500000; call f, ();", "recursion overflow, block (0, 0, 0) thread (0, 0, 0): calls nested 1 deep take 40016 bytes of local memory and alloca has given 500000, a thread has 524288"},
		{"call f, (); alloca.u64 %d0, 500000;", ""},
	} {
		for _, l := range level.Levels() {
			for _, checked := range []bool{false, true} {
				m := vmtest.LoadOn(t, l, stackHeader+".func f() { .local .align 8 .b8 l[40000]; ret; }\n.visible .entry k() {.reg .b64 %d<2>; .reg .b32 %r0; .reg .pred %p; .local .b64 own;\n"+c.code+"\nret; }\n")
				err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}, Check: checked})
				if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, checks %v, %s: %v, want %s", l, checked, c.code, err, c.want)
				}
				if fault, ok := errors.AsType[*vm.Fault](err); !checked && err != nil && (!ok || fault.Line != 6) {
					t.Errorf("%v, %s: %v", l, c.code, err)
				}
			}
		}
	}
}

// TestDynamicMemoryChecks: what alloca gives has not been written, also where others have written before.
func TestDynamicMemoryChecks(t *testing.T) {
	for code, want := range map[string]string{
		"alloca.u64 %d0, 16; ld.local.u32 %r0, [%d0+4];":                                                                                       "ld.local.u32 of 4 bytes of unset memory at 0x80004",
		"alloca.u64 %d0, 16; st.local.u32 [%d0+4], 1; ld.local.u32 %r0, [%d0+4];":                                                              "",
		"stacksave.u64 %d1; alloca.u64 %d0, 16; st.local.u32 [%d0+4], 1; stackrestore.u64 %d1; alloca.u64 %d0, 16; ld.local.u32 %r0, [%d0+4];": "of unset memory at 0x80004",
		"alloca.u64 %d0, 16; st.local.u64 [%d0], 1; alloca.u64 %d1, 16; ld.local.v2.u32 {%r0, _}, [%d0]; ld.local.u32 %r0, [%d1+12];":          "of unset memory at 0x8001c",
		"stacksave.u64 %d1;  @%p alloca.u64 %d1, 16; stackrestore.u64 %d1; @%n stackrestore.u64 %d1;":                                          "%n is read",
		"alloca.u64 %n0, 16; setp.eq.u64 %p, %n0, 0; stackrestore.u64 %n1;":                                                                    "%n1 is read",
	} {
		for _, l := range level.Levels() {
			m := vmtest.LoadOn(t, l, stackHeader+".visible .entry k() {.reg .b64 %d<2>, %n<2>; .reg .b32 %r0; .reg .pred %p, %n; .local .b64 own; setp.eq.u32 %p, 0, 0;\n"+code+"\nret; }\n")
			err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 3}, Block: vm.Dim{X: 40}, Check: true})
			if text := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%v, %s: %v, want %s", l, code, err, want)
			}
		}
	}
}
