package portable

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges with a mask of members wait until all of them that have not ended have come to an exchange of the same name and the same mask (PTX ISA
// 9.7.9.6), be it another instruction, or the same one in another turn of a loop or another call of a function. Members that do not come to one any
// more are not waited for, nor those that wait behind it when nothing in the CTA goes on: [Observer] is told of them. Code for GPUs on which lanes
// did not part names all lanes of the warp in a branch, whose others are at the barrier behind it. It works on GPUs where the compiler makes
// nothing of a mask of all lanes.

// atEnd is the index of what is done at the end of a block.
const atEnd = math.MaxInt

// awaiting makes the step of an exchange wait for its members.
func (c *Code) awaiting(i *simt.Inst, inner step) step {
	if !namesMembers(i) {
		return inner
	}
	home := c.home(i.Args[len(i.Args)-1])
	name := c.exchangeName(i)
	atWork := c.guarded(i)
	return func(w *Warp) bool {
		if w.fast { // who looks itself whether lanes are missing
			return inner(w)
		}
		waived := w.waived
		w.waived = false
		lanes, named := atWork(w), w.words(home)
		if missing := w.missing(lanes, named); missing == 0 || lanes == w.mask && len(w.groups) == 0 {
			return inner(w)
		}
		return w.split(name, lanes, named, waived) && inner(w)
	}
}

// namesMembers reports whether an instruction is an exchange with a mask of members.
func namesMembers(i *simt.Inst) bool {
	op, ok := i.Aux.(*simt.ExchangeOp)
	return ok && i.Kind == simt.Exchange && op.Members
}

// missing returns the lanes that others name at an exchange, and that neither execute it with them nor have ended.
func (w *Warp) missing(lanes uint32, named *[simt.WarpSize]uint32) (missing uint32) {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		missing |= named[bits.TrailingZeros32(rest)]
	}
	return missing & w.live &^ lanes
}

// split is for an exchange that names others than those that execute it together. It reports whether these execute it at once, as none of the others
// come, or they are waived. Otherwise the group at work is parted: lanes whose members come wait for them, those whose members wait at other instructions exchange values with
// them, and whoever has done so, or does not execute the exchange, goes on behind it.
func (w *Warp) split(name string, lanes uint32, named *[simt.WarpSize]uint32, waived bool) bool {
	rested := w.mask &^ lanes
	behind := uint32(0) // the lanes that do not execute it, if they may come to another one
	if rested != 0 && leads(w.act, w.block.id, w.index+1, name) {
		behind = rested
	}
	type team struct{ lanes, members, comes, arrived uint32 }
	var teams []team
	atOnce := true
	for rest := lanes; rest != 0; {
		t := team{members: named[bits.TrailingZeros32(rest)], lanes: alike(rest, named)}
		rest &^= t.lanes
		missing := t.members & w.live &^ lanes
		t.arrived = missing & w.arrived(name, t.members)
		if !waived {
			t.comes = missing &^ t.arrived & (w.coming(name, t.members) | behind)
		}
		atOnce = atOnce && t.arrived|t.comes == 0
		teams = append(teams, t)
	}
	if atOnce {
		return true
	}
	for _, t := range teams {
		if t.comes != 0 {
			w.wait(t.lanes, t.members)
			continue
		}
		w.exchangeWith(name, lanes&t.members|t.lanes, t.lanes, t.members)
		w.enterAt(w.act, w.block.id, w.index+1, t.lanes, false)
	}
	if rested != 0 {
		w.enterAt(w.act, w.block.id, w.index+1, rested, false)
	}
	w.parted = true
	return false
}

// wait lets lanes wait at the exchange that the group at work has come to.
func (w *Warp) wait(lanes, members uint32) {
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && g.act == w.act && g.block == w.block.id && g.index == w.index && g.members == members {
			g.mask |= lanes
			g.jumps = max(g.jumps, w.jumps)
			return
		}
	}
	g := w.add()
	g.begin(w.act, w.block.id, lanes)
	g.index, g.waits, g.members, g.jumps = w.index, forMembers, members, w.jumps
}

// exchangeName is the name of the exchange that a group waits at.
func (g *group) exchangeName() string {
	c := g.act.code
	return c.exchangeName(c.block(g.block).insts[g.index])
}

