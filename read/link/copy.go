package link

import (
	"slices"

	"github.com/vop-ptx/vop/read/check"
)

// copied makes the linked module, of copies that name copies.
func (l *linker) copied() *check.Module {
	linked := copyOf(l.modules[0])
	linked.Functions, linked.Variables = nil, nil
	linked.Parts = l.modules
	for _, m := range l.modules {
		for _, f := range m.Functions {
			if own := l.functions[f]; own != nil && own.Tree == f.Tree {
				linked.Functions = append(linked.Functions, own)
				l.rewrite(own)
			}
		}
	}
	for _, m := range l.modules {
		for _, v := range m.Variables {
			if own := l.variables[v]; own.Module == m && own.Decl == v.Decl {
				l.relocate(own)
				linked.Variables = append(linked.Variables, own)
			}
		}
	}
	return linked
}

// rewrite makes the code of a function name copies.
func (l *linker) rewrite(f *check.Function) {
	f.Variables = slices.Clone(f.Variables)
	for i, v := range f.Variables {
		if len(v.Relocs) > 0 {
			own := copyOf(v)
			l.variables[v], f.Variables[i] = own, own
			l.relocate(own)
		}
	}
	f.Body = slices.Clone(f.Body)
	for i := range f.Body {
		if in := &f.Body[i]; l.names(in.Operands) {
			in.Operands = l.operands(in.Operands)
		}
	}
}

// names reports whether an operand names a function, or a variable that there is a copy of.
func (l *linker) names(operands []check.Operand) bool {
	for i := range operands {
		o := &operands[i]
		if o.Func != nil || o.Var != nil && l.variables[o.Var] != nil || l.names(o.Elems) {
			return true
		}
	}
	return false
}

// operands returns operands that name copies.
func (l *linker) operands(all []check.Operand) []check.Operand {
	own := slices.Clone(all)
	for i := range own {
		o := &own[i]
		if to := l.functions[o.Func]; o.Func != nil && to != nil {
			o.Func = to
		}
		if to := l.variables[o.Var]; o.Var != nil && to != nil {
			o.Var = to
		}
		if len(o.Elems) > 0 {
			o.Elems = l.operands(o.Elems)
		}
	}
	return own
}

// relocate makes the initial value of a variable name copies.
func (l *linker) relocate(v *check.Variable) {
	v.Relocs = slices.Clone(v.Relocs)
	for i := range v.Relocs {
		r := &v.Relocs[i]
		if r.Func != nil {
			r.Func = l.functions[r.Func]
		}
		if to := l.variables[r.Var]; r.Var != nil && to != nil {
			r.Var = to
		}
	}
}
