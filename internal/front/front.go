// Package front does with a file what the root package and the command do alike: it reads, checks, formats and loads it. Its
// types are those of the packages below; the root package has its own.
package front

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/link"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// Check returns what is to say about a file: a PTX module, or the inline asm of a
// CUDA, C or C++ source, by its name ([inline.IsHost]). The list is sorted by position. Comments
// "vop:ignore CODE" of the text keep findings quiet.
func Check(name, text string) diag.List {
	src := source.New(name, text)
	finder := readings.NewFinder()
	var findings diag.List
	if inline.IsHost(name) {
		statements, found := inline.Find(src)
		findings = found
		for i := range statements {
			body, more := check.AsmBody(&statements[i])
			findings = append(findings, more...)
			findings = append(findings, finder.Body(statements[i].Text, body)...)
		}
	} else {
		tree, found := syntax.Parse(src)
		module, more := check.Check(tree)
		findings = append(append(found, more...), finder.Module(module)...)
	}
	findings.Sort()
	return findings.Suppressed(src)
}

// Format returns a PTX module in the canonical layout. A text with syntax
// errors is not formatted: the error is an [*InputError].
func Format(name, text string) (string, error) {
	tree, findings := syntax.Parse(source.New(name, text))
	if findings.HasErrors() {
		return "", Unusable(findings)
	}
	var out strings.Builder
	if err := syntax.Print(&out, tree); err != nil {
		return "", err
	}
	return out.String(), nil
}

// LoadOptions say how a module is loaded. The zero value is ready for use.
type LoadOptions struct {
	Reading isa.Reading // what video instructions compute
	Memory  *vm.Memory  // an address space that modules share; nil for one of its own
	Engine  level.Level // what executes; if left out, what $VOP_ENGINE says, or else the fastest of this machine
}

// Load reads a PTX module. name stands for it in messages. A text with errors gives an [*InputError].
func Load(name, text string, o LoadOptions) (*vm.Module, error) {
	return LoadAll([]Text{{name, text}}, o)
}

// Text is a PTX text. Name stands for it in messages.
type Text struct{ Name, Text string }

// LoadAll reads PTX modules and links them to one: what one of them declares .extern is what another defines.
// Texts with errors give an [*InputError]. What else keeps them from being linked is told with the places in both.
func LoadAll(texts []Text, o LoadOptions) (*vm.Module, error) {
	var modules []*check.Module
	var wrong diag.List
	for _, t := range texts {
		tree, findings := syntax.Parse(source.New(t.Name, t.Text))
		if !findings.HasErrors() {
			var module *check.Module
			module, findings = check.Check(tree)
			modules = append(modules, module)
		}
		if findings.HasErrors() {
			findings.Sort()
			wrong = append(wrong, findings...)
		}
	}
	if len(wrong) > 0 {
		return nil, &InputError{wrong}
	}
	module, err := link.Link(modules...)
	if err != nil {
		return nil, err
	}
	if o.Memory == nil {
		o.Memory = vm.NewMemory()
	}
	return o.Memory.LoadAs(o.Reading, module, o.Engine)
}

// InputError is a text that cannot be used. Diagnostics has at least one error.
type InputError struct{ Diagnostics diag.List }

// Unusable returns the error of a text with such findings.
func Unusable(findings diag.List) error {
	findings.Sort()
	return &InputError{findings}
}

// Error gives the first error with its place, and how many there are.
func (e *InputError) Error() string {
	errors := 0
	var first diag.Diagnostic
	for _, d := range e.Diagnostics {
		if d.Severity != diag.Error {
			continue
		}
		if errors == 0 {
			first = d
		}
		errors++
	}
	file, span := first.File.Outermost(first.Span)
	at := file.Position(span.Start)
	text := fmt.Sprintf("%s:%d:%d: %s [%s]", file.NameAt(span.Start), at.Line, at.Col, first.Message, first.Code)
	if errors > 1 {
		text += fmt.Sprintf(" (and %d more)", errors-1)
	}
	return text
}
