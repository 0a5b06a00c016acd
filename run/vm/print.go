package vm

import (
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Print writes the code that the kernel has become, and that of the functions that it calls, behind it. what
// says which: "simt", the code for warps, as [simt.Function.String] describes it, with the lines of the text
// that it is made of. Machine code, "native", cannot be printed yet.
func (k *Kernel) Print(w io.Writer, what string) error {
	switch what {
	case "simt":
	case "native":
		return fmt.Errorf("machine code cannot be printed yet; want simt, the code that it is made of")
	default:
		return fmt.Errorf("there is no such code; want simt")
	}
	functions, err := k.functionsOf()
	if err != nil {
		return err
	}
	for i, f := range functions {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := f.Print(w, func(at int) string { return k.module.lineOf(f.Decl, at) }); err != nil {
			return err
		}
	}
	return nil
}

// functionsOf builds the kernel and what it calls, the kernel first, each callee behind its first caller.
func (k *Kernel) functionsOf() (all []*simt.Function, err error) {
	var missing []MissingForm
	seen := map[*check.Function]bool{k.decl: true}
	for pending := []*check.Function{k.decl}; len(pending) > 0; pending = pending[1:] {
		decl := pending[0]
		f, lacks := simt.Build(decl, k.options())
		missing = append(missing, k.missingIn(decl, lacks)...)
		all = append(all, f)
		for b := range f.Blocks {
			op, ok := f.Blocks[b].End.Aux.(*simt.CallOp)
			for i := 0; ok && i < len(op.Callees); i++ {
				if callee := op.Callees[i].Function; !seen[callee] {
					seen[callee] = true
					pending = append(pending, callee)
				}
			}
		}
	}
	if len(missing) > 0 {
		return nil, &MissingError{Kernel: k.name, Forms: missing}
	}
	return all, nil
}

// missingIn says where in the text what a function lacks stands.
func (k *Kernel) missingIn(decl *check.Function, lacks simt.Missing) (all []MissingForm) {
	for _, form := range lacks {
		m := MissingForm{Form: form.Form, Kind: MissingKind(form.Kind), Why: form.Why, Count: form.Count}
		m.File, m.Line, m.Col = k.module.place(decl.Body[form.At].Tree.Span())
		all = append(all, m)
	}
	return all
}

// lineOf returns the line and the text of an instruction.
func (m *Module) lineOf(decl *check.Function, at int) string {
	span := decl.Body[at].Tree.Span()
	_, line, _ := m.place(span)
	text := m.decl.Source.Text[span.Start:span.End]
	return fmt.Sprintf("%d: %s", line, strings.Join(strings.Fields(text), " "))
}
