package vop

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// IsHostSource reports whether a file of the given name is a source in C, C++, CUDA,
// HIP or OpenCL C, in which vop looks at inline asm; all others are taken as PTX.
func IsHostSource(name string) bool { return inline.IsHost(name) }

// Check returns what is to say about a file: a PTX module, or the inline asm of a
// CUDA, C or C++ source, by its name ([IsHostSource]). The list is sorted by position. Comments
// "vop:ignore CODE" of the text keep findings quiet.
func Check(name, text string) diag.List {
	src := source.New(name, text)
	finder := readings.NewFinder()
	var findings diag.List
	if IsHostSource(name) {
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
		return "", inputError(findings)
	}
	var out strings.Builder
	if err := syntax.Print(&out, tree); err != nil {
		return "", err
	}
	return out.String(), nil
}
