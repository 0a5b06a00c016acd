package portable

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Code is a function that can be executed, and all that it calls.
type Code struct {
	Function *simt.Function
	homes    *simt.Homes
	blocks   []atomic.Pointer[block] // nil of those that have not been executed: see block
	callees  map[*check.Function]*Code
	specials []special
	varying  []special // of specials, those that are written anew for every CTA
	constant []constant
	observed *Observation // nil: there is no observer
	waits    []bool       // by header of a loop: see simt.Function.Waits
	polls    []bool       // and simt.Function.Polls
	polling  bool         // there are some of these
	stacks   bool         // see simt.Function.UsesStack
	ways     sync.Map     // see waysTo
	meeting  []bool       // by block, of observed exchanges: see findMeeting
	fast     Fast         // executes groups where it can, or nil

	exchanges bool // it has some with a mask of members
}

// constant is a constant and its home.
type constant struct {
	typ  simt.Type
	bits uint64
	home int32
}

// block is a basic block, bound to homes.
type block struct {
	id    simt.BlockID
	steps []step
	insts []*simt.Inst // of steps
	end   *simt.End
	cond  int32   // the home of the end's condition, or -1
	edges []edge  // to end.To
	args  []int32 // the homes of the end's arguments, and of what it defines
	defs  []int32
}

// step executes an instruction in the active lanes of a warp, from the first one on where that makes a difference. It returns false if a lane has
// failed, which w.raised tells, if the group has been parted, which w.parted does, or if the launch is to end.
type step func(w *Warp) bool

// edge is a way from one block to another, with the copies that the phis there ask for.
type edge struct {
	to     simt.BlockID
	copies []copied
	// apart says that no copy overwrites what another reads.
	apart bool
}

type copied struct {
	typ      simt.Type
	from, to int32
}

// Bind makes code of a function. callees has the code of the functions that it calls, and may still be
// filled after Bind.
func Bind(f *simt.Function, callees map[*check.Function]*Code) *Code {
	return bind(f, callees, nil, nil)
}

// bind makes code that tells an observer what an observation asks for, if there is one. homes says where values are; if
// it is nil, bind decides it.
func bind(f *simt.Function, callees map[*check.Function]*Code, homes *simt.Homes, o *Observation) *Code {
	if homes == nil {
		homes = simt.NewHomes(f, nil)
	}
	c := &Code{Function: f, homes: homes, callees: callees, observed: o, waits: f.Waits(), stacks: f.UsesStack()}
	c.polls = f.Polls(c.waits)
	c.polling = slices.Contains(c.polls, true)
	for b := range f.Blocks {
		c.exchanges = c.exchanges || slices.ContainsFunc(f.Blocks[b].Insts, func(i simt.Inst) bool { return namesMembers(&i) })
	}
	for v := 1; v < len(f.Values); v++ {
		value, home := &f.Values[v], c.homes.Offset[v]
		switch value.Kind {
		case simt.Const:
			c.constant = append(c.constant, constant{value.Type, value.Bits, home})
		case simt.Special:
			s := newSpecial(value.Name, home, value.Type)
			c.specials = append(c.specials, s)
			if s.varies() {
				c.varying = append(c.varying, s)
			}
		}
	}
	if o != nil && o.Exchanges {
		c.findMeeting()
	}
	c.blocks = make([]atomic.Pointer[block], len(f.Blocks))
	if o != nil { // what is observed has numbers, in the order of blocks
		for b := range f.Blocks {
			c.block(simt.BlockID(b))
		}
	}
	return c
}

// block returns a block, which is bound when it is first asked for: machine code executes most.
func (c *Code) block(id simt.BlockID) *block {
	if b := c.blocks[id].Load(); b != nil {
		return b
	}
	return c.bindBlock(id)
}

