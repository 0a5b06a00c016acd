package simt

import "slices"

// Straighten makes jumps of branches that lead all lanes to one block: nobody need compute the condition. A switch stays,
// since an index that is too large is a fault.
func (f *Function) Straighten() {
	for b := range f.Blocks {
		end := &f.Blocks[b].End
		if end.Kind != Branch || end.To[0] != end.To[1] {
			continue
		}
		f.Blocks[end.To[0]].dropPred(BlockID(b))
		end.Kind, end.Cond, end.To = Jump, 0, end.To[:1]
	}
}

// dropPred takes away one of the edges from a block, with what its phis are written from there.
func (b *Block) dropPred(from BlockID) {
	n := slices.Index(b.Preds, from)
	b.Preds = slices.Delete(b.Preds, n, n+1)
	for i := range b.Phis {
		b.Phis[i].Args = slices.Delete(b.Phis[i].Args, n, n+1)
	}
}
