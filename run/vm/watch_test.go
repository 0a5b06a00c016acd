package vm_test

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/run/vm"
)

// A watched launch tells the last thread that has written to an address, also by an atomic operation, and
// whoever writes beside it is not told.
func TestWatch(t *testing.T) {
	const text = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %q<4>;
	.reg .pred %o;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r1, %r2, 64, %r1;
	mul.wide.u32 %q2, %r1, 8;
	add.u64 %q1, %q1, %q2;
	st.global.v2.u32 [%q1], {%r1, %r1};
	setp.eq.u32 %o, %r1, 67;
	@%o atom.global.add.u32 %r2, [%q1+-8], 1;
	@%o ld.global.u32 %r2, [%q1];
	ret;
}
`
	m, err := front.Load("k.ptx", text, front.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Memory().Alloc("p", 8*128)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		offset, size int
		count        int64
		line, thread int
		access       string
	}{
		{8 * 66, 4, 2, 17, 3, "atom.global.add.u32"},
		{8*66 + 4, 4, 1, 15, 2, "st.global.v2.u32"},
		{8*67 + 7, 1, 1, 15, 3, "st.global.v2.u32"},
		{8*67 + 7, 2, 2, 15, 4, "st.global.v2.u32"},
	} {
		watch := vm.Watch{Address: b.Address() + uint64(test.offset), Size: test.size}
		if err := k.Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 64}, Workers: 1, Watch: &watch}, b); err != nil {
			t.Fatal(err)
		}
		w := watch.Last
		if watch.Count != test.count || w.Line != test.line || w.Thread.X != test.thread || w.Block.X != 1 || !strings.HasPrefix(w.Access, test.access) || w.File != "k.ptx" {
			t.Errorf("%+v: written %d times, last by %+v", test, watch.Count, w)
		}
	}
	watch := vm.Watch{Address: 16, Size: 8}
	if err := k.Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 64}, Watch: &watch}, b); err != nil || watch.Count != 0 {
		t.Error(err, watch.Count)
	}
}
