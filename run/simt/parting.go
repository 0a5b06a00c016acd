package simt

import "slices"

// What machine code asks of blocks at whose ends lanes may part: parting says so by block.

// MayWait reports whether lanes may wait anywhere while a block is executed.
func (f *Function) MayWait(b BlockID, parting []bool) bool {
	last := b
	for l := f.Blocks[b].Loop; l != NoBlock; l = f.Outer(l) {
		last = f.LoopLast(l)
	}
	return slices.Contains(parting[:last+1], true)
}

// MustMask reports whether an edge must leave what other lanes have in the phis that it writes. It need not if no lane
// can have anything there: all lanes of a loop go back together, and where they come from only one block
// first, all that come from there come together, unless they leave a loop in different turns.
func (f *Function) MustMask(b, to BlockID, parting []bool) bool {
	if to <= b {
		return false
	}
	if b != slices.Min(f.Blocks[to].Preds) {
		return true
	}
	for l := f.Blocks[b].Loop; l != NoBlock && !f.InLoop(to, l); l = f.Outer(l) {
		if slices.Contains(parting[l:f.LoopLast(l)+1], true) {
			return true
		}
	}
	return false
}
