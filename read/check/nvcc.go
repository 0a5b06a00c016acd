package check

import (
	"strings"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
)

// nvccConstraints are the letters that nvcc knows ("Inline PTX Assembly in CUDA", 1.1.2).
const nvccConstraints = "hrlqfdnC"

// asmNVCC notes what clang takes in an asm statement, and nvcc does not: each kind once.
func (c *checker) asmNVCC() {
	if !c.asm.NVCC {
		return
	}
	named, letters := false, false
	for _, list := range [][]inline.Operand{c.asm.Outputs, c.asm.Inputs} {
		for i := range list {
			o := &list[i]
			if o.Name != "" && !named {
				named = true
				c.nvccNote(o.Listed, "nvcc has no names of operands, such as "+quote("%["+o.Name+"]"), "number them, as in %0")
			}
			if why := nvccRejects(o.Constraint); why != "" && !letters {
				letters = true
				c.nvccNote(o.Listed, "nvcc does not take the constraint \""+o.Constraint+"\": "+why, "it takes one of h, r, l, q (registers), f, d (floating point), n (a constant) and C (a text)")
			}
		}
	}
	for _, clobber := range c.asm.Clobbers {
		if clobber.Text != "memory" {
			c.nvccNote(clobber.Listed, "nvcc has no clobber \""+clobber.Text+"\"", "PTX has no condition codes that a statement changes; \"memory\" is the only clobber")
			break
		}
	}
}

// nvccRejects returns why nvcc does not take a constraint, or "".
func nvccRejects(constraint string) string {
	letters := strings.TrimLeft(constraint, "=+&%")
	switch {
	case letters == "" || strings.Trim(letters, "0123456789") == "":
		return ""
	case len(letters) > 1:
		return "it is of several letters"
	case !strings.Contains(nvccConstraints, letters):
		return "it does not know the letter"
	}
	return ""
}

// nvccNote notes something about the lists of an asm statement.
func (c *checker) nvccNote(at source.Span, message, note string) {
	c.findings = append(c.findings, diag.Diagnostic{
		Code: diag.AsmNVCC, Severity: diag.SeverityOf(diag.AsmNVCC), File: c.asm.Lists, Span: at, Message: message, Notes: []string{note},
	})
}
