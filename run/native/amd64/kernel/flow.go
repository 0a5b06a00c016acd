package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// The flow of groups of lanes, as package portable has it: the group that stands first in the order of blocks goes
// first, and groups at the same block become one. The frame has the lanes that wait at each block, and the first
// block where some do. A group that comes to a block where others wait, or before which others wait, waits too,
// and the first group goes on.

// end selects the end of a block.
func (k *compiler) end(b simt.BlockID) {
	end := &k.Blocks[b].End
	switch end.Kind {
	case simt.Jump:
		k.edge(b, 0, true)
		return
	case simt.Branch:
		k.branch(b, end)
		return
	case simt.BranchAll:
		k.branchAll(b, end)
		return
	case simt.Switch:
		if k.choose(b, end) {
			return
		}
	case simt.Return, simt.Exit:
		if k.Decl != nil && k.Decl.Entry {
			k.Do(k.writeEnded)
			return
		}
	}
	if op, ok := end.Aux.(*simt.BarrierOp); ok && op.Reduce == "" && (op.Cluster || k.Known.IsScalar(end.Args[0]) && k.Known.IsScalar(end.Args[1])) {
		k.barrier(b, end)
		return
	}
	// Others execute the end, and the copies behind it.
	defined := slices.Clone(end.Defs)
	for n := range end.To {
		for _, m := range k.moves(b, n) {
			defined = append(defined, m.To)
		}
	}
	k.leave(Site{Kind: EndSite, Block: b}, k.roots(k.readAtEnd(b)))
	k.defineUnknown(defined)
}

// readAtEnd returns what others read who execute the end of a block, and the copies behind it.
func (k *compiler) readAtEnd(b simt.BlockID) (read []simt.ID) {
	end := &k.Blocks[b].End
	read = append(slices.Clone(end.Args), end.Cond)
	for n := range end.To {
		for _, m := range k.moves(b, n) {
			read = append(read, m.From)
		}
	}
	return read
}

// writeEnded ends the lanes at work.
func (k *compiler) writeEnded() {
	k.WriteWordAtWork(encode.RAX)
	k.Emit(encode.OR|encode.S32, encode.At(frameReg, FrameEnded), encode.RAX)
	k.Jump(k.dispatch)
}

// edge goes on to a successor of a block, with the lanes at work. last says that it is the last code of the block.
func (k *compiler) edge(b simt.BlockID, n int, last bool) {
	to := k.Blocks[b].End.To[n]
	k.copies(b, n)
	label := k.blockLabel[to]
	if to <= b {
		k.turn(b, to, label)
		return
	}
	mayWait := k.MayWait(b, k.parting)
	next := last && b+1 == to
	k.Do(func() {
		if mayWait {
			slow := k.Asm.NewLabel()
			k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameFrontier), encode.Imm(int64(to)))
			k.JumpIf(encode.CondA.Not(), slow)
			k.cold = append(k.cold, func() {
				k.Bind(slow)
				k.writeSomeWait(to)
				k.Emit(encode.MOV|encode.S32, encode.RAX, encode.Imm(int64(to)))
				k.Jump(k.rejoin)
			})
		}
		if !next {
			k.Jump(label)
		}
	})
}

// turn goes back to the header of a loop, if the budget is not used up. All lanes in the loop are at work then:
// those that wait stand behind the loop.
func (k *compiler) turn(b, to simt.BlockID, label encode.Label) {
	cost := 1
	for at := to; at <= b; at++ {
		cost += len(k.Blocks[at].Insts) + 1
	}
	site := k.site(Site{Kind: BudgetSite, Block: to})
	k.resumes[site] = label
	k.Do(func() {
		k.sites[site].Left = k.At
		k.sites[site].Resumed = k.At
		k.Emit(encode.SUB|encode.S64, encode.At(frameReg, FrameBudget), encode.Imm(int64(cost)))
		k.writeLeaveIf(encode.CondS, site)
		k.Jump(label)
	})
}

