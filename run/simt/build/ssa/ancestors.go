package ssa

import "github.com/vop-ptx/vop/run/simt"

// ancestors is the tree of dominators with ways that skip many blocks upwards at once, so that who looks for a
// block above another need not visit all between. The ways are those of Myers, "An Applicative Random-Access Stack"
// (1983): one for each block, and few of them lead to any block above.
type ancestors struct {
	idom []simt.BlockID // by block: see Dominators
	// skip is a block above, itself of blocks that have none above; highest is the last block of all loops whose
	// headers are skipped, the block itself included and the one that skip leads to not.
	skip, highest []simt.BlockID
}

// newAncestors makes the ways. latches has the last blocks of loops by header, and NoBlock for other blocks.
func newAncestors(idom, latches []simt.BlockID) *ancestors {
	a := &ancestors{idom: idom, skip: make([]simt.BlockID, len(idom)), highest: make([]simt.BlockID, len(idom))}
	depth := make([]int, len(idom))
	for b, above := range idom { // which stand before b
		a.skip[b], a.highest[b] = simt.BlockID(b), latches[b]
		if above == simt.NoBlock {
			continue
		}
		depth[b] = depth[above] + 1
		further := a.skip[above]
		furthest := a.skip[further]
		if depth[above]-depth[further] == depth[further]-depth[furthest] {
			a.skip[b] = furthest
			a.highest[b] = max(a.highest[b], a.highest[above], a.highest[further])
		} else {
			a.skip[b] = above
		}
	}
	return a
}

// climb returns the first block, from b upwards, such that the block above it is not behind last, or that is the header
// of a loop whose last block is next or behind it; or one that stands before that on the way, by a few blocks.
func (a *ancestors) climb(b, last, next simt.BlockID) simt.BlockID {
	for {
		to := a.skip[b]
		if to == b || to <= last || a.highest[b] >= next {
			return b
		}
		b = to
	}
}
