package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// load makes everything ready: what is wrong with the last launch is found before
// the first one starts.
func (j *job) load(a *app, e level.Level, reading isa.Reading) error {
	memory := vm.NewMemory()
	modules := map[string]*vm.Module{}
	var inOrder []*vm.Module
	for _, l := range j.launches {
		if modules[l.ptx.key()] == nil {
			var err error
			modules[l.ptx.key()], err = a.module(l.ptx, front.LoadOptions{Reading: reading, Memory: memory, Engine: e})
			if err != nil {
				return fmt.Errorf("%s%w", l.where, err)
			}
			inOrder = append(inOrder, modules[l.ptx.key()])
			j.modules = inOrder
		}
		if err := l.prepare(modules[l.ptx.key()]); err != nil {
			return fmt.Errorf("%s%w", l.where, err)
		}
	}
	if err := j.loadTextures(memory, modules, a.stdin); err != nil {
		return err
	}
	variables := make([][]vm.Variable, len(j.settings))
	for i, s := range j.settings {
		var err error
		if variables[i], err = s.find(inOrder); err != nil {
			return err
		}
		if err := s.bind(variables[i], a.stdin); err != nil {
			return err
		}
	}
	for i, b := range j.buffers {
		if b.variable {
			continue
		}
		b.arg.Seed = j.seed + uint64(i)<<32 // another for each buffer
		var data []byte
		size, zeros, err := b.arg.Zeros()
		if !zeros {
			data, err = b.arg.Open(a.stdin)
			size = len(data)
		}
		if err != nil {
			return fmt.Errorf("%s%w", b.where, err)
		}
		if b.memory, err = memory.Alloc(b.name, size); err != nil {
			return fmt.Errorf("%s%s: %w", b.where, b.arg.Spec, err)
		}
		copy(b.memory.Bytes(), data)
	}
	if err := j.openExpected(); err != nil {
		return err
	}
	for i, s := range j.settings {
		if err := s.value.open(a.stdin); err != nil {
			return fmt.Errorf("%s%w", s.where, err)
		}
		if err := s.apply(variables[i]); err != nil {
			return err
		}
	}
	for _, l := range j.launches {
		if err := l.evaluate(modules[l.ptx.key()].AddressSize(), a.stdin); err != nil {
			return fmt.Errorf("%s%w", l.where, err)
		}
	}
	return nil
}

// module loads PTX files, as one module.
func (a *app) module(files ptxFiles, options front.LoadOptions) (*vm.Module, error) {
	var texts []front.Text
	for i, name := range files {
		if slices.Contains(files[:i], name) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		text, err := a.read(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, front.Text{Name: a.title(name), Text: text})
	}
	m, err := front.LoadAll(texts, options)
	if input, ok := errors.AsType[*front.InputError](err); ok {
		for _, t := range texts {
			name := source.New(t.Name, "").Name
			own := slices.DeleteFunc(slices.Clone(input.Diagnostics), func(d diag.Diagnostic) bool { return d.File.Name != name })
			if c := runsPTX(t.Name, t.Text, own); c != nil {
				return nil, c
			}
		}
	}
	return m, err
}

// evaluate makes the values that the kernel is launched with, once all buffers have their addresses.
func (l *kernelLaunch) evaluate(addressSize int, stdin io.Reader) error {
	l.values = make([]any, len(l.args))
	for i, p := range l.kernel.Params() {
		err := l.args[i].open(stdin)
		if err == nil {
			l.values[i], err = l.args[i].of(p, addressSize)
		}
		if err != nil {
			return fmt.Errorf("kernel %s: parameter %d: %w", l.name, i+1, err)
		}
	}
	return nil
}

// find finds the kernel.
func (l *kernelLaunch) find(module *vm.Module) (err error) {
	if names := module.KernelNames(); l.name == "" {
		if len(names) != 1 {
			if len(names) == 0 {
				return fmt.Errorf("%s has no kernel", l.ptx)
			}
			return fmt.Errorf("%s has %d kernels; say which: %s", l.ptx, len(names), strings.Join(names, " "))
		}
		l.name = names[0]
	}
	l.kernel, err = module.Kernel(l.name)
	return err
}

// prepare finds the kernel and holds the arguments against its parameters.
func (l *kernelLaunch) prepare(module *vm.Module) error {
	if err := l.find(module); err != nil {
		return err
	}
	params := l.kernel.Params()
	if len(l.args) != len(params) {
		have := "no parameters"
		if len(params) > 0 {
			have = fmt.Sprintf("%s (%s)", diag.Count(len(params), "parameter"), listParams(params))
		}
		given := "arguments are"
		if len(l.args) == 1 {
			given = "argument is"
		}
		return fmt.Errorf("kernel %s has %s, but %d %s given", l.name, have, len(l.args), given)
	}
	for i, arg := range l.args {
		p := params[i]
		arg.name(p.Name)
		if arg.number != nil && p.Scalar == check.NoType {
			return fmt.Errorf("kernel %s: parameter %d is %s %s, %s: give them as in:FILE or struct:[...], not %v", l.name, i+1, p.Type, p.Name, diag.Count(p.Size, "byte"), arg.number)
		}
	}
	return nil
}

func listParams(params []vm.Param) string {
	var list []string
	for _, p := range params {
		list = append(list, p.Type+" "+p.Name)
	}
	return strings.Join(list, ", ")
}