// branch selects a branch on a predicate.
func (k *compiler) branch(b simt.BlockID, end *simt.End) {
	if end.To[0] == end.To[1] {
		k.edge(b, 0, true)
		return
	}
	no := k.Asm.NewLabel()
	if n, ok := k.OnlyEdge(b); ok {
		k.edge(b, n, true)
		return
	}
	if k.Scalar[end.Cond] {
		x := k.General(end.Cond)
		k.Fixedly(encode.TEST|encode.S32, x, x)
		k.Do(func() { k.JumpIf(encode.CondE, no) })
		k.edge(b, 0, false)
		k.Do(func() { k.Bind(no) })
		k.edge(b, 1, true)
		return
	}
	yes := k.Asm.NewLabel()
	// EAX = the lanes at work for which it holds, EDX = the others.
	k.condition(end.Cond, yes, no)
	k.Do(func() {
		k.WriteWordAtWork(encode.RCX)
		k.Emit(encode.ANDN|encode.S32, encode.RDX, encode.RAX, encode.RCX)
	})
	k.Do(func() {
		k.Emit(encode.AND|encode.S32, encode.RAX, encode.RCX)
		k.JumpIf(encode.CondE, no)
		k.Emit(encode.TEST|encode.S32, encode.RDX, encode.RDX)
		k.JumpIf(encode.CondE, yes)
		k.Emit(encode.MOV|encode.S32, encode.At(frameReg, frameYes), encode.RAX)
		k.Emit(encode.MOV|encode.S32, encode.At(frameReg, frameNo), encode.RDX)
	})
	// Both ways are taken: those for the later block wait, and the others go on.
	first, second := 0, 1
	lanes := [2]int32{frameYes, frameNo}
	if end.To[0] > end.To[1] {
		first, second = 1, 0
	}
	k.Do(func() { k.LoadLanes(lanes[second]) })
	k.copies(b, second)
	later := end.To[second]
	k.Do(func() { k.writeWait(later, lanes[second]) })
	k.Do(func() { k.LoadLanes(lanes[first]) })
	k.edge(b, first, false)
	k.Do(func() { k.Bind(no) })
	k.edge(b, 1, false)
	k.Do(func() { k.Bind(yes) })
	k.edge(b, 0, true)
}

// branchAll selects a branch that all lanes at work take alike.
func (k *compiler) branchAll(b simt.BlockID, end *simt.End) {
	if n, ok := k.OnlyEdge(b); ok {
		k.edge(b, n, true)
		return
	}
	no := k.Asm.NewLabel()
	switch c := k.bounds[end.Cond]; {
	case c != nil:
		k.BringCondition(c.Condition)
		k.Require(c.Condition, no)
	case k.Scalar[end.Cond]:
		x := k.General(end.Cond)
		k.Fixedly(encode.TEST|encode.S32, x, x)
		k.Do(func() { k.JumpIf(encode.CondE, no) })
	default:
		k.condition(end.Cond, no, no)
		k.Do(func() {
			k.WriteWordAtWork(encode.RCX)
			k.Emit(encode.ANDN|encode.S32, encode.RDX, encode.RAX, encode.RCX)
			k.JumpIf(encode.CondNE, no)
		})
	}
	yes := k.Asm.NewLabel()
	k.Do(func() { k.Jump(yes) })
	k.Do(func() { k.Bind(no) })
	k.edge(b, 1, false)
	k.Do(func() { k.Bind(yes) })
	k.edge(b, 0, true)
}

// writeWait lets lanes that are in the frame wait at a block.
func (k *compiler) writeWait(at simt.BlockID, lanes int32) {
	k.Emit(encode.MOV|encode.S32, encode.RAX, encode.At(frameReg, lanes))
	k.Emit(encode.OR|encode.S32, encode.At(frameReg, warp.FrameWaiting+4*int32(at)), encode.RAX)
	k.writeSomeWait(at)
	ok := k.Asm.NewLabel()
	k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameFrontier), encode.Imm(int64(at)))
	k.JumpIf(encode.CondA.Not(), ok)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameFrontier), encode.Imm(int64(at)))
	k.Bind(ok)
}

// maxTargets is how many ways a switch may have in machine code: each is looked at in turn.
const maxTargets = 64

// choose selects a branch by a list of blocks. It reports whether that is done by machine code.
func (k *compiler) choose(b simt.BlockID, end *simt.End) bool {
	if len(end.To) > maxTargets {
		return false
	}
	if n, ok := k.OnlyEdge(b); ok {
		k.edge(b, n, true)
		return true
	}
	// An index that is too large is a fault, which others tell, and then execute the end for the other lanes.
	tooLarge := k.site(Site{Kind: EndSite, Block: b})
	var index warp.Grouped
	for g, s := range k.Groups {
		index[g] = s.Value(end.Cond).Parts[0]
	}
	limit, beyond := k.Const32(uint32(len(end.To))), machine.Operand{}
	for g, s := range k.Groups {
		beyond = s.AlsoSet(beyond, s.NotLess(4, s.AtWork(), index[g], limit))
	}
	k.TestSet(beyond)
	k.leaveIf(encode.CondNE, tooLarge, k.roots(k.readAtEnd(b)))
	k.Do(func() { k.StoreLanes(frameNo) })
	for n, to := range end.To {
		if slices.Index(end.To, to) != n {
			continue
		}
		// The lanes that go there.
		var lanes warp.Grouped
		for g, s := range k.Groups {
			for m := range end.To {
				if end.To[m] != to {
					continue
				}
				lanes[g] = s.AlsoSet(lanes[g], s.Equal32(index[g], k.Const32(uint32(m))))
			}
		}
		none := k.Asm.NewLabel()
		k.WordOf(encode.RAX, lanes)
		k.Do(func() {
			k.Emit(encode.AND|encode.S32, encode.RAX, encode.At(frameReg, frameNo))
			k.JumpIf(encode.CondE, none)
			k.Emit(encode.MOV|encode.S32, encode.At(frameReg, frameYes), encode.RAX)
			k.LoadLanes(frameYes)
		})
		k.copies(b, n)
		k.Do(func() {
			k.writeWait(to, frameYes)
			k.Bind(none)
		})
	}
	k.Do(func() { k.Jump(k.dispatch) })
	return true
}

