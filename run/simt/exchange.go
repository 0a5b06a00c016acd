package simt

// ExchangeOp is what lanes of a warp do together. Args are a, b, c or a predicate, as the operation has
// them, and last the mask of members, if Members is set.
type ExchangeOp struct {
	Name    string // "shfl.up", "vote.all", "vote.ballot", "match.any", "redux.min.s32", "activemask", "elect"
	Members bool   // only the lanes in the last of Args take part
	D, P    bool   // it gives a value; it gives a predicate, after the value
}
