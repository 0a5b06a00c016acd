package vm

import (
	"errors"
	"fmt"
	"io"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/listing"
)

// Print writes the code that the kernel has become, and that of the functions that it calls, behind it. what
// says which: "simt", the code for warps, as [listing.String] describes it, with the lines of the text
// that it is made of; or "native", the machine code, one instruction a line, behind the name of its function, as it is
// for blocks of a shape, or of any if that is zero. Of a function that has none it is told why package portable executes it.
func (k *Kernel) Print(w io.Writer, what string, block Dim) error {
	var write func(w io.Writer, f *simt.Function) error
	switch what {
	case "simt":
		write = func(w io.Writer, f *simt.Function) error {
			return listing.Print(w, f, func(at int) string { return lineOf(f.Decl, at) })
		}
	case "native":
		if _, ok := k.module.machineCode(); !ok {
			return fmt.Errorf("the engine %v has no machine code for kernels; want simt, or another engine", k.module.level)
		}
		write = func(w io.Writer, f *simt.Function) error { return k.printNative(w, f, block) }
	default:
		return errors.New("there is no such code; want simt or native")
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
		if err := write(w, f); err != nil {
			return err
		}
	}
	return nil
}

// printNative writes the machine code of a function.
func (k *Kernel) printNative(w io.Writer, f *simt.Function, block Dim) error {
	kind := "func"
	if f.Decl.Entry {
		kind = "kernel"
	}
	listing, err := k.listing(f, block)
	if err != nil {
		_, err = fmt.Fprintf(w, "%s %s: no machine code: %v\n", kind, f.Decl.Name, err)
		return err
	}
	_, err = fmt.Fprintf(w, "%s %s, %v:\n%v", kind, f.Decl.Name, k.module.level, listing)
	return err
}

// functionsOf builds the kernel and what it calls, the kernel first, each callee behind its first caller.
func (k *Kernel) functionsOf() (all []*simt.Function, err error) {
	var missing []MissingForm
	seen := map[*check.Function]bool{k.decl: true}
	for pending := []*check.Function{k.decl}; len(pending) > 0; pending = pending[1:] {
		decl := pending[0]
		f, lacks := k.build(decl)
		missing = append(missing, k.missingIn(decl, lacks)...)
		all = append(all, f)
		for _, callee := range calleesOf(f) {
			if !seen[callee] {
				seen[callee] = true
				pending = append(pending, callee)
			}
		}
	}
	if len(missing) > 0 {
		return nil, &MissingError{Kernel: k.name, Forms: missing}
	}
	return all, nil
}
