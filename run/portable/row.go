package portable

import "time"

// A row of CTAs that a [Fast] has left in the middle. It may have gone through them CTA by CTA, or warp by warp, each through
// all of them: then CTAs are left of which some warps have ended and others have not begun.

// finishRow runs those CTAs of a row to their ends that have begun, in their order, from how a [Fast] has left their warps:
// Index tells how far it has come.
func (c *CTA) finishRow(all []*Lanes) outcome {
	warps := c.warps
	c.together = nil                                     // all is in its memory
	defer func() { c.warps, c.whole.all = warps, nil }() // those that end together meanwhile may be some of the warps only
	for n := 0; ; n++ {
		var some []*Warp
		var left []*Lanes
		begun := false
		for _, l := range all {
			begun = begun || l.Behind > n || l.leftAt(n)
			if l.Behind <= n {
				some = append(some, l.warp)
			}
			if l.leftAt(n) {
				left = append(left, l)
			}
		}
		switch {
		case !begun:
			return Done
		case len(some) == 0:
			continue
		}
		c.clearStacks() // of the CTA before, whichever warps this one goes on with
		c.Index.X, c.warps = c.whole.first+n, some
		if c.failing = (time.Time{}); c.firstFault() != nil {
			c.failing = time.Now()
		}
		for _, w := range some {
			if w.lanes.leftAt(n) {
				w.spreadPlace()
				w.groups = w.groups[:0]
				w.add().begin(w.root, 0, c.lanesOf(w.Number))
			} else {
				w.begin()
			}
		}
		if c.leaveTogether(left) == stopped {
			return c.stop()
		}
		if end := c.goOn(); end != Done {
			return end
		}
	}
}

// leftAt reports whether the [Fast] has left in the middle, or at the end, of what the warp does in CTA n of a row.
func (g *Lanes) leftAt(n int) bool { return g.Behind == n && g.Left != LeftAtOnce }

// spreadPlace writes where the CTA is for all lanes of the warp: a [Fast] has told the first one only.
func (w *Warp) spreadPlace() {
	for i := range w.root.code.varying {
		if s := &w.root.code.varying[i]; s.axis >= 0 {
			fillWords(wordsAt(w.root.frame, s.home), uint32(w.cta.Index.axis(s.axis)))
		}
	}
}
