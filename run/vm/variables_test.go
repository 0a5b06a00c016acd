package vm_test

import (
	"github.com/vop-ptx/vop/run/vm/vmtest"
	"strings"
	"testing"
)

// A variable takes what a parameter of its type takes.
func TestVariablesAreSet(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`.const .align 4 .u32 table[2][3] = {{1}};
.global .v2 .f32 pair;
.global .texref photo;
.global .u64 pointer;
.const .f32 scale = 0f3f800000;
.visible .entry test(.param .align 8 .b8 s[16]) { .global .u8 inner; ret; }`)
	var names []string
	for _, v := range m.Variables() {
		names = append(names, v.Type+" "+v.Name)
	}
	const want = ".align 4 .u32[2][3] table; .v2 .f32 pair; .u64 pointer; .f32 scale; .u8 inner"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := vmtest.Kernel(t, m, "test").Params()[0]; p.Align != 8 || p.Size != 16 {
		t.Errorf("the parameter is %+v", p)
	}
	all := m.Variables()
	b, _ := m.Memory().Alloc("b", 8)
	for _, c := range []struct {
		variable int
		value    any
		want     string // of the error; "" for none
	}{
		{0, make([]byte, 24), ""},
		{0, make([]byte, 23), "variable table (.align 4 .u32[2][3]): takes 24 bytes, got 23"},
		{0, 1, "variable table (.align 4 .u32[2][3]): takes 24 bytes, got 1"},
		{1, 1.5, "takes 8 bytes"},
		{2, b, ""},
		{3, b, "takes 4 bytes, got a buffer"},
		{3, 1.5, ""},
		{4, 300, "variable inner (.u8): 300 does not fit"},
	} {
		err := all[c.variable].Set(c.value)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s = %v: %v, want %q", all[c.variable].Name, c.value, err, c.want)
		}
	}
	if address, _ := m.Variable("pointer"); vmtest.Get(address.Bytes(), 0, 64) != b.Address() {
		t.Errorf("pointer is %x, want %x", address.Bytes(), b.Address())
	}
}
