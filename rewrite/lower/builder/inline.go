package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Inline computes a program of two operands.
func (b *Builder) Inline(p *word.Program, x, y word.Value) word.Value {
	values := make([]word.Value, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		switch {
		case i.Op == word.Input && i.Imm == 0:
			values[n] = x
		case i.Op == word.Input:
			values[n] = y
		case i.Op.Args() == 0:
			values[n] = b.Emit(*i)
		default:
			var args [3]word.Value
			for k, v := range i.Args() {
				args[k] = values[v]
			}
			values[n] = b.DoImm(i.Op, i.Imm, args[:i.Op.Args()]...)
		}
	}
	return values[p.Result]
}
