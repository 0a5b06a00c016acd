package simt

import "fmt"

// LoopsClosed returns as an error what a loop defines and something behind it reads, other than by a phi where the loop
// is left. Code that is not literal has none: machine code rests on that.
func (f *Function) LoopsClosed() error {
	for v, uses := range f.usesBehind() {
		if len(uses) > 0 {
			b := f.Values[v].Block
			return fmt.Errorf("%%%d of block %d, in the loop of %d, is read in block %d", v, b, f.Blocks[b].Loop, uses[0].block)
		}
	}
	return nil
}
