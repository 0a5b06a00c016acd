package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/run/vm"
)

// source is what the command reads.
func (a *app) source() job.Source { return job.Source{Module: a.module, Stdin: a.stdin} }

// module loads PTX files, as one module.
func (a *app) module(files job.Files, options front.LoadOptions) (*vm.Module, error) {
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
