package simt

import "fmt"

// LoopsClosed returns as an error what a loop defines and something behind it reads, other than by a phi where the loop
// is left. Code that is not literal has none: machine code rests on that.
func (f *Function) LoopsClosed() error {
	for v, uses := range f.usesOf() {
		if f.Values[v].Kind == Const || f.Values[v].Kind == Special {
			continue
		}
		for _, u := range uses {
			if l := f.Blocks[f.Values[v].Block].Loop; l != NoBlock && !f.InLoop(u.block, l) {
				return fmt.Errorf("%%%d of block %d, in the loop of %d, is read in block %d", v, f.Values[v].Block, l, u.block)
			}
		}
	}
	return nil
}
