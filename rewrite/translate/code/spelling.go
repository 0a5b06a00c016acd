package code

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Spelling is how a language writes one operation: the statements of a function of x, y and z that
// returns it, and the functions that they call.
type Spelling struct {
	Statements string
	Helpers    string
}

// Spell returns how an operation with an immediate is written. Its arguments are unsigned: words, wide values, and a condition for
// the first of a Select; so is what is returned. The language must have the operation.
func (l *Language) Spell(op word.Op, imm uint64) Spelling {
	w := printer{Language: l, words: u32, named: map[string]int{}}
	i := word.Inst{Op: op, Imm: imm, Arg: [3]word.Value{0, 1, 2}}
	for n, name := range []string{"x", "y", "z"} {
		typ := u32
		switch {
		case op.TakesWide():
			typ = u64
		case op == word.Select && n == 0:
			typ = boolean
		}
		w.values = append(w.values, expression{text: name, typ: typ})
	}
	to := u32
	if op.Wide() {
		to = u64
	}
	result := w.as(w.value(&i, 1, true), to)
	lines := append(w.lines, fill(l.result, "$x", result.text))
	s := Spelling{Statements: strings.Join(lines, "\n") + "\n"}
	for _, h := range l.helpersOf(s.Statements) {
		s.Helpers += h.text + "\n"
	}
	return s
}

// Has reports whether the language can write an operation: all of its programs, and those for every target that CUDA is printed for.
func (l *Language) Has(op word.Op) bool {
	switch {
	case l.noWide && (op.Wide() || op.TakesWide()):
		return false
	case op == word.Logic3: // in C's operators
		return l.Caps.Has(op)
	case op == word.Select || op.Args() == 0:
		return true
	}
	return l.operations[op] != ""
}

// Prints reports whether the language has all operations of a program.
func (l *Language) Prints(p *word.Program) bool {
	return !slices.ContainsFunc(p.Insts, func(i word.Inst) bool { return !l.Has(i.Op) })
}

// Languages returns all languages.
func Languages() []*Language { return languages() }