// waitingWords is how many words have a bit for each block. They have 32 bits: to read 64 waits for what has been written of
// them by halves.
func (k *compiler) waitingWords() int { return (len(k.Blocks) + 31) / 32 }

// writeSomeWait notes that lanes wait at a block: the next one is found by that without looking at each.
func (k *compiler) writeSomeWait(at simt.BlockID) {
	bit := uint32(1) << (at % 32)
	k.Emit(encode.OR|encode.S32, encode.At(frameReg, k.frameSomeWait+4*int32(at/32)), encode.Imm(int64(int32(bit))))
}

// writeRejoin writes what a group does that may not go on: it waits at the block whose number is in EAX.
func (k *compiler) writeRejoin() {
	k.Bind(k.rejoin)
	k.WriteWordAtWork(encode.RCX)
	k.Emit(encode.OR|encode.S32, encode.AtIndex(frameReg, encode.RAX, 4, warp.FrameWaiting), encode.RCX)
	k.Emit(encode.CMP|encode.S32, encode.RAX, encode.At(frameReg, FrameFrontier))
	k.JumpIf(encode.CondB.Not(), k.dispatch)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameFrontier), encode.RAX)

	// The first group goes on.
	k.Bind(k.dispatch)
	done := k.Asm.NewLabel()
	k.Emit(encode.MOV|encode.S32, encode.RAX, encode.At(frameReg, FrameFrontier))
	k.Emit(encode.CMP|encode.S32, encode.RAX, encode.Imm(NoFrontier))
	k.JumpIf(encode.CondE, done)
	waiting := encode.AtIndex(frameReg, encode.RAX, 4, warp.FrameWaiting)
	k.Emit(encode.MOV|encode.S32, encode.RCX, waiting)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameLanes), encode.RCX)
	k.Emit(encode.MOV|encode.S32, waiting, encode.Imm(0))
	k.LoadLanes(FrameLanes)
	k.writeNextFrontier()
	k.Emit(encode.MOV|encode.S64, encode.RCX, encode.At(frameReg, FrameTable))
	k.Emit(encode.JMPR, encode.AtIndex(encode.RCX, encode.RAX, 8, 0))

	k.Bind(done) // no register has anything that anybody needs
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameSite), encode.Imm(int64(k.site(Site{Kind: DoneSite}))))
	k.writeNextOfEnded()
}

// writeNextFrontier finds the first block at which lanes wait, behind the one that is the first still, whose number is in
// EAX. It changes RCX and RDX.
func (k *compiler) writeNextFrontier() {
	words := k.waitingWords()
	next, found, last := k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	word := encode.At(frameReg, k.frameSomeWait)
	if words > 1 {
		word = encode.AtIndex(frameReg, encode.RDX, 4, k.frameSomeWait)
		k.Emit(encode.MOV|encode.S32, encode.RDX, encode.RAX)
		k.Emit(encode.SHR|encode.S32, encode.RDX, encode.Imm(5))
	}
	// The first block is the lowest bit of its word.
	k.Emit(encode.BLSR|encode.S32, encode.RCX, word)
	k.Emit(encode.MOV|encode.S32, word, encode.RCX)
	k.Bind(next)
	k.Emit(encode.BSF|encode.S32, encode.RCX, encode.RCX)
	k.JumpIf(encode.CondNE, found)
	if words > 1 {
		k.Emit(encode.ADD|encode.S32, encode.RDX, encode.Imm(1))
		k.Emit(encode.CMP|encode.S32, encode.RDX, encode.Imm(int64(words)))
		k.JumpIf(encode.CondAE, last)
		k.Emit(encode.MOV|encode.S32, encode.RCX, word)
		k.Jump(next)
		k.Bind(last)
	}
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameFrontier), encode.Imm(NoFrontier))
	end := k.Asm.NewLabel()
	k.Jump(end)
	k.Bind(found)
	if words > 1 {
		k.Emit(encode.SHL|encode.S32, encode.RDX, encode.Imm(5))
		k.Emit(encode.ADD|encode.S32, encode.RCX, encode.RDX)
	}
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameFrontier), encode.RCX)
	k.Bind(end)
}
