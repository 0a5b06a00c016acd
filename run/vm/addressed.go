package vm

import "github.com/vop-ptx/vop/read/check"

// takesAddress reports whether the module uses the address of a function other than to call it.
func (m *Module) takesAddress(f *check.Function) bool {
	if m.addressed == nil {
		m.addressed = m.findAddressed()
	}
	return m.addressed[f]
}

// findAddressed returns the functions whose addresses initial values and instructions other than calls hold.
func (m *Module) findAddressed() map[*check.Function]bool {
	found := map[*check.Function]bool{}
	for _, v := range m.decl.Variables {
		for _, r := range v.Relocs {
			found[r.Func] = true
		}
	}
	for _, f := range m.decl.Functions {
		for i := range f.Body {
			in := &f.Body[i]
			for j := range in.Operands {
				if o := &in.Operands[j]; o.Kind == check.OpFunc && in.Tree.Name.Text != "call" {
					found[o.Func] = true
				}
			}
		}
	}
	return found
}
