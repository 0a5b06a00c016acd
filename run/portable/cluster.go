package portable

import "github.com/vop-ptx/vop/run/simt"

// The barrier of a cluster (PTX ISA 9.7.13.3), of which a CTA is one by itself: threads arrive by one instruction, and wait by another until
// all that have not ended have arrived. Those that have arrived when the last one does may come to their wait later. Nobody arrives for the
// next time before it has waited, so that one bit for each thread is enough to tell whether it still has to.

// meetCluster is barrier.cluster, arrive or wait. It reports whether the group goes on.
func (c *CTA) meetCluster(w *Warp, b *block, op *simt.BarrierOp) bool {
	const id = simt.ClusterBarrier
	if !op.Waits {
		if c.observer != nil {
			c.observer.Arrive(w, id, 0, w.mask)
		}
		c.barriers[id].arrived[w.Number] |= w.mask
		c.arrived |= 1 << id
		c.check(id)
		return true
	}
	if passed := &c.passed[w.Number]; w.mask&^*passed == 0 {
		*passed &^= w.mask
		if c.observer != nil {
			c.observer.Behind(w, w.mask)
		}
		return true
	}
	w.await(b, id)
	return false
}

// pass notes who has arrived at the barrier of the cluster, which lets all go now, and does not wait at it yet.
func (c *CTA) pass(b *barrier) {
	for _, w := range c.warps {
		c.passed[w.Number] |= b.arrived[w.Number]
		for n := range w.groups {
			if g := &w.groups[n]; g.waits == forCTA && g.barrier == simt.ClusterBarrier {
				c.passed[w.Number] &^= g.mask
			}
		}
	}
}
