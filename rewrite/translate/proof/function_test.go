package proof

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/internal/programs"
)

// TestFunctions reads functions of drawn forms back, in every language, each of which draws others: most share a printer.
func TestFunctions(t *testing.T) {
	forms := long.Of(25000, 1500)
	for number, l := range code.Languages() {
		n := 0
		for f := range isa.Sample(rand.New(rand.NewPCG(97, uint64(number)))) {
			if p := lower.Form(f, l.Caps); l.Prints(p) {
				if err := Program(l, p); err != nil {
					t.Fatalf("%v: %v", f, err)
				}
				n++
			}
			if n == forms {
				break
			}
		}
	}
}

// TestFunctionsOfConstants holds a form whose program computes with constants, as both its operands are one lane: in Go, a variable for
// what it computes got the type int.
func TestFunctionsOfConstants(t *testing.T) {
	f := isa.Form{Op: isa.Vsub4, DType: isa.S32, AType: isa.U32, BType: isa.U32, Sat: true, Mask: isa.FullMask(isa.Vsub4), ALane: 0x1320, BLane: 0x1320}
	if !f.Valid() {
		t.Fatal("there is no such form")
	}
	for _, l := range code.Languages() {
		if p := lower.Form(f, l.Caps); l.Prints(p) {
			if err := Program(l, p); err != nil {
				t.Error(err)
			}
		}
	}
	p, err := word.Parse("v1 = min.s 5, 7\nv2 = add a, v1\nv3 = xor v2, v1\nd = v3")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range code.Languages() {
		if err := Program(l, p); err != nil {
			t.Error(err)
		}
	}
}

// TestFunctionsOfOperations does so for each operation, with constants among its arguments, and for masks.
func TestFunctionsOfOperations(t *testing.T) {
	for _, l := range code.Languages() {
		list := programs.Masks()
		for _, op := range programs.Operations(l.Caps) {
			list = append(list, programs.Of(op)...)
		}
		for _, p := range list {
			if !l.Prints(p) {
				continue
			}
			if err := Program(l, p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestIntrinsicsReadBack does so for CUDA's intrinsics, which have signed parameters and pointers.
func TestIntrinsicsReadBack(t *testing.T) {
	for _, l := range code.Languages() {
		for _, i := range translate.Intrinsics() {
			f := code.Function{Name: "f", Parameters: i.Parameters, Signed: i.Signed, Program: i.Program(l.Caps), Predicates: i.Predicates(l.Caps)}
			if err := Function(l, f); err != nil {
				t.Fatalf("%s: %v", i.Name, err)
			}
		}
	}
}

// TestMistakesInFunctions plants a mistake in a printed function, which must be found, or be none.
func TestMistakesInFunctions(t *testing.T) {
	var p *word.Program
	for f := range isa.Forms(isa.Vshl) {
		if f.Sat && f.AType.Signed() && f.ASel == isa.H1 && f.Second == isa.SecondAdd {
			p = lower.Form(f, word.C)
			break
		}
	}
	for _, l := range code.Languages() {
		if !l.Prints(p) || l.Caps != word.C {
			continue
		}
		f := code.Function{Name: "f", Parameters: 3, Program: p}
		text, err := l.File("f", "a function.", []code.Function{f})
		if err != nil {
			t.Fatal(err)
		}
		begins := strings.LastIndex(text, " f(")
		found := 0
		for mutant := range mutants(text[begins:]) {
			if err := Text(l, text[:begins]+mutant, f); err != nil {
				found++
			} else {
				t.Errorf("%s: nothing is said of\n%s", l.Name, mutant)
			}
		}
		if found < 10 {
			t.Errorf("%s: only %d mistakes were planted in\n%s", l.Name, found, text[begins:])
		}
	}
}
