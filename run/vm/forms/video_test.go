package forms

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
	"github.com/vop-ptx/vop/sem"
)

// TestVideoForms runs forms from the whole table, in kernels of many, against sem:
// all threads at once, and under a guard that some threads fail.
func TestVideoForms(t *testing.T) {
	const threads, perKernel, kernels = 67, 50, 12
	rng := rand.New(rand.NewPCG(21, 22))
	var forms []isa.Form
	for f := range isa.Sample(rng) {
		if forms = append(forms, f); len(forms) == perKernel*kernels {
			break
		}
	}
	// Forms of vmad with every negation, whatever is drawn.
	for i := range 8 {
		f := isa.Form{Op: isa.Vmad, AType: isa.S32, ASel: isa.H1, Sat: true, NegA: i&4 != 0, NegB: i&2 != 0, NegC: i&1 != 0}
		if f.Valid() {
			forms = append(forms, f)
		}
	}
	for len(forms) > 0 {
		n := min(perKernel, len(forms))
		testVideoKernel(t, rng, forms[:n], threads)
		forms = forms[n:]
	}
}

// testVideoKernel runs one kernel: instruction i of thread k writes word i*threads+k.
// Odd instructions are guarded, so that every third thread keeps the word 7.
func testVideoKernel(t *testing.T, rng *rand.Rand, forms []isa.Form, threads int) {
	var text strings.Builder
	fmt.Fprintf(&text, `%s.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %%p<2>;
	.reg .b32 %%r<9>;
	.reg .b64 %%rd<9>;
	ld.param.u64 %%rd1, [in];
	ld.param.u64 %%rd2, [out];
	mov.u32 %%r5, %%tid.x;
	rem.u32 %%r6, %%r5, 3;
	setp.ne.u32 %%p1, %%r6, 0;
	mul.wide.u32 %%rd3, %%r5, 4;
	add.s64 %%rd1, %%rd1, %%rd3;
	add.s64 %%rd2, %%rd2, %%rd3;
`, vmtest.Header)
	words := make([]uint32, 3*len(forms)*threads)
	for i, f := range forms {
		for k := range 3 {
			fmt.Fprintf(&text, "\tld.global.u32 %%r%d, [%%rd1+%d];\n", k+1, (3*i+k)*threads*4)
		}
		guard := ""
		if i%2 == 1 {
			guard = "@%p1 "
		}
		fmt.Fprintf(&text, "\tmov.u32 %%r4, 7;\n\t%s%s\n", guard, f.Spell("%r4", "%r1", "%r2", "%r3"))
		fmt.Fprintf(&text, "\tst.global.u32 [%%rd2+%d], %%r4;\n", i*threads*4)
		for k := range threads {
			words[(3*i+0)*threads+k], words[(3*i+1)*threads+k], words[(3*i+2)*threads+k] = conform.Operands(rng, f)
		}
	}
	text.WriteString("\tret;\n}\n")

	m := vmtest.Load(t, text.String())
	in, err := m.Memory().Alloc("in", len(words)*4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := binary.Encode(in.Bytes(), binary.LittleEndian, words); err != nil {
		t.Fatal(err)
	}
	out, err := m.Memory().Alloc("out", len(forms)*threads*4)
	if err != nil {
		t.Fatal(err)
	}
	vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: threads}}, in, out)
	for i, f := range forms {
		for k := range threads {
			a, b, c := words[(3*i+0)*threads+k], words[(3*i+1)*threads+k], words[(3*i+2)*threads+k]
			want := sem.Eval(f, a, b, c)
			if i%2 == 1 && k%3 == 0 {
				want = 7
			}
			if got := binary.LittleEndian.Uint32(out.Bytes()[(i*threads+k)*4:]); got != want {
				t.Fatalf("%v thread %d a=%08x b=%08x c=%08x: %08x, want %08x", f, k, a, b, c, got, want)
			}
		}
	}
}
