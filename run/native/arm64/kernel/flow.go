package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// The flow of groups of lanes, as package portable has it: the group that stands first in the order of blocks goes
// first, and groups at the same block become one. The frame has the lanes that wait at each block, and the first
// block where some do. A group that comes to a block where others wait, or before which others wait, waits too,
// and the first group goes on.

var (
	x0, x1, x2, x3 = encode.X(0), encode.X(1), encode.X(2), encode.X(3)
)

// end writes the end of a block, with the operations from an instruction on.
func (k *compiler) end(b simt.BlockID, first int) error {
	end, last := &k.Blocks[b].End, len(k.Blocks[b].Insts)
	switch end.Kind {
	case simt.Jump:
		vectors, scalars := k.movesOf(b, 0)
		if err := k.run(b, first, last, &ending{moves: vectors, masked: k.MustMask(b, end.To[0], k.parting)}); err != nil {
			return err
		}
		k.copyScalars(scalars)
		k.goOn(b, end.To[0], true)
		return nil
	case simt.Branch, simt.BranchAll:
		return k.branch(b, first, end)
	}
	if err := k.run(b, first, last, nil); err != nil {
		return err
	}
	if (end.Kind == simt.Return || end.Kind == simt.Exit) && k.Decl != nil && k.Decl.Entry {
		k.Access(encode.LDRW, x0, frameReg, frame.Lanes)
		k.Access(encode.LDRW, x1, frameReg, frame.Ended)
		k.Emit(encode.ORRW, x0, x0, x1)
		k.Access(encode.STRW, x0, frameReg, frame.Ended)
		k.Branch(encode.B, k.dispatch)
		return nil
	}
	if k.chooses(b) {
		return k.choose(b, end)
	}
	if op, ok := end.Aux.(*simt.BarrierOp); ok && op.Reduce == "" && (op.Cluster || k.allScalar(end.Args[:2])) {
		site := k.site(frame.Site{Kind: frame.BarrierSite, Block: b})
		k.leave(site)
		k.resume(site)
		return k.edge(b, 0, true)
	}
	// Others execute the end, and the copies behind it.
	k.leave(k.site(frame.Site{Kind: frame.EndSite, Block: b}))
	return nil
}

// edge goes on to a successor of a block, with the lanes at work. last says that it is the last code of the block.
func (k *compiler) edge(b simt.BlockID, n int, last bool) error {
	k.generals.forget()
	if err := k.copies(b, n); err != nil {
		return err
	}
	k.goOn(b, k.Blocks[b].End.To[n], last)
	return nil
}

// goOn is edge behind the copies.
func (k *compiler) goOn(b, to simt.BlockID, last bool) {
	label := k.blockLabel[to]
	if to <= b {
		k.turn(b, to, label)
		return
	}
	if k.MayWait(b, k.parting) {
		slow := k.Asm.NewLabel()
		k.Access(encode.LDRW, x1, frameReg, frame.Frontier)
		k.number(x0, uint64(to))
		k.Emit(encode.CMPW, x1, x0)
		k.Branch(encode.BLS, slow)
		k.cold = append(k.cold, func() {
			k.Bind(slow)
			k.Branch(encode.B, k.rejoin)
		})
	}
	if !last || b+1 != to {
		k.Branch(encode.B, label)
	}
}

// turn goes back to the header of a loop, if the budget is not used up. All lanes in the loop are at work then:
// those that wait stand behind the loop.
func (k *compiler) turn(b, to simt.BlockID, label encode.Label) {
	cost := 1
	for at := to; at <= b; at++ {
		cost += len(k.Blocks[at].Insts) + 1
	}
	site := k.site(frame.Site{Kind: frame.BudgetSite, Block: to})
	k.resumes[site] = label
	k.Access(encode.LDRX, x0, frameReg, frame.Budget)
	k.number(x1, uint64(cost))
	k.Emit(encode.SUBSX, x0, x0, x1)
	k.Access(encode.STRX, x0, frameReg, frame.Budget)
	k.Branch(encode.BMI, k.outOfLine(site))
	k.Branch(encode.B, label)
}

// branch writes a branch on a predicate.
func (k *compiler) branch(b simt.BlockID, first int, end *simt.End) error {
	last := len(k.Blocks[b].Insts)
	only, known := k.OnlyEdge(b)
	switch {
	case end.To[0] == end.To[1]:
		only, known = 0, true
	case !known && !k.scalar[end.Cond]:
		return k.part(b, first, end)
	}
	if err := k.run(b, first, last, nil); err != nil {
		return err
	}
	if known {
		return k.edge(b, only, true)
	}
	no := k.Asm.NewLabel()
	k.Emit(encode.CBZW, k.general(end.Cond), encode.At(no))
	if err := k.edge(b, 0, false); err != nil {
		return err
	}
	k.Bind(no)
	return k.edge(b, 1, true)
}

