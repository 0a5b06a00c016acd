package forms

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/vop-ptx/vop/run/level"
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
