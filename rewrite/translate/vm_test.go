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

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate/internal/ptxrun"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/sem"
)

// kernelOf is a kernel whose threads i run an instruction on %r0 to %r3, which are a[i], b[i],
// c[i] and i, guarded or not by %p0 and %p1, the lowest bits of a[i] and b[i]. It stores the
// four registers.
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
	mul.wide.u32 %rd3, %r5, 16;
	add.s64 %rd2, %rd2, %rd3;
	ld.global.u32 %r0, [%rd1];
	ld.global.u32 %r1, [%rd1+4];
	ld.global.u32 %r2, [%rd1+8];
	mov.u32 %r3, %r5;
	and.b32 %r6, %r0, 1;
	setp.ne.u32 %p0, %r6, 0;
	and.b32 %r6, %r1, 1;
	setp.ne.u32 %p1, %r6, 0;
	` + instruction + `
	st.global.u32 [%rd2], %r0;
	st.global.u32 [%rd2+4], %r1;
	st.global.u32 [%rd2+8], %r2;
	st.global.u32 [%rd2+12], %r3;
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
	out, err := m.Memory().Alloc("results", 16*threads)
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

// TestKernels runs whole kernels, one for an instruction of each of 300 random forms, as they
// are and lowered, under both readings: all give what the reference does.
func TestKernels(t *testing.T) {
	for _, reading := range isa.Readings() {
		t.Run(reading.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(13, 14))
			var forms []isa.Form
			var instructions []string
			var s strings.Builder
			s.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n")
			for f := range isa.Sample(rng) {
				if len(forms) == 300 {
					break
				}
				instruction := randomInstruction(rng, f, fourRegisters)
				s.WriteString(kernelOf(fmt.Sprintf("k%d", len(forms)), instruction))
				forms, instructions = append(forms, f), append(instructions, instruction)
			}
			modules := map[string]*vm.Module{"lowered": load(t, lowered(t, "k.ptx", s.String(), LowerOptions{Reading: reading}).Text)}
			if reading == isa.Manual {
				modules["as it is"] = load(t, s.String())
			}
			ran := 0
			for i, f := range forms {
				operands, want := kernelData(t, rng, f, reading, instructions[i])
				for what, m := range modules {
					got := launch(t, m, fmt.Sprintf("k%d", i), operands)
					if got == nil {
						continue
					}
					ran++
					if string(got) != string(want) {
						t.Errorf("%s, %s, gives\n%x, want\n%x", instructions[i], what, got, want)
					}
				}
			}
			if least := 250 * len(modules); ran < least {
				t.Errorf("package vm runs %d of %d kernels, want at least %d", ran, 300*len(modules), least)
			}
		})
	}
}

// kernelData draws operands for the threads of a kernel and computes what it stores.
func kernelData(t *testing.T, rng *rand.Rand, f isa.Form, reading isa.Reading, instruction string) (operands, want []byte) {
	t.Helper()
	for i := range threads {
		a, b, c := conform.Operands(rng, f)
		for _, x := range []uint32{a, b, c} {
			operands = binary.LittleEndian.AppendUint32(operands, x)
		}
		registers := ptxrun.Registers{
			"%r0": uint64(a), "%r1": uint64(b), "%r2": uint64(c), "%r3": uint64(i), "%p0": uint64(a & 1), "%p1": uint64(b & 1),
		}
		err := ptxrun.Text(instruction, registers, func(f isa.Form, a, b, c uint32) uint32 { return sem.EvalAs(reading, f, a, b, c) })
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range fourRegisters {
			want = binary.LittleEndian.AppendUint32(want, uint32(registers[name]))
		}
	}
	return operands, want
}
