package translate

import (
	"iter"

	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/syntax/inline"
)

// FormsUsed returns the forms that a PTX file, or the asm statements of a C, C++ or
// CUDA source, use: each once, in the order in which they first come. Instructions
// with errors are left out and reported.
func FormsUsed(src *source.File) ([]isa.Form, diag.List) {
	var forms []isa.Form
	var diagnostics diag.List
	known := map[isa.Form]bool{}
	add := func(tree *syntax.File) {
		for in := range videoInstructions(tree) {
			form, findings := formOf(in, tree.Source)
			diagnostics = append(diagnostics, findings...)
			if !findings.HasErrors() && !known[form] {
				known[form] = true
				forms = append(forms, form)
			}
		}
	}
	if !inline.IsHost(src.Name) {
		tree, findings := syntax.Parse(src)
		diagnostics = append(diagnostics, findings...)
		add(tree)
		return forms, diagnostics
	}
	statements, findings := inline.Find(src)
	diagnostics = append(diagnostics, findings...)
	for i := range statements {
		add(statements[i].File)
	}
	diagnostics.Sort()
	return forms, diagnostics
}

// videoInstructions yields the video instructions of a tree, which may be nil, in order.
func videoInstructions(tree *syntax.File) iter.Seq[*syntax.Instruction] {
	return func(yield func(*syntax.Instruction) bool) {
		if tree != nil {
			eachVideo(tree.Stmts, yield)
		}
	}
}

func eachVideo(statements []syntax.Stmt, yield func(*syntax.Instruction) bool) bool {
	for _, s := range statements {
		switch s := s.(type) {
		case *syntax.Function:
			if s.Body != nil && !eachVideo(s.Body.Stmts, yield) {
				return false
			}
		case *syntax.Block:
			if !eachVideo(s.Stmts, yield) {
				return false
			}
		case *syntax.Instruction:
			if isa.ParseOp(s.Name.Text) != isa.NoOp && !yield(s) {
				return false
			}
		}
	}
	return true
}
