package translate

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/syntax/inline"
	"github.com/vop-ptx/vop/translate/ptx"
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
}

// Lowered is a file with its video instructions rewritten.
type Lowered struct {
	Text   string
	Report Report
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
	file := smOf(module.Target)
	if o.SM == 0 {
		o.SM = file
	}
	if o.SM < file {
		return nil, diagnostics, fmt.Errorf("%s is for %s: it cannot run on sm_%d", src.Name, module.Target, o.SM)
	}
	r := newRewriter(src, o, ptx.CapsFor(module.Version, file))
	for _, f := range module.Functions {
		r.function(f)
	}
	return r.result(), diagnostics, nil
}

// smOf returns the number in a target: 90 of sm_90 and sm_90a; 0 if there is none.
func smOf(target string) int {
	number := 0
	digits, ok := strings.CutPrefix(target, "sm_")
	for _, c := range digits {
		if !ok || c < '0' || c > '9' {
			break
		}
		number = min(number*10+int(c-'0'), 1000)
	}
	return number
}

// ParseTarget reads a target's name: 80 of "sm_80".
func ParseTarget(name string) (sm int, err error) {
	sm = smOf(name)
	if sm < 20 || name != fmt.Sprintf("sm_%d", sm) {
		return 0, fmt.Errorf("no target %q: targets are named sm_80, sm_90 and so on", name)
	}
	return sm, nil
}
