package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// spaceForms ask what space a generic address is in (PTX ISA 9.7.9.20).
var spaceForms = []row{
	{"isspacep.(global|shared|shared::cta|local|const|param|param::entry)", inSpace},
}

// inSpace builds isspacep.
func inSpace(b *builder) {
	d := b.destination(b.operand(0), flag)
	address := b.source(b.operand(1), classOf(check.Type(check.U64)), check.U64)
	inside := b.kernel.module.memory.spaceTest(b.inst.spaceOf())
	b.emit([]register{d}, []register{address}, func(fr *frame, private bool) step {
		return &test[uint64]{func(dst engine.Mask, a []uint64) {
			clear(dst)
			for i, address := range a {
				dst[i/64] |= bit(inside(address)) << (i % 64)
			}
		}, fr.predicate(d), columnOf[uint64](fr, address), private}
	})
}

// spaceTest returns what tells whether an address is in a space.
func (m *Memory) spaceTest(space check.Space) func(address uint64) bool {
	windows := map[check.Space]uint64{check.Shared: sharedWindow, check.Local: localWindow, check.Param: paramWindow}
	if window, ok := windows[space]; ok {
		return func(address uint64) bool { return address-window < windowSize }
	}
	constant := space == check.Const
	return func(address uint64) bool {
		if address < globalBase {
			return false
		}
		b := find(*m.allocations.Load(), address)
		inConstant := b != nil && b.readOnly && address-b.address < uint64(len(b.data))
		return inConstant == constant
	}
}
