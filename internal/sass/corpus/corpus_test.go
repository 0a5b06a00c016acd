package corpus

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/run/vm"
)

// drawAll draws n kernels of each context.
func drawAll(seed uint64, n int) (all []Kernel) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, context := range Contexts() {
		for range n {
			all = append(all, Draw(rng, fmt.Sprintf("k%d", len(all)), context))
		}
	}
	return all
}

// lowered lowers a module.
func lowered(t *testing.T, text string, reading isa.Reading) string {
	t.Helper()
	l, list, err := translate.Lower(source.New("k.ptx", text), translate.LowerOptions{Reading: reading})
	if err != nil {
		t.Fatal(err)
	}
	if list.HasErrors() {
		t.Fatalf("%s\n%s", list[0].Message, text)
	}
	return l.Text
}

// load loads a module for vop's own machine.
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

// launch runs a kernel on vop's own machine.
func launch(t *testing.T, m *vm.Module, name string, operands [][3]uint32) (results [][2]uint32) {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Memory().Alloc("operands", 12*len(operands))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Free()
	for i, o := range operands {
		for j, x := range o {
			binary.LittleEndian.PutUint32(in.Bytes()[12*i+4*j:], x)
		}
	}
	out, err := m.Memory().Alloc("results", 8*len(operands))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Free()
	grid := vm.Grid{Grid: vm.Dim{X: 1}, Block: vm.Dim{X: len(operands)}}
	if err := k.Launch(context.Background(), grid, in, out); err != nil {
		t.Fatal(err)
	}
	for i := range operands {
		b := out.Bytes()[8*i:]
		results = append(results, [2]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])})
	}
	return results
}

// TestExpectations holds what the corpus expects to vop's own machine: of the kernels as they are, and lowered under
// both readings. So what a test of ptxas's code finds is ptxas's, or the executor's.
func TestExpectations(t *testing.T) {
	kernels := drawAll(1, long.Of(500, 40))
	rng := rand.New(rand.NewPCG(2, 1))
	text := Module("7.8", "sm_80", kernels)
	for _, way := range []struct {
		name    string
		module  *vm.Module
		reading isa.Reading
	}{
		{"as they are", load(t, text), isa.Manual},
		{"lowered", load(t, lowered(t, text, isa.Manual)), isa.Manual},
		{"lowered as sm_86", load(t, lowered(t, text, isa.SM86)), isa.SM86},
	} {
		differ := 0 // kernels that tell the readings apart
		for _, k := range kernels {
			operands := k.Operands(rng, 64)
			told := false
			for i, got := range launch(t, way.module, k.Name, operands) {
				o := operands[i]
				d, rest := k.Want(way.reading, o[0], o[1], o[2])
				if got != [2]uint32{d, rest} {
					t.Fatalf("%s, %s, of %08x gives %08x, want [%08x %08x]\n%s", k.Name, way.name, o, got, d, rest, k.Text())
				}
				e, f := k.Want(isa.SM86, o[0], o[1], o[2])
				m, n := k.Want(isa.Manual, o[0], o[1], o[2])
				told = told || e != m || f != n
			}
			if told {
				differ++
			}
		}
		if least := len(kernels) / 20; differ < least {
			t.Errorf("only %d of %d kernels tell the readings apart, want %d at least", differ, len(kernels), least)
		}
	}
}

// TestContexts demands that the kernels of a context are what its name says.
func TestContexts(t *testing.T) {
	for context, marks := range map[string][]string{
		"negated": {"\tneg.s32 %r", "\tnot.b32 %r", "\tabs.s32 %r"}, "constants": {", 0x"}, "chained": {"%r0, %r0"},
		"guarded": {"\t@%p", "\t@!%p", "bra $L"}, "loop": {"sub.u32 %n", "and.b32 %n"}, "mixed": {"\tneg.s32", "bra $L", "mov.u32 %r"},
	} {
		rng := rand.New(rand.NewPCG(3, 1))
		var s strings.Builder
		for range 30 {
			_, body, _ := strings.Cut(Draw(rng, "k", context).Text(), "0x80000001;\n")
			s.WriteString(body)
		}
		for _, mark := range marks {
			if !strings.Contains(s.String(), mark) {
				t.Errorf("no kernel of the context %s has %q", context, mark)
			}
		}
	}
}
