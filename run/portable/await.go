package portable

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges with a mask of members wait until all of them that have not ended are there (PTX ISA 9.7.9.6). Lanes come to a block
// together, unless some have lost their turn in a loop, or wait at a barrier, before it: then others wait for those here. Lanes
// that stand behind the exchange are not waited for, as they do not come to it.

// awaiting makes the step of an exchange wait for its members.
func (c *Code) awaiting(i *simt.Inst, inner step) step {
	op, ok := i.Aux.(*simt.ExchangeOp)
	if !ok || i.Kind != simt.Exchange || !op.Members {
		return inner
	}
	home := c.home(i.Args[len(i.Args)-1])
	atWork := c.guarded(i)
	return func(w *Warp) bool {
		if len(w.groups) > 0 && !w.fast && w.mustAwait(atWork(w), w.words(home)) {
			return false
		}
		return inner(w)
	}
}

// mustAwait reports whether the group at work, at an exchange that some of its lanes execute, waits for members that each of these names,
// or for others that wait there already.
func (w *Warp) mustAwait(lanes uint32, named *[simt.WarpSize]uint32) bool {
	members := uint32(0)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		members |= named[bits.TrailingZeros32(rest)]
	}
	members &= w.live &^ w.mask
	if members == 0 || members&w.behind(w.act, w.block.id, w.index) == 0 && w.awaitingHere() == nil {
		return false
	}
	w.awaited = members
	return true
}

// awaitingHere returns the group that waits where the one at work is.
func (w *Warp) awaitingHere() *group {
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && g.act == w.act && g.block == w.block.id && g.index == w.index {
			return g
		}
	}
	return nil
}

// await lets the group at work wait for the members that its step has found.
func (w *Warp) await() {
	g := w.awaitingHere()
	if g == nil {
		g = w.add()
		g.begin(w.act, w.block.id, 0)
		g.index, g.waits = w.index, forMembers
	}
	g.mask |= w.mask
	g.members |= w.awaited
	g.jumps = max(g.jumps, w.jumps)
	w.awaited = 0
}

// behind returns the lanes in a function, or in what it has called, that have not come to a step of it yet.
func (w *Warp) behind(act *activation, block simt.BlockID, index int) (lanes uint32) {
	for n := range w.groups {
		g := &w.groups[n]
		a, b, i := g.act, g.block, g.index
		switch g.waits {
		case forNothing: // in front of the step
			i--
		case forCTA, forWarp: // at the end of the block
			i = index
		}
		for a.depth > act.depth {
			a, b, i = a.parent, a.back, -1
		}
		if a == act && (b < block || b == block && i < index) {
			lanes |= g.mask
		}
	}
	return lanes
}
