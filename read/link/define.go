package link

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/syntax"
)

// definition is a function or a variable that a module defines for others.
type definition struct {
	function *check.Function
	variable *check.Variable
}

func (d definition) module() *check.Module {
	if d.function != nil {
		return d.function.Module
	}
	return d.variable.Module
}

func (d definition) name() string {
	if d.function != nil {
		return d.function.Name
	}
	return d.variable.Name
}

// at is where the definition's name stands.
func (d definition) at() syntax.Word {
	if d.function != nil {
		return d.function.Tree.Name
	}
	return d.variable.Decl
}

// where is where it stands, for messages.
func (d definition) where() string { return d.module().Where(d.at()) }

// kind says what it is.
func (d definition) kind() string {
	switch {
	case d.variable != nil:
		return "a variable"
	case d.function.Entry:
		return "a kernel"
	}
	return "a function"
}

// strength says which of several definitions of a name stands: the strongest.
func (d definition) strength() check.Linkage {
	linkage := check.Visible // kernels are told apart by their names alone
	switch {
	case d.variable != nil:
		linkage = d.variable.Linkage
	case !d.function.Entry || d.function.Linkage == check.Weak:
		linkage = d.function.Linkage
	}
	return linkage
}

// define collects what the modules define for others.
func (l *linker) define() {
	for _, m := range l.modules {
		for _, f := range m.Functions {
			if !f.Extern && (f.Entry || f.Linkage >= check.Visible) {
				l.enter(definition{function: f})
			}
		}
		for _, v := range m.Variables {
			if !v.Extern && v.Linkage >= check.Visible {
				l.enter(definition{variable: v})
			}
		}
	}
}

// enter enters a definition, which may be another one of a name.
func (l *linker) enter(d definition) {
	old, exists := l.symbols[d.name()]
	if !exists {
		l.symbols[d.name()] = d
		return
	}
	if old.kind() != d.kind() {
		l.problem(d.module(), d.at(), "%s is %s here, and %s at %s", d.name(), d.kind(), old.kind(), old.where())
		return
	}
	has, had := d.strength(), old.strength()
	switch {
	case has == check.Visible && had == check.Visible:
		l.problem(d.module(), d.at(), "%s is defined here and at %s; one of them is to be .weak, or to have another name", d.name(), old.where())
	case had == check.Visible, has == check.Weak:
	case has == check.Visible, had == check.Weak:
		l.symbols[d.name()] = d
	default:
		l.enterCommon(old, d)
	}
}

// enterCommon decides which of two .common variables stands: the one that has an initial value.
func (l *linker) enterCommon(old, d definition) {
	switch {
	case d.variable.Data == nil:
	case old.variable.Data == nil:
		l.symbols[d.name()] = d
	default:
		l.problem(d.module(), d.at(), "the .common variable %s has an initial value here and at %s", d.name(), old.where())
	}
}

// resolve says what becomes of each function and variable: a copy, or that of a definition elsewhere.
func (l *linker) resolve() {
	for _, m := range l.modules {
		defined := map[string]bool{}
		for _, f := range m.Functions {
			defined[f.Name] = defined[f.Name] || !f.Extern
		}
		for _, f := range m.Functions {
			switch {
			case f.Extern && defined[f.Name]: // nothing names the prototype
				l.idle[f] = true
			case l.symbols[f.Name].function == f || l.definitionOf(f) == nil:
				l.functions[f] = copyOf(f)
			}
		}
		for _, v := range m.Variables {
			if l.symbols[v.Name].variable == v || l.definitionOfVariable(v) == nil {
				l.variables[v] = copyOf(v)
			}
		}
	}
	for _, m := range l.modules {
		for _, f := range m.Functions {
			if to := l.definitionOf(f); l.functions[f] == nil && !l.idle[f] {
				l.functions[f] = l.functions[to]
				l.holdFunction(f, to)
			}
		}
		for _, v := range m.Variables {
			if to := l.definitionOfVariable(v); l.variables[v] == nil {
				l.variables[v] = l.variables[to]
				l.holdVariable(v, to)
			}
		}
	}
}

// copyOf returns a copy of a function or a variable.
func copyOf[T any](x *T) *T {
	c := *x
	return &c
}

// definitionOf returns what stands for a function that is declared only, or that another one of its name stands for.
// It is nil for functions that stand for themselves.
func (l *linker) definitionOf(f *check.Function) *check.Function {
	if !f.Extern && f.Linkage != check.Weak {
		return nil
	}
	if d := l.symbols[f.Name]; d.function != nil && d.function != f && d.function.Entry == f.Entry {
		return d.function
	}
	return nil
}

// definitionOfVariable is definitionOf for variables.
func (l *linker) definitionOfVariable(v *check.Variable) *check.Variable {
	if !v.Extern && v.Linkage != check.Weak && v.Linkage != check.Common {
		return nil
	}
	if d := l.symbols[v.Name]; d.variable != nil && d.variable != v {
		return d.variable
	}
	return nil
}

// holdFunction demands that a declaration agrees with the definition.
func (l *linker) holdFunction(f, to *check.Function) {
	where := to.Module.Where(to.Tree.Name)
	differs := func(what string, have, want []*check.Variable) bool {
		if len(have) != len(want) {
			l.problem(f.Module, f.Tree.Name, "%s has %s here, and %d at %s, where it is defined", f.Name, diag.Count(len(have), what), len(want), where)
			return true
		}
		for i, v := range have {
			if v.Size != want[i].Size {
				l.problem(f.Module, v.Decl, "%s %d of %s has %s here, and %d at %s, where it is defined", what, i+1, f.Name, diag.Count(v.Size, "byte"), want[i].Size, where)
				return true
			}
		}
		return false
	}
	if !differs("result", f.Returns, to.Returns) {
		differs("parameter", f.Params, to.Params)
	}
}

// holdVariable demands that a declaration agrees with the definition. gcc declares arrays whose size it
// does not know with one element.
func (l *linker) holdVariable(v, to *check.Variable) {
	where := to.Module.Where(to.Decl)
	switch {
	case v.Space != to.Space:
		l.problem(v.Module, v.Decl, "%s is in %v memory here, and in %v memory at %s, where it is defined", v.Name, v.Space, to.Space, where)
	case v.Size > to.Size, !v.Extern && v.Size != to.Size:
		l.problem(v.Module, v.Decl, "%s has %s here, and %d at %s, where it is defined", v.Name, diag.Count(v.Size, "byte"), to.Size, where)
	}
}
