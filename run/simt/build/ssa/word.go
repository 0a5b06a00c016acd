package ssa

import (
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Program adds the operations of a word program and returns its result.
func (e *Emitter) Program(p *word.Program, inputs [3]simt.ID) simt.ID {
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
			chosen := e.Compute(o, values[compared.Arg[0]], values[compared.Arg[1]])
			values[n] = e.Named("selp.32", arg(1), arg(2), chosen)
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
		values[n] = e.Compute(from.Op, args[:len(from.Operands)]...)
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
