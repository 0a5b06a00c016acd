package portable

import (
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Observer is told what the warps of a CTA do, just before they do it. Code that is not bound by
// [BindObserved] tells nothing and pays nothing for it; barriers and calls look whether there is an
// observer. Observers that care for some of it only embed [Indifferent].
type Observer interface {
	// Begin is told of a CTA that begins.
	Begin(c *CTA)
	// Executed is told of lanes that execute the instructions of a run: an index into Observation.Runs.
	Executed(w *Warp, run int, lanes uint32)
	// Diverge is told of the end of a block at which lanes part.
	Diverge(w *Warp, end *simt.End, lanes uint32)
	// Access is told of accesses to memory. It returns the lanes whose access is to be made. The
	// others read 0.
	Access(w *Warp, a *Accesses) (made uint32)
	// Exchange is told of lanes that exchange values.
	Exchange(w *Warp, x *Exchange)
	// Probe is told of lanes for which an argument of a probe holds.
	Probe(w *Warp, probe *simt.Inst, arg int, lanes uint32)
	// Fence is told of lanes that execute a fence.
	Fence(w *Warp, lanes uint32)
	// Disagree is told of lanes that execute a barrier of the CTA together and name different ones by it, before any of them arrives.
	Disagree(w *Warp, barriers *[simt.WarpSize]uint32, lanes uint32)
	// Arrive is told of lanes that arrive at a barrier for so many threads, 0 for all of the CTA; Release of a
	// barrier that is complete, and of those that wait at it. Those lanes of a warp go on that have met at its own
	// barrier when Meet is told. That of the cluster is simt.ClusterBarrier: it is complete when all have arrived, be they at their wait
	// or not, and Behind is told of lanes that come to their wait later, and go on.
	Arrive(w *Warp, barrier, threads int, lanes uint32)
	Release(c *CTA, barrier int, waits []Wait)
	Behind(w *Warp, lanes uint32)
	Meet(w *Warp, lanes uint32)
	// Enter is told of lanes that enter a function, whose local memory is size bytes at base, or that alloca gives so many.
	Enter(w *Warp, lanes uint32, base, size int)
	// Pass is told of an argument or result that is copied in local memory; from is -1 if it comes
	// from a register.
	Pass(w *Warp, lanes uint32, to, from, size int)
}

// Observation says what of a function's code is told to the observer of the CTA that executes it.
type Observation struct {
	Instructions bool // Executed
	Memory       bool // Access and Fence
	Exchanges    bool // Exchange
	Divergence   bool // Diverge
	// Runs are the instructions of all functions that have been bound.
	Runs []Run
}

// Run is instructions of a block that the same lanes execute one after the other: an instruction
// under a guard is a run of its own.
type Run struct {
	Function *simt.Function
	At       []int32 // indices in check.Function.Body
}

// BindObserved is [Bind] for literal code that an observer is told of.
func BindObserved(f *simt.Function, callees map[*check.Function]*Code, o *Observation) *Code {
	return bind(f, callees, nil, o)
}

// Observe makes an observer be told of what the CTA does, whose code has been bound by [BindObserved].
func (c *CTA) Observe(o Observer) { c.observer = o }

// Function returns the function that the warp is in.
func (w *Warp) Function() *simt.Function { return w.act.code.Function }

// CTA returns the CTA that the warp is of.
func (w *Warp) CTA() *CTA { return w.cta }

// At returns the instruction that is executed: index in check.Function.Body.
func (w *Warp) At() int32 {
	if w.index < len(w.block.insts) {
		return w.block.insts[w.index].At
	}
	return w.block.end.At
}

// addRun enters a run, and returns its number.
func (o *Observation) addRun(f *simt.Function, at ...int32) int {
	o.Runs = append(o.Runs, Run{f, at})
	return len(o.Runs) - 1
}

// addStep adds a step that belongs to an instruction, or to the end of the block.
func (b *block) addStep(s step, i *simt.Inst) {
	b.steps = append(b.steps, s)
	if i != nil {
		b.insts = append(b.insts, i)
	}
}

// observeBlock adds the step that tells of the instructions of a block that have no guard.
func (c *Code) observeBlock(to *block, from *simt.Block) {
	if !c.observed.Instructions {
		return
	}
	var run []int32
	body := c.Function.Decl.Body
	last := int32(-1)
	for i := range from.Insts {
		if at := from.Insts[i].At; at >= 0 && at != last && at != from.End.At {
			last = at
			if body[at].Guard < 0 {
				run = append(run, at)
			}
		}
	}
	// The branch around an instruction under a guard that ends a block is none of the text.
	if end := &from.End; end.At >= 0 && (end.Kind != simt.Branch || body[end.At].Tree.Name.Text == "bra") {
		run = append(run, end.At)
	}
	if len(run) == 0 {
		return
	}
	n := c.observed.addRun(c.Function, run...)
	first := (*simt.Inst)(nil)
	if len(from.Insts) > 0 {
		first = &from.Insts[0]
	}
	to.addStep(func(w *Warp) bool {
		w.cta.observer.Executed(w, n, w.mask)
		return true
	}, first)
}

// observeEnd adds the step that tells of lanes that part at the end of a block.
func (c *Code) observeEnd(to *block) {
	if !c.observed.Divergence {
		return
	}
	end := to.end
	tell := func(w *Warp) bool {
		w.cta.observer.Diverge(w, end, w.mask)
		return true
	}
	switch cond := to.cond; {
	case end.Kind == simt.Branch:
		to.addStep(func(w *Warp) bool {
			if yes := w.predicate(cond) & w.mask; yes != 0 && yes != w.mask {
				return tell(w)
			}
			return true
		}, nil)
	case end.Kind == simt.Switch:
		targets := uint32(len(end.To))
		to.addStep(func(w *Warp) bool {
			index := w.words(cond)
			seen := simt.NoBlock
			for rest := w.mask; rest != 0; rest &= rest - 1 {
				n := index[bits.TrailingZeros32(rest)]
				switch {
				case n >= targets: // a fault
				case seen == simt.NoBlock:
					seen = end.To[n]
				case seen != end.To[n]:
					return tell(w)
				}
			}
			return true
		}, nil)
	case end.Kind == simt.Call && end.Aux.(*simt.CallOp).Indirect:
		to.addStep(tell, nil)
	}
}

// observe makes the step of an instruction tell the observer.
func (c *Code) observe(i *simt.Inst, inner step) step {
	switch i.Kind {
	case simt.Load, simt.Store, simt.Atomic:
		if c.observed.Memory {
			return c.observeAccess(i, inner)
		}
	case simt.Bulk:
		if c.observed.Memory {
			return c.observeBulk(i, inner)
		}
	case simt.Exchange:
		if c.observed.Exchanges {
			return c.observeExchange(i, inner)
		}
	case simt.Idle:
		n := -1
		if i.Guard != 0 && c.observed.Instructions {
			n = c.observed.addRun(c.Function, i.At)
		}
		return func(w *Warp) bool {
			if n >= 0 {
				w.cta.observer.Executed(w, n, w.mask)
			}
			return true
		}
	case simt.Fence:
		if c.observed.Memory {
			return func(w *Warp) bool {
				w.cta.observer.Fence(w, w.mask)
				return inner(w)
			}
		}
	}
	return inner
}

// Accesses is what lanes of a warp are about to access with one instruction.
type Accesses struct {
	*simt.Access
	At    int32 // index in check.Function.Body
	Lanes uint32
	// Valid are the lanes whose access is inside of some memory, aligned and allowed.
	Valid uint32
	// Of each lane: the address, the offset in its space, which of global memory is the address, and the
	// space: shared, local, param or global. Const is global here.
	Address, Offset [simt.WarpSize]uint64
	In              [simt.WarpSize]check.Space
	// Mixed says that In is not the same in all lanes.
	Mixed  bool
	values []int32 // homes of what is stored
	types  []simt.Type
	data   *[simt.WarpSize][]byte // what is stored, of a copy of many bytes; else nil
}

// First is the first of the lanes.
func (a *Accesses) First() int { return bits.TrailingZeros32(a.Lanes) }

// Reads reports whether the access reads.
func (a *Accesses) Reads() bool { return !a.Writes || a.Update != "" }

// observeAccess makes the step of an access to memory tell the observer.
func (c *Code) observeAccess(i *simt.Inst, inner step) step {
	access := i.Aux.(*simt.Access)
	from := c.addressesOf(i, access)
	defs, types := c.homesOf(i.Defs), c.typesOf(i.Defs)
	values, valueTypes := c.homesOf(i.Args[1:]), c.typesOf(i.Args[1:])
	return func(w *Warp) bool {
		a := &w.accesses
		a.Access, a.At, a.Lanes, a.values, a.types, a.data = access, i.At, w.mask, values, valueTypes, nil
		w.resolve(a, from)
		outer := w.mask
		made := w.cta.observer.Access(w, a) & outer
		if made == outer {
			return inner(w)
		}
		w.mask = made
		ok := made == 0 || inner(w)
		w.mask = outer
		for rest := outer &^ made; rest != 0; rest &= rest - 1 {
			for k, d := range defs {
				if d >= 0 {
					w.setLane(d, types[k], bits.TrailingZeros32(rest), 0)
				}
			}
		}
		return ok
	}
}

// resolve finds where the accesses of the active lanes go.
func (w *Warp) resolve(a *Accesses, from addresses) {
	a.Valid, a.Mixed = 0, false
	span := a.Span()
	if a.Space == check.Local {
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := from.of(w, lane)
			a.Address[lane], a.Offset[lane], a.In[lane] = address, address, check.Local
			if w.insideLocal(lane, address, span) {
				a.Valid |= 1 << lane
			}
		}
		return
	}
	space := check.Global
	if a.Space == check.Shared || a.Space == check.Param {
		space = a.Space
	}
	recent := window{}
	for rest := w.mask; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		address := from.of(w, lane)
		a.Address[lane], a.Offset[lane], a.In[lane] = address, address, space
		if a.Space == check.Generic && address-simt.SharedWindow < simt.ParamWindow-simt.SharedWindow+simt.WindowSize {
			w.resolveWindow(a, lane)
			continue
		}
		if recent.at(address, span) == nil || recent.base > address {
			if recent = w.window(a.Access, address); recent.at(address, span) == nil {
				continue
			}
		}
		a.Valid |= 1 << lane
	}
	if a.Space == check.Generic {
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			a.Mixed = a.Mixed || a.In[bits.TrailingZeros32(rest)] != a.In[w.firstLane()]
		}
	}
}

