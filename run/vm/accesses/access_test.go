package accesses

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// These kernels have accesses that executors make in several ways, by how the addresses of lanes lie: each did
// something else on some level once.

// accessTrial returns a launch of 1 block of so many threads of a kernel with two buffers: in has the words
// 100, 101 and so on, out is 16 bytes for each thread.
func accessTrial(threads int, body string) vmtest.Trial {
	var in []byte
	for i := range 1024 {
		in = binary.LittleEndian.AppendUint32(in, uint32(100+i))
	}
	text := vmtest.Header + `.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .pred %p;
	setp.eq.u32 %p, 0, 1;
	.reg .b16 %h;
	.reg .b32 %r, %d, %i, %tid0, %x<4>;
	.reg .b64 %in, %out, %a, %b, %o, %away;
	.shared .align 16 .b32 s[64];
	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	mov.u32 %tid0, %tid.x;
	mul.wide.u32 %o, %tid0, 16;
	add.s64 %out, %out, %o;
` + body + `
	ret;
}
`
	return vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, 16*threads)}}
}

// TestAccesses runs them on all levels.
func TestAccesses(t *testing.T) {
	for name, c := range map[string]vmtest.Trial{
		// The guard holds for all threads, which load the same; what they had before differed.
		"guarded load at a uniform address": accessTrial(50, `
	mov.u32 %r, 7;
	setp.ne.u32 %p, %r, 0;
	@%p ld.global.u32 %r, [%in];
	add.u32 %d, %r, %tid0;
	st.global.u32 [%out], %d;`),
		"guarded load at a uniform address by some threads": accessTrial(50, `
	mov.u32 %r, 7;
	setp.lt.u32 %p, %tid0, 20;
	@%p ld.global.u32 %r, [%in];
	add.u32 %d, %r, %tid0;
	st.global.u32 [%out], %d;`),
		// What is loaded is the same for all, and an operand of a division, which may have no machine code.
		"loaded scalar that a step reads": accessTrial(50, `
	ld.global.u32 %r, [%in];
	add.u32 %x0, %r, 1;
	div.u32 %d, %x0, %r;
	rem.u32 %x1, %r, 7;
	mad.lo.u32 %d, %d, 100, %x1;
	add.u32 %d, %d, %tid0;
	st.global.u32 [%out], %d;`),
		// In the first turn all threads load from the same generic address, in the second they do not.
		"generic address that is uniform in one turn": accessTrial(40, `
	mov.u32 %d, 0;
	mov.u32 %i, 0;
	mov.u64 %a, %in;
	mul.wide.u32 %o, %tid0, 4;
$turn:
	ld.u32 %r, [%a];
	mad.lo.u32 %d, %d, 3, %r;
	add.u32 %d, %d, %tid0;
	add.s64 %a, %a, %o;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 4;
	@%p bra $turn;
	st.global.u32 [%out], %d;`),
		// Threads that do not load must keep what they have in each of the elements.
		"guarded load of a vector": accessTrial(50, `
	setp.lt.u32 %p, %tid0, 33;
	mov.u32 %x0, 0;
	mov.u32 %x1, 1;
	mov.u32 %x2, 2;
	mov.u32 %x3, 3;
	mul.wide.u32 %a, %tid0, 16;
	add.s64 %a, %in, %a;
	@%p ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%a];
	st.global.v4.u32 [%out], {%x0, %x1, %x2, %x3};`),
		"load of a vector not wanted by the first thread": accessTrial(50, `
	setp.ge.u32 %p, %tid0, 17;
	mov.u32 %x0, 0;
	mov.u32 %x1, 1;
	mul.wide.u32 %a, %tid0, 8;
	add.s64 %a, %in, %a;
	@%p ld.global.v2.u32 {%x0, %x1}, [%a];
	st.global.v2.u32 [%out], {%x0, %x1};`),
		// The address is a sum of a register that the access itself writes. In one turn threads load from two
		// buffers, one group after the other.
		"load over the register that the address is computed from": accessTrial(64, `
	mov.u32 %d, 0;
	mov.u32 %i, 0;
	ld.param.u64 %away, [out];
	sub.s64 %away, %away, %in;
$turn:
	setp.eq.u32 %p, %i, 3;
	selp.b32 %r, 16, 64, %p;
	setp.ge.u32 %p, %tid0, %r;
	mul.wide.u32 %a, %tid0, 8;
	selp.b64 %o, %away, 0, %p;
	add.s64 %o, %o, %a;
	add.s64 %b, %o, %in;
	ld.global.u64 %o, [%b];
	cvt.u32.u64 %r, %o;
	mad.lo.u32 %d, %d, 5, %r;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 5;
	@%p bra $turn;
	bar.sync 0;
	st.global.u32 [%out], %d;`),
		// Threads read from two buffers with one instruction.
		"half-words of two buffers": accessTrial(50, `
	and.b32 %r, %tid0, 1;
	setp.eq.u32 %p, %r, 0;
	mul.wide.u32 %a, %tid0, 2;
	add.s64 %o, %in, %a;
	@%p mov.u64 %o, %out;
	ld.global.u16 %h, [%o];
	cvt.u32.u16 %d, %h;
	ld.global.s16 %x0, [%o];
	add.u32 %d, %d, %x0;
	bar.sync 0;
	st.global.u32 [%out], %d;`),
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.Differ(vmtest.Ways()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMisalignedVector looks whether accesses to vectors fail on all levels where only some threads'
// are misaligned: those of the first, whose elements lie behind one another, are aligned. In the first
// turns all are, so that the memory is known.
func TestMisalignedVector(t *testing.T) {
	for _, access := range []string{
		"st.global.v4.u32 [%a], {%x0, %x1, %x2, %x3};", "st.global.v2.u32 [%a], {%x0, %x1};", "st.shared.v2.u32 [%r], {%x0, %x1};",
		"ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%a];", "ld.global.v2.u32 {%x0, %x1}, [%a];",
	} {
		for _, stride := range []int{4, 8, 12, 16, 20} {
			c := accessTrial(12, fmt.Sprintf(`
	mov.u32 %%x0, 0;
	mov.u32 %%x1, 1;
	mov.u32 %%x2, 2;
	mov.u32 %%x3, 3;
	mov.u32 %%i, 0;
$turn:
	setp.lt.u32 %%p, %%i, 4;
	selp.b32 %%d, 16, %d, %%p;
	mul.lo.u32 %%d, %%d, %%tid0;
	mov.u32 %%r, s;
	add.u32 %%r, %%r, %%d;
	cvt.u64.u32 %%a, %%d;
	add.s64 %%a, %%in, %%a;
	%s
	add.u32 %%i, %%i, 1;
	setp.lt.u32 %%p, %%i, 5;
	@%%p bra $turn;`, stride, access))
			m, err := c.Checked()
			if err != nil {
				t.Fatal(err)
			}
			_, want := c.Run(m, vmtest.PlainWay)
			span := 8
			if strings.Contains(access, "v4") {
				span = 16
			}
			if fault := want != nil && strings.Contains(want.Error(), "misaligned"); fault != (stride%span != 0) {
				t.Errorf("%s, %d bytes apart: %v", access, stride, want)
			}
			for _, w := range vmtest.Ways() {
				if w.Check {
					continue // reports the other threads', too
				}
				if _, got := c.Run(m, w); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, %d bytes apart: %v: %v\n%v: %v", access, stride, vmtest.PlainWay, want, w, got)
				}
			}
		}
	}
}

// TestAccessesSideBySide has lanes access memory side by side: elements of all sizes up to the last byte of a buffer and
// beyond it, rows of blocks, and indexes that wrap around between the lanes of a warp.
func TestAccessesSideBySide(t *testing.T) {
	rows := func(c vmtest.Trial) vmtest.Trial {
		c.Grid.Block = vm.Dim{X: 16, Y: 4}
		return c
	}
	all := map[string]vmtest.Trial{
		// In the first turn all is near, so that the memory is known; in the second the ninth thread is far away.
		"an index that wraps around": accessTrial(64, `
	mov.u32 %i, 0;
	mov.u32 %d, 0;
$turn:
	setp.eq.u32 %p, %i, 1;
	selp.b32 %r, 0xfffffff8, 0, %p;
	mul.wide.u32 %o, %r, 4;
	sub.s64 %b, %in, %o;
	add.u32 %r, %r, %tid0;
	mul.wide.u32 %o, %r, 4;
	add.s64 %a, %b, %o;
	ld.global.u32 %x0, [%a];
	add.u32 %d, %d, %x0;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 2;
	@%p bra $turn;
	st.global.u32 [%out], %d;`),
		"a signed index that changes its sign": accessTrial(64, `
	sub.s32 %r, %tid0, 8;
	mul.wide.s32 %o, %r, 4;
	add.s64 %a, %in, %o;
	ld.global.u32 %d, [%a+32];
	st.global.u32 [%out], %d;`),
		"rows": rows(accessTrial(64, `
	mov.u32 %r, %tid.y;
	mad.lo.u32 %r, %r, 100, %tid0;
	mul.wide.u32 %o, %r, 4;
	add.s64 %a, %in, %o;
	ld.global.u32 %d, [%a+4];
	mov.u32 %x0, %tid.y;
	mul.wide.u32 %o, %x0, 256;
	add.s64 %out, %out, %o;
	st.global.u32 [%out], %d;`)),
		"rows of doublewords": rows(accessTrial(64, `
	mov.u32 %r, %tid.y;
	mad.lo.u32 %r, %r, 30, %tid0;
	mul.wide.u32 %o, %r, 8;
	add.s64 %a, %in, %o;
	ld.global.u64 %b, [%a];
	mov.u32 %x0, %tid.y;
	mul.wide.u32 %o, %x0, 256;
	add.s64 %out, %out, %o;
	st.global.u64 [%out], %b;
	st.global.u64 [%a], %o;`)),
	}
	for _, e := range []struct {
		typ, register string
		bytes         int
	}{{"u8", "%r", 1}, {"s8", "%r", 1}, {"u16", "%r", 2}, {"s16", "%r", 2}, {"u32", "%r", 4}, {"u64", "%b", 8}, {"s32", "%b", 4}} {
		for _, beyond := range []int{0, e.bytes} {
			all[fmt.Sprintf("%s in %s, %d bytes beyond the end", e.typ, e.register, beyond)] = accessTrial(64, fmt.Sprintf(`
	mul.wide.u32 %%o, %%tid0, %[1]d;
	add.s64 %%a, %%in, %%o;
	ld.global.%[2]s %[3]s, [%%a];
	bar.sync 0;
	st.global.%[2]s [%%a+%[4]d], %[3]s;
	ld.global.%[2]s %[3]s, [%%a+%[4]d];
	st.global.b%[5]d [%%out], %[3]s;`, e.bytes, e.typ, e.register, 4096-64*e.bytes+beyond, map[string]int{"%r": 32, "%b": 64}[e.register]))
		}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			m, err := c.Checked()
			if err != nil {
				t.Fatal(err)
			}
			want, wanted := c.Run(m, vmtest.PlainWay)
			if fault := strings.Contains(name, "wraps") || strings.Contains(name, "beyond") && !strings.Contains(name, " 0 bytes"); fault != (wanted != nil) {
				t.Errorf("%v: %v", vmtest.PlainWay, wanted)
			}
			for _, w := range vmtest.Ways() {
				got, err := c.Run(m, w)
				if w.Check && wanted != nil {
					continue // reports other threads', too
				}
				if fmt.Sprint(err) != fmt.Sprint(wanted) {
					t.Errorf("%v: %v\n%v: %v", vmtest.PlainWay, wanted, w, err)
				}
				if wanted == nil && fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%v: another result than %v", w, vmtest.PlainWay)
				}
			}
		})
	}
}
