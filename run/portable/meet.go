package portable

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Barriers of a warp: a lane waits until all that its mask names, and that have not ended, have come to a barrier of the same mask
// (PTX ISA 9.7.13.2). Lanes that are together may have different masks, and those of one mask need not be together: each mask is a barrier of
// its own.

// arrive is a barrier of the CTA: lanes that are together may name different ones, or different numbers of threads. It reports whether the group goes on.
func (w *Warp) arrive(b *block) bool {
	if len(b.args) == 0 { // that of the cluster
		return w.cta.arrive(w, b)
	}
	ids, threads := w.words(b.args[0]), w.words(b.args[1])
	all := w.mask
	if w.cta.observer != nil && alike(all, ids) != all {
		w.cta.observer.Disagree(w, ids, all)
	}
	for rest := all; rest != 0; {
		lanes := alike(rest, ids) & alike(rest, threads)
		if lanes == all {
			return w.cta.arrive(w, b)
		}
		rest &^= lanes
		w.mask, w.active = lanes, lanes
		if w.cta.arrive(w, b) {
			w.copy(&b.edges[0])
			w.enter(w.act, b.edges[0].to, lanes, false)
		} else if w.raised != nil {
			w.raised.rest |= rest
			return false
		}
	}
	return false
}

// meet is bar.warp.sync. It reports whether the group goes on.
func (w *Warp) meet(b *block) bool {
	masks := w.words(b.cond)
	passes := true
	for rest := w.mask; rest != 0; rest &= rest - 1 {
		mask := masks[bits.TrailingZeros32(rest)]
		if mask&w.live&^w.mask != 0 || mask != masks[bits.TrailingZeros32(w.mask)] {
			passes = false
		}
	}
	if passes {
		if w.cta.observer != nil {
			w.cta.observer.Meet(w, w.mask)
		}
		return true
	}
	for rest := w.mask; rest != 0; {
		mask, lanes := masks[bits.TrailingZeros32(rest)], alike(rest, masks)
		g := w.add()
		g.begin(w.act, b.id, lanes)
		g.waits, g.members = forWarp, mask
		rest &^= lanes
	}
	w.release()
	return false
}

// release lets those lanes go on at barriers of the warp that wait for nobody any more.
func (w *Warp) release() {
	for n := 0; n < len(w.groups); n++ {
		if w.groups[n].waits != forWarp {
			continue
		}
		mask, arrived := w.groups[n].members, uint32(0)
		for k := range w.groups {
			if g := &w.groups[k]; g.waits == forWarp && g.members == mask {
				arrived |= g.mask
			}
		}
		if mask&w.live&^arrived != 0 {
			continue
		}
		if w.cta.observer != nil {
			w.cta.observer.Meet(w, arrived)
		}
		w.resume(forWarp, func(g *group) bool { return g.members == mask })
		n = -1 // the groups are others now
	}
}

// alike returns those of some lanes that have what the first of them has.
func alike(lanes uint32, values *[simt.WarpSize]uint32) (same uint32) {
	first := values[bits.TrailingZeros32(lanes)]
	for rest := lanes; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); values[lane] == first {
			same |= 1 << lane
		}
	}
	return same
}
