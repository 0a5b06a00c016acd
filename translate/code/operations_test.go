package code

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/lower"
	"github.com/vop-ptx/vop/translate/internal/compiled"
)

func TestEveryOperationHasASpelling(t *testing.T) {
	for _, l := range Languages() {
		for _, op := range lower.Ops() {
			switch op {
			case lower.Input, lower.Const, lower.WideConst, lower.Logic3:
				continue // operands, literals, and what logic returns
			}
			conditional := op == lower.Select && l.conditional != ""
			if l.Caps.Has(op) && l.operations[op] == "" && !conditional {
				t.Errorf("%s has no spelling for %v, which its capabilities include", l.Name, op)
			}
			if l.Caps.Has(op) && nouns[op] == "" {
				t.Errorf("there is no noun for %v", op)
			}
		}
	}
}

// constants are arguments at which a spelling may go wrong.
var constants = []uint32{0, 7, 31, 0x80, 0xffff_ff80, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff}

// immediates are those that operations are tried with.
func immediates(op lower.Op) []uint64 {
	switch op {
	case lower.Logic3:
		tables := make([]uint64, 256)
		for i := range tables {
			tables[i] = uint64(i)
		}
		return tables
	case lower.Perm:
		return []uint64{0x5410, 0x0000, 0x7632}
	case lower.PermS:
		return []uint64{0x5410, 0xba98, 0x4c8f}
	case lower.DotU8, lower.DotS8, lower.DotU16, lower.DotS16:
		return []uint64{0x01010101 & immediateMask(op), 0xff80017f & immediateMask(op)}
	case lower.ShrWideU, lower.ShrWideS:
		return []uint64{0, 1, 15, 31, 32, 33, 63}
	}
	return []uint64{0}
}

func immediateMask(op lower.Op) uint64 {
	if op == lower.DotU16 || op == lower.DotS16 {
		return 0xffff
	}
	return 0xffff_ffff
}

// assembler makes test programs.
type assembler struct{ lower.Program }

func (p *assembler) add(op lower.Op, imm uint64, args ...lower.Value) lower.Value {
	i := lower.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	p.Insts = append(p.Insts, i)
	return lower.Value(len(p.Insts) - 1)
}

// programsOf returns programs that compute one operation: on the operands, and with
// each argument a constant.
func programsOf(op lower.Op) (programs []*lower.Program) {
	build := func(imm uint64, constant int, value uint32) {
		var p assembler
		var args []lower.Value
		for k := range op.Args() {
			switch {
			case op.TakesWide() && k == constant:
				args = append(args, p.add(lower.WideConst, uint64(int64(int32(value)))))
			case k == constant:
				args = append(args, p.add(lower.Const, uint64(value)))
			case op.TakesWide() && k == 0:
				args = append(args, p.add(lower.MulWideS, 0, p.add(lower.Input, 0), p.add(lower.Input, 1)))
			case op.TakesWide():
				args = append(args, p.add(lower.WideS, 0, p.add(lower.Input, 2)))
			default:
				args = append(args, p.add(lower.Input, uint64(k)))
			}
		}
		if op == lower.Select {
			args[0] = p.add(lower.CmpLtS, 0, p.add(lower.Input, 0), p.add(lower.Input, 1))
		}
		p.Result = p.add(op, imm, args...)
		if op.Wide() {
			low, high := p.add(lower.Lo, 0, p.Result), p.add(lower.Lo, 0, p.add(lower.ShrWideU, 32, p.Result))
			p.Result = p.add(lower.Xor, 0, low, p.add(lower.Mul, 0, high, p.add(lower.Const, 3)))
		}
		programs = append(programs, &p.Program)
	}
	for _, imm := range immediates(op) {
		build(imm, -1, 0)
		for k := range op.Args() {
			if op == lower.Logic3 || op == lower.Select && k == 0 || op.Args() == 1 {
				continue
			}
			for _, c := range constants {
				switch {
				case op == lower.CmpLtU && c == 0, // never true: compilers warn
					isShift(op) && k == 1 && c > 31: // and so they do here
					continue
				}
				build(imm, k, c)
			}
		}
	}
	return programs
}

// masks returns programs that use a comparison as a word, and as both.
func masks() (programs []*lower.Program) {
	for _, op := range []lower.Op{lower.CmpEq, lower.CmpLtU, lower.CmpLtS} {
		var p assembler
		less := p.add(op, 0, p.add(lower.Input, 0), p.add(lower.Input, 1))
		chosen := p.add(lower.Select, 0, less, p.add(lower.Input, 2), p.add(lower.Const, 5))
		p.Result = p.add(lower.Xor, 0, less, chosen)
		programs = append(programs, &p.Program)
	}
	return programs
}

// suite is every program that a language can print, as functions, with calls.
func suite(t *testing.T, l *Language) (string, []*lower.Program, []compiled.Function, []compiled.Call) {
	t.Helper()
	programs := masks()
	for _, op := range lower.Ops() {
		// C has no use for Logic3, but what CUDA makes of it can be run as C.
		printable := l.Caps.Has(op) || l == C && op == lower.Logic3
		if op != lower.Input && op != lower.Const && op != lower.WideConst && printable {
			programs = append(programs, programsOf(op)...)
		}
	}
	var texts []Function
	var functions []compiled.Function
	var calls []compiled.Call
	rng := rand.New(rand.NewPCG(1, 2))
	words := conform.EdgeWords()
	edge := func() uint32 { return words[rng.IntN(len(words))] }
	for i, p := range programs {
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
	text, err := l.File("main", texts)
	if err != nil {
		t.Fatal(err)
	}
	return text, programs, functions, calls
}

// compare demands that the calls give what the programs do.
func compare(t *testing.T, programs []*lower.Program, calls []compiled.Call, got []uint32) {
	t.Helper()
	for i, c := range calls {
		p := programs[c.Function]
		if want := p.Eval(c.A, c.B, c.C); got[i] != want {
			t.Fatalf("f%d(%#x, %#x, %#x) = %#x, want %#x; the program is\n%v", c.Function, c.A, c.B, c.C, got[i], want, p)
		}
	}
}

func TestC(t *testing.T) {
	text, programs, functions, calls := suite(t, C)
	for _, with := range [][2]string{{"gcc", "c99"}, {"gcc", "c++17"}, {"clang-16", "c99"}, {"clang-16", "c++17"}} {
		t.Run(with[0]+" "+with[1], func(t *testing.T) {
			compare(t, programs, calls, compiled.C(t, with[0], with[1], text, functions, calls))
		})
	}
}

func TestGo(t *testing.T) {
	text, programs, functions, calls := suite(t, Go)
	compare(t, programs, calls, compiled.Go(t, text, functions, calls))
}

func TestOpenCL(t *testing.T) {
	text, programs, functions, calls := suite(t, OpenCL)
	compare(t, programs, calls, compiled.OpenCL(t, text, functions, calls))
}

func TestWGSL(t *testing.T) {
	text, programs, functions, calls := suite(t, WGSL)
	compare(t, programs, calls, compiled.WGSL(t, text, functions, calls))
}

func TestCUDA(t *testing.T) {
	text, _, _, _ := suite(t, CUDA)
	compiled.CUDA(t, "sm_70", text)
}

func TestHIP(t *testing.T) {
	text, _, _, _ := suite(t, HIP)
	compiled.HIP(t, "gfx90a", text)
}
