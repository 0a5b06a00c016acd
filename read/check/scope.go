package check

import (
	"strconv"

	"github.com/vop-ptx/vop/read/source"
)

// symbolKind tells what a name stands for.
type symbolKind uint8

const (
	noSymbol symbolKind = iota
	registerSymbol
	variableSymbol
	functionSymbol
	labelSymbol
	listSymbol       // the label of .branchtargets, .calltargets or .callprototype
	constantSymbol   // an asm operand whose constraint is "n"
	undeclaredSymbol // used without a declaration, which has been reported
)

// symbol is what a name stands for: its kind, and its number among the
// registers, variables, functions, labels or, if it is undeclared, findings.
type symbol struct {
	kind  symbolKind
	index int32
	pos   source.Pos // of the declaration, or of the first use without one
}

// family is a parameterised declaration, %r<5>.
type family struct {
	count uint64 // how many registers it has
	typ   Type
	vec   int
	pos   source.Pos
}

// maxNumber is how many digits the number of a family's register may have.
const maxNumber = 10

// scope is a block, a function or the module. Names are looked up from the
// innermost scope outwards, so inner ones shadow outer ones.
//
// The registers of a family are not entered when it is declared: %r<1000000>
// costs no more than %r<5>. Each is entered when its name is first used.
type scope struct {
	parent   *scope
	names    map[string]symbol
	families map[string]family
}

// enter makes a name stand for something.
func (s *scope) enter(name string, sym symbol) {
	if s.names == nil {
		s.names = make(map[string]symbol)
	}
	s.names[name] = sym
}

// familyOf returns the family of the scope that declares a name, and the name in
// its plain spelling: ptxas takes %r03 and %r3 for the same register.
func (s *scope) familyOf(name string) (f family, plain string, ok bool) {
	digits := prefixLen(name)
	// As a rule the prefix is all but the digits. It may also end in one: %r1<5> is %r10 to %r14.
	for i := digits; i < len(name); i = max(i+1, len(name)-maxNumber) {
		f, ok := s.families[name[:i]]
		if !ok {
			continue
		}
		number, err := strconv.ParseUint(name[i:], 10, 32)
		if err != nil || number >= f.count {
			continue
		}
		if plain := strconv.AppendUint(nil, number, 10); string(plain) != name[i:] {
			return f, name[:i] + string(plain), true
		}
		return f, name, true
	}
	return family{}, "", false
}

// prefixLen returns the length of a name without the digits at its end.
func prefixLen(name string) int {
	n := len(name)
	for n > 1 && '0' <= name[n-1] && name[n-1] <= '9' {
		n--
	}
	return n
}
