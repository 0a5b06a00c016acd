package translate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/vm"
)

// kernelOf is a kernel that computes d[i] from a[i], b[i], c[i] for a thread i.
func kernelOf(name, instruction string) string {
	return `.visible .entry ` + name + `(.param .u64 operands, .param .u64 results)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [operands];
	ld.param.u64 %rd2, [results];
	mov.u32 %r5, %tid.x;
	mul.wide.u32 %rd3, %r5, 12;
	add.s64 %rd1, %rd1, %rd3;
	mul.wide.u32 %rd3, %r5, 4;
	add.s64 %rd2, %rd2, %rd3;
	ld.global.u32 %r1, [%rd1];
	ld.global.u32 %r2, [%rd1+4];
	ld.global.u32 %r3, [%rd1+8];
	` + instruction + `
	st.global.u32 [%rd2], %r4;
	ret;
}
`
}

const threads = 64

// load loads a module.
func load(t *testing.T, text string) *vm.Module {
	t.Helper()
	tree, list := syntax.Parse(source.New("k.ptx", text))
	module, found := check.Check(tree)
	if list = append(list, found...); list.HasErrors() {
		t.Fatalf("%s\n%s", list[0].Message, text)
	}
	m, err := vm.Load(module)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// launch runs a kernel of a module on operands and returns the results; nil if the
// kernel has instructions that package vm does not run.
func launch(t *testing.T, m *vm.Module, name string, operands []byte) []byte {
	t.Helper()
	k, err := m.Kernel(name)
	if missing := (*vm.MissingError)(nil); errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Memory().Alloc("operands", len(operands))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Free()
	copy(in.Bytes(), operands)
	out, err := m.Memory().Alloc("results", 4*threads)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Free()
	grid := vm.Grid{Grid: vm.Dim{X: 1}, Block: vm.Dim{X: threads}}
	if err := k.Launch(context.Background(), grid, in, out); err != nil {
		t.Fatal(err)
	}
	return slices.Clone(out.Bytes())
}

// TestKernels runs whole kernels, one for each of 300 random forms, as they are and
// lowered: both give what the manual says.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var forms []isa.Form
	var s strings.Builder
	s.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n")
	for f := range isa.Sample(rng) {
		if len(forms) == 300 {
			break
		}
		s.WriteString(kernelOf(fmt.Sprintf("k%d", len(forms)), f.Spell("%r4", "%r1", "%r2", "%r3")))
		forms = append(forms, f)
	}
	original := load(t, s.String())
	rewritten := load(t, lowered(t, "k.ptx", s.String(), LowerOptions{}).Text)
	ran := 0
	for i, f := range forms {
		var operands, want []byte
		for range threads {
			a, b, c := conform.Operands(rng, f)
			operands = binary.LittleEndian.AppendUint32(operands, a)
			operands = binary.LittleEndian.AppendUint32(operands, b)
			operands = binary.LittleEndian.AppendUint32(operands, c)
			want = binary.LittleEndian.AppendUint32(want, sem.Eval(f, a, b, c))
		}
		for what, m := range map[string]*vm.Module{"as it is": original, "lowered": rewritten} {
			got := launch(t, m, fmt.Sprintf("k%d", i), operands)
			if got == nil {
				continue
			}
			ran++
			if string(got) != string(want) {
				t.Errorf("%v, %s, gives\n%x, want\n%x", f, what, got, want)
			}
		}
	}
	if ran < 500 {
		t.Errorf("package vm runs %d of 600 kernels, want at least 500", ran)
	}
}
