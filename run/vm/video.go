package vm

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/engine"
)

// video builds a video instruction (PTX ISA 9.7.18): a word program, executed by the engine.
func (b *builder) video() {
	run := videoOperation(b.kernel.module, b.current.Video.Form)
	d := b.destination(b.operand(0), narrow)
	x := b.videoSource(1)
	y := b.videoSource(2)
	z := y // for forms without c, which do not read it
	if len(b.current.Operands) > 3 {
		z = b.videoSource(3)
	}
	b.emit([]register{d}, []register{x, y, z}, func(fr *frame, private bool) step {
		return &map3[uint32, uint32, uint32, uint32]{run, columnOf[uint32](fr, d),
			columnOf[uint32](fr, x), columnOf[uint32](fr, y), columnOf[uint32](fr, z), private}
	})
	b.operations[len(b.operations)-1].pure = true
	m := b.kernel.module
	var programs []*word.Program
	for _, caps := range linkCaps(m.engine) {
		programs = append(programs, lower.FormAs(m.reading, b.current.Video.Form, caps, lower.Facts{}))
	}
	b.linkPrograms(programs, d, [3]register{x, y, z})
}

// videoSource returns the register of a source. A minus sign before a register is in the form.
func (b *builder) videoSource(i int) register {
	o := *b.operand(i)
	if o.Kind == check.OpReg {
		o.Neg = 0
	}
	return b.source(&o, narrow, check.B32)
}

// videoOperation returns what computes a form over columns, under the module's reading.
func videoOperation(m *Module, f isa.Form) engine.Map3[uint32, uint32, uint32, uint32] {
	return m.engine.Compile(lower.FormAs(m.reading, f, m.engine.Caps(), lower.Facts{})).Run
}
