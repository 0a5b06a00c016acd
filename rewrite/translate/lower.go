package translate

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// LowerOptions are what [Lower] can be told. The zero value is ready for use.
type LowerOptions struct {
	// SM is the machine that the file will run on: 80 for sm_80. Zero is the file's own
	// .target; of CUDA sources, sm_70, the oldest machine that lacks most video instructions. A
	// newer one than the file's decides which instructions need no rewriting, not which may
	// be used instead: those are bound by .version and .target.
	SM int
	// Version is the PTX ISA that the asm statements of a CUDA source may use; 7.0, that
	// of CUDA 11, if zero. PTX files say theirs.
	Version isa.Version
	// Reading is what the plain PTX computes: what the manual says, or what ptxas would
	// have made of the video instructions.
	Reading isa.Reading
	// Only, if not nil, is the one place to rewrite: instructions that begin elsewhere stay.
	Only *source.Span
}

// Lowered is a file with its video instructions rewritten.
type Lowered struct {
	Text   string
	Report Report
	// Edits are what makes Text of the file's text, in order.
	Edits []Edit
}

// Edit replaces a part of a file.
type Edit struct {
	At   source.Span
	Text string
}

// Lower replaces each video instruction of a file by plain PTX that computes the
// same, unless the machine has it as one instruction. The file is a PTX module, or
// by its name a C, C++ or CUDA source, whose asm statements are rewritten.
//
// The new instructions are preceded by the one they replace as a comment. Their
// registers are declared where the function's body begins, or in a scope of their
// own in an asm statement, under names that the file does not have. All other text
// stays byte for byte.
//
// If the diagnostics have errors, or there is an error, there is no result.
func Lower(src *source.File, o LowerOptions) (*Lowered, diag.List, error) {
	if inline.IsHost(src.Name) {
		return lowerSource(src, o)
	}
	tree, diagnostics := syntax.Parse(src)
	module, findings := check.Check(tree)
	diagnostics = append(diagnostics, findings...)
	if diagnostics.HasErrors() {
		return nil, diagnostics, nil
	}
	if o.SM == 0 {
		o.SM = module.SM
	}
	if o.SM < module.SM {
		return nil, diagnostics, fmt.Errorf("%s is for %s: it cannot run on sm_%d", src.Name, module.Target, o.SM)
	}
	r := newRewriter(src, o, lower.PTXTarget(module.Target, module.Version))
	for _, f := range module.Functions {
		r.function(f)
	}
	return r.result(), diagnostics, nil
}
