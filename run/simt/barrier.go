package simt

// BarrierOp is a barrier of the CTA. The end of the block has its number as first argument, then how
// many threads it waits for, then the predicate that is reduced.
type BarrierOp struct {
	Counted bool   // it waits for so many threads, else for all of the CTA
	Waits   bool   // .arrive does not
	Reduce  string // "popc", "and", "or", or nothing
}

// The word that a barrier is, which programs cannot look into: how many arrivals are pending in this phase, how
// many are expected in each, a signed number of bytes that are, and the last digits of the number of the phase.
const (
	BarrierCountBits  = 20
	BarrierBytesShift = 2 * BarrierCountBits
	BarrierPhaseShift = BarrierBytesShift + 1 + BarrierCountBits
)