// resolveWindow finds where a lane's access by a generic address goes that is not one of global memory.
func (w *Warp) resolveWindow(a *Accesses, lane int) {
	address, span := a.Address[lane], a.Span()
	base, valid := uint64(simt.SharedWindow), false
	switch {
	case isLocal(a.Access, address):
		base, a.In[lane] = simt.LocalWindow, check.Local
		valid = w.insideLocal(lane, address-base, span)
	default:
		a.In[lane] = check.Shared
		if address-simt.ParamWindow < simt.WindowSize {
			base, a.In[lane] = simt.ParamWindow, check.Param
		}
		var recent window
		valid = w.find(a.Access, address, &recent) != nil
	}
	a.Offset[lane] = address - base
	if valid {
		a.Valid |= 1 << lane
	}
}

// Stored returns what a lane is about to write to an element of an access that is no atomic operation.
func (w *Warp) Stored(a *Accesses, lane, element int) uint64 {
	if a.data != nil {
		return value(a.data[lane][element*a.Size:], a.Access)
	}
	v := w.lane(a.values[element], a.types[element], lane)
	if a.Size < 8 {
		v &= 1<<(8*a.Size) - 1
	}
	return v
}

// Bytes returns the memory, that is not local, which a lane of a valid access is about to touch.
func (w *Warp) Bytes(a *Accesses, lane int) []byte {
	var recent window
	return w.find(a.Access, a.Address[lane], &recent)
}

