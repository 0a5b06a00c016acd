package vm_test

import (
	"encoding/binary"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestUnusedRegisters: registers that are declared and never used, the only ones of their class
// too, do no harm.
func TestUnusedRegisters(t *testing.T) {
	for _, declarations := range []string{
		".reg .pred %p;", ".reg .pred %p<2>;", ".reg .b32 %r;", ".reg .b64 %d; .reg .pred %p; .reg .b32 %r, %s;",
		".reg .v4 .b32 %v;", ".reg .f64 %f; .reg .v2 .b64 %w;", ".reg .b16 %h; .reg .b8 %b; .reg .b128 %q;",
	} {
		for _, body := range []string{"ret;", "bar.sync 0; ret;", ".reg .b32 %x; mov.u32 %x, 1; ret;"} {
			for _, checked := range []bool{false, true} {
				k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+".visible .entry k()\n{\n"+declarations+body+"\n}\n"), "k")
				vmtest.Launch(t, k, vm.Grid{Block: vm.Dim{X: 40}, Check: checked})
			}
		}
	}
}

// TestModulesWithErrors: a module that check has found errors in is not loaded, so that nothing behind it
// meets what cannot be: elements of scalars, registers of no function, guards without a type.
func TestModulesWithErrors(t *testing.T) {
	for _, text := range []string{
		".visible .entry k() { .reg .b32 %q, %r; mov.u32 %r, %q.w; ret; }",
		".reg .b64 %d; .visible .entry k() { mov.u64 %d, 0; ret; }",
		".visible .entry k() { .reg %p; @%p ret; ret; }",
	} {
		tree, _ := syntax.Parse(source.New("test.ptx", vmtest.Header+text))
		module, _ := check.Check(tree)
		if _, err := vm.Load(module); err == nil || err.Error() != "test.ptx has errors: it cannot be loaded" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestBytesOfAddresses: an initial value can be a byte of an address, and of addresses that are larger than their
// place the lower bytes are taken.
func TestBytesOfAddresses(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.global .align 4 .u32 word = 7;
.global .u8 bytes[] = {0xff(word), 0xff00(word), 0xff0000(word), 0xff000000(word)};
.global .u32 lower = word;
.global .u64 all = word + 4;
`)
	word, _ := m.Variable("word")
	bytes, _ := m.Variable("bytes")
	lower, _ := m.Variable("lower")
	all, _ := m.Variable("all")
	if got := uint64(binary.LittleEndian.Uint32(bytes.Bytes())); got != word.Address() {
		t.Errorf("the bytes are %#x, want %#x", got, word.Address())
	}
	if got := uint64(binary.LittleEndian.Uint32(lower.Bytes())); got != word.Address() {
		t.Errorf("the word is %#x, want %#x", got, word.Address())
	}
	if got := binary.LittleEndian.Uint64(all.Bytes()); got != word.Address()+4 {
		t.Errorf("the address is %#x, want %#x", got, word.Address()+4)
	}
}
