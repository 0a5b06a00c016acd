package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Barriers of the warps of a CTA in one call. A warp that is at a barrier lets the warp behind it go on, and the last
// one lets the first go on if all have come to the barrier. To leave the code and enter it again takes
// ten times as long.

// maxBarriers is how many barriers do so: what is at each is found out by looking at all registers.
const maxBarriers = 64

// sameBarrier reports whether all barriers of the function are the same one, at which all threads wait: then warps that wait
// at any wait for each other.
func (k *compiler) sameBarrier() bool {
	first := uint64(0)
	for b, seen := 0, false; b < len(k.Blocks); b++ {
		end := &k.Blocks[b].End
		op, ok := end.Aux.(*simt.BarrierOp)
		if !ok {
			continue
		}
		if op.Cluster {
			return false
		}
		id, known := k.ConstOf(end.Args[0])
		threads, all := k.ConstOf(end.Args[1])
		if !op.Waits || op.Counted || op.Reduce != "" || !known || !all || threads != 0 || id >= 16 || seen && id != first {
			return false
		}
		first, seen = id, true
	}
	return true
}

// barrier selects a barrier of the CTA: the code is left as it is, and goes on when the others have come.
func (k *compiler) barrier(b simt.BlockID, end *simt.End) {
	relays := k.relays && k.relayed < maxBarriers
	if relays {
		k.relayed++
	}
	site := k.site(Site{Kind: BarrierSite, Block: b, Fresh: relays})
	k.DoWith(k.roots(k.readAtEnd(b)), func() {
		k.sites[site].Left = k.At
		if relays {
			k.writeRelay(site)
		} else {
			k.writeLeave(site)
			k.Bind(k.resumes[site])
		}
		k.sites[site].Resumed = k.At
	})
	k.Forget()
	k.edge(b, 0, true)
}

// writeRelay writes a barrier at which the next warp goes on.
func (k *compiler) writeRelay(site int32) {
	live := k.UsedAt(k.At)
	resume, others := k.resumes[site], k.Asm.NewLabel()
	live.Store(&k.Compiler.Compiler)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameSite), encode.Imm(int64(site)))
	k.WriteWordAtWork(encode.RCX)
	k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameAll), encode.RCX)
	k.JumpIf(encode.CondNE, k.done) // other lanes are elsewhere or have ended, or the warp is by itself
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameLanes), encode.RCX)
	k.Emit(encode.LEA|encode.S64, encode.RAX, encode.AtLabel(resume, 0))
	k.Emit(encode.MOV|encode.S64, encode.At(frameReg, FrameResume), encode.RAX)
	k.Emit(encode.MOV|encode.S64, encode.RAX, encode.At(frameReg, FrameNext))
	k.Emit(encode.TEST|encode.S64, encode.RAX, encode.RAX)
	k.JumpIf(encode.CondNE, others)
	k.Emit(encode.MOV|encode.S64, encode.RAX, encode.At(frameReg, FrameFirst))
	k.Emit(encode.CMP|encode.S32, encode.At(encode.RAX, FrameGone), encode.Imm(0))
	k.JumpIf(encode.CondNE, k.done)
	k.Bind(others)
	k.Emit(encode.MOV|encode.S64, frameReg, encode.RAX)
	k.Jump(k.begin)
	k.Bind(resume)
	live.Load(&k.Compiler.Compiler)
}
