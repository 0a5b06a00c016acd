package portable

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// barrier is one of a CTA's 16 barriers (PTX ISA 9.7.13.1), or that of its cluster (9.7.13.3).
type barrier struct {
	arrived []uint32 // by warp
	full    int      // so many warps have arrived, the first ones, with all threads that have not ended
	count   int      // threads that complete it; 0: all that have not ended
	ever    []uint32 // by warp: which have arrived in this CTA, while it counted threads
	votes   int      // threads that have arrived at bar.red
	holds   int      // of them, those whose predicate holds
}

func (b *barrier) reset() {
	clear(b.arrived)
	b.full, b.count, b.votes, b.holds = 0, 0, 0, 0
}

// makeBarriers makes the barriers of all CTAs.
func (c *CTA) makeBarriers() {
	lanes := make([]uint32, (2*len(c.barriers)+1)*len(c.warps))
	take := func() (all []uint32) {
		all, lanes = lanes[:len(c.warps):len(c.warps)], lanes[len(c.warps):]
		return all
	}
	for n := range c.barriers {
		c.barriers[n].arrived, c.barriers[n].ever = take(), take()
	}
	c.passed = take()
}

// beginBarriers makes the barriers ready for a CTA.
func (c *CTA) beginBarriers() {
	for used := c.arrived; used != 0; used &= used - 1 {
		c.barriers[bits.TrailingZeros32(used)].reset()
	}
	for used := c.counting; used != 0; used &= used - 1 {
		clear(c.barriers[bits.TrailingZeros32(used)].ever)
	}
	clear(c.passed)
	c.arrived, c.counting = 0, 0
}

// arrive is a barrier of the CTA. It reports whether the group goes on.
func (c *CTA) arrive(w *Warp, b *block) bool {
	op := b.end.Aux.(*simt.BarrierOp)
	if op.Cluster {
		return c.meetCluster(w, b, op)
	}
	lane := w.firstLane()
	id, threads := w.words(b.args[0])[lane], int(w.words(b.args[1])[lane])
	switch {
	case id >= simt.CTABarriers:
		return w.fail(&Fault{Kind: BadBarrier, Lane: lane, Detail: "there is no such barrier: they are 0 to 15"}, w.mask)
	case threads%simt.WarpSize != 0 || op.Counted && threads == 0:
		return w.fail(&Fault{Kind: BadBarrier, Lane: lane, Detail: fmt.Sprintf("%s cannot meet at a barrier: their number is a multiple of %d", diag.Count(threads, "thread"), simt.WarpSize)}, w.mask)
	}
	bar := &c.barriers[id]
	if op.Reduce != "" {
		bar.votes += bits.OnesCount32(w.mask)
		bar.holds += bits.OnesCount32(w.mask & w.predicate(b.args[2]))
	}
	if c.observer != nil {
		c.observer.Arrive(w, int(id), threads, w.mask)
	}
	bar.arrived[w.Number] |= w.mask
	c.arrived |= 1 << id
	if bar.count = threads; threads > 0 {
		bar.ever[w.Number] |= w.mask
		w.counted |= w.mask
		c.counting |= 1 << id
	}
	if !op.Waits {
		c.check(int(id))
		return true
	}
	w.await(b, int(id))
	c.check(int(id))
	return false
}

// await makes the group at work wait at a barrier, at the end of a block.
func (w *Warp) await(b *block, barrier int) {
	g := w.add()
	g.begin(w.act, b.id, w.mask)
	g.waits, g.barrier, g.parked = forCTA, int8(barrier), w.parking
}

// complete reports whether enough threads have arrived.
func (c *CTA) complete(b *barrier) bool {
	if b.count == 0 {
		for b.full < len(c.warps) && c.warps[b.full].live&^b.arrived[b.full] == 0 {
			b.full++
		}
		return b.full == len(c.warps) && slices.ContainsFunc(b.arrived, func(lanes uint32) bool { return lanes != 0 })
	}
	n, any := 0, false
	for _, w := range c.warps {
		arrived := b.arrived[w.Number]
		n += bits.OnesCount32(b.counts(w, arrived))
		any = any || arrived != 0
	}
	return any && n >= b.count
}

// counts returns the lanes of a warp that count for a number of threads, given those that have arrived. Where all have that have
// not ended, those count too that have, or that the block does not have: a number of threads is one of whole warps. But those that have been
// at other barriers that count, and never at this one, are no part of its number: lanes of a warp may go to different barriers.
func (b *barrier) counts(w *Warp, arrived uint32) uint32 {
	if arrived == 0 || w.live&^arrived != 0 {
		return arrived
	}
	return arrived | ^w.live&^(w.counted&^b.ever[w.Number])
}

// check lets the threads at a barrier go on if enough have arrived.
func (c *CTA) check(id int) {
	b := &c.barriers[id]
	if !c.complete(b) {
		return
	}
	if c.observer != nil {
		c.observer.Release(c, id, c.waitsAt(id))
	}
	if id == simt.ClusterBarrier {
		c.pass(b)
	}
	for _, w := range c.warps { // the first warp goes on first, as where the CTA begins
		if len(w.groups) == 1 && w.groups[0].parked && w.groups[0].waits == forCTA && int(w.groups[0].barrier) == id && b.votes == 0 {
			w.groups[0].waits = forNothing
			continue
		}
		for n := range w.groups {
			if g := &w.groups[n]; g.waits == forCTA && int(g.barrier) == id {
				w.takeReduction(g, b)
			}
		}
		w.resume(forCTA, func(g *group) bool { return int(g.barrier) == id })
	}
	b.reset()
	c.arrived &^= 1 << id
	c.released = true
}

// takeReduction gives a group what a barrier has reduced.
func (w *Warp) takeReduction(g *group, bar *barrier) {
	b := g.act.code.block(g.block)
	mask, frame := w.mask, w.frame
	w.mask, w.frame = g.mask, g.act.frame
	result := uint32(0)
	switch b.end.Aux.(*simt.BarrierOp).Reduce {
	case "popc":
		result = uint32(bar.holds)
	case "and":
		result = bit(bar.holds == bar.votes)
	case "or":
		result = bit(bar.holds > 0)
	}
	for k, d := range b.defs {
		t := g.act.code.Function.Values[b.end.Defs[k]].Type
		for rest := g.mask; rest != 0; rest &= rest - 1 {
			w.setLane(d, t, bits.TrailingZeros32(rest), uint64(result))
		}
	}
	w.mask, w.frame = mask, frame
}

// ended is called when threads have ended: barriers do not wait for them any more.
func (c *CTA) ended() {
	for rest := c.arrived; rest != 0; rest &= rest - 1 {
		c.check(bits.TrailingZeros32(rest))
	}
}
