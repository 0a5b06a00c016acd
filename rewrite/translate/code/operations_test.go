package code

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/internal/compiled"
	"github.com/vop-ptx/vop/rewrite/translate/internal/programs"
)

func TestEveryOperationHasASpelling(t *testing.T) {
	for _, l := range languages() {
		for _, op := range programs.Operations(l.Caps) {
			if op == word.Logic3 {
				continue // its spelling depends on its table: see logic
			}
			conditional := op == word.Select && l.conditional != ""
			if l.operations[op] == "" && !conditional {
				t.Errorf("%s has no spelling for %v, which its capabilities include", l.Name, op)
			}
			if nouns[op] == "" {
				t.Errorf("there is no noun for %v", op)
			}
		}
	}
}

// TestCUDAHasEveryOperationOfPTX holds that functions can be printed for every target: those for sm_120f once returned nothing.
func TestCUDAHasEveryOperationOfPTX(t *testing.T) {
	for _, caps := range lower.Targets() {
		for _, op := range programs.Operations(caps) {
			if caps.PTX && op != word.Logic3 && (CUDA.operations[op] == "" || nouns[op] == "") {
				t.Errorf("cuda has no spelling or no noun for %v of %s", op, caps.Name)
			}
		}
	}
}

// suite is every program that a language can print, as functions, with calls.
func suite(t *testing.T, l *Language) (string, []*word.Program, []compiled.Function, []compiled.Call) {
	t.Helper()
	list := programs.Masks()
	for _, op := range programs.Operations(l.Caps) {
		list = append(list, programs.Of(op)...)
	}
	if l == C { // has no use for Logic3, but what CUDA makes of it can be run as C
		list = append(list, programs.Of(word.Logic3)...)
	}
	var texts []Function
	var functions []compiled.Function
	var calls []compiled.Call
	rng := rand.New(rand.NewPCG(1, 2))
	words := conform.EdgeWords()
	edge := func() uint32 { return words[rng.IntN(len(words))] }
	for i, p := range list {
		if err := p.Check(); err != nil {
			t.Fatalf("%v\n%v", err, p)
		}
		name := fmt.Sprintf("f%d", i)
		texts = append(texts, Function{Name: name, Parameters: 3, Program: p})
		functions = append(functions, compiled.Function{Name: name, Parameters: 3})
		for range 40 {
			calls = append(calls, compiled.Call{Function: uint32(i), A: edge(), B: edge(), C: edge()})
		}
	}
	text, err := l.File("main", "operations.", texts)
	if err != nil {
		t.Fatal(err)
	}
	return text, list, functions, calls
}

// compare demands that the calls give what the programs do.
func compare(t *testing.T, list []*word.Program, calls []compiled.Call, got []uint32) {
	t.Helper()
	for i, c := range calls {
		p := list[c.Function]
		if want := p.Eval(c.A, c.B, c.C); got[i] != want {
			t.Fatalf("f%d(%#x, %#x, %#x) = %#x, want %#x; the program is\n%v", c.Function, c.A, c.B, c.C, got[i], want, p)
		}
	}
}

func TestC(t *testing.T) {
	text, list, functions, calls := suite(t, C)
	for _, with := range [][2]string{{"gcc", "c99"}, {"gcc", "c++17"}, {"clang-16", "c99"}, {"clang-16", "c++17"}} {
		t.Run(with[0]+" "+with[1], func(t *testing.T) {
			if with != [2]string{"gcc", "c99"} {
				long.Only(t)
			}
			compare(t, list, calls, compiled.C(t, with[0], with[1], text, functions, calls))
		})
	}
}

func TestGo(t *testing.T) {
	text, list, functions, calls := suite(t, Go)
	compare(t, list, calls, compiled.Go(t, text, functions, calls))
}

func TestOpenCL(t *testing.T) {
	text, list, functions, calls := suite(t, OpenCL)
	compare(t, list, calls, compiled.OpenCL(t, text, functions, calls))
}

func TestWGSL(t *testing.T) {
	text, list, functions, calls := suite(t, WGSL)
	compare(t, list, calls, compiled.WGSL(t, text, functions, calls))
}

func TestCUDA(t *testing.T) {
	text, _, _, _ := suite(t, CUDA)
	compiled.CUDA(t, "sm_70", text)
}

func TestHIP(t *testing.T) {
	text, _, _, _ := suite(t, HIP)
	compiled.HIP(t, "gfx90a", text)
}