// Exchange is what lanes of a warp are about to do together.
type Exchange struct {
	*simt.ExchangeOp
	At    int32 // index in check.Function.Body
	Lanes uint32
	// Members is who takes part, as each lane says; nil: all that are active.
	Members *[simt.WarpSize]uint32
	from    exchanged
	source  func(x *exchanged, lane int) (from int, ok bool)
}

// Source returns the lane whose value a lane takes; ok is false if that is its own, or no shuffle.
func (x *Exchange) Source(lane int) (from int, ok bool) {
	if x.source == nil {
		return 0, false
	}
	return x.source(&x.from, lane)
}

// observeExchange makes the step of an exchange tell the observer.
func (c *Code) observeExchange(i *simt.Inst, inner step) step {
	op := i.Aux.(*simt.ExchangeOp)
	gather := c.gather(i)
	source := shuffleSource(op.Name)
	return func(w *Warp) bool {
		x := Exchange{ExchangeOp: op, At: i.At, Lanes: w.mask, source: source}
		gather(w, &x.from)
		x.Members = x.from.members
		w.cta.observer.Exchange(w, &x)
		return inner(w)
	}
}

// meets reports whether a block has an exchange for which lanes of a warp wait for each other, from an
// instruction of it on, a barrier, or a call, which may come to one.
func meets(f *simt.Function, b simt.BlockID, from int) bool {
	for _, i := range f.Blocks[b].Insts[from:] {
		if op, ok := i.Aux.(*simt.ExchangeOp); ok && op.Members {
			return true
		}
	}
	switch f.Blocks[b].End.Kind {
	case simt.Barrier, simt.WarpSync, simt.Call:
		return true
	}
	return false
}

