package simt

import "slices"

// Move is a copy that a phi asks for on an edge.
type Move struct{ From, To ID }

// Moves returns the copies that edge number n of a block's end asks for. They are made all at once. Edges
// from one block to another, of which a switch may have many, ask for the same.
func (f *Function) Moves(b BlockID, n int) (moves []Move) {
	target := &f.Blocks[f.Blocks[b].End.To[n]]
	if len(target.Phis) == 0 {
		return nil
	}
	pred := slices.Index(target.Preds, b)
	moves = make([]Move, 0, len(target.Phis))
	for i := range target.Phis {
		moves = append(moves, Move{target.Phis[i].Args[pred], target.Phis[i].Def})
	}
	return moves
}

// OnlyEdge returns the edge from a block that all lanes take, where the condition is a constant. An index that is too large
// leaves none.
func (f *Function) OnlyEdge(b BlockID) (n int, ok bool) {
	end := &f.Blocks[b].End
	bits, known := f.ConstOf(end.Cond)
	switch {
	case !known:
	case end.Kind == Branch || end.Kind == BranchAll:
		return int(1 - bits&1), true
	case end.Kind == Switch && bits < uint64(len(end.To)):
		return int(bits), true
	}
	return 0, false
}

// Taken returns the first of the edges from a block that lanes may take, and the one behind the last of them.
func (f *Function) Taken(b BlockID) (first, behind int) {
	if n, ok := f.OnlyEdge(b); ok {
		return n, n + 1
	}
	return 0, len(f.Blocks[b].End.To)
}
