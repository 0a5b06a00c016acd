package portable

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"time"

	"github.com/vop-ptx/vop/internal/sorting"
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
	barriers [simt.CTABarriers + 1]barrier // and that of the cluster
	arrived  uint32                        // the barriers that threads have arrived at
	counting uint32                        // the barriers that have counted threads in this CTA
	passed   []uint32                      // by warp: threads that the barrier of the cluster has let go, and that have not waited for it yet
	current  *Warp
	released bool // a barrier has let threads go: the first warp is to go on first
	polls    int  // how often in a row all warps that go on have been in loops as simt.Function.Polls has them
	rounds   int  // how many barriers have let threads go since other CTAs have gone on; a turn is roundsOfTurn
	kept     map[*Code]*kept
	together []*Lanes // of the warps that are executed together
	whole    whole
	frames   int       // bytes of the frames of functions that are called, free ones included
	failing  time.Time // since when a thread has failed
	stacks   []*Warp   // those whose threads alloca has given memory in this CTA
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
	c.makeBarriers()
	return c
}

// Threads is how many threads a CTA has.
func (c *CTA) Threads() int { return c.Block.X * c.Block.Y * c.Block.Z }

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
	c.Fault, c.failing, c.polls, c.rounds = nil, time.Time{}, 0, 0
	c.Index = index
	clear(c.Shared)
	c.clearStacks()
	c.beginBarriers()
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

// roundsOfTurn is how many barriers count as one turn: a CTA is at work between them.
const roundsOfTurn = 64

// letOthersGo lets other CTAs go on where warps have had their turns, or have been let go by a barrier. polls says that those that go on
// seem to wait for other CTAs.
func (c *CTA) letOthersGo(polls bool) {
	if c.rounds++; !c.released {
		c.rounds += roundsOfTurn - 1
	}
	if c.polls++; c.released || !polls {
		c.polls = 0
	}
	if c.host.LetOthersGo(c.rounds/roundsOfTurn, c.polls) {
		c.rounds = 0
	} else if !c.released {
		runtime.Gosched()
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

// LocalSize is the number of bytes of local memory of a thread, where it is, or where it has failed.
func (c *CTA) LocalSize(thread int) int {
	w := c.warps[thread/simt.WarpSize]
	for n := range w.halted {
		if g := &w.halted[n]; g.mask>>(thread%simt.WarpSize)&1 != 0 {
			return g.act.localSize()
		}
	}
	return w.act.localSize()
}

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
