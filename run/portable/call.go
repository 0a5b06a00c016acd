package portable

import (
	"fmt"
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// The limits of calls.
const (
	maxDepth   = 1024      // how deep calls may nest
	maxFrames  = 512 << 20 // bytes of the frames of a CTA
	stackAlign = 16        // of the local memory of an activation
)

// call enters a function with the lanes of the group, or several functions, each with the lanes that
// call it.
func (w *Warp) call(b *block) bool {
	op := b.end.Aux.(*simt.CallOp)
	if !op.Indirect {
		return w.enterFunction(b, op, 0, w.mask)
	}
	address := w.wides(b.args[len(b.args)-1])
	all := w.mask
	for rest := all; rest != 0; {
		lane := bits.TrailingZeros32(rest)
		callee := -1
		for k := range op.Callees {
			if op.Callees[k].Address == address[lane] {
				callee = k
			}
		}
		if callee < 0 {
			return w.fail(&Fault{Kind: BadFunction, Lane: lane, Address: address[lane]}, rest)
		}
		lanes := uint32(0)
		for r := rest; r != 0; r &= r - 1 {
			if l := bits.TrailingZeros32(r); address[l] == address[lane] {
				lanes |= 1 << l
			}
		}
		rest &^= lanes
		if w.enterFunction(b, op, callee, lanes); w.raised != nil {
			w.raised.rest |= rest
			return false
		}
	}
	return false
}

// enterFunction calls a function with some lanes. It always returns false: the group is another one.
func (w *Warp) enterFunction(b *block, op *simt.CallOp, callee int, lanes uint32) bool {
	c := &op.Callees[callee]
	caller := w.act
	code := caller.code.callees[c.Function]
	base := caller.base + (caller.code.Function.Local+stackAlign-1)&^(stackAlign-1)
	lane := bits.TrailingZeros32(lanes)
	if caller.depth+1 >= maxDepth {
		return w.fail(&Fault{Kind: TooDeep, Lane: lane, Detail: fmt.Sprintf("calls are nested more than %d deep%s", maxDepth, caller.recursion(c.Function))}, lanes)
	}
	if base+code.Function.Local > simt.MaxLocal {
		return w.fail(&Fault{Kind: TooDeep, Lane: lane, Detail: fmt.Sprintf("calls nested %d deep take %d bytes of local memory, a thread has %d%s",
			caller.depth+1, base+code.Function.Local, simt.MaxLocal, caller.recursion(c.Function))}, lanes)
	}
	if lane, ok := w.stackBeyond(base+code.Function.Local, lanes); ok {
		return w.fail(&Fault{Kind: TooDeep, Lane: lane, Detail: fmt.Sprintf("calls nested %d deep take %d bytes of local memory and alloca has given %d, a thread has %d%s",
			caller.depth+1, base+code.Function.Local, w.stack.tops[lane], simt.MaxLocal, caller.recursion(c.Function))}, lanes)
	}
	a := w.entered(b.id, callee)
	if a == nil {
		var problem string
		if a, problem = w.activate(code); a == nil {
			return w.fail(&Fault{Kind: TooDeep, Lane: lane, Detail: fmt.Sprintf("calls nested %d deep %s%s", caller.depth+1, problem, caller.recursion(c.Function))}, lanes)
		}
		a.parent, a.back, a.callee, a.note = caller, b.id, callee, nil
		a.base, a.depth, a.lanes, a.tops = base, caller.depth+1, 0, nil
		w.needLocal(base + code.Function.Local)
		w.fill(a)
		w.fillVarying(a)
	}
	a.lanes |= lanes
	a.keepTops(w, lanes)
	if w.cta.observer != nil {
		w.cta.observer.Enter(w, lanes, base, code.Function.Local)
	}
	for i := range c.In {
		w.pass(&c.In[i], b.args, caller, a, lanes, true)
	}
	w.enter(a, 0, lanes, false)
	return false
}

// entered returns the activation of a function that lanes of the caller have entered by the same call and are still in; nil if there is none. Others that
// come to the call later, as they had lost their turn before it, meet those there, at exchanges for one.
func (w *Warp) entered(call simt.BlockID, callee int) *activation {
	for n := range w.groups {
		a := w.groups[n].act
		for a.depth > w.act.depth+1 {
			a = a.parent
		}
		if a.parent == w.act && a.back == call && a.callee == callee {
			return a
		}
	}
	return nil
}

// activate returns a frame for a function, or nil and why there is none.
func (w *Warp) activate(code *Code) (a *activation, problem string) {
	if free := w.free[code]; len(free) > 0 {
		w.free[code] = free[:len(free)-1]
		return free[len(free)-1], ""
	}
	size := code.homes.Size
	if w.cta.frames+size > maxFrames {
		for _, other := range w.cta.warps {
			for _, free := range other.free {
				for _, a := range free {
					w.cta.frames -= a.code.homes.Size
				}
			}
			clear(other.free)
		}
	}
	if w.cta.frames+size > maxFrames {
		return nil, fmt.Sprintf("take %d bytes for the registers of a block, the limit is %d", w.cta.frames+size, maxFrames)
	}
	w.cta.frames += size
	return newActivation(code), ""
}

// recursion says how often a function is among those that an activation is in, if it is.
func (a *activation) recursion(f *check.Function) string {
	times, direct := 0, a.code.Function.Decl == f
	for ; a.parent != nil; a = a.parent {
		if a.code.Function.Decl == f {
			times++
		}
	}
	switch {
	case times == 0:
		return ""
	case direct:
		return fmt.Sprintf(": %s calls itself, and has been entered %d times without being left", f.Name, times)
	}
	return fmt.Sprintf(": %s is called by what it calls, and has been entered %d times without being left", f.Name, times)
}

// leave returns from a function with the lanes of the group.
func (w *Warp) leave() {
	callee, caller := w.act, w.act.parent
	back := caller.code.block(callee.back)
	c := &back.end.Aux.(*simt.CallOp).Callees[callee.callee]
	callee.returnTops(w, w.mask)
	for i := range c.Out {
		w.pass(&c.Out[i], back.defs, caller, callee, w.mask, false)
	}
	w.act, w.frame, w.block = caller, caller.frame, back
	w.copy(&back.edges[0])
	w.enter(caller, back.edges[0].to, w.mask, false)
	w.depart(callee, w.mask)
}

// pass copies an argument from caller to callee, or a result back, for some lanes.
func (w *Warp) pass(p *simt.Passage, registers []int32, caller, callee *activation, lanes uint32, inwards bool) {
	inner := uint64(callee.base + callee.code.Function.Offsets[p.Inner])
	size := uint64(p.Inner.Size)
	if w.cta.observer != nil {
		w.observePassage(p, caller.base+p.Offset, int(inner), lanes, inwards)
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		if p.Register >= 0 {
			for half := range simt.Halves(p.Inner.Type) {
				w.passRegister(p, registers[p.Register+half], caller, lane, inner+8*uint64(half), inwards)
			}
			continue
		}
		from, to := uint64(caller.base+p.Offset), inner
		if !inwards {
			from, to = to, from
		}
		at := uint64(0)
		for ; at+4 <= size && (from|to)%4 == 0; at += 4 {
			w.storeLocal(lane, to+at, 4, w.loadLocal(lane, from+at, 4))
		}
		for ; at < size; at++ {
			w.storeLocal(lane, to+at, 1, w.loadLocal(lane, from+at, 1))
		}
	}
}

// passRegister copies between a register of the caller, of 128 bits one of its two, and local memory of the callee.
func (w *Warp) passRegister(p *simt.Passage, home int32, caller *activation, lane int, inner uint64, inwards bool) {
	size := uint64(p.Inner.Type.Bytes() / simt.Halves(p.Inner.Type))
	outer := w.frame
	w.frame = caller.frame
	t := simt.B32
	switch {
	case size == 8:
		t = simt.B64
	case p.Inner.Type == check.Pred:
		size, t = 1, simt.Pred
	}
	if inwards {
		w.storeLocal(lane, inner, size, w.lane(home, t, lane))
	} else {
		w.setLane(home, t, lane, w.loadLocal(lane, inner, size))
	}
	w.frame = outer
}
