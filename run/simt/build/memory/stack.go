package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// stackForms are what manages dynamic local memory (PTX ISA 9.7.17).
var stackForms = builder.Table{
	{"alloca.(u32|u64)", useStack},
	{"stacksave.(u32|u64)", useStack},
	{"stackrestore.(u32|u64)", useStack},
}

// useStack builds alloca, stacksave and stackrestore: addresses and sizes are values of 64 bits.
func useStack(b *builder.Builder) {
	t := b.Form.LastType()
	o := &simt.StackOp{Name: b.Form.Name}
	from := 0 // the operand that is read
	if o.Name != "stackrestore" {
		from = 1
	}
	if o.Name == "alloca" {
		o.Align = simt.MinStackAlign
		if len(b.Inst.Operands) > 2 {
			o.Align = max(o.Align, b.Operand(2).Imm)
		}
	}
	var args, defs []simt.ID
	if o.Name != "stacksave" {
		x := b.Source(b.Operand(from), simt.TypeOf(t), t)
		if t == check.U32 {
			x = b.Named("widen.64", x)
		}
		args = b.List(x)
	}
	if from > 0 {
		defs = b.List(b.Result(simt.B64))
	}
	b.Effect(simt.Inst{Kind: simt.Stack, Defs: defs, Args: args, Aux: o})
	if from > 0 {
		d := defs[0]
		if t == check.U32 {
			d = b.Named("narrow.32", d)
		}
		b.Set(b.Operand(0), d)
	}
}
