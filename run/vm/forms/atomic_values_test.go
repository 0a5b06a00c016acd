package forms

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestAtomicsAreAtomic lets two launches at a time, of all pairs of levels, change the same words as often as they can, each by
// several workers: nothing is lost.
func TestAtomicsAreAtomic(t *testing.T) {
	const blocks, threads, turns = 4, 64, 500
	const text = vmtest.Header + `
.visible .entry k(.param .u64 g) {
	.reg .b64 %g, %at, %w, %v; .reg .b32 %t, %i, %r, %s, %own; .reg .f32 %f; .reg .f64 %d; .reg .pred %p;
	ld.param.u64 %g, [g]; mov.u32 %t, %tid.x; mov.u32 %i, 0; mov.u32 %own, 1;
	and.b32 %r, %t, 1; mad.wide.u32 %at, %r, 64, %g;
TURN:	red.global.add.u32 [%at], 1; atom.global.add.u64 %w, [%at+8], 1; atom.add.u32 %r, [%at+16], 1;
	atom.global.inc.u32 %r, [%at+20], 0x7fffffff; red.global.dec.u32 [%at+24], 0x7fffffff;
	red.global.add.f32 [%at+28], 0f3f800000; atom.global.add.f64 %d, [%at+32], 0d3ff0000000000000;
	red.global.xor.b32 [%at+40], %t; atom.global.exch.b32 %own, [%at+44], %own;
	red.global.add.u32 [%g+128], 1; atom.global.add.u32 %r, [%g+132], %t; red.global.add.u32 [%g+136], %t;
	atom.global.max.u64 %v, [%g+144], %w;
	atom.global.or.b32 %r, [%at+48], 0;
AGAIN:	add.u32 %s, %r, 1; mov.u32 %t, %r; atom.global.cas.b32 %r, [%at+48], %r, %s; setp.ne.u32 %p, %r, %t; @%p bra AGAIN;
	mov.u32 %t, %tid.x; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 500; @%p bra TURN;
	red.global.add.u32 [%at+52], %own; ret; }`
	m, err := vmtest.Trial{Text: text}.Checked()
	if err != nil {
		t.Fatal(err)
	}
	levels := level.Levels()
	for n, one := range levels {
		for _, other := range levels[n:] {
			memory := vm.NewMemory()
			g, err := memory.Alloc("g", 160)
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error)
			for _, l := range []level.Level{one, other} {
				mod, err := memory.Load(m, l)
				if err != nil {
					t.Fatal(err)
				}
				k := vmtest.Kernel(t, mod, "k")
				go func() {
					done <- k.Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}, Workers: 2}, g)
				}()
			}
			for range 2 {
				if err := <-done; err != nil {
					t.Fatal(err)
				}
			}
			word := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(g.Bytes()[at:])) }
			const each = blocks * threads * turns // of both launches, in one of two places
			for half := range 2 {
				at := 64 * half
				for name, got := range map[string]uint64{
					"red.add.u32": word(at), "atom.add.u64": word(at + 8), "generic atom.add.u32": word(at + 16), "inc": word(at + 20), "dec": 0x80000000 - word(at+24),
					"add.f32": uint64(math.Float32frombits(uint32(word(at + 28)))), "add.f64": uint64(math.Float64frombits(word(at+36)<<32 | word(at+32))), "cas": word(at + 48),
				} {
					if got != each {
						t.Errorf("%v and %v: %s has counted to %d, want %d", one, other, name, got, each)
					}
				}
				if got := word(at+44) + word(at+52); got != blocks*threads || word(at+40) != 0 {
					t.Errorf("%v and %v: %d are exchanged, want %d; xor has left %#x", one, other, got, blocks*threads, word(at+40))
				}
			}
			if word(128) != 2*each || word(132) != each*(threads-1) || word(136) != word(132) || word(144) != each-1 {
				t.Errorf("%v and %v: at one address there are %d, %d, %d and %d", one, other, word(128), word(132), word(136), word(144))
			}
		}
	}
}

