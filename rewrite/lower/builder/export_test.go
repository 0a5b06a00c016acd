package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Insts returns what has been built.
func (b *Builder) Insts() []word.Inst { return b.insts }

// Finish is finish.
func (b *Builder) Finish(result word.Value) *word.Program { return b.finish(result) }

// Fused is fused.
func (b *Builder) Fused(p *word.Program) *word.Program { return b.fused(p) }

// BitsOf returns the bits that may be 1 in each of some instructions.
func BitsOf(insts []word.Inst) []uint32 {
	b := &Builder{}
	for _, i := range insts {
		b.insts = append(b.insts, i)
		b.maybe = append(b.maybe, b.bitsOf(i))
	}
	return b.maybe
}
