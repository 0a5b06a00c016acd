package link

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
)

// Error lists what keeps modules from being linked.
type Error struct {
	Problems []string // each with the place of what it is about: "b.ptx:3:15: ..."
}

// maxProblems is how many problems an error tells.
const maxProblems = 20

// Error returns the problems, one to a line.
func (e *Error) Error() string {
	shown := e.Problems[:min(len(e.Problems), maxProblems)]
	text := strings.Join(shown, "\n")
	if more := len(e.Problems) - len(shown); more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text
}

// Link makes one module of several, in their order. The error is an [*Error], unless a module has errors of its own.
func Link(modules ...*check.Module) (*check.Module, error) {
	for _, m := range modules {
		if m.Errors {
			return nil, fmt.Errorf("%s has errors: it cannot be linked", m.Source.Name)
		}
	}
	if len(modules) == 1 {
		return modules[0], nil
	}
	l := &linker{
		modules: modules, symbols: map[string]definition{},
		functions: map[*check.Function]*check.Function{}, variables: map[*check.Variable]*check.Variable{},
		idle: map[*check.Function]bool{},
	}
	l.agree()
	l.define()
	l.resolve()
	if len(l.problems) > 0 { // the copies would not fit
		return nil, &Error{l.problems}
	}
	return l.copied(), nil
}

// linker links modules.
type linker struct {
	modules  []*check.Module
	symbols  map[string]definition // what modules define for others
	problems []string
	// functions and variables say what becomes of those of the modules: copies, whose code and initial
	// values name other copies.
	functions map[*check.Function]*check.Function
	variables map[*check.Variable]*check.Variable
	idle      map[*check.Function]bool // prototypes that their own modules define
}

// problem enters a problem at a place of a module.
func (l *linker) problem(m *check.Module, at syntax.Word, format string, args ...any) {
	l.problems = append(l.problems, m.Where(at)+": "+fmt.Sprintf(format, args...))
}

// agree demands that addresses have one size.
func (l *linker) agree() {
	first := l.modules[0]
	for _, m := range l.modules[1:] {
		if m.AddressSize != first.AddressSize {
			l.problems = append(l.problems, fmt.Sprintf("%s has addresses of %d bits and %s of %d: give both the same .address_size",
				first.Source.Name, first.AddressSize, m.Source.Name, m.AddressSize))
		}
	}
}
