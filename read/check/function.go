package check

import (
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/syntax"
)

// functionState is a function while its body is read.
type functionState struct {
	*Function
	labels []int      // by number: the index in Body
	jumps  []*Operand // whose Target is still the number of a label
	bad    bad        // of its body
}

// declareFunctions makes the Functions of the module, so that a prototype can
// stand for the definition that comes later.
func (c *checker) declareFunctions(stmts []syntax.Stmt) {
	for _, s := range stmts {
		tree, ok := s.(*syntax.Function)
		if !ok {
			continue
		}
		f := &Function{Name: tree.Name.Text, Entry: tree.Kind.Text == ".entry", Extern: tree.Body == nil, Linkage: linkageOf(tree.Linkage), Module: c.module, Tree: tree}
		c.module.Functions = append(c.module.Functions, f)
		if _, exists := c.defined[f.Name]; tree.Body != nil && !exists {
			c.defined[f.Name] = f
		}
	}
}

// functionStatement checks a function: its parameters and its body.
func (c *checker) functionStatement(tree *syntax.Function) {
	f := c.module.Functions[c.nextFunction]
	c.nextFunction++
	c.declareFunction(f)

	c.function = &functionState{Function: f}
	c.loc = Loc{}
	c.push()
	f.Returns = c.parameters(tree.Returns)
	f.Params = c.parameters(tree.Params)
	if tree.Body != nil {
		f.Body = make([]Inst, 0, countInstructions(tree.Body))
		c.statements(tree.Body.Stmts)
		for _, jump := range c.function.jumps {
			jump.Target = int32(c.function.labels[jump.Target])
		}
	}
	c.pop()
	c.function = nil
}

// declareFunction enters a function's name; a prototype and a definition go
// together, two definitions do not.
func (c *checker) declareFunction(f *Function) {
	name := f.Tree.Name
	stands := c.defined[f.Name]
	if stands == nil {
		stands = f
	}
	previous, exists := c.global.names[f.Name]
	if exists && previous.kind == functionSymbol && (f.Extern || !c.hasBody[previous.index]) {
		c.hasBody[previous.index] = c.hasBody[previous.index] || !f.Extern
		return
	}
	c.functions = append(c.functions, stands)
	c.hasBody = append(c.hasBody, !f.Extern)
	c.declare(name, symbol{kind: functionSymbol, index: int32(len(c.functions) - 1)})
}

// parameters enters the parameters of a function: those in .param and those in .reg.
func (c *checker) parameters(list []*syntax.Variable) (params []*Variable) {
	var end uint64 // of those of a kernel
	for _, tree := range list {
		d := c.declaration(tree)
		for i := range tree.Names {
			if d.space == Reg {
				params = append(params, c.formal(d, &tree.Names[i]))
				continue
			}
			if name := &tree.Names[i]; name.HasCount {
				c.report(diag.BadSize, name.Name.Span(), "the parameter "+quote(name.Name.Text)+" is several variables", "each parameter is declared by its name")
			}
			v := c.variable(d, &tree.Names[i])
			params = append(params, v)
			if c.function.Entry {
				end = c.parameterLimit(v, end)
			}
		}
	}
	return params
}

// formal enters a parameter in a register, and returns the memory that calls pass it in.
func (c *checker) formal(d declaration, name *syntax.Declarator) *Variable {
	at := name.Name.Span()
	switch {
	case c.function.Entry:
		c.report(diag.MisplacedStatement, at, "the parameter "+quote(name.Name.Text)+" of a kernel is in a register", "parameters of kernels are in .param; only .func has some in .reg")
	case name.HasCount || len(name.Dims) > 0:
		c.report(diag.BadSize, at, "the parameter "+quote(name.Name.Text)+" is several registers", "each parameter in .reg is declared by its name; arrays are in .param")
	}
	v := &Variable{Name: name.Name.Text, Space: Param, Type: d.typ, Vec: d.vec, Module: c.module, Decl: name.Name, Formal: true, Register: len(c.function.Registers)}
	v.Size = max(1, v.Type.Bytes()*v.Vec) // predicates take a byte
	v.Align = v.Size
	if v.Name == "_" { // of a prototype
		c.newRegister(v.Name, d.typ, d.vec)
		return v
	}
	c.declareRegisters(d, name)
	if len(c.function.Registers) == v.Register { // it could not be declared
		c.newRegister(v.Name, d.typ, d.vec)
	}
	return v
}

// push opens a scope, pop closes it.
func (c *checker) push() { c.scope = &scope{parent: c.scope} }
func (c *checker) pop()  { c.scope = c.scope.parent }

// statements checks the statements of a scope. Labels can be used before they are
// declared, everything else cannot.
func (c *checker) statements(stmts []syntax.Stmt) {
	c.declareLabels(stmts)
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.Instruction:
			c.instruction(s)
		case *syntax.Label:
			c.label(s)
		case *syntax.Directive:
			c.bodyDirective(s)
		case *syntax.Variable:
			c.declareVariable(s)
		case *syntax.Block:
			c.push()
			c.statements(s.Stmts)
			c.pop()
		case *syntax.Function:
			c.report(diag.MisplacedStatement, s.Name.Span(), "function "+quote(s.Name.Text)+" inside a function")
		}
	}
}

// declareLabels enters the labels of a scope. One before .branchtargets,
// .calltargets or .callprototype names that list, not a place.
func (c *checker) declareLabels(stmts []syntax.Stmt) {
	for i, s := range stmts {
		l, ok := s.(*syntax.Label)
		if !ok {
			continue
		}
		sym := symbol{kind: labelSymbol, index: int32(len(c.function.labels)), pos: l.Name.Pos}
		if i+1 < len(stmts) && namesList(stmts[i+1]) {
			sym.kind = listSymbol
		} else {
			c.function.labels = append(c.function.labels, 0)
		}
		c.declare(l.Name, sym)
	}
}

// namesList reports whether a statement is a list that the label before it names.
func namesList(s syntax.Stmt) bool {
	d, ok := s.(*syntax.Directive)
	if !ok {
		return false
	}
	switch d.Name.Text {
	case ".branchtargets", ".calltargets", ".callprototype":
		return true
	}
	return false
}

// label gives a label its place.
func (c *checker) label(l *syntax.Label) {
	if sym := c.scope.names[l.Name.Text]; sym.kind == labelSymbol {
		c.function.labels[sym.index] = len(c.function.Body)
	}
}

// countInstructions returns the number of instructions in a body.
func countInstructions(b *syntax.Block) int {
	n := 0
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *syntax.Instruction:
			n++
		case *syntax.Block:
			n += countInstructions(s)
		}
	}
	return n
}
