package build

import (
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Program returns a function for arrays: one block that computes a word program. Its operands
// are the special values a, b and c; its end, a return, has the result as its only argument.
func Program(p *word.Program) *simt.Function {
	f := simt.NewFunction(nil)
	f.Blocks = []simt.Block{{Loop: simt.NoBlock}}
	e := emitter{Function: f, at: -1}
	e.enter(0, len(p.Insts))
	inputs := [3]simt.ID{}
	for n := range inputs {
		if p.Reads(n) {
			inputs[n] = f.Special(simt.B32, string(rune('a'+n)))
		}
	}
	result := e.program(p, inputs)
	f.Blocks[0].End = simt.End{Kind: simt.Return, At: -1, Args: e.list(result)}
	return f
}

// program adds the operations of a word program and returns its result.
func (e *emitter) program(p *word.Program, inputs [3]simt.ID) simt.ID {
	values := make([]simt.ID, len(p.Insts))
	masks := masked(p)
	for n := range p.Insts {
		i := &p.Insts[n]
		arg := func(k int) simt.ID { return values[i.Arg[k]] }
		switch i.Op {
		case word.Input:
			values[n] = inputs[i.Imm]
			continue
		case word.Const:
			values[n] = e.Constant(simt.B32, i.Imm)
			continue
		case word.WideConst:
			values[n] = e.Constant(simt.B64, i.Imm)
			continue
		case word.Select:
			compared := &p.Insts[i.Arg[0]]
			o, _ := op.ComparisonOf(compared.Op)
			chosen := e.compute(o, values[compared.Arg[0]], values[compared.Arg[1]])
			values[n] = e.named("selp.32", arg(1), arg(2), chosen)
			continue
		}
		if _, compares := op.ComparisonOf(i.Op); compares && !masks[n] {
			continue // only selections look at it, and they compare for themselves
		}
		from := op.OfWord(i.Op)
		var args [4]simt.ID
		for k, letter := range from.Operands {
			switch letter {
			case 'x':
				args[k] = arg(0)
			case 'y':
				args[k] = arg(1)
			case 'z':
				args[k] = arg(2)
			case 'k':
				args[k] = e.Constant(simt.B32, i.Imm)
			}
		}
		values[n] = e.compute(from.Op, args[:len(from.Operands)]...)
	}
	return values[p.Result]
}

// masked tells which values are used otherwise than as what a selection depends on.
func masked(p *word.Program) []bool {
	masks := make([]bool, len(p.Insts))
	masks[p.Result] = true
	for n := range p.Insts {
		i := &p.Insts[n]
		for k, v := range i.Args() {
			if i.Op != word.Select || k > 0 {
				masks[v] = true
			}
		}
	}
	return masks
}
