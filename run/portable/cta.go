package portable

import (
	"cmp"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"time"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// Dim is a size, or a place, in three dimensions.
type Dim struct{ X, Y, Z int }

// CTA runs CTAs of one launch, one after the other.
type CTA struct {
	Launch
	Index Dim // %ctaid of the CTA at work, or of the last one
	// Fault is why the last CTA failed: the fault of its first thread that did.
	Fault *Fault

	host     Host
	observer Observer // or nil
	warps    []*Warp
	barriers [16]barrier
	arrived  uint16 // the barriers that threads have arrived at
	current  *Warp
	released bool // a barrier has let threads go: the first warp is to go on first
	polled   int  // how often in a row all warps that go on have polled
	kept     map[*Code]*kept
	together []*Lanes // of the warps that are executed together
	whole    whole
	frames   int       // bytes of the frames of functions that are called, free ones included
	failing  time.Time // since when a thread has failed
}

// Launch is what a CTA needs to know of the launch that it is one of.
type Launch struct {
	Kernel        *Code
	Block, Grid   Dim    // %ntid, %nctaid
	Shared        []byte // the memory of a CTA
	DynamicShared int    // how much of it is not the kernel's variables
	Params        []byte
	Grace         time.Duration // how long threads may go on when one has failed
	Turn          int           // how many jumps back in loops in which lanes may wait a group takes before others get theirs; 0: 1024
	// Lockstep says that lanes of a warp that have parted go on together wherever they can, as on processors before Volta: those
	// that are behind a loop wait for those that are in it, however long that takes.
	Lockstep bool
}

// NewCTA returns what runs CTAs of a launch.
func NewCTA(l Launch, host Host) *CTA {
	if l.Turn == 0 {
		l.Turn = defaultTurn
	}
	c := &CTA{Launch: l, host: host, kept: map[*Code]*kept{}}
	warps := make([]Warp, (c.Threads()+simt.WarpSize-1)/simt.WarpSize)
	for n := range warps {
		w := &warps[n]
		w.cta, w.Number, w.lanes.warp = c, n, w
		c.warps = append(c.warps, w)
	}
	for _, w := range c.warps {
		w.root = newActivation(c.Kernel)
		w.needLocal(c.Kernel.Function.Local)
		w.fill(w.root)
	}
	arrived := make([]uint32, len(c.barriers)*len(c.warps))
	for n := range c.barriers {
		c.barriers[n].arrived = arrived[n*len(c.warps):][:len(c.warps):len(c.warps)]
	}
	return c
}

// Threads is how many threads a CTA has.
func (c *CTA) Threads() int { return c.Block.X * c.Block.Y * c.Block.Z }

// barrier is one of a CTA's 16 barriers (PTX ISA 9.7.13.1).
type barrier struct {
	arrived []uint32 // by warp
	full    int      // so many warps have arrived, the first ones, with all threads that have not ended
	count   int      // threads that complete it; 0: all that have not ended
	votes   int      // threads that have arrived at bar.red
	holds   int      // of them, those whose predicate holds
}

// outcome says how a CTA has ended.
type outcome uint8

// The outcomes.
const (
	Done    outcome = iota
	Failed          // Fault says why
	Stopped         // the launch is to end
)

// Run runs a CTA, and may run up to so many more that follow it in x, as long as they do not fail: Index tells how far it
// has come. See [CTA.Row].
func (c *CTA) Run(index Dim, more int) outcome {
	c.Fault, c.failing, c.polled = nil, time.Time{}, 0
	c.Index = index
	clear(c.Shared)
	for used := c.arrived; used != 0; used &= used - 1 {
		c.barriers[bits.TrailingZeros16(used)].reset()
	}
	c.arrived = 0
	all := c.whole.all
	switch begun, ended := c.runWhole(more); {
	case ended:
		return Done
	case begun:
		return c.finishRow(all)
	}
	c.whole.all, c.whole.begun = nil, false
	for _, w := range c.warps {
		w.begin()
	}
	if c.observer != nil {
		c.observer.Begin(c)
	}
	return c.goOn()
}

// begin puts the warp where it begins.
func (w *Warp) begin() {
	clear(w.local)
	w.fillVarying(w.root)
	w.fault, w.failed, w.halted, w.raised, w.lanes.left = nil, 0, w.halted[:0], nil, false
	w.start(w.cta.lanesOf(w.Number))
}

// lanesOf is the lanes that a warp begins with.
func (c *CTA) lanesOf(warp int) uint32 {
	return uint32(1<<min(c.Threads()-warp*simt.WarpSize, simt.WarpSize) - 1)
}

// goOn runs the CTA to its end.
func (c *CTA) goOn() outcome {
	for {
		if c.stopped() {
			c.standAtFirst()
			return c.stop()
		}
		if c.runTogether() == stopped {
			return c.stop()
		}
		alive, onward, polls := false, false, true
		c.released = false
		for _, w := range c.warps {
			if w.live == 0 {
				continue
			}
			if c.released {
				alive = true
				break
			}
			c.current = w
			switch w.run() {
			case stopped:
				return c.stop()
			case rests:
				onward = true
				polls = polls && w.polls
			}
			alive = alive || w.live != 0
		}
		if !alive {
			return Done
		}
		for _, w := range c.warps { // that a barrier has let go meanwhile
			onward = onward || w.live != 0 && w.first() >= 0
		}
		if onward {
			c.letOthersGo(polls)
			continue
		}
		if c.Fault = c.firstFault(); c.Fault == nil && slices.ContainsFunc(c.warps, (*Warp).waive) {
			continue
		}
		if c.Fault == nil {
			c.Fault = c.deadlock()
		}
		return Failed
	}
}

// letOthersGo lets other CTAs go on where warps have had their turns. polls says that those that go on seem to wait for
// other CTAs.
func (c *CTA) letOthersGo(polls bool) {
	if c.released || !polls {
		c.polled = 0
	} else {
		c.polled++
		c.host.Polls(c.polled)
	}
	if !c.released {
		runtime.Gosched()
	}
}

func (b *barrier) reset() {
	clear(b.arrived)
	b.full, b.count, b.votes, b.holds = 0, 0, 0, 0
}

// arrive is a barrier of the CTA. It reports whether the group goes on.
func (c *CTA) arrive(w *Warp, b *block) bool {
	op := b.end.Aux.(*simt.BarrierOp)
	lane := w.firstLane()
	id, threads := w.words(b.args[0])[lane], int(w.words(b.args[1])[lane])
	switch {
	case int(id) >= len(c.barriers):
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
	bar.count = threads
	if !op.Waits {
		c.check(int(id))
		return true
	}
	g := w.add()
	g.begin(w.act, b.id, w.mask)
	g.waits, g.barrier, g.parked = forCTA, int8(id), w.parking
	c.check(int(id))
	return false
}

// complete reports whether enough threads have arrived. Where a number of threads is given, a warp all
// of whose threads that have not ended are there counts in full.
func (c *CTA) complete(b *barrier) bool {
	if b.count == 0 {
		for b.full < len(c.warps) && c.warps[b.full].live&^b.arrived[b.full] == 0 {
			b.full++
		}
		return b.full == len(c.warps) && slices.ContainsFunc(b.arrived, func(lanes uint32) bool { return lanes != 0 })
	}
	n, any := 0, false
	for i, w := range c.warps {
		here := b.arrived[i]
		any = any || here != 0
		switch {
		case here == 0:
		case w.live&^here == 0:
			n += simt.WarpSize
		default:
			n += bits.OnesCount32(here)
		}
	}
	return any && n >= b.count
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
		c.check(bits.TrailingZeros16(rest))
	}
}

// deadlock is the fault of a CTA in which all threads wait for each other.
func (c *CTA) deadlock() *Fault {
	f := &Fault{Kind: Deadlocked}
	for _, w := range c.warps {
		for n := range w.groups {
			g := &w.groups[n]
			wait := Wait{Warp: w.Number, Lanes: g.mask, Barrier: int(g.barrier), Function: g.act.code.Function, At: g.act.code.Function.Blocks[g.block].End.At}
			switch g.waits {
			case forMembers:
				wait.At = g.act.code.block(g.block).insts[g.index].At
				wait.Barrier = -1
			case forWarp:
				wait.Barrier = -1
			}
			f.Waits = append(f.Waits, wait)
		}
	}
	sorting.Stable(f.Waits, func(a, b Wait) int { return cmp.Compare(a.Barrier, b.Barrier) })
	if len(f.Waits) > 0 {
		first := &f.Waits[0]
		f.Warp, f.Lane, f.Function, f.At = first.Warp, bits.TrailingZeros32(first.Lanes), first.Function, first.At
	}
	return f
}

// LocalSize is the number of bytes of local memory of a warp's threads.
func (c *CTA) LocalSize(warp int) int { return c.warps[warp].LocalSize() }

// standAtFirst makes the first warp that has not ended the one that [CTA.At] tells of.
func (c *CTA) standAtFirst() {
	for _, w := range c.warps {
		if w.live != 0 {
			c.current = w
			w.stand()
			return
		}
	}
}

// At returns where the warp at work was when the launch was stopped: a block, in the innermost of the functions that it
// was in a loop of, and its first thread.
func (c *CTA) At() (f *simt.Function, block simt.BlockID, thread int) {
	w := c.current
	if w == nil || w.block == nil { // no warp is left
		return c.Kernel.Function, 0, 0
	}
	a, block := w.act, w.block.id
	for a.parent != nil && a.code.Function.Blocks[block].Loop == simt.NoBlock {
		a, block = a.parent, a.back
	}
	if a.code.Function.Blocks[block].Loop == simt.NoBlock {
		a, block = w.act, w.block.id
	}
	return a.code.Function, block, w.Number*simt.WarpSize + w.firstLane()
}
