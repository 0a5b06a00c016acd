package vm_test

import (
	"encoding/binary"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
	"github.com/vop-ptx/vop/sem"
)

// TestReadings runs the instruction of every rule of sem under both readings, on
// operands on which they differ.
func TestReadings(t *testing.T) {
	for _, rule := range sem.Rules() {
		f, err := conform.ParseForm(rule.Form)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := syntax.Parse(source.New("test.ptx", vmtest.Header+`.visible .entry k(.param .u64 out, .param .u32 a, .param .u32 b, .param .u32 c)
{
	.reg .b32 %r<4>;
	.reg .b64 %q;
	ld.param.u64 %q, [out];
	ld.param.u32 %r1, [a];
	ld.param.u32 %r2, [b];
	ld.param.u32 %r3, [c];
	`+f.Spell("%r0", "%r1", "%r2", "%r3")+`
	st.global.u32 [%q], %r0;
	ret;
}`))
		checked, findings := check.Check(tree)
		if findings.HasErrors() {
			t.Fatal(findings[0].Message)
		}
		for _, d := range sem.Differences(f) {
			for r, want := range map[isa.Reading]uint32{isa.Manual: d.ISA, isa.SM86: d.SM86} {
				mod, err := vm.NewMemory().LoadAs(r, checked, level.Auto)
				if err != nil {
					t.Fatal(err)
				}
				out, err := mod.Memory().Alloc("out", 4)
				if err != nil {
					t.Fatal(err)
				}
				vmtest.Launch(t, vmtest.Kernel(t, mod, "k"), vm.Grid{}, out, d.A, d.B, d.C)
				if got := binary.LittleEndian.Uint32(out.Bytes()); got != want {
					t.Errorf("%v as %v: %08x, %08x, %08x give %08x, want %08x", f, r, d.A, d.B, d.C, got, want)
				}
			}
		}
	}
}
