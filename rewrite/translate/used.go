package translate

import (
	"iter"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// FormsUsed returns the forms that a PTX module, or the asm statements of a C, C++ or
// CUDA source, use: each once, in the order in which they first come. Those of
// instructions with errors, which the diagnostics have, may be missing.
func FormsUsed(src *source.File) ([]isa.Form, diag.List) {
	bodies, diagnostics := bodiesOf(src)
	var forms []isa.Form
	known := map[isa.Form]bool{}
	for _, body := range bodies {
		for in := range videoInstructions(body) {
			if form := in.Video.Form; !known[form] {
				known[form] = true
				forms = append(forms, form)
			}
		}
	}
	diagnostics.Sort()
	return forms, diagnostics
}

// bodiesOf returns the checked instructions of a file: of each function of a PTX module, or
// of each asm statement of a source.
func bodiesOf(src *source.File) (bodies [][]check.Inst, diagnostics diag.List) {
	if !inline.IsHost(src.Name) {
		tree, diagnostics := syntax.Parse(src)
		module, findings := check.Check(tree)
		for _, f := range module.Functions {
			bodies = append(bodies, f.Body)
		}
		return bodies, append(diagnostics, findings...)
	}
	statements, diagnostics := inline.Find(src)
	for i := range statements {
		body, findings := check.AsmBody(&statements[i])
		bodies, diagnostics = append(bodies, body), append(diagnostics, findings...)
	}
	return bodies, diagnostics
}

// videoInstructions yields the video instructions of a body that have a form, in order.
func videoInstructions(body []check.Inst) iter.Seq[*check.Inst] {
	return func(yield func(*check.Inst) bool) {
		for i := range body {
			if in := &body[i]; in.Video != nil && !yield(in) {
				return
			}
		}
	}
}
