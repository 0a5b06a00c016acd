package portable

import (
	"unsafe"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Fast executes groups of lanes by other means than steps, machine code for one. It is asked to where all lanes of an
// activation are at the beginning of one block; it leaves where something is to be done that only this
// package does.
type Fast interface {
	Follow(g *Lanes) Left
	// Resume goes on behind a barrier, where Follow or Resume has left with LeftParked.
	Resume(g *Lanes) Left
	// FollowAll executes groups that are all there is of the warps of a CTA, one behind the other, as Follow and Resume
	// would: from one barrier that all of them come to, to the next. It says in Left how each has left: with LeftAtOnce
	// if it has not begun. It reports whether anything has been done.
	FollowAll(all []*Lanes) bool
	// Repeat is FollowAll for the warps of another CTA, from the beginning of the kernel, with the lanes that they began
	// with when the last call for the same groups, of FollowAll or Repeat, ended them all. Nothing is set in the groups before, and nothing is
	// afterwards if ended is true: all have ended again. It does nothing, and says so, if it cannot. Of where the CTA is only the
	// first lane has been told, until a step is executed. It may go on with so many more CTAs that follow in x, if it tells of
	// them by [Lanes.Onward]: one behind the other as long as all of each end, or each warp through all of them before the next
	// one begins. Behind tells, where ended is false, how many of the CTAs each warp has ended.
	Repeat(all []*Lanes, more int) (begun, ended bool)
	// Stepped is called where steps execute a block of a group, whose next one may be executed by the Fast again.
	Stepped(g *Lanes)
}

// Left says why a [Fast] has left.
type Left uint8

// The reasons. Where lanes are left, all values that they may still read are in their homes.
const (
	LeftDone    Left = iota // all lanes have ended
	LeftAtEnd               // Mask is at the end of Block, which is to be executed
	LeftParked              // Mask is all that there is of the warp, and at the barrier at the end of Block; values stay where they are
	LeftResting             // Mask is at the beginning of Block, and has had its turn
	LeftFailed              // Mask has failed: all of it, by steps
	LeftStopped             // the launch is to end
	LeftAtStep              // Mask is at step Index of Block, an exchange for which it may have to wait
	LeftAtOnce              // nothing has been done: steps execute the block
	LeftPassed              // by FollowAll: as LeftParked, and all the others have come to the barrier
)

// Lanes is a group of lanes that a [Fast] executes. Block, Mask and Ended are apart so that nobody copies two of them by
// one load of 64 bits: it would wait for all stores before it, having to be put together of two.
type Lanes struct {
	Block simt.BlockID
	Index int    // of LeftAtStep: of the instruction
	Steps uint64 // about how many instructions have been executed
	Mask  uint32
	_     uint32
	Ended uint32 // lanes that have ended meanwhile
	// Waiting are other lanes that wait at the beginning of blocks.
	Waiting []Waiting
	// Parked says that FollowAll resumes them, and Left how they have left.
	Parked bool
	Left   Left
	// Behind is how many CTAs of a row Repeat has ended for the warp, which Left does not tell of.
	Behind int

	together bool // FollowAll executes them: the warp still has the group
	left     bool // FollowAll has
	warp     *Warp
}

// Waiting is lanes that wait at the beginning of a block.
type Waiting struct {
	Block simt.BlockID
	Mask  uint32
}

// Frame is the address of the homes.
func (g *Lanes) Frame() unsafe.Pointer { return g.warp.frame }

// Shape is the shape of the CTA.
func (g *Lanes) Shape() Dim { return g.warp.cta.Block }

// Kept is what the Fast keeps for the activation; nil at first.
func (g *Lanes) Kept() *any { return &g.warp.act.kept }

// Shared is what the Fast keeps for all activations of its function in this CTA; nil at first.
func (g *Lanes) Shared() *any { return &g.warp.act.shared.value }

// Params are the parameters of the kernel.
func (g *Lanes) Params() []byte { return g.warp.cta.Params }

// Local is the local memory that the warp has in the function that it is in: word n of lane l is element 32*n+l.
func (g *Lanes) Local() []uint32 {
	return g.warp.local[:g.warp.act.localSize()/4*simt.WarpSize]
}

// Step executes an instruction of a block for some lanes. It returns those that have failed, which do not go on. ok is false if the launch is to end.
func (g *Lanes) Step(block simt.BlockID, inst int, lanes uint32) (failed uint32, ok bool) {
	w := g.warp
	w.spreadPlace()
	w.block = w.act.code.block(block)
	w.index, w.mask, w.active = inst, lanes, lanes
	w.fast = true
	s := w.block.steps[inst]
	ok = s(w) || w.raised != nil && (w.again(s) || w.mask == 0)
	w.fast = false
	return lanes & w.failed, ok
}

// Window returns the memory that an address is in, and the address of its first byte. Local memory has none.
func (g *Lanes) Window(a *simt.Access, address uint64) (data []byte, base uint64, ok bool) {
	if isLocal(a, address) || a.Space == check.Local {
		return nil, 0, false
	}
	m := g.warp.window(a, address)
	return m.data, m.base, m.ok
}

// Texels tells where the texels of a texture are.
func (g *Lanes) Texels(op *simt.TextureOp, handle uint64) (t *simt.Texels, ok bool) {
	return g.warp.cta.host.TexelsOf(op, handle)
}

// Live is the lanes of the warp that had not ended when the [Fast] was asked.
func (g *Lanes) Live() uint32 { return g.warp.live }

// Onward says that the [Fast], in this warp, is at work on the CTA n further on in x than the one that Repeat has been called
// for. It has told the warp's first lane.
func (g *Lanes) Onward(n int) { g.warp.cta.Index.X = g.warp.cta.whole.first + n }

// Stopped reports whether the launch is to end.
func (g *Lanes) Stopped() bool { return g.warp.cta.stopped() }

// kept is what a [Fast] keeps for a function in a CTA.
type kept struct{ value any }

// BindFast is [Bind] for a function that fast executes where it can. homes says where its values are.
func BindFast(f *simt.Function, callees map[*check.Function]*Code, homes *simt.Homes, fast Fast) *Code {
	c := bind(f, callees, homes, nil)
	c.fast = fast
	return c
}

// followFast lets Fast execute the group at work, from a block on, if FollowAll has not. It returns whether and where the group
// goes on by steps: at the end of a block. followed is false if the Fast has done nothing, or has left before a step of the block.
func (w *Warp) followFast(at simt.BlockID, parked bool) (end *block, s status, followed bool) {
	g := &w.lanes
	act, frame := w.act, w.frame
	left := g.Left
	switch {
	case g.left:
		g.left = false
	case parked:
		w.present(at, w.mask)
		left = act.code.fast.Resume(g)
	default:
		w.present(at, w.mask)
		left = act.code.fast.Follow(g)
	}
	w.act, w.frame = act, frame
	w.steps += g.Steps
	switch left {
	case LeftAtOnce:
		return nil, waits, false
	case LeftStopped:
		w.block, w.mask = w.act.code.block(g.Block), g.Mask
		return nil, stopped, true
	}
	for _, other := range g.Waiting {
		w.enter(w.act, other.Block, other.Mask, false)
	}
	if g.Ended != 0 {
		w.mask = 0
		w.exit(g.Ended)
	}
	w.mask, w.active = g.Mask, g.Mask
	switch left {
	case LeftParked:
		return nil, w.park(w.act.code.block(g.Block)), true
	case LeftResting:
		w.rest(g.Block)
		return nil, rests, true
	case LeftAtStep:
		w.from = g.Index
		return w.act.code.block(g.Block), waits, false
	case LeftAtEnd:
		b := w.act.code.block(g.Block)
		w.block, w.index = b, len(b.steps)
		return b, waits, true
	}
	return nil, waits, true // there is nothing left to be done
}

// present makes the lanes of a group of the activation at work ready for Fast.
func (w *Warp) present(at simt.BlockID, mask uint32) {
	g := &w.lanes
	g.Block, g.Mask, g.Ended, g.Steps, g.Waiting = at, mask, 0, 0, g.Waiting[:0]
	if w.act.shared == nil {
		if w.cta.kept[w.act.code] == nil {
			w.cta.kept[w.act.code] = &kept{}
		}
		w.act.shared = w.cta.kept[w.act.code]
	}
}

// park lets the group at work, which is all of the warp, wait at the barrier at the end of a block.
func (w *Warp) park(b *block) status {
	w.block, w.index = b, len(b.steps)
	w.parking = true
	passes := w.despite(func() bool { return w.cta.arrive(w, b) })
	w.parking = false
	if passes {
		g := w.add()
		g.begin(w.act, b.id, w.mask)
		g.jumps, g.parked = w.jumps, true
	}
	return waits
}

// Parks reports whether lanes are all of the warp that have not ended.
func (g *Lanes) Parks(lanes uint32) bool {
	w := g.warp
	others := len(w.groups)
	if g.together {
		others--
	}
	return w.act.parent == nil && others == 0 && w.live&^lanes == 0
}

// alone reports whether no other lanes of the activation wait, or are in what it has called, nor anywhere in the warp if it has exchanges: then a
// [Fast] may execute the group at work.
func (w *Warp) alone() bool {
	if w.act.code.exchanges && len(w.groups) > 0 {
		return false
	}
	for n := range w.groups {
		a := w.groups[n].act
		for a.depth > w.act.depth {
			a = a.parent
		}
		if a == w.act {
			return false
		}
	}
	return true
}
