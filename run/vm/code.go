package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// code is a kernel and all that it calls, ready to be executed.
type code struct {
	entry     *portable.Code
	functions map[*check.Function]*portable.Code
}

// buildCode builds a kernel and all that it calls: literally, if it is to be observed.
func (k *Kernel) buildCode(o *observedCode) (*code, error) {
	buildOne := k.build
	if o != nil {
		buildOne = k.buildLiterally
	}
	c := &code{functions: map[*check.Function]*portable.Code{}}
	var missing []MissingForm
	var tooLarge error
	var build func(decl *check.Function)
	build = func(decl *check.Function) {
		if _, ok := c.functions[decl]; ok {
			return
		}
		c.functions[decl] = nil // while it is built: it may call itself
		f, lacks := buildOne(decl)
		if err := limit(uint64(f.Local), maxLocal, "function "+decl.Name, "local memory of a thread"); err != nil {
			tooLarge = err
			return
		}
		missing = append(missing, k.missingIn(decl, lacks)...)
		if len(lacks) > 0 {
			return
		}
		if o == nil {
			k.heap = k.heap || usesHeap(f)
		}
		for _, callee := range calleesOf(f) {
			build(callee)
		}
		if o != nil {
			c.functions[decl] = o.bind(f, c.functions)
		} else {
			c.functions[decl] = k.bind(f, c.functions)
		}
	}
	build(k.decl)
	switch {
	case tooLarge != nil:
		return nil, tooLarge
	case len(missing) > 0:
		return nil, &MissingError{Kernel: k.name, Forms: missing}
	}
	c.entry = c.functions[k.decl]
	return c, nil
}

// buildLiterally builds a function for launches that are watched.
func (k *Kernel) buildLiterally(decl *check.Function) (f *simt.Function, lacks build.Missing) {
	options := k.options()
	options.Literal, options.Caps = true, word.Portable
	return build.Function(decl, options)
}

// calleesOf returns the functions that a function may call, each as often as it calls it.
func calleesOf(f *simt.Function) (all []*check.Function) {
	for b := range f.Blocks {
		if op, ok := f.Blocks[b].End.Aux.(*simt.CallOp); ok {
			for i := range op.Callees {
				all = append(all, op.Callees[i].Function)
			}
		}
	}
	return all
}

// options says how the kernel's functions are built.
func (k *Kernel) options() *build.Options {
	m := k.module
	return &build.Options{
		Module: m.decl, Reading: m.reading, Caps: k.module.caps(), Locals: m.locals, Code: m.addressOf, Place: k.placeOf,
		Callees: func() (all []*check.Function) {
			for _, f := range m.decl.Functions {
				if !f.Entry && !f.Extern && m.takesAddress(f) {
					all = append(all, f)
				}
			}
			return all
		},
	}
}

// placeOf returns where a variable is in its space.
func (k *Kernel) placeOf(v *check.Variable) (address uint64, ok bool) {
	switch v.Space {
	case check.Global, check.Const:
		b, ok := k.module.variables[v]
		if !ok {
			return 0, false
		}
		return b.address, true
	case check.Shared:
		if at, ok := k.shared[v]; ok {
			return uint64(at), true
		}
		return uint64(roundUp(k.staticShared, dynamicAlign)), true
	case check.Param:
		at, ok := k.params[v]
		return uint64(at), ok
	}
	return 0, false
}

// missingIn says where in the text what a function lacks stands.
func (k *Kernel) missingIn(decl *check.Function, lacks build.Missing) (all []MissingForm) {
	for _, form := range lacks {
		m := MissingForm{Form: form.Form, Kind: MissingKind(form.Kind), Why: form.Why, Count: form.Count}
		m.File, m.Line, m.Col = place(decl, decl.Body[form.At].Tree.Span())
		all = append(all, m)
	}
	return all
}