// findMeeting finds the blocks from which lanes may come to one that meets.
func (c *Code) findMeeting() {
	f := c.Function
	c.meeting = make([]bool, len(f.Blocks))
	var pending []simt.BlockID
	for b := range f.Blocks {
		if meets(f, simt.BlockID(b), 0) {
			pending = append(pending, simt.BlockID(b))
		}
	}
	for len(pending) > 0 {
		b := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !c.meeting[b] {
			c.meeting[b] = true
			pending = append(pending, f.Blocks[b].Preds...)
		}
	}
}

// meetsBehind reports whether lanes may come to a block that meets from the end of one.
func (c *Code) meetsBehind(b simt.BlockID) bool {
	return slices.ContainsFunc(c.Function.Blocks[b].End.To, func(to simt.BlockID) bool { return c.meeting[to] })
}

// Missing returns the lanes of a warp that do not execute an exchange with those that do and may still come to one,
// or to a barrier. Lanes that can only end take part in nothing more.
func (w *Warp) Missing(x *Exchange) (lanes uint32) {
	outside := func(a *activation) bool { // behind the calls that a is in
		for ; a.parent != nil; a = a.parent {
			if a.parent.code.meetsBehind(a.back) {
				return true
			}
		}
		return false
	}
	for n := range w.groups {
		if g := &w.groups[n]; g.act.code.meeting[g.block] || outside(g.act) {
			lanes |= g.mask
		}
	}
	if guarded := w.active &^ x.Lanes; guarded != 0 {
		f, b := w.act.code.Function, w.block.id
		next := slices.IndexFunc(f.Blocks[b].Insts, func(i simt.Inst) bool { return i.Aux == x.ExchangeOp }) + 1
		if meets(f, b, next) || w.act.code.meetsBehind(b) || outside(w.act) {
			lanes |= guarded
		}
	}
	return lanes &^ x.Lanes
}

// probe makes the step of a probe.
func (c *Code) probe(i *simt.Inst) step {
	homes := c.homesOf(i.Args)
	return func(w *Warp) bool {
		for k, h := range homes {
			if lanes := w.predicate(h) & w.mask; lanes != 0 {
				w.cta.observer.Probe(w, i, k, lanes)
				blendPredicate(predicateAt(w.frame, h), 0, lanes)
			}
		}
		return true
	}
}

// Live returns the lanes of a warp that have neither ended nor failed.
func (c *CTA) Live(warp int) uint32 { return c.warps[warp].live &^ c.warps[warp].failed }

// waitsAt returns the lanes that wait at a barrier.
func (c *CTA) waitsAt(id int) (all []Wait) {
	for _, w := range c.warps {
		for n := range w.groups {
			if g := &w.groups[n]; g.waits == forCTA && int(g.barrier) == id {
				all = append(all, Wait{Warp: w.Number, Lanes: g.mask, Barrier: id, Function: g.act.code.Function, At: g.act.code.Function.Blocks[g.block].End.At})
			}
		}
	}
	return all
}

// observePassage tells the observer of an argument or a result that is passed through local memory.
func (w *Warp) observePassage(p *simt.Passage, outer, inner int, lanes uint32, inwards bool) {
	switch {
	case p.Register >= 0 && inwards:
		w.cta.observer.Pass(w, lanes, inner, -1, p.Inner.Size)
	case p.Register >= 0:
	case inwards:
		w.cta.observer.Pass(w, lanes, inner, outer, p.Inner.Size)
	default:
		w.cta.observer.Pass(w, lanes, outer, inner, p.Inner.Size)
	}
}

// Active returns the lanes that are active: those for which a guard does not hold, too.
func (w *Warp) Active() uint32 { return w.active }