// bindBlock binds a block, unless another worker has meanwhile.
func (c *Code) bindBlock(id simt.BlockID) *block {
	from := &c.Function.Blocks[id]
	to := &block{id: id, end: &from.End, cond: -1}
	if c.observed != nil {
		c.observeBlock(to, from)
	}
	for i := range from.Insts {
		to.addStep(c.step(&from.Insts[i]), &from.Insts[i])
	}
	if from.End.Cond != 0 {
		to.cond = c.home(from.End.Cond)
	}
	to.args, to.defs = c.homesOf(from.End.Args), c.homesOf(from.End.Defs)
	for k := range from.End.To {
		to.edges = append(to.edges, c.edge(id, k))
	}
	if c.observed != nil {
		c.observeEnd(to)
	}
	c.blocks[id].CompareAndSwap(nil, to)
	return c.blocks[id].Load()
}

// edge binds edge number k of a block.
func (c *Code) edge(from simt.BlockID, k int) edge {
	e := edge{to: c.Function.Blocks[from].End.To[k], apart: true}
	for _, m := range c.Function.Moves(from, k) {
		if a, d := c.home(m.From), c.home(m.To); a != d {
			e.copies = append(e.copies, copied{c.Function.Values[m.To].Type, a, d})
		}
	}
	for i, x := range e.copies {
		for j, y := range e.copies {
			e.apart = e.apart && (i == j || x.to != y.from)
		}
	}
	return e
}

// home returns where a value is in the frame; -1 of none.
func (c *Code) home(v simt.ID) int32 {
	if v == 0 {
		return -1
	}
	return c.homes.Offset[v]
}

func (c *Code) homesOf(values []simt.ID) []int32 {
	homes := make([]int32, len(values))
	for i, v := range values {
		homes[i] = c.home(v)
	}
	return homes
}

// step makes the step of an instruction.
func (c *Code) step(i *simt.Inst) step {
	if i.Kind == simt.Compute {
		return c.compute(i)
	}
	inner := c.effect(i)
	if c.observed != nil {
		inner = c.observe(i, inner)
	}
	if i.Guard == 0 {
		return c.awaiting(i, inner)
	}
	atWork := c.guarded(i)
	guarded := func(w *Warp) bool {
		outer := w.mask
		w.mask = atWork(w)
		ok := w.mask == 0 || inner(w)
		w.mask = outer
		return ok
	}
	return c.awaiting(i, guarded)
}

// guarded returns what tells which lanes at work execute an instruction: those for which its guard holds.
func (c *Code) guarded(i *simt.Inst) func(w *Warp) uint32 {
	if i.Guard == 0 {
		return func(w *Warp) uint32 { return w.mask }
	}
	guard, flip := c.home(i.Guard), uint32(0)
	if i.GuardNot {
		flip = ^uint32(0)
	}
	return func(w *Warp) uint32 { return w.mask & (w.predicate(guard) ^ flip) }
}

// effect makes the step of an instruction that does more than compute, without its guard.
func (c *Code) effect(i *simt.Inst) step {
	switch i.Kind {
	case simt.Load:
		return c.load(i)
	case simt.Store:
		return c.store(i)
	case simt.Atomic:
		return c.atomic(i)
	case simt.Exchange:
		return c.exchange(i)
	case simt.Bulk:
		return c.bulk(i)
	case simt.Texture:
		return c.texture(i)
	case simt.Host:
		return c.hostCall(i)
	case simt.Clock:
		return c.clock(i)
	case simt.InSpace:
		return c.inSpace(i)
	case simt.Stack:
		return c.stackStep(i)
	case simt.Trap:
		why := ""
		if reason, ok := i.Aux.(simt.Reason); ok {
			why, _ = reason.Text()
		}
		return func(w *Warp) bool {
			return w.fail(&Fault{Kind: Trapped, Lane: w.firstLane(), Detail: why}, w.mask)
		}
	case simt.Fence:
		return fence
	case simt.Probe:
		return c.probe(i)
	case simt.Idle:
		return func(w *Warp) bool { return true }
	}
	panic(fmt.Sprintf("portable: no step for instructions of kind %d", i.Kind))
}
