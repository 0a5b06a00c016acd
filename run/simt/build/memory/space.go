package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// spaceForms ask what space a generic address is in (PTX ISA 9.7.9.20).
var spaceForms = builder.Table{
	{"isspacep.(global|shared|shared::cta|shared::cluster|local|const|param|param::entry)", inSpace},
}

// inSpace builds isspacep.
func inSpace(b *builder.Builder) {
	address := b.Source(b.Operand(1), simt.B64, check.U64)
	p := b.Result(simt.Pred)
	b.Effect(simt.Inst{Kind: simt.InSpace, Defs: b.List(p), Args: b.List(address), Aux: b.Form.Space()})
	b.Set(b.Operand(0), p)
}
