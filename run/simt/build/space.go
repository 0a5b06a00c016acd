package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// spaceForms ask what space a generic address is in (PTX ISA 9.7.9.20).
var spaceForms = []row{
	{"isspacep.(global|shared|shared::cta|local|const|param|param::entry)", inSpace},
}

// inSpace builds isspacep.
func inSpace(b *builder) {
	address := b.source(b.operand(1), simt.B64, check.U64)
	p := b.result(simt.Pred)
	b.effect(simt.Inst{Kind: simt.InSpace, Defs: b.list(p), Args: b.list(address), Aux: b.inst.spaceOf()})
	b.set(b.operand(0), p)
}
