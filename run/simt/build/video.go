package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/simt"
)

// video builds a video instruction (PTX ISA 9.7.18): its word program, for what is known of its
// operands.
func (b *function) video() {
	form := b.Inst.Video.Form
	var inputs [3]simt.ID
	var facts lower.Facts
	for i := range inputs {
		if i+1 < len(b.Inst.Operands) {
			inputs[i] = b.videoSource(i + 1)
			if k, ok := b.ConstOf(inputs[i]); ok {
				facts.Known[i] = lower.Constant(uint32(k))
			}
		}
	}
	facts.SameAB = inputs[0] == inputs[1]
	facts.SameAC = inputs[2] != 0 && inputs[0] == inputs[2]
	facts.SameBC = inputs[2] != 0 && inputs[1] == inputs[2]
	if inputs[2] == 0 {
		inputs[2] = inputs[1] // of forms without c, which do not read it
	}
	b.Set(b.Operand(0), b.Program(lower.FormAs(b.options.Reading, form, b.options.Caps, facts), inputs))
}

// videoSource returns the value of a source. A minus sign before a register is in the form.
func (b *function) videoSource(i int) simt.ID {
	o := *b.Operand(i)
	if o.Kind == check.OpReg {
		o.Neg = 0
	}
	return b.Source(&o, simt.B32, check.B32)
}
