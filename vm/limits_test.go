package vm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/vm"
)

// loadAnyway loads a module whatever the findings of check are, and asks for its kernel k.
func loadAnyway(text string) (*vm.Kernel, error) {
	tree, _ := syntax.Parse(source.New("test.ptx", text))
	checked, _ := check.Check(tree)
	m, err := vm.Load(checked)
	if err != nil {
		return nil, err
	}
	return m.Kernel("k")
}

// TestHugeDeclarations: memory that no machine has is refused before any of it is allocated.
func TestHugeDeclarations(t *testing.T) {
	for _, test := range []struct{ module, params, body, want string }{
		{".global .b8 a[100000000000];", "", "", "with a the variables of the module take 100000000000 bytes, and at most 8589934592 are there"},
		{".global .b8 a[5000000000], b[5000000000];", "", "", "with b the variables of the module take 10000000000 bytes"},
		{"", "", ".global .b8 a[100000000000];", "with a the variables of the module take 100000000000 bytes"},
		{"", "", ".shared .align 1099511627776 .b8 a[4], b[4];", "the .shared variables of the module take 1099511627780 bytes, and at most"},
		{"", "", ".local .align 1099511627776 .b8 a[4], b[4];", "the .local and .param variables of k take 1099511627780 bytes, and at most 524288"},
		{"", "", ".param .b8 a[100000000000];", "the .local and .param variables of k take 100000000000 bytes, and at most 524288"},
		{"", ".param .b8 a[100000000000]", "", "test.ptx has errors"},
		{".func f(.param .b8 a[100000000000]) { ret; }", "", "{ .param .b8 b[4]; call f, (b); }", "the .local and .param variables of f take 100000000000 bytes"},
		{"", "", ".shared .b8 a[100000000000]; .local .b8 b[100000000000]; .const .b8 c[100000000000];", "test.ptx has errors"},
	} {
		_, err := loadAnyway(header + test.module + "\n.visible .entry k(" + test.params + ")\n{\n" + test.body + "\nret;\n}\n")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s %s: %v, want %s", test.module, test.params, test.body, err, test.want)
		}
	}
}

// TestBlockTooLarge: registers and local memory of a block that no memory holds are refused when
// it is launched.
func TestBlockTooLarge(t *testing.T) {
	const functions = 20
	var s strings.Builder
	s.WriteString(header)
	for f := range functions {
		name := "f" + string(rune('a'+f))
		s.WriteString(".func " + name + "() { .local .b8 a[500000]; .reg .b64 %d; mov.u64 %d, a; st.local.u64 [a], %d; ret; }\n")
	}
	s.WriteString(".visible .entry k()\n{\n")
	for f := range functions {
		s.WriteString("call f" + string(rune('a'+f)) + ";\n")
	}
	s.WriteString("ret;\n}\n")
	k := kernel(t, load(t, s.String()), "k")
	err := k.Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 1024}})
	if err == nil || !strings.Contains(err.Error(), "the registers and local memory of a block of 1024 threads take") {
		t.Error(err)
	}
	launch(t, k, vm.Grid{Block: vm.Dim{X: 32}})
}

// TestDeepLocalMemory: recursion with local memory stops where a thread has no more of it,
// long before the memory of this machine is used up.
func TestDeepLocalMemory(t *testing.T) {
	k := kernel(t, load(t, header+`
.func f() {
	.local .b8 a[8192];
	.reg .b64 %d;
	mov.u64 %d, a;
	st.local.u64 [a], %d;
	call f;
	ret;
}
.visible .entry k() { call f; ret; }
`), "k")
	err := k.Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}})
	var fault *vm.Fault
	if !errors.As(err, &fault) || fault.Kind != vm.RecursionOverflow || fault.Detail != "the calls take more than 524288 bytes of local memory" {
		t.Error(err)
	}
}

// TestParametersAreReadOnly: a store to the kernel's parameters, which later CTAs would read, is a fault
// however its address is made; loads are none.
func TestParametersAreReadOnly(t *testing.T) {
	for _, store := range []string{
		"mov.u64 %a, p; st.param.u32 [%a], %r;",
		"mov.u64 %a, p; cvta.param.u64 %a, %a; st.u32 [%a], %r;",
		"mov.u64 %a, p; cvta.param.u64 %a, %a; atom.add.u32 %r, [%a], 1;",
		"mov.u64 %a, p; mov.u32 %r, %tid.x; mul.wide.u32 %b, %r, 4; add.u64 %a, %a, %b; st.param.u32 [%a], %r;",
	} {
		for _, checked := range []bool{false, true} {
			k := kernel(t, load(t, header+".visible .entry k(.param .align 4 .b8 p[128])\n{\n.reg .b64 %a, %b; .reg .b32 %r;\nmov.u32 %r, 7;\n"+store+"\nret;\n}\n"), "k")
			args := make([]byte, 128)
			err := k.Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 32}, Check: checked}, args)
			if err == nil || !strings.Contains(err.Error(), "write to a parameter of the kernel") {
				t.Errorf("%s: %v", store, err)
			}
		}
	}
}

// TestPointersOf32Bits: that a buffer's address does not fill a parameter of 64 bits is said to be due to
// .address_size, which is 32 where a module has none.
func TestPointersOf32Bits(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", "the module has no .address_size, and without it addresses have 32 bits; write .address_size 64"},
		{".address_size 32\n", "whose address has 4: the module is of .address_size 32"},
	} {
		m := load(t, ".version 7.8\n.target sm_80\n"+test.line+".visible .entry k(.param .u64 p) { ret; }")
		b, err := m.Memory().Alloc("b", 4)
		if err != nil {
			t.Fatal(err)
		}
		err = kernel(t, m, "k").Launch(context.Background(), vm.Grid{}, b)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
