package vm_test

import (
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestStatsTellSteps counts what machine code is left for: copies of many bytes in a loop, not the additions beside it.
func TestStatsTellSteps(t *testing.T) {
	text := `.version 8.6
.target sm_100
.address_size 64
.visible .entry k(.param .u64 out) {
	.shared .align 16 .b8 s[16];
	.reg .b32 %r<4>; .reg .b64 %d; .reg .pred %p; ld.param.u64 %d, [out]; mov.u32 %r1, 0;
L:	st.bulk.shared::cta [s], 16, 0; st.global.u32 [%d], %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 5; @%p bra L; ret;
}`
	for _, on := range level.Levels() {
		c := vmtest.Trial{Text: text}
		m, err := c.Checked()
		if err != nil {
			t.Fatal(err)
		}
		mod, err := vm.NewMemory().Load(m, on)
		if err != nil {
			t.Fatal(err)
		}
		out, err := mod.Memory().Alloc("out", 4)
		if err != nil {
			t.Fatal(err)
		}
		stats := &vm.Stats{}
		vmtest.Launch(t, vmtest.Kernel(t, mod, "k"), vm.Grid{Block: vm.Dim{X: 64}, Stats: stats}, out)
		want := map[string]uint64{"st.bulk.shared::cta": 10}
		if !vmtest.HasMachineCode(on) {
			want = nil
		}
		for _, i := range stats.Instructions {
			if i.Stepped != want[i.Opcode] || i.Opcode == "add.u32" && i.Warps != 10 {
				t.Errorf("%v: %s: %d of %d warps are steps, want %d", on, i.Opcode, i.Stepped, i.Warps, want[i.Opcode])
			}
		}
	}
}
