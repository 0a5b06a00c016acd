package simt

// InsertBlocks inserts empty blocks behind one, and gives those behind it their new numbers everywhere. Nothing leads to the
// new blocks yet. They are in no loop: neither may the block be that they are put behind.
func (f *Function) InsertBlocks(behind BlockID, count int) {
	moved := func(b BlockID) BlockID {
		if b > behind {
			return b + BlockID(count)
		}
		return b
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for n := range block.Preds {
			block.Preds[n] = moved(block.Preds[n])
		}
		for n := range block.End.To {
			block.End.To[n] = moved(block.End.To[n])
		}
		block.Loop = moved(block.Loop)
	}
	for v := range f.Values {
		f.Values[v].Block = moved(f.Values[v].Block)
	}
	new := make([]Block, count)
	for n := range new {
		new[n].Loop = NoBlock
	}
	f.Blocks = append(f.Blocks[:behind+1:behind+1], append(new, f.Blocks[behind+1:]...)...)
	f.parents = nil
}
