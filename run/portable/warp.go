package portable

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// Warp is 32 lanes that go together as long as they can.
type Warp struct {
	cta    *CTA
	Number int
	live   uint32 // lanes that have not ended
	groups []group
	root   *activation
	free   map[*Code][]*activation

	// The group at work.
	mask    uint32
	active  uint32 // mask, whatever guard an instruction has
	frame   unsafe.Pointer
	act     *activation
	block   *block
	index   int    // of the step that is executed
	from    int    // the step of its first block that the group goes on with
	jumps   int    // back, since the group last let others go first
	held    int    // how often one has not let others go first, for the sake of Lockstep
	counted uint32 // lanes that have been at barriers that count threads, in this CTA
	polls   bool   // the group that has had its turn last is in a loop as simt.Function.Polls has it

	local     []uint32 // local memory: word n of lane l is at 32*n+l
	stack     stack
	fault     *Fault  // of its first lane that has failed
	failed    uint32  // lanes that have
	halted    []group // they, each where it would go on
	raised    *Fault  // by the instruction at work: see fail
	steps     uint64  // executed so far in this CTA: the clock
	scratch32 [simt.WarpSize]uint32
	scratch64 [simt.WarpSize]uint64
	scratchP  [1]uint64
	moved     []uint64 // by copies of an edge that overwrite each other's sources
	parted    bool     // a step has parted the group at work
	waived    bool     // the exchange that the group at work goes on with waits for nobody
	fast      bool     // a step is executed for a Fast, which has looked at who is missing
	accesses  Accesses // that the observer is told of
	lanes     Lanes    // that a Fast executes
	reads     Reads    // of a texture
	resumed   []group  // that a barrier lets go on
	parking   bool     // the group that arrives at a barrier is parked
}

// defaultTurn is how many jumps back a group may take before others get theirs.
const defaultTurn = 1 << 10

// status says why a warp has stopped.
type status uint8

const (
	ended   status = iota
	waits          // every group waits, or has ended
	rests          // it has had its turn
	stopped        // the launch is to end
)

// start puts all lanes of a mask at the beginning of a kernel.
func (w *Warp) start(lanes uint32) {
	w.live, w.steps, w.held, w.counted = lanes, 0, 0, 0
	w.root.lanes = lanes
	w.groups = w.groups[:0]
	w.add().begin(w.root, 0, lanes)
}

// run executes the warp until nothing in it can go on, or it has had its turn.
func (w *Warp) run() status {
	for {
		n := w.first()
		if n < 0 {
			return waits
		}
		switch s := w.follow(w.take(n)); {
		case s != waits:
			return s
		case w.live == 0:
			return ended
		case w.cta.stopped():
			w.stand()
			return stopped
		case w.cta.released:
			return rests
		}
	}
}

// stand makes the group at work that has had its turn, or else that would go next: that is where a launch is that is
// stopped between turns. What the warp executed last may have been machine code, which notes no blocks.
func (w *Warp) stand() {
	n := slices.IndexFunc(w.groups, func(g group) bool { return g.rested })
	if n < 0 {
		n = max(w.first(), 0)
	}
	if n < len(w.groups) {
		g := &w.groups[n]
		w.act, w.mask, w.block = g.act, g.mask, g.act.code.block(g.block)
	}
}

// follow executes the group at work, from a block on or behind its end if it is parked there, until it ends, waits, or another
// has to go first.
func (w *Warp) follow(at simt.BlockID, parked bool) status {
	for {
		followed := false
		if w.act.code.fast != nil {
			if w.from == 0 && w.alone() {
				var end *block
				var s status
				end, s, followed = w.followFast(at, parked)
				parked = false
				switch {
				case end != nil:
					at = end.id
				case followed:
					return s
				}
			}
			if !followed {
				w.present(at, w.mask)
				w.act.code.fast.Stepped(&w.lanes)
			}
		}
		if !followed && !w.runSteps(at) {
			if w.parted || w.mask == 0 {
				w.parted = false
				return waits
			}
			return stopped // a step has seen that the launch is to end
		}
		b := w.block
		var e *edge
		switch b.end.Kind {
		case simt.Jump:
			e = &b.edges[0]
		case simt.Branch:
			yes := w.predicate(b.cond) & w.mask
			switch no := w.mask &^ yes; {
			case no == 0:
				e = &b.edges[0]
			case yes == 0:
				e = &b.edges[1]
			default:
				w.part(&b.edges[0], yes)
				w.part(&b.edges[1], no)
				return waits
			}
		case simt.BranchAll:
			e = &b.edges[1]
			if w.mask&^w.predicate(b.cond) == 0 {
				e = &b.edges[0]
			}
		default:
			if !w.despite(func() bool { return w.end(b) }) {
				return waits
			}
			e = &b.edges[0]
		}
		w.copy(e)
		if e.to <= at {
			if w.act.code.waits[e.to] {
				w.jumps++
			}
			if w.jumps > w.cta.Turn {
				w.rest(e.to)
				return rests
			}
			if w.cta.stopped() {
				return stopped
			}
		}
		at = e.to
		if len(w.groups) > 0 {
			w.enter(w.act, at, w.mask, false)
			return waits
		}
	}
}

