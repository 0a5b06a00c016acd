package portable

import "github.com/vop-ptx/vop/run/simt"

// group is lanes that are at the same place: at the beginning of a block, or at an exchange in it, or behind one.
type group struct {
	act     *activation
	block   simt.BlockID
	index   int // of the step that it goes on with
	mask    uint32
	waits   waiting
	barrier int8   // that it waits at
	members uint32 // that it waits for, or the mask of the barrier of the warp
	// jumps counts the jumps back since the group last let others go first, and rested says that it does
	// so now. That is how lanes of a warp get on which wait in loops for each other.
	jumps  int
	rested bool
	// waived says that nobody is waited for at the exchange.
	waived bool
	// parked says that a [Fast] goes on behind the barrier at the end of block.
	parked bool
}

// waiting says what a group waits for.
type waiting uint8

const (
	forNothing waiting = iota
	forCTA             // at a barrier
	forWarp            // at a barrier of the warp
	forMembers         // at an exchange
)

// add adds a group, which is to be filled in where it stands: a group that is copied after its parts have been written one by one is
// read by loads that wait for all stores before them.
func (w *Warp) add() *group {
	n := len(w.groups)
	if n == cap(w.groups) {
		w.groups = append(w.groups, group{})
	} else {
		w.groups = w.groups[:n+1]
	}
	return &w.groups[n]
}

// begin makes it a group that goes on at the beginning of a block.
func (g *group) begin(act *activation, block simt.BlockID, mask uint32) {
	if g.act != act {
		g.act = act
	}
	g.block, g.index, g.mask, g.waits, g.barrier, g.members, g.jumps, g.rested, g.waived, g.parked = block, 0, mask, forNothing, 0, 0, 0, false, false, false
}

// take takes a group out and makes it the one at work.
func (w *Warp) take(n int) (at simt.BlockID, parked bool) {
	g := &w.groups[n]
	w.act, w.frame, w.mask, w.active, w.jumps = g.act, g.act.frame, g.mask, g.mask, g.jumps
	at, parked, w.from, w.waived = g.block, g.parked, g.index, g.waived
	last := len(w.groups) - 1
	if n < last {
		copy(w.groups[n:], w.groups[n+1:])
	}
	w.groups = w.groups[:last]
	return at, parked
}

// first returns the group that goes next: of those that do not wait or rest, the one that stands first
// in the order of blocks. It is -1 if all wait.
func (w *Warp) first() int {
	best, resting := -1, false
	for n := range w.groups {
		g := &w.groups[n]
		switch {
		case g.waits == forMembers && w.complete(g):
			if best < 0 || g.before(&w.groups[best]) {
				best = n
			}
		case g.waits != forNothing:
		case g.rested:
			resting = true
		case best < 0 || g.before(&w.groups[best]):
			best = n
		}
	}
	if best >= 0 || !resting {
		return best
	}
	for n := range w.groups {
		w.groups[n].rested = false
	}
	return w.first()
}

// before reports whether a group stands before another. A function that has been called stands where
// the call does.
func (g *group) before(other *group) bool {
	a, x := g.act, g.block
	b, y := other.act, other.block
	for a.depth > b.depth {
		a, x = a.parent, a.back
	}
	deeper := a != g.act
	for b.depth > a.depth {
		b, y = b.parent, b.back
	}
	for a != b && a.parent != b.parent {
		a, x = a.parent, a.back
		b, y = b.parent, b.back
	}
	if a != b { // called by different groups
		x, y = a.back, b.back
	}
	return x < y || x == y && deeper
}

// enter adds a group at the beginning of a block, which may become one with another at the same place.
func (w *Warp) enter(act *activation, block simt.BlockID, mask uint32, rested bool) {
	w.enterAt(act, block, 0, mask, rested)
}

// enterAt is enter for a step of the block.
func (w *Warp) enterAt(act *activation, block simt.BlockID, index int, mask uint32, rested bool) {
	for n := range w.groups {
		if g := &w.groups[n]; g.act == act && g.block == block && g.index == index && g.waits == forNothing && !g.parked {
			g.mask |= mask
			g.jumps = max(g.jumps, w.jumps)
			g.rested = g.rested && rested
			return
		}
	}
	g := w.add()
	g.begin(act, block, mask)
	g.index, g.jumps, g.rested = index, w.jumps, rested
}

// rest lets the group at work, which goes on at the beginning of a block, let others go first: other warps, and other groups of
// its own, unless these keep in step.
func (w *Warp) rest(at simt.BlockID) {
	w.jumps = 0
	w.polls = w.act.code.polls[at]
	w.enter(w.act, at, w.mask, !w.holds())
}

// mostHeld is how often groups that wait behind a loop are held there. What is in the loop by then waits for them: that is a
// deadlock on processors that keep lanes in step, and need not be one here.
const mostHeld = 1 << 10

// holds reports whether the other groups of the warp wait for the one at work.
func (w *Warp) holds() bool {
	switch {
	case !w.cta.Lockstep, w.held == mostHeld:
		return false
	case len(w.groups) == 0:
		w.held = 0
		return false
	}
	w.held++
	return true
}