// part writes a branch on which lanes may disagree.
func (k *compiler) part(b simt.BlockID, first int, end *simt.End) error {
	if err := k.run(b, first, len(k.Blocks[b].Insts), &ending{cond: end.Cond}); err != nil {
		return err
	}
	// X0 = the lanes at work for which it holds, X2 = the others.
	no, yes := k.Asm.NewLabel(), k.Asm.NewLabel()
	k.Access(encode.LDRW, x1, frameReg, frame.Lanes)
	k.Emit(encode.BICW, x2, x1, x0)
	if end.Kind == simt.BranchAll {
		k.Emit(encode.CBNZW, x2, encode.At(no))
		if err := k.edge(b, 0, false); err != nil {
			return err
		}
		k.Bind(no)
		return k.edge(b, 1, true)
	}
	k.Emit(encode.ANDW, x0, x0, x1)
	k.Emit(encode.CBZW, x0, encode.At(no))
	k.Emit(encode.CBZW, x2, encode.At(yes))
	k.Access(encode.STRW, x0, frameReg, frame.Yes)
	k.Access(encode.STRW, x2, frameReg, frame.No)
	// Both ways are taken: those for the later block wait, and the others go on.
	earlier, later := 0, 1
	lanes := [2]int32{frame.Yes, frame.No}
	if end.To[0] > end.To[1] {
		earlier, later = 1, 0
	}
	k.generals.forget()
	k.loadLanes(lanes[later])
	if err := k.copies(b, later); err != nil {
		return err
	}
	k.wait(end.To[later], lanes[later])
	k.loadLanes(lanes[earlier])
	if err := k.edge(b, earlier, false); err != nil {
		return err
	}
	k.Bind(no)
	if err := k.edge(b, 1, false); err != nil {
		return err
	}
	k.Bind(yes)
	return k.edge(b, 0, true)
}

// wait lets lanes that are in the frame wait at a block.
func (k *compiler) wait(at simt.BlockID, lanes int32) {
	k.Access(encode.LDRW, x0, frameReg, lanes)
	k.Access(encode.LDRW, x1, frameReg, frameWaiting+4*int32(at))
	k.Emit(encode.ORRW, x0, x0, x1)
	k.Access(encode.STRW, x0, frameReg, frameWaiting+4*int32(at))
	k.number(x0, uint64(at))
	k.Access(encode.LDRW, x1, frameReg, frame.Frontier)
	k.Emit(encode.CMPW, x0, x1)
	k.Emit(encode.CSELW, x0, x0, x1, encode.Imm(encode.LO))
	k.Access(encode.STRW, x0, frameReg, frame.Frontier)
}

// writeRejoin writes what a group does that may not go on: it waits at the block whose number is in X0.
func (k *compiler) writeRejoin() {
	k.Bind(k.rejoin)
	waiting := func(at encode.Operand) { // X2 = where the lanes are that wait there, but for frameWaiting
		k.Emit(encode.UBFMX, x2, at, encode.Imm(62), encode.Imm(61))
		k.Emit(encode.ADDX, x2, x2, frameReg)
	}
	waiting(x0)
	k.Access(encode.LDRW, x1, frameReg, frame.Lanes)
	k.Access(encode.LDRW, x3, x2, frameWaiting)
	k.Emit(encode.ORRW, x1, x1, x3)
	k.Access(encode.STRW, x1, x2, frameWaiting)
	k.Access(encode.LDRW, x1, frameReg, frame.Frontier)
	k.Emit(encode.CMPW, x0, x1)
	k.Branch(encode.BHS, k.dispatch)
	k.Access(encode.STRW, x0, frameReg, frame.Frontier)

	// The first group goes on.
	k.Bind(k.dispatch)
	next, found, done := k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	block := encode.X(4)
	k.Access(encode.LDRW, block, frameReg, frame.Frontier)
	k.number(x1, frame.NoFrontier)
	k.Emit(encode.CMPW, block, x1)
	k.Branch(encode.BEQ, done)
	waiting(block)
	k.Access(encode.LDRW, x0, x2, frameWaiting)
	k.Access(encode.STRW, x0, frameReg, frame.Lanes)
	k.number(x1, 0)
	k.Access(encode.STRW, x1, x2, frameWaiting)
	k.loadLanes(frame.Lanes)
	k.Emit(encode.MOVX, x0, block)
	k.number(x3, uint64(len(k.Blocks)))
	k.number(x1, frame.NoFrontier)
	k.Bind(next)
	k.Emit(encode.ADDI, x0, x0, encode.Imm(1))
	k.Emit(encode.CMPX, x0, x3)
	k.Branch(encode.BHS, found)
	waiting(x0)
	k.Access(encode.LDRW, x2, x2, frameWaiting)
	k.Emit(encode.CBZW, x2, encode.At(next))
	k.Emit(encode.MOVX, x1, x0)
	k.Bind(found)
	k.Access(encode.STRW, x1, frameReg, frame.Frontier)
	k.Access(encode.LDRX, x1, frameReg, frame.Table)
	k.Emit(encode.UBFMX, x2, block, encode.Imm(61), encode.Imm(60))
	k.Emit(encode.LDRXIndexed, x1, x1, x2)
	k.Emit(encode.BR, x1)

	k.Bind(done)
	k.leave(k.site(frame.Site{Kind: frame.DoneSite}))
}
