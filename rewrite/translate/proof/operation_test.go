package proof

import (
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/readback"
	"github.com/vop-ptx/vop/rewrite/word"
)

// solver returns options with a solver, or skips.
func solver(t *testing.T) prove.Options {
	t.Helper()
	s, err := prove.FindSolver("")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(s.Close)
	return prove.Options{Solver: s, Timeout: 20 * time.Second}
}

// TestOperations proves every operation in every language: of those that share C's printer only C and CUDA, where tests are
// not long.
func TestOperations(t *testing.T) {
	o := solver(t)
	for _, l := range code.Languages() {
		if !long.Tests() && l != code.C && l != code.CUDA && l != code.Go && l != code.WGSL {
			continue
		}
		proven := 0
		for _, r := range Operations(t.Context(), l, o) {
			if r.How == NotAtAll {
				t.Errorf("%s: %s as %s: %s", r.Language, r.Operation, r.Spelling, r.Why)
			}
			proven++
		}
		if least := 19; proven < least {
			t.Errorf("%s: %d operations, want %d at least", l.Name, proven, least)
		}
	}
}

// TestMistakesInOperations plants mistakes in the spellings of operations and in the functions that they call. Each must be
// refuted, or found to be undefined or unreadable; what is proven all the same must be none, by its values.
func TestMistakesInOperations(t *testing.T) {
	o := solver(t)
	for _, l := range long.Of(code.Languages(), []*code.Language{code.Go}) {
		planted, none := 0, 0
		for _, op := range word.Ops() {
			if op.Args() == 0 || !l.Has(op) || op == word.MulWideU && l == code.WGSL || op == word.MulWideS && l == code.WGSL {
				continue // z3 takes long to refute a wrong product: see TestMistakesInProducts
			}
			imm := immediates(op)[0]
			if op == word.ShrWideU || op == word.ShrWideS {
				imm = 33
			}
			right := l.Spell(op, imm)
			try := func(s code.Spelling) {
				planted++
				how, _ := spelled(t.Context(), l.Name, s, op, imm, o)
				if how == NotAtAll {
					return
				}
				none++
				sameValues(t, l, op, imm, s)
			}
			for text := range mutants(right.Statements) {
				try(code.Spelling{Statements: text, Helpers: right.Helpers})
			}
			for text := range mutants(right.Helpers) {
				try(code.Spelling{Statements: right.Statements, Helpers: text})
			}
		}
		t.Logf("%s: %d mistakes planted, of which %d make no difference", l.Name, planted, none)
		if none*8 > planted || planted < 40 {
			t.Errorf("%s: of %d mistakes %d make no difference", l.Name, planted, none)
		}
	}
}

// TestMistakesInProducts plants mistakes in the longest of WGSL's functions, which operands show that are tried.
func TestMistakesInProducts(t *testing.T) {
	right := code.WGSL.Spell(word.MulWideS, 0)
	planted, found := 0, 0
	for text := range mutants(right.Helpers) {
		planted++
		if differs(t, code.WGSL, word.MulWideS, 0, code.Spelling{Statements: right.Statements, Helpers: text}) {
			found++
		}
	}
	if found*10 < planted*7 {
		t.Errorf("of %d mistakes only %d are seen", planted, found)
	}
}

// sameValues fails unless a spelling gives what the operation does for operands at the ends of ranges.
func sameValues(t *testing.T, l *code.Language, op word.Op, imm uint64, s code.Spelling) {
	t.Helper()
	if differs(t, l, op, imm, s) {
		t.Errorf("%s: proven to be %v, but it is not:\n%s\n%s", l.Name, op, s.Helpers, s.Statements)
	}
}

// differs reports whether a spelling cannot be read, or gives something else for some operands at the ends of ranges.
func differs(t *testing.T, l *code.Language, op word.Op, imm uint64, s code.Spelling) bool {
	t.Helper()
	body, err := bodyOf(l.Name, s)
	if err != nil {
		return true
	}
	b := readback.NewBuilder()
	parameters, want := operationOn(b, l.Name, op, imm)
	got, err := returned(b, body, op, parameters)
	if err != nil {
		return true
	}
	words := []uint32{0, 1, 31, 32, 33, 63, 64, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678}
	for _, x := range words {
		for _, y := range words {
			for _, z := range []uint32{0, 1, 0x80000000, 0xffffffff} {
				values := b.Program.Values(x, y, z, z, x, y)
				if values[want] != values[got] || values[b.Undefined()] != 0 {
					return true
				}
			}
		}
	}
	return false
}
