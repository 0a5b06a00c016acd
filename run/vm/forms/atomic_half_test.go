package forms

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/simt/op"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestAtomicHalves adds halves atomically, in global memory from blocks on several cores and in shared memory, side by side with
// others that must stay as they are, and exchanges 16 bits by comparison.
func TestAtomicHalves(t *testing.T) {
	const blocks, threads = 3, 64 // so that all sums are exact
	f16 := func(x float64) uint32 { return uint32(vmtest.NearestHalf(big.NewFloat(x))) }
	bf16 := func(x float64) uint32 { return math.Float32bits(float32(x)) >> 16 }
	for _, c := range []struct {
		typ     string
		pattern func(float64) uint32
	}{{"f16", f16}, {"bf16", bf16}} {
		quarter := c.pattern(0.25)
		text := fmt.Sprintf(`.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
	.shared .align 4 .b8 s[8]; .reg .b64 %%out; .reg .b16 %%h<4>; .reg .b32 %%r<6>, %%i; .reg .pred %%p;
	ld.param.u64 %%out, [out]; mov.u32 %%i, %%tid.x; setp.eq.u32 %%p, %%i, 0; @%%p st.shared.v2.b32 [s], {0, 0}; bar.sync 0;
	mov.b32 %%r0, 0x%04x%04x; mov.b32 {%%h0, %%h1}, %%r0;
	red.global.add.noftz.%[3]s [%%out+2], %%h0; atom.global.add.noftz.%[3]s %%h2, [%%out+4], %%h0; atom.add.noftz.%[3]sx2 %%r1, [%%out+8], %%r0;
	atom.shared.add.noftz.%[3]s %%h2, [s+2], %%h0; red.shared.add.noftz.%[3]sx2 [s+4], %%r0; bar.sync 0;
	@!%%p ret; ld.shared.v2.b32 {%%r1, %%r2}, [s]; st.global.v2.b32 [%%out+16], {%%r1, %%r2};
	mov.b16 %%h0, 0; mov.b16 %%h1, 77; atom.global.cas.b16 %%h3, [%%out+26], %%h0, %%h1; atom.global.cas.b16 %%h3, [%%out+28], %%h1, %%h1; ret; }`, quarter, quarter, c.typ)
		k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 32)}}
		m, err := k.Checked()
		if err != nil {
			t.Fatal(err)
		}
		all, one := c.pattern(blocks*threads/4), c.pattern(threads/4)
		want := [8]uint32{all << 16, all, all | all<<16, 0, one << 16, one | one<<16, 77 << 16, 0}
		for _, w := range append(vmtest.Ways(), vmtest.PlainWay, vmtest.Way{Level: level.Best(), Workers: 4}) {
			e, err := k.Run(m, w)
			if err != nil {
				t.Fatalf("%s, %v: %v", c.typ, w, err)
			}
			for i := range want {
				if got := binary.LittleEndian.Uint32(e.Buffers[0][4*i:]); got != want[i] {
					t.Errorf("%s, %v: word %d is %#x, want %#x", c.typ, w, i, got, want[i])
				}
			}
		}
	}
}

// TestAtomicHalfValues adds halves of all kinds atomically, at places of their own, in both spaces, and with their results and without.
func TestAtomicHalfValues(t *testing.T) {
	edges := []uint32{0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7fff, 0xffff, 0x7f7f, 0x7f80, 0xff80, 0x7f81, 0xff7f, 0x80, 0x7f, 0x3f80, 0x3f81, 0xbf80}
	rng := rand.New(rand.NewPCG(20, 26))
	draw := func() uint32 {
		if rng.IntN(3) == 0 {
			return edges[rng.IntN(len(edges))]
		}
		return rng.Uint32() >> 16
	}
	const threads = 4096
	for _, typ := range []string{"f16", "f16x2", "bf16", "bf16x2"} {
		register, load := "%h", "u16"
		if strings.HasSuffix(typ, "x2") {
			register, load = "%r", "u32"
		}
		text := fmt.Sprintf(vmtest.Header+`
.visible .entry k(.param .u64 old, .param .u64 by, .param .u64 out) {
	.shared .align 4 .b8 s[512]; .reg .b16 %%h<4>; .reg .b32 %%r<4>, %%i, %%at; .reg .b64 %%old, %%by, %%out;
	ld.param.u64 %%old, [old]; ld.param.u64 %%by, [by]; ld.param.u64 %%out, [out];
	mov.u32 %%i, %%ctaid.x; mov.u32 %%at, %%tid.x; mad.lo.u32 %%i, %%i, 128, %%at; mov.u32 %%r0, s; mad.lo.u32 %%at, %%at, 4, %%r0;
	mad.wide.u32 %%old, %%i, 8, %%old; mad.wide.u32 %%by, %%i, 4, %%by; mad.wide.u32 %%out, %%i, 12, %%out;
	ld.global.%[3]s %[2]s1, [%%by]; ld.global.%[3]s %[2]s2, [%%old]; st.shared.u32 [%%at], 0; st.shared.%[3]s [%%at], %[2]s2;
	atom.global.add.noftz.%[1]s %[2]s2, [%%old], %[2]s1; st.global.%[3]s [%%out], %[2]s2;
	red.global.add.noftz.%[1]s [%%old+4], %[2]s1;
	atom.shared.add.noftz.%[1]s %[2]s2, [%%at], %[2]s1; st.global.%[3]s [%%out+4], %[2]s2;
	ld.shared.u32 %%r3, [%%at]; st.global.u32 [%%out+8], %%r3; ret; }`, typ, register, load)
		old, by := make([]byte, 8*threads), make([]byte, 4*threads)
		for i := range threads {
			x := draw() | draw()<<16
			binary.LittleEndian.PutUint32(old[8*i:], x)
			binary.LittleEndian.PutUint32(old[8*i+4:], x)
			binary.LittleEndian.PutUint32(by[4*i:], draw()|draw()<<16)
		}
		trial := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: threads / 128}, Block: vm.Dim{X: 128}}, Args: []any{old, by, make([]byte, 12*threads)}}
		m, err := trial.Checked()
		if err != nil {
			t.Fatal(err)
		}
		sum := op.Must("add." + typ)
		for _, w := range append(vmtest.Ways(), vmtest.PlainWay) {
			e, err := trial.Run(m, w)
			if err != nil {
				t.Fatalf("%s, %v: %v", typ, w, err)
			}
			word := func(buffer, at int) uint32 { return binary.LittleEndian.Uint32(e.Buffers[buffer][at:]) }
			for i := range threads {
				x, y := binary.LittleEndian.Uint32(old[8*i:]), binary.LittleEndian.Uint32(by[4*i:])
				above := uint32(0) // what stands beside the element
				alone := x
				if load == "u16" {
					above, alone, y = x>>16<<16, x&0xffff, y&0xffff
				}
				want := uint32(op.Fold(sum, uint64(alone), uint64(y)))
				if word(0, 8*i) != above|want || word(0, 8*i+4) != above|want || word(2, 12*i) != alone || word(2, 12*i+4) != alone || word(2, 12*i+8) != want {
					t.Fatalf("%s, %v: %#x + %#x is %#x, %#x and %#x, after %#x and %#x, want %#x", typ, w, alone, y,
						word(0, 8*i), word(0, 8*i+4), word(2, 12*i+8), word(2, 12*i), word(2, 12*i+4), want)
				}
			}
		}
	}
}