// TestAtomicOperandsStay reads behind the first atomic operation of a kernel, which a step executes as nobody knows yet where its memory
// is, what the operation has brought into vector registers.
func TestAtomicOperandsStay(t *testing.T) {
	in := make([]byte, 4*64)
	for n := range in {
		in[n] = byte(n * n)
	}
	for _, operation := range []string{"atom.global.cas.b32 %r, [%at], %x, %t", "atom.global.cas.b32 %r, [%at], %t, %x", "atom.global.add.u32 %r, [%at], %t", "atom.global.exch.b32 %r, [%g], %t"} {
		text := vmtest.Header + fmt.Sprintf(`
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 g) {
	.reg .b64 %%g, %%at, %%in, %%out, %%w; .reg .b32 %%t, %%x, %%r;
	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%g, [g]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%at, %%t, 4, %%g;
	mad.wide.u32 %%in, %%t, 4, %%in; ld.global.u32 %%x, [%%in]; mad.wide.u32 %%out, %%t, 24, %%out;
	%s;
	xor.b32 %%x, %%x, %%t; cvt.u64.u32 %%w, %%x; xor.b64 %%w, %%w, %%at; sub.u64 %%w, %%w, %%g; st.global.u64 [%%out], %%w; st.global.u32 [%%out+8], %%r; ret; }`, operation)
		c := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: 64}}, Args: []any{in, make([]byte, 24*64), make([]byte, 4*64)}}
		if err := c.Differ(vmtest.Ways()); err != nil {
			t.Errorf("%s: %v", operation, err)
		}
	}
}

// TestAtomicFloats adds all pairs of special numbers: each thread has one in memory of its own.
func TestAtomicFloats(t *testing.T) {
	numbers := map[int][]uint64{
		4: {0, 1 << 31, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
			0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff, 0x33800000, 0x01000000},
		8: {0, 1 << 63, 1, 1<<63 | 1, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000,
			0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0x3ca0000000000000},
	}
	for size, all := range numbers {
		threads := len(all) * len(all)
		in := make([]byte, 2*size*threads)
		for n := range threads {
			for half, x := range []uint64{all[n/len(all)], all[n%len(all)]} {
				if at := in[(2*n+half)*size:]; size == 4 {
					binary.LittleEndian.PutUint32(at, uint32(x))
				} else {
					binary.LittleEndian.PutUint64(at, x)
				}
			}
		}
		for _, space := range []string{".global", ".shared", ""} {
			for _, instruction := range []string{"atom", "red"} {
				at, to, copied := "%a", "", ""
				if space == ".shared" {
					at, copied = "%s", fmt.Sprintf("ld.shared.f%d %%x, [%%s]; st.global.f%[1]d [%%a], %%x;", 8*size)
				}
				if instruction == "atom" {
					to = "%o, "
				}
				text := vmtest.Header + fmt.Sprintf(`
.visible .entry k(.param .u64 in) {
	.shared .align 8 .b8 s[8192]; .reg .b64 %%a; .reg .b32 %%s, %%t; .reg .f%[1]d %%x, %%y, %%o;
	ld.param.u64 %%a, [in]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%a, %%t, %[2]d, %%a; mov.u32 %%s, s; mad.lo.u32 %%s, %%t, %[2]d, %%s;
	ld.global.v2.f%[1]d {%%x, %%y}, [%%a]; mov.f%[1]d %%o, %%y; st.shared.f%[1]d [%%s], %%x;
	%[3]s%[4]s.add.f%[1]d %[5]s[%[6]s], %%y; st.global.f%[1]d [%%a+%[7]d], %%o; %[8]s ret; }`,
					8*size, 2*size, instruction, space, to, at, size, copied)
				c := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in}}
				if err := c.Differ(vmtest.Ways()); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			}
		}
	}
}
