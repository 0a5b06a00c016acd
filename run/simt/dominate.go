package simt

// Dominators returns for each block the nearest other block that is on every way to it, NoBlock for the first. The
// order of blocks makes one pass enough: all that leads to a block stands before it, but for the ends of
// loops that it dominates itself.
func (f *Function) Dominators() []BlockID {
	idom := make([]BlockID, len(f.Blocks))
	for b := range f.Blocks {
		idom[b] = NoBlock
		for _, p := range f.Blocks[b].Preds {
			switch {
			case p >= BlockID(b): // the end of a loop
			case idom[b] == NoBlock:
				idom[b] = p
			default:
				x, y := idom[b], p
				for x != y {
					if x < y {
						x, y = y, x
					}
					x = idom[x]
				}
				idom[b] = x
			}
		}
	}
	return idom
}

// InLoop reports whether a block is in the loop of a header, NoBlock being the function.
func (f *Function) InLoop(b, header BlockID) bool {
	if header == NoBlock {
		return true
	}
	for l := f.Blocks[b].Loop; l != NoBlock; l = f.Outer(l) {
		if l == header {
			return true
		}
	}
	return false
}
