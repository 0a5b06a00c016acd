package portable

// runTogether lets Fast execute all warps of the CTA that have not ended, if each of them has one group that nothing keeps
// from going on. What is left to do for each is done when its turn comes. It returns stopped if the launch is to end.
func (c *CTA) runTogether() status {
	fast := c.Kernel.fast
	if fast == nil || c.observer != nil || c.arrived != 0 {
		return waits
	}
	all := c.together[:0]
	for _, w := range c.warps {
		switch {
		case w.live == 0:
			continue
		case len(w.groups) != 1 || w.lanes.left:
			return waits
		}
		if g := &w.groups[0]; g.act != w.root || g.waits != forNothing || g.index != 0 || g.rested || g.mask != w.live {
			return waits
		}
		all = append(all, &w.lanes)
	}
	c.together = all
	for _, l := range all {
		w, g := l.warp, &l.warp.groups[0]
		w.act, w.frame = g.act, g.act.frame
		w.present(g.block, g.mask)
		l.Parked, l.together = g.parked, true
	}
	if !fast.FollowAll(all) {
		for _, l := range all {
			l.together = false
		}
		return waits
	}
	return c.leaveTogether(all)
}

// leaveTogether notes how warps have left that have been executed together.
func (c *CTA) leaveTogether(all []*Lanes) status {
	whole, steps := 0, uint64(0)
	for _, l := range all {
		l.together = false
		w := l.warp
		switch l.Left {
		case LeftAtOnce:
		case LeftPassed:
			w.groups[0].block, w.groups[0].parked = l.Block, true
		case LeftStopped:
			if !c.host.Stopped() { // but a thread of this CTA has failed
				w.groups = w.groups[:0]
				continue
			}
			c.current, w.mask, w.block = w, l.Mask, w.root.code.block(l.Block)
			return stopped
		case LeftDone:
			if w.failed != 0 {
				l.left = true
				continue
			}
			w.steps += l.Steps
			w.live, w.root.lanes, w.groups = 0, 0, w.groups[:0]
			if !l.Parked {
				whole, steps = whole+1, max(steps, l.Steps)
			}
		default:
			l.left = true
		}
	}
	if whole == len(c.warps) {
		c.whole.all, c.whole.steps = all, steps
	}
	return waits
}
