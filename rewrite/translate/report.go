package translate

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Report lists the video instructions of a file that was lowered.
type Report []Rewrite

// Rewrite is what became of one video instruction.
type Rewrite struct {
	Position source.Position
	Form     isa.Form
	// Kept says that the machine has the instruction, so that it stays.
	Kept bool
	// Before is the number of machine instructions that ptxas 11.8 makes of the form on
	// sm_80; selectors of sources other than the default, which add to it, are not counted.
	Before int
	// After is about the number of machine instructions that ptxas makes of the plain PTX.
	After int
	// Slots are the issue slots that those take: the time of as many instructions at the full rate.
	Slots int
}

// add adds an instruction.
func (r *Report) add(src *source.File, in *syntax.Instruction, entry Rewrite) {
	outer, at := src.Outermost(in.Name.Span())
	entry.Position = outer.Position(at.Start)
	*r = append(*r, entry)
}

// Cost returns what [Lower] would report of a video instruction with the operands d, a, b and c in a file
// with the given .target and .version.
func Cost(f isa.Form, operands []syntax.Operand, sm int, version isa.Version) Rewrite {
	caps := lower.PTX(sm, version)
	if ptx.Native(f, sm) {
		return rewriteOf(f, nil, caps)
	}
	return rewriteOf(f, lower.FormWith(f, caps, FactsOf(operands)), caps)
}

// rewriteOf counts; the program is nil if the instruction is kept.
func rewriteOf(f isa.Form, p *word.Program, caps word.Caps) Rewrite {
	if p == nil {
		return Rewrite{Form: f, Kept: true, Before: 1, After: 1, Slots: 1}
	}
	count := caps.Machine(p)
	return Rewrite{Form: f, Before: cost.Of(f), After: count.Instructions, Slots: count.Slots}
}
