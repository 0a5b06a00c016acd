package vm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
)

// Variable is a .global or .const variable of a module, which can be given another value
// than its initial one between launches.
type Variable struct {
	Param
	// Memory is the variable's contents.
	Memory *Buffer
	module *Module
}

// Variables returns the module's .global and .const variables, in the order of the text. Textures are none.
func (m *Module) Variables() (list []Variable) {
	places := map[*Buffer]*check.Variable{}
	for v, b := range m.variables {
		if v.Type < check.TexRef {
			list = append(list, Variable{Param: describe(v), Memory: b, module: m})
			places[b] = v
		}
	}
	files := append([]*check.Module{m.decl}, m.decl.Parts...)
	sorting.Stable(list, func(a, b Variable) int {
		x, y := places[a.Memory], places[b.Memory]
		return cmp.Or(cmp.Compare(slices.Index(files, x.Module), slices.Index(files, y.Module)), cmp.Compare(x.Decl.Span().Start, y.Decl.Span().Start))
	})
	return list
}

// Set gives the variable a value, as [Kernel.Launch] takes it for a parameter of its type.
func (v Variable) Set(value Argument) error {
	if wrong := v.module.marshalOne(v.Memory.Bytes(), v.Param, value); wrong != "" {
		return fmt.Errorf("variable %s (%s): %s", v.Name, v.Type, wrong)
	}
	return nil
}

// AddressSize returns the number of bytes of an address in the variable's module: 4 or 8.
func (v Variable) AddressSize() int { return v.module.AddressSize() }

// AddressSize returns the number of bytes of an address in the module: 4 or 8.
func (m *Module) AddressSize() int { return m.decl.AddressSize / 8 }

// addressSizeSource says where the size of addresses comes from.
func (m *Module) addressSizeSource() string {
	if slices.ContainsFunc(m.decl.Tree.Stmts, isAddressSize) {
		return fmt.Sprintf("the module is of .address_size %d", m.decl.AddressSize)
	}
	return "the module has no .address_size, and without it addresses have 32 bits; write .address_size 64"
}

func isAddressSize(s syntax.Stmt) bool {
	d, ok := s.(*syntax.Directive)
	return ok && d.Name.Text == ".address_size"
}
