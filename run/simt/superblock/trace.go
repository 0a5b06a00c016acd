package superblock

import "github.com/vop-ptx/vop/run/simt"

// Bounds of what is copied.
const (
	maxBlocks = 64
	maxInsts  = 1024
)

// trace is a row of blocks that are executed one after the other, the last of which ends the thread, if all answers are the
// usual ones.
type trace struct {
	head   simt.BlockID   // which stays as it is, but for its end
	blocks []simt.BlockID // those behind it
	leaves []leaf         // the answers that the ends of these blocks rest on
}

// traceFrom returns the trace of a head, if it is worth to be copied: if it goes through blocks where lanes that have parted
// meet again, and do something.
func (p *position) traceFrom(head simt.BlockID) (t trace, ok bool) {
	t.head = head
	insts, meets := 0, false
	for at := head; ; {
		block := &p.Blocks[at]
		end := &block.End
		if block.Loop != simt.NoBlock {
			return t, false
		}
		if at != head {
			t.blocks = append(t.blocks, at)
			insts += len(block.Insts)
			meets = meets || len(block.Preds) > 1 && len(block.Insts) > 0
		}
		if len(t.blocks) > maxBlocks || insts > maxInsts {
			return t, false
		}
		switch end.Kind {
		case simt.Return, simt.Exit:
			return t, meets
		case simt.Jump:
			at = end.To[0]
		case simt.Branch:
			leaves, holds, ok := p.usual(end.Cond)
			if !ok {
				return t, false
			}
			t.leaves = append(t.leaves, leaves...)
			if at = end.To[1]; holds {
				at = end.To[0]
			}
		default:
			return t, false
		}
	}
}
