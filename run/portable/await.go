package portable

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges with a mask of members wait until all of them that have not ended are there (PTX ISA 9.7.9.6). Lanes come to a block
// together, unless some have lost their turn in a loop, or wait at a barrier: then others wait for those here. Lanes
// that do not come to the exchange any more are not waited for.
//
// Each lane waits for those that it names, and not for what lanes beside it wait for: the halves of a warp may each have an
// exchange of their own in one instruction, and one half may wait for what the other does behind it. So where some of the lanes
// must wait, the group becomes one group for each mask, and one of the lanes that do not execute the exchange.

// atEnd is the index of what is done at the end of a block.
const atEnd = math.MaxInt

// awaiting makes the step of an exchange wait for its members.
func (c *Code) awaiting(i *simt.Inst, inner step) step {
	if !namesMembers(i) {
		return inner
	}
	home := c.home(i.Args[len(i.Args)-1])
	atWork := c.guarded(i)
	return func(w *Warp) bool {
		if len(w.groups) > 0 && !w.fast && w.await(atWork(w), w.words(home)) {
			w.awaiting = true
			return false
		}
		return inner(w)
	}
}

// namesMembers reports whether an instruction is an exchange with a mask of members.
func namesMembers(i *simt.Inst) bool {
	op, ok := i.Aux.(*simt.ExchangeOp)
	return ok && i.Kind == simt.Exchange && op.Members
}

// await reports whether some of the lanes that execute an exchange must wait. Then the lanes of the group at work are in groups
// that wait here: for the members of each mask, or for nobody.
func (w *Warp) await(lanes uint32, named *[simt.WarpSize]uint32) bool {
	if !w.mustAwait(lanes, named) {
		return false
	}
	if idle := w.mask &^ lanes; idle != 0 {
		w.waitFor(0, idle)
	}
	for rest := lanes; rest != 0; {
		members := named[bits.TrailingZeros32(rest)]
		same := naming(members, rest, named)
		w.waitFor(members, same)
		rest &^= same
	}
	return true
}

// naming returns those of some lanes that name the same members.
func naming(members, lanes uint32, named *[simt.WarpSize]uint32) (same uint32) {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); named[lane] == members {
			same |= 1 << lane
		}
	}
	return same
}

// mustAwait reports whether the group at work, at an exchange that some of its lanes execute, waits for members that one of these names,
// or for others that wait there already for the same ones.
func (w *Warp) mustAwait(lanes uint32, named *[simt.WarpSize]uint32) bool {
	coming, asked := uint32(0), false
	for rest := lanes; rest != 0; {
		members := named[bits.TrailingZeros32(rest)]
		rest &^= naming(members, rest, named)
		if members&w.live&^w.mask == 0 {
			continue
		}
		if !asked {
			coming, asked = w.coming(w.act, w.block.id, w.index), true
		}
		if members&coming&^w.mask != 0 || w.waitingFor(members) != nil {
			return true
		}
	}
	return false
}

// waitingFor returns the group that waits where the one at work is, for the same members; nil if there is none.
func (w *Warp) waitingFor(members uint32) *group {
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && g.act == w.act && g.block == w.block.id && g.index == w.index && (g.members^members)&w.live == 0 {
			return g
		}
	}
	return nil
}

// waitFor makes lanes of the group at work wait where it is for members.
func (w *Warp) waitFor(members, lanes uint32) {
	g := w.waitingFor(members)
	if g == nil {
		g = w.add()
		g.begin(w.act, w.block.id, 0)
		g.index, g.waits, g.members = w.index, forMembers, members
	}
	g.mask |= lanes
	g.jumps = max(g.jumps, w.jumps)
	g.late = g.late || w.late
}

// coming returns the lanes that come to a step, which is one of an activation: those that stand before it, or that others have overtaken,
// in a loop, and from where there is a way to it.
func (w *Warp) coming(act *activation, block simt.BlockID, index int) (lanes uint32) {
	for n := range w.groups {
		g := &w.groups[n]
		i := g.index
		switch g.waits {
		case forNothing: // in front of the step
			i--
		case forCTA, forWarp:
			i = atEnd
		}
		from, to := position{g.act, g.block, i}, position{act, block, index}
		for from.act.depth > to.act.depth {
			from = from.caller()
		}
		for to.act.depth > from.act.depth {
			to = to.caller()
		}
		for from.act != to.act {
			from, to = from.caller(), to.caller()
		}
		if (from.before(to) || g.late) && from.reaches(to) {
			lanes |= g.mask
		}
	}
	return lanes
}

// position is a step of an activation.
type position struct {
	act   *activation
	block simt.BlockID
	index int
}

// caller is the call that a step is in.
func (p position) caller() position { return position{p.act.parent, p.act.back, atEnd} }

// before reports whether a step stands before another one of the same activation.
func (p position) before(other position) bool {
	return p.block < other.block || p.block == other.block && p.index < other.index
}

// reaches reports whether there is a way from behind a step to another one of the same activation.
func (p position) reaches(other position) bool {
	return p.block == other.block && p.index < other.index || p.act.code.waysTo(other.block)[p.block]
}

// waysTo returns for each block whether there is a way from its end to the beginning of the given one.
func (c *Code) waysTo(block simt.BlockID) []bool {
	if ways, ok := c.ways.Load(block); ok {
		return ways.([]bool)
	}
	f := c.Function
	ways := make([]bool, len(f.Blocks))
	for changed := true; changed; {
		changed = false
		for b := len(f.Blocks) - 1; b >= 0; b-- {
			if ways[b] {
				continue
			}
			for _, to := range f.Blocks[b].End.To {
				if to == block || ways[to] {
					ways[b], changed = true, true
					break
				}
			}
		}
	}
	c.ways.Store(block, ways)
	return ways
}
