package sanitize

import (
	"strings"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// clocks say what the warps of a CTA know of each other, and the lanes of each warp of their own. Two
// accesses are a race if one of them writes and the later thread does not know of the earlier access.
// Time is a vector clock for each warp (Flanagan and Freund, "FastTrack", 2009); a warp's own time goes
// on whenever it lets others know what it has done, and whenever its lanes part or meet.
//
// Lanes that execute an instruction together go in lockstep, as code for GPUs before sm_70 relies on:
// they know all that the others have done so far. Lanes that have parted know nothing of what the
// others do until they meet again.
type clocks struct {
	warps    []warpClock
	barriers map[int]clock
	releases map[place]clock // what whoever reads an address by an atomic instruction gets to know
}

// place is a word that warps exchange values by.
type place struct {
	global bool
	at     uint64
}

// clock is, for each warp, until when what it has done is known.
type clock []uint32

// learn adds what another clock knows.
func (c clock) learn(other clock) {
	for i := range other {
		c[i] = max(c[i], other[i])
	}
}

// warpClock is what a warp knows.
type warpClock struct {
	now clock
	// fenced is what it knew at its last fence: what others get to know by its atomic operations.
	// heard is what it will know at its next, by those of others (PTX ISA 8.9.4 and 8.9.5).
	fenced, heard clock
	// groups are the lanes that go together, each at its first lane.
	groups [simt.WarpSize]lockstep
}

// lockstep is a group of lanes that go together.
type lockstep struct {
	lanes uint32 // 0: no group begins here
	// known is, for each lane, until which time of the warp the group knows what it has done. That of its own
	// lanes is known anyway.
	known [simt.WarpSize]uint32
}

func newClocks(warps int) clocks {
	c := clocks{warps: make([]warpClock, warps), barriers: map[int]clock{}, releases: map[place]clock{}}
	for i := range c.warps {
		c.warps[i] = warpClock{now: make(clock, warps), fenced: make(clock, warps), heard: make(clock, warps)}
	}
	return c
}

// begin prepares for a CTA.
func (c *clocks) begin() {
	for i := range c.warps {
		w := &c.warps[i]
		clear(w.now)
		clear(w.fenced)
		clear(w.heard)
		clear(w.groups[:])
		w.now[i] = 1
		w.groups[0].lanes = 1<<simt.WarpSize - 1
	}
	clear(c.barriers)
	clear(c.releases)
}

// together notes that lanes of a warp are at one place, and returns what they know.
func (c *clocks) together(warp int, lanes uint32) *lockstep {
	w := &c.warps[warp]
	g := &w.groups[first(lanes)]
	if g.lanes == lanes {
		return g
	}
	now := w.now[warp]
	var met lockstep
	met.lanes = lanes
	var left []lockstep
	for n := range w.groups {
		g := &w.groups[n]
		if g.lanes&lanes == 0 {
			continue
		}
		for lane := range met.known {
			met.known[lane] = max(met.known[lane], g.known[lane])
		}
		if rest := g.lanes &^ lanes; rest != 0 { // they have parted since they were last seen
			l := lockstep{lanes: rest, known: g.known}
			for r := g.lanes & lanes; r != 0; r &= r - 1 {
				l.known[first(r)] = now
			}
			for r := rest; r != 0; r &= r - 1 {
				met.known[first(r)] = now
			}
			left = append(left, l)
		}
		g.lanes = 0
	}
	w.now[warp]++
	for _, l := range append(left, met) {
		w.groups[first(l.lanes)] = l
	}
	return g
}

// knowAll makes a group know what all lanes of its warp have done until some time.
func (g *lockstep) knowAll(until uint32) {
	for lane := range g.known {
		g.known[lane] = max(g.known[lane], until)
	}
}

// Diverge notes that lanes are together before they part.
func (s *Sanitizer) Diverge(w *portable.Warp, _ *simt.End, lanes uint32) {
	s.clocks.together(w.Number, lanes)
}

// Meet lets lanes know of each other that have met at the barrier of their warp.
func (s *Sanitizer) Meet(w *portable.Warp, lanes uint32) {
	c := &s.clocks.warps[w.Number]
	now := c.now[w.Number]
	for n := range c.groups {
		if g := &c.groups[n]; g.lanes&lanes != 0 {
			for r := lanes; r != 0; r &= r - 1 {
				g.known[first(r)] = now
			}
		}
	}
	c.now[w.Number]++
}

// exchange lets warps know of each other by an atomic or volatile access to a word.
func (c *clocks) exchange(warp int, g *lockstep, at place, reads, writes, acquires, releases bool) {
	w := &c.warps[warp]
	if reads {
		if known, ok := c.releases[at]; ok {
			w.heard.learn(known)
			if acquires {
				w.now.learn(known)
				g.knowAll(known[warp])
			}
		}
	}
	if writes {
		if releases {
			copy(w.fenced, w.now)
			w.now[warp]++
		}
		if c.releases[at] == nil {
			c.releases[at] = make(clock, len(c.warps))
		}
		c.releases[at].learn(w.fenced)
	}
}

// Fence is told of lanes that execute a fence. One that acquires lets them know what others have released before, one that releases lets others know
// what they have done, and all other fences do both. A fence between proxies that does neither orders accesses of its own thread only.
func (s *Sanitizer) Fence(w *portable.Warp, _ uint32) {
	g := s.clocks.together(w.Number, w.Active())
	acquires, releases := fenceSays(w, "acquire"), fenceSays(w, "release")
	if !acquires && !releases {
		if fenceSays(w, "proxy") {
			return
		}
		acquires, releases = true, true
	}
	c := &s.clocks.warps[w.Number]
	if acquires {
		c.now.learn(c.heard)
		g.knowAll(c.heard[w.Number])
	}
	if releases {
		copy(c.fenced, c.now)
	}
	c.now[w.Number]++
	if !fenceSays(w, "cta") {
		s.global.fence(s.launch)
	}
}

// fenceSays reports whether the fence that a warp executes has a modifier: .cta is one that orders only the threads of a CTA.
func fenceSays(w *portable.Warp, modifier string) bool {
	for _, m := range w.Function().Decl.Body[w.At()].Tree.Modifiers {
		if strings.TrimPrefix(m.Text, ".") == modifier {
			return true
		}
	}
	return false
}

// arrive makes a barrier know what lanes know that arrive at it, or, if they arrive by a relaxed instruction, what they knew at their last fence.
func (c *clocks) arrive(warp, barrier int, lanes uint32, relaxed bool) {
	c.together(warp, lanes)
	known := c.barriers[barrier]
	if known == nil {
		known = make(clock, len(c.warps))
		c.barriers[barrier] = known
	}
	w := &c.warps[warp]
	if relaxed {
		known.learn(w.fenced)
		return
	}
	known.learn(w.now)
	w.now[warp]++
}

// release makes those that wait at a barrier know what those know that have arrived at it.
func (c *clocks) release(barrier int, waits []portable.Wait) {
	known := c.take(barrier)
	for _, wait := range waits {
		c.learn(wait.Warp, wait.Lanes, known)
	}
}

// take returns what a barrier knows, which begins anew.
func (c *clocks) take(barrier int) (known clock) {
	known = c.barriers[barrier]
	delete(c.barriers, barrier)
	return known
}

// learn makes lanes know what a barrier knows.
func (c *clocks) learn(warp int, lanes uint32, known clock) {
	c.warps[warp].now.learn(known)
	c.together(warp, lanes).knowAll(known[warp])
}