// exchangeName is what exchanges have in common by which lanes meet that are at different ones.
func (c *Code) exchangeName(i *simt.Inst) string {
	op := i.Aux.(*simt.ExchangeOp)
	if c.Function.Values[i.Args[0]].Type == simt.B64 {
		return op.Name + ".b64"
	}
	return op.Name
}

// arrived returns the lanes that wait at exchanges of a name and a mask.
func (w *Warp) arrived(name string, members uint32) (lanes uint32) {
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && g.members == members && g.exchangeName() == name {
			lanes |= g.mask
		}
	}
	return lanes
}

// coming returns the lanes that may still come to an exchange of a name, but for those that wait at one of the mask. Lanes that have failed before one are
// among them, since nobody knows what they would have brought.
func (w *Warp) coming(name string, members uint32) (lanes uint32) {
	for n := range w.halted {
		if g := &w.halted[n]; leads(g.act, g.block, g.index, name) {
			lanes |= g.mask
		}
	}
	for n := range w.groups {
		g := &w.groups[n]
		i := g.index
		switch g.waits {
		case forCTA, forWarp:
			i = atEnd
		case forMembers:
			if g.members == members && g.exchangeName() == name {
				continue
			}
			i++
		}
		if leads(g.act, g.block, i, name) {
			lanes |= g.mask
		}
	}
	return lanes
}

// complete reports whether a group at an exchange waits for nobody any more.
func (w *Warp) complete(g *group) bool {
	name := g.exchangeName()
	missing := g.members & w.live &^ w.arrived(name, g.members)
	return g.waived || missing == 0 || missing&w.coming(name, g.members) == 0
}

// waive lets the first of the groups at exchanges go on whose missing members all wait behind it. It reports whether there is one.
func (w *Warp) waive() bool {
	var first *group
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && (first == nil || g.before(first)) && w.missesThoseBehind(g) {
			first = g
		}
	}
	if first == nil {
		return false
	}
	first.waived = true
	return true
}

// missesThoseBehind reports whether the members that a group waits for at an exchange all stand behind it.
func (w *Warp) missesThoseBehind(g *group) bool {
	missing := g.members & w.live &^ w.arrived(g.exchangeName(), g.members)
	for n := range w.groups {
		other := &w.groups[n]
		atEnd := other.act == g.act && other.block == g.block && other.waits != forMembers
		if other.mask&missing != 0 && !g.before(other) && !atEnd {
			return false
		}
	}
	return true
}

// leads reports whether there is a way from a step to an exchange of a name.
func leads(a *activation, block simt.BlockID, index int, name string) bool {
	for {
		b := &a.code.Function.Blocks[block]
		if index != atEnd {
			insts := a.code.block(block).insts
			for _, i := range insts[min(index, len(insts)):] {
				if a.code.exchangesAs(i, name) {
					return true
				}
			}
			if b.End.Kind == simt.Call {
				return true
			}
		}
		ways := a.code.waysTo(name)
		for _, to := range b.End.To {
			if ways[to] {
				return true
			}
		}
		if a.parent == nil {
			return false
		}
		a, block, index = a.parent, a.back, atEnd
	}
}

// exchangesAs reports whether an instruction is an exchange of a name, with members.
func (c *Code) exchangesAs(i *simt.Inst, name string) bool {
	return namesMembers(i) && c.exchangeName(i) == name
}

// waysTo returns for each block whether there is a way from its beginning to an exchange of a name, or to a call, where there may be one.
func (c *Code) waysTo(name string) []bool {
	if ways, ok := c.ways.Load(name); ok {
		return ways.([]bool)
	}
	f := c.Function
	ways := make([]bool, len(f.Blocks))
	for b := range f.Blocks {
		ways[b] = f.Blocks[b].End.Kind == simt.Call
		for n := range f.Blocks[b].Insts {
			ways[b] = ways[b] || c.exchangesAs(&f.Blocks[b].Insts[n], name)
		}
	}
	for changed := true; changed; {
		changed = false
		for b := len(f.Blocks) - 1; b >= 0; b-- {
			for _, to := range f.Blocks[b].End.To {
				if ways[to] && !ways[b] {
					ways[b], changed = true, true
				}
			}
		}
	}
	c.ways.Store(name, ways)
	return ways
}
