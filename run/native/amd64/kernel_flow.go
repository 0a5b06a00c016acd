package amd64

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// The flow of groups of lanes, as package portable has it: the group that stands first in the order of blocks goes
// first, and groups at the same block become one. The frame has the lanes that wait at each block, and the first
// block where some do. A group that comes to a block where others wait, or before which others wait, waits too,
// and the first group goes on.

// end selects the end of a block.
func (k *kernelCompiler) end(b simt.BlockID) {
	end := &k.Blocks[b].End
	switch end.Kind {
	case simt.Jump:
		k.edge(b, 0, true)
		return
	case simt.Branch:
		k.branch(b, end)
		return
	case simt.Switch:
		if k.choose(b, end) {
			return
		}
	case simt.Return, simt.Exit:
		if k.Decl != nil && k.Decl.Entry {
			k.do(k.writeEnded)
			return
		}
	}
	if op, ok := end.Aux.(*simt.BarrierOp); ok && op.Reduce == "" {
		k.barrier(b, end)
		return
	}
	// Others execute the end, and the copies behind it.
	needs, defined := append(slices.Clone(end.Args), end.Cond), slices.Clone(end.Defs)
	for n := range end.To {
		for _, m := range k.Moves(b, n) {
			needs, defined = append(needs, m.From), append(defined, m.To)
		}
	}
	k.leave(Site{Kind: EndSite, Block: b}, k.roots(needs))
	k.defineUnknown(defined)
}

// barrier selects a barrier of the CTA: the code is left as it is, and goes on when the others have come.
func (k *kernelCompiler) barrier(b simt.BlockID, end *simt.End) {
	needs := slices.Clone(end.Args)
	for n := range end.To {
		for _, m := range k.Moves(b, n) {
			needs = append(needs, m.From)
		}
	}
	site := k.site(Site{Kind: BarrierSite, Block: b, resume: k.asm.NewLabel()})
	k.doWith(k.roots(needs), func() {
		k.sites[site].Left = k.at
		k.writeLeave(site)
		k.bind(k.sites[site].resume)
		k.sites[site].Resumed = k.at
	})
	k.forget()
	k.edge(b, 0, true)
}

// writeEnded ends the lanes at work.
func (k *kernelCompiler) writeEnded() {
	k.storeLanes(FrameLanes)
	k.emit(encode.MOV|encode.S32, encode.RAX, encode.At(kernelFrame, FrameLanes))
	k.emit(encode.OR|encode.S32, encode.At(kernelFrame, FrameEnded), encode.RAX)
	k.jump(k.dispatch)
}

// jump writes a jump.
func (k *kernelCompiler) jump(l encode.Label) {
	at := k.asm.Len()
	k.asm.Jump(l)
	if k.o.Listing {
		k.lines = append(k.lines, Line{at, k.asm.Len(), "jmp ." + decimal(l)})
	}
}

// edge goes on to a successor of a block, with the lanes at work. last says that it is the last code of the block.
func (k *kernelCompiler) edge(b simt.BlockID, n int, last bool) {
	to := k.Blocks[b].End.To[n]
	k.copies(b, n)
	label := k.blockLabel[to]
	if to <= b {
		k.turn(b, to, label)
		return
	}
	mayWait := k.mayWait(b)
	next := last && b+1 == to
	k.do(func() {
		if mayWait {
			slow := k.asm.NewLabel()
			k.emit(encode.CMP|encode.S32, encode.At(kernelFrame, FrameFrontier), encode.Imm(int64(to)))
			k.jumpIf(encode.CondA.Not(), slow)
			k.cold = append(k.cold, func() {
				k.bind(slow)
				k.emit(encode.MOV|encode.S32, encode.RAX, encode.Imm(int64(to)))
				k.jump(k.rejoin)
			})
		}
		if !next {
			k.jump(label)
		}
	})
}

// mayWait reports whether lanes may wait anywhere while a block is executed.
func (k *kernelCompiler) mayWait(b simt.BlockID) bool {
	last := b
	for l := k.Blocks[b].Loop; l != simt.NoBlock; l = k.Outer(l) {
		last = k.LoopLast(l)
	}
	return slices.Contains(k.parting[:last+1], true)
}

