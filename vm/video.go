package vm

import (
	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/engine"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
)

// video builds a video instruction (PTX ISA 9.7.18): a word program, executed by the engine.
func (b *builder) video() {
	run := videoOperation(b.kernel.module, b.current.Video.Form)
	d := b.destination(b.operand(0), word)
	x := b.source(b.operand(1), word, check.B32)
	y := b.source(b.operand(2), word, check.B32)
	z := y // for forms without c, which do not read it
	if len(b.current.Operands) > 3 {
		z = b.source(b.operand(3), word, check.B32)
	}
	b.emit([]register{d}, []register{x, y, z}, func(fr *frame, private bool) step {
		return &map3[uint32, uint32, uint32, uint32]{run, columnOf[uint32](fr, d),
			columnOf[uint32](fr, x), columnOf[uint32](fr, y), columnOf[uint32](fr, z), private}
	})
}

// videoOperation returns what computes a form over columns, under the module's reading.
func videoOperation(m *Module, f isa.Form) engine.Map3[uint32, uint32, uint32, uint32] {
	return m.engine.Compile(lower.FormAs(m.reading, f, m.engine.Caps(), lower.Facts{})).Run
}
