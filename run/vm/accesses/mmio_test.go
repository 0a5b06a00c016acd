package accesses

import (
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestMMIO: accesses to a device's registers are relaxed ones, each executed as the text has it (PTX ISA 9.7.9.8).
func TestMMIO(t *testing.T) {
	const text = ".version 8.2\n.target sm_70\n.address_size 64\n" + `.visible .entry k(.param .u64 out) {
	.reg .b64 %out; .reg .u32 %r; ld.param.u64 %out, [out];
	st.mmio.relaxed.sys.global.u32 [%out], 7; ld.mmio.relaxed.sys.u32 %r, [%out]; add.u32 %r, %r, 1; st.mmio.relaxed.sys.u32 [%out+4], %r; ret; }`
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, text)
		out, err := m.Memory().Alloc("out", 8)
		if err != nil {
			t.Fatal(err)
		}
		vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}}, out)
		if got := vmtest.Words(out); got[0] != 7 || got[1] != 8 {
			t.Errorf("%v: %v", l, got)
		}
	}
}