// turn goes back to the header of a loop, if the budget is not used up. All lanes in the loop are at work then:
// those that wait stand behind the loop.
func (k *kernelCompiler) turn(b, to simt.BlockID, label encode.Label) {
	cost := 1
	for at := to; at <= b; at++ {
		cost += len(k.Blocks[at].Insts) + 1
	}
	site := k.site(Site{Kind: BudgetSite, Block: to, resume: label})
	k.do(func() {
		k.sites[site].Left = k.at
		k.sites[site].Resumed = k.at
		k.emit(encode.SUB|encode.S64, encode.At(kernelFrame, FrameBudget), encode.Imm(int64(cost)))
		k.writeLeaveIf(encode.CondS, site)
		k.jump(label)
	})
}

// branch selects a branch on a predicate.
func (k *kernelCompiler) branch(b simt.BlockID, end *simt.End) {
	if end.To[0] == end.To[1] {
		k.edge(b, 0, true)
		return
	}
	no := k.asm.NewLabel()
	if bits, ok := k.ConstOf(end.Cond); ok {
		k.edge(b, int(1-bits&1), true)
		return
	}
	if k.scalar[end.Cond] {
		x := k.general(end.Cond)
		k.fixedly(encode.TEST|encode.S32, x, x)
		k.do(func() { k.jumpIf(encode.CondE, no) })
		k.edge(b, 0, false)
		k.do(func() { k.bind(no) })
		k.edge(b, 1, true)
		return
	}
	var parts grouped
	for g, s := range k.groups {
		parts[g] = s.value(end.Cond).parts[0]
	}
	// EAX = the lanes at work for which it holds, EDX = the others.
	k.wordOf(encode.RAX, parts)
	k.do(func() {
		k.writeWordAtWork(encode.RCX)
		k.emit(encode.ANDN|encode.S32, encode.RDX, encode.RAX, encode.RCX)
	})
	yes := k.asm.NewLabel()
	k.do(func() {
		k.emit(encode.AND|encode.S32, encode.RAX, encode.RCX)
		k.jumpIf(encode.CondE, no)
		k.emit(encode.TEST|encode.S32, encode.RDX, encode.RDX)
		k.jumpIf(encode.CondE, yes)
		k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, frameYes), encode.RAX)
		k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, frameNo), encode.RDX)
	})
	// Both ways are taken: those for the later block wait, and the others go on.
	first, second := 0, 1
	lanes := [2]int32{frameYes, frameNo}
	if end.To[0] > end.To[1] {
		first, second = 1, 0
	}
	k.do(func() { k.loadLanes(lanes[second]) })
	k.copies(b, second)
	later := end.To[second]
	k.do(func() { k.writeWait(later, lanes[second]) })
	k.do(func() { k.loadLanes(lanes[first]) })
	k.edge(b, first, false)
	k.do(func() { k.bind(no) })
	k.edge(b, 1, false)
	k.do(func() { k.bind(yes) })
	k.edge(b, 0, true)
}

// writeWait lets lanes that are in the frame wait at a block.
func (k *kernelCompiler) writeWait(at simt.BlockID, lanes int32) {
	k.emit(encode.MOV|encode.S32, encode.RAX, encode.At(kernelFrame, lanes))
	k.emit(encode.OR|encode.S32, encode.At(kernelFrame, FrameWaiting+4*int32(at)), encode.RAX)
	ok := k.asm.NewLabel()
	k.emit(encode.CMP|encode.S32, encode.At(kernelFrame, FrameFrontier), encode.Imm(int64(at)))
	k.jumpIf(encode.CondA.Not(), ok)
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameFrontier), encode.Imm(int64(at)))
	k.bind(ok)
}

// maxTargets is how many ways a switch may have in machine code: each is looked at in turn.
const maxTargets = 64

