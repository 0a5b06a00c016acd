package simt

// BarrierOp is a barrier of the CTA. The end of the block has its number as first argument, then how
// many threads it waits for, then the predicate that is reduced.
type BarrierOp struct {
	// Cluster says that it is that of the cluster, of which a CTA is one by itself. The end has no arguments then, and what waits does not
	// arrive: threads arrive by one instruction and wait by another.
	Cluster bool
	Counted bool   // it waits for so many threads, else for all of the CTA
	Waits   bool   // .arrive does not
	Reduce  string // "popc", "and", "or", or nothing
}

// CTABarriers is how many barriers a CTA has, and ClusterBarrier what that of the cluster is called where numbers name barriers.
const (
	CTABarriers    = 16
	ClusterBarrier = CTABarriers
)

// The word that a barrier is, which programs cannot look into: how many arrivals are pending in this phase, how
// many are expected in each, a signed number of bytes that are, and the last digits of the number of the phase.
const (
	BarrierCountBits  = 20
	BarrierBytesShift = 2 * BarrierCountBits
	BarrierPhaseShift = BarrierBytesShift + 1 + BarrierCountBits
)
