package check

import (
	"github.com/vop-ptx/vop/internal/slab"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Check resolves a module. The Module is complete if the list has no errors;
// otherwise what could not be resolved is an OpUnknown in it.
func Check(tree *syntax.File) (*Module, diag.List) {
	c := newChecker(tree.Source)
	c.module.Tree = tree
	c.directives(tree.Stmts)
	c.modern = c.module.passesGates()
	c.missingHeader(tree)
	c.declareFunctions(tree.Stmts)
	for i, s := range tree.Stmts {
		c.moduleStatement(s, i > 0 && isBad(tree.Stmts[i-1]))
	}
	c.totals()
	c.findings.Sort()
	c.module.Errors = c.findings.HasErrors()
	return c.module, c.findings
}

// checker resolves one module or asm statement.
type checker struct {
	source   *source.File
	module   *Module
	findings diag.List

	global   *scope // of the module
	scope    *scope // the innermost one here
	function *functionState
	loc      Loc

	asm *asmState // of an asm statement; nil for modules
	bad bad       // outside of functions

	variables    []*Variable // by the index of a variableSymbol
	functions    []*Function // by the index of a functionSymbol: the definition, if there is one
	hasBody      []bool      // whether that definition has been met
	defined      map[string]*Function
	nextFunction int              // in module.Functions
	numbered     int              // variables that are declared by a number, in all
	late         map[string][]int // by names that are not declared yet: the findings that say so

	modern bool            // no video instruction needs more than the module's .version and .target
	gated  map[isa.Op]bool // reported by gates

	operands slab.Slab[Operand]
	videos   slab.Slab[Video]
	matcher  matcher
	opcodes  opcodes
}

func newChecker(src *source.File) *checker {
	c := &checker{
		source:  src,
		module:  &Module{Source: src, AddressSize: 32, Files: map[int]string{}},
		global:  new(scope),
		defined: map[string]*Function{},
		gated:   map[isa.Op]bool{},
	}
	c.scope = c.global
	return c
}

// report adds a finding about a part of the source. It has 80 callers, and a finding is large: it is not inlined.
//
//go:noinline
func (c *checker) report(code diag.Code, at source.Span, message string, notes ...string) *diag.Diagnostic {
	c.findings = append(c.findings, diag.Diagnostic{
		Code: code, Severity: diag.SeverityOf(code), File: c.source, Span: at, Message: message, Notes: notes,
	})
	return &c.findings[len(c.findings)-1]
}

// moduleStatement checks a statement at module scope. After text that could not be
// parsed a scope is most likely the body of a function.
func (c *checker) moduleStatement(s syntax.Stmt, afterBad bool) {
	switch s := s.(type) {
	case *syntax.Variable:
		c.declareVariable(s)
	case *syntax.Function:
		c.functionStatement(s)
	case *syntax.Instruction:
		c.report(diag.MisplacedStatement, s.Name.Span(), "instruction "+quote(s.Name.Text)+" outside a function")
	case *syntax.Block:
		if !afterBad {
			brace := source.Span{Start: s.Span().Start, End: s.Span().Start + 1}
			c.report(diag.MisplacedStatement, brace, "a scope outside a function")
		}
	}
}

func isBad(s syntax.Stmt) bool {
	_, ok := s.(*syntax.Bad)
	return ok
}