// runSteps executes the steps of a block.
func (w *Warp) runSteps(at simt.BlockID) bool {
	b := w.act.code.block(at)
	w.block = b
	from := w.from
	w.from = 0
	for i, s := range b.steps[from:] {
		w.index = from + i
		if !s(w) && (w.raised == nil || !w.again(s)) {
			return false
		}
	}
	w.steps += uint64(len(b.steps)-from) + 1
	w.index = len(b.steps)
	return true
}

// part sends some of the lanes over an edge.
func (w *Warp) part(e *edge, lanes uint32) {
	outer := w.mask
	w.mask = lanes
	w.copy(e)
	w.mask = outer
	w.enter(w.act, e.to, lanes, false)
}

// copy makes the copies of an edge, as if all at once.
func (w *Warp) copy(e *edge) {
	if len(e.copies) == 0 {
		return
	}
	if e.apart {
		for _, c := range e.copies {
			w.copyOne(c)
		}
		return
	}
	w.moved = w.moved[:0]
	for _, c := range e.copies {
		for lane := range simt.WarpSize {
			w.moved = append(w.moved, w.lane(c.from, c.typ, lane))
		}
	}
	for n, c := range e.copies {
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			w.setLane(c.to, c.typ, lane, w.moved[n*simt.WarpSize+lane])
		}
	}
}

func (w *Warp) copyOne(c copied) {
	switch c.typ {
	case simt.Pred:
		blendPredicate(predicateAt(w.frame, c.to), w.predicate(c.from), w.mask)
	case simt.B32:
		blend(w.words(c.to), w.words(c.from), w.mask)
	case simt.B64:
		blend(w.wides(c.to), w.wides(c.from), w.mask)
	}
}

// end executes the end of a block that is more than a jump or branch. It reports whether the group
// goes on to the first of the block's successors.
func (w *Warp) end(b *block) bool {
	switch b.end.Kind {
	case simt.Switch:
		return w.choose(b)
	case simt.Barrier:
		return w.arrive(b)
	case simt.WarpSync:
		return w.meet(b)
	case simt.Call:
		return w.call(b)
	case simt.Return:
		if w.act.parent != nil {
			w.leave()
			return false
		}
	}
	w.exit(w.mask)
	return false
}

// choose sends lanes to one of many blocks.
func (w *Warp) choose(b *block) bool {
	index := w.words(b.cond)
	for rest := w.mask; rest != 0; {
		lane := bits.TrailingZeros32(rest)
		to := index[lane]
		if to >= uint32(len(b.edges)) {
			return w.fail(&Fault{Kind: BadIndex, Lane: lane, Address: uint64(to), Limit: len(b.edges)}, rest)
		}
		lanes := uint32(0)
		for r := rest; r != 0; r &= r - 1 {
			if l := bits.TrailingZeros32(r); index[l] == to {
				lanes |= 1 << l
			}
		}
		w.part(&b.edges[to], lanes)
		rest &^= lanes
	}
	return false
}

// exit ends lanes, in all functions that they are in.
func (w *Warp) exit(lanes uint32) {
	w.live &^= lanes
	w.departAll(lanes)
	w.release()
	w.cta.ended()
}

// departAll takes lanes of the group at work out of all functions that they are in.
func (w *Warp) departAll(lanes uint32) {
	for a := w.act; a != nil; {
		parent := a.parent
		w.depart(a, lanes)
		a = parent
	}
}

// depart takes lanes out of an activation, which is kept for later when all have left it.
func (w *Warp) depart(a *activation, lanes uint32) {
	a.lanes &^= lanes
	if a.lanes == 0 && a.parent != nil {
		if w.free == nil {
			w.free = map[*Code][]*activation{}
		}
		w.free[a.code] = append(w.free[a.code], a)
	}
}

// resume lets groups go on, behind the ends of their blocks, that have waited for something.
func (w *Warp) resume(from waiting, which func(g *group) bool) {
	all, rest := w.resumed[:0], w.groups[:0]
	for _, g := range w.groups {
		if g.waits == from && which(&g) {
			all = append(all, g)
		} else {
			rest = append(rest, g)
		}
	}
	w.groups, w.resumed = rest, all
	for _, g := range all {
		if g.parked {
			g.waits = forNothing
			w.groups = append(w.groups, g)
			continue
		}
		b := g.act.code.block(g.block)
		mask, frame := w.mask, w.frame
		w.mask, w.frame = g.mask, g.act.frame
		w.copy(&b.edges[0])
		w.enter(g.act, b.edges[0].to, g.mask, false)
		w.mask, w.frame = mask, frame
	}
}
