package build

import (
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/ssa"
)

// Program returns a function for arrays: one block that computes a word program. Its operands
// are the special values a, b and c; its end, a return, has the result as its only argument.
func Program(p *word.Program) *simt.Function {
	f := simt.NewFunction(nil)
	f.Blocks = []simt.Block{{Loop: simt.NoBlock}}
	e := ssa.NewEmitter(f)
	e.Enter(0, len(p.Insts))
	inputs := [3]simt.ID{}
	for n := range inputs {
		if p.Reads(n) {
			inputs[n] = f.Special(simt.B32, string(rune('a'+n)))
		}
	}
	result := e.Program(p, inputs)
	f.Blocks[0].End = simt.End{Kind: simt.Return, At: -1, Args: e.List(result)}
	return f
}
