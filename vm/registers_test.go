package vm_test

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/vm"
)

// TestUnusedRegisters: registers that are declared and never used, the only ones of their class
// too, take no column and do no harm.
func TestUnusedRegisters(t *testing.T) {
	for _, declarations := range []string{
		".reg .pred %p;", ".reg .pred %p<2>;", ".reg .b32 %r;", ".reg .b64 %d; .reg .pred %p; .reg .b32 %r, %s;",
		".reg .v4 .b32 %v;", ".reg .f64 %f; .reg .v2 .b64 %w;", ".reg .b16 %h; .reg .b8 %b; .reg .b128 %q;",
	} {
		for _, body := range []string{"ret;", "bar.sync 0; ret;", ".reg .b32 %x; mov.u32 %x, 1; ret;"} {
			for _, checked := range []bool{false, true} {
				k := kernel(t, load(t, header+".visible .entry k()\n{\n"+declarations+body+"\n}\n"), "k")
				launch(t, k, vm.Grid{Block: vm.Dim{X: 40}, Check: checked})
			}
		}
	}
}

// TestElementOfScalar: a module that is loaded in spite of its errors is refused, and nothing panics.
func TestElementOfScalar(t *testing.T) {
	tree, _ := syntax.Parse(source.New("test.ptx", header+".visible .entry k() { .reg .b32 %q, %r; .reg .v2 .b32 %v; mov.u32 %r, %q.w; mov.u32 %r, %v.z; mov.u32 %q.y, %r; ret; }"))
	checked, found := check.Check(tree)
	if !found.HasErrors() {
		t.Error("check finds nothing")
	}
	m, err := vm.Load(checked)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Kernel("k")
	if err == nil || !strings.Contains(err.Error(), "%q has no element 3") {
		t.Error(err)
	}
}