// choose selects a branch by a list of blocks. It reports whether that is done by machine code.
func (k *kernelCompiler) choose(b simt.BlockID, end *simt.End) bool {
	if len(end.To) > maxTargets {
		return false
	}
	if bits, ok := k.ConstOf(end.Cond); ok && bits < uint64(len(end.To)) {
		k.edge(b, int(bits), true)
		return true
	}
	// An index that is too large is a fault, which others tell.
	tooLarge := k.asm.NewLabel()
	var index grouped
	for g, s := range k.groups {
		index[g] = s.value(end.Cond).parts[0]
	}
	limit, beyond := k.const32(uint32(len(end.To))), operand{}
	for g, s := range k.groups {
		beyond = s.alsoSet(beyond, s.notLess(4, s.atWork(), index[g], limit))
	}
	k.testSet(beyond)
	k.do(func() { k.jumpIf(encode.CondNE, tooLarge) })
	k.do(func() { k.storeLanes(frameNo) })
	for n, to := range end.To {
		if slices.Index(end.To, to) != n {
			continue
		}
		// The lanes that go there.
		var lanes grouped
		for g, s := range k.groups {
			for m := range end.To {
				if end.To[m] != to {
					continue
				}
				lanes[g] = s.alsoSet(lanes[g], s.equal32(index[g], k.const32(uint32(m))))
			}
		}
		none := k.asm.NewLabel()
		k.wordOf(encode.RAX, lanes)
		k.do(func() {
			k.emit(encode.AND|encode.S32, encode.RAX, encode.At(kernelFrame, frameNo))
			k.jumpIf(encode.CondE, none)
			k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, frameYes), encode.RAX)
			k.loadLanes(frameYes)
		})
		k.copies(b, n)
		k.do(func() {
			k.writeWait(to, frameYes)
			k.bind(none)
		})
	}
	k.do(func() { k.jump(k.dispatch) })
	k.do(func() { k.bind(tooLarge) })
	k.leave(Site{Kind: EndSite, Block: b}, k.roots([]simt.ID{end.Cond}))
	return true
}

// writeRejoin writes what a group does that may not go on: it waits at the block whose number is in EAX.
func (k *kernelCompiler) writeRejoin() {
	k.bind(k.rejoin)
	k.storeLanes(FrameLanes)
	k.emit(encode.MOV|encode.S32, encode.RCX, encode.At(kernelFrame, FrameLanes))
	k.emit(encode.OR|encode.S32, encode.AtIndex(kernelFrame, encode.RAX, 4, FrameWaiting), encode.RCX)
	k.emit(encode.CMP|encode.S32, encode.RAX, encode.At(kernelFrame, FrameFrontier))
	k.jumpIf(encode.CondB.Not(), k.dispatch)
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameFrontier), encode.RAX)

	// The first group goes on.
	k.bind(k.dispatch)
	next, found, last, done := k.asm.NewLabel(), k.asm.NewLabel(), k.asm.NewLabel(), k.asm.NewLabel()
	k.emit(encode.MOV|encode.S32, encode.RAX, encode.At(kernelFrame, FrameFrontier))
	k.emit(encode.CMP|encode.S32, encode.RAX, encode.Imm(NoFrontier))
	k.jumpIf(encode.CondE, done)
	waiting := func(index encode.Operand) encode.Operand {
		return encode.AtIndex(kernelFrame, index, 4, FrameWaiting)
	}
	k.emit(encode.MOV|encode.S32, encode.RCX, waiting(encode.RAX))
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameLanes), encode.RCX)
	k.emit(encode.MOV|encode.S32, waiting(encode.RAX), encode.Imm(0))
	k.loadLanes(FrameLanes)
	k.emit(encode.MOV|encode.S32, encode.RCX, encode.RAX)
	k.bind(next)
	k.emit(encode.ADD|encode.S32, encode.RCX, encode.Imm(1))
	k.emit(encode.CMP|encode.S32, encode.RCX, encode.Imm(int64(len(k.Blocks))))
	k.jumpIf(encode.CondAE, last)
	k.emit(encode.CMP|encode.S32, waiting(encode.RCX), encode.Imm(0))
	k.jumpIf(encode.CondE, next)
	k.jump(found)
	k.bind(last)
	k.emit(encode.MOV|encode.S32, encode.RCX, encode.Imm(NoFrontier))
	k.bind(found)
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameFrontier), encode.RCX)
	k.emit(encode.MOV|encode.S64, encode.RCX, encode.At(kernelFrame, FrameTable))
	k.emit(encode.JMPR, encode.AtIndex(encode.RCX, encode.RAX, 8, 0))

	k.bind(done) // no register has anything that anybody needs
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameSite), encode.Imm(int64(k.site(Site{Kind: DoneSite}))))
	k.jump(k.done)
}
