package simt

// Move is a copy that a phi asks for on an edge.
type Move struct{ From, To ID }

// Moves returns the copies that edge number n of a block's end asks for. They are made all at once.
func (f *Function) Moves(b BlockID, n int) (moves []Move) {
	to := f.Blocks[b].End.To[n]
	before := 0 // edges that lead there from the same block
	for _, other := range f.Blocks[b].End.To[:n] {
		if other == to {
			before++
		}
	}
	target := &f.Blocks[to]
	for pred, p := range target.Preds {
		if p != b {
			continue
		}
		if before--; before >= 0 {
			continue
		}
		for _, phi := range target.Phis {
			moves = append(moves, Move{phi.Args[pred], phi.Def})
		}
		return moves
	}
	return nil
}
