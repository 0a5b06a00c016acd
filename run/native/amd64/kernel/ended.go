package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// The ends of the warps of a CTA in one call. A warp that has ended lets the warp behind it go on. Behind the last one, if
// all have ended, those of the next CTA of the row begin, which has the same frames: most CTAs of short kernels differ in
// nothing but %ctaid.x.
//
// Where blocks are no wider than a warp, and warps may be executed in any order, each goes through the row before the next
// one begins. Threads that follow each other in x mostly access what is side by side in memory: so it is read from one end
// of a row to the other, as caches foresee it, and not some words of each of several rows.

// writeNextOfEnded lets the next warp go on where all lanes of one have ended.
func (k *compiler) writeNextOfEnded() {
	next := k.Asm.NewLabel()
	k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameAll), encode.Imm(0))
	k.JumpIf(encode.CondE, k.done)
	if k.byWarp {
		k.writeOnward()
	}
	k.Emit(encode.MOV|encode.S64, encode.RAX, encode.At(frameReg, FrameFirst))
	k.Emit(encode.ADD|encode.S32, encode.At(encode.RAX, FrameGone), encode.Imm(1))
	k.Emit(encode.MOV|encode.S64, encode.RCX, encode.At(frameReg, FrameNext))
	k.Emit(encode.TEST|encode.S64, encode.RCX, encode.RCX)
	k.JumpIf(encode.CondNE, next)
	if k.byWarp {
		k.Jump(k.done)
	} else {
		k.writeNextOfRow()
	}
	k.Bind(next)
	k.Emit(encode.MOV|encode.S64, frameReg, encode.RCX)
	k.Jump(k.begin)
}

// writeNextOfRow lets the warps of the next CTA of the row begin, with RCX the first one's frame, which is in RAX. Their
// budgets are what is left, so that a row takes no longer than a CTA may. No lanes wait anywhere.
func (k *compiler) writeNextOfRow() {
	warp := k.Asm.NewLabel()
	k.Emit(encode.CMP|encode.S32, encode.At(encode.RAX, frameRow), encode.Imm(0))
	k.JumpIf(encode.CondE, k.done)
	k.Emit(encode.MOV|encode.S32, encode.RCX, encode.At(encode.RAX, frameWarps))
	k.Emit(encode.CMP|encode.S32, encode.At(encode.RAX, FrameGone), encode.RCX)
	k.JumpIf(encode.CondNE, k.done)
	k.Emit(encode.SUB|encode.S32, encode.At(encode.RAX, frameRow), encode.Imm(1))
	k.Emit(encode.MOV|encode.S32, encode.At(encode.RAX, FrameGone), encode.Imm(0))
	k.Emit(encode.LEA|encode.S64, encode.RDX, encode.AtLabel(k.blockLabel[0], 0))
	k.Emit(encode.MOV|encode.S64, frameReg, encode.RAX)
	k.Bind(warp)
	k.writeBeginning()
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameSite), encode.Imm(NoSite))
	k.Emit(encode.MOV|encode.S64, encode.At(frameReg, FrameResume), encode.RDX)
	k.Emit(encode.MOV|encode.S64, frameReg, encode.At(frameReg, FrameNext))
	k.Emit(encode.TEST|encode.S64, frameReg, frameReg)
	k.JumpIf(encode.CondNE, warp)
	k.Emit(encode.MOV|encode.S64, encode.RCX, encode.RAX)
}

// writeOnward lets a warp that has ended go on with the next CTA of the row, if there is one.
func (k *compiler) writeOnward() {
	over := k.Asm.NewLabel()
	k.Emit(encode.SUB|encode.S32, encode.At(frameReg, frameRow), encode.Imm(1))
	k.JumpIf(encode.CondB, over)
	k.writeBeginning()
	k.LoadLanes(FrameLanes)
	k.Jump(k.blockLabel[k.onward])
	k.Bind(over)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, frameRow), encode.Imm(0))
}

// writeBeginning writes the frame of a warp that begins, and that it is in the next CTA of the row.
func (k *compiler) writeBeginning() {
	k.Emit(encode.MOV|encode.S32, encode.RCX, encode.At(frameReg, FrameAll))
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameLanes), encode.RCX)
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameEnded), encode.Imm(0))
	k.Emit(encode.MOV|encode.S64, encode.RCX, encode.At(frameReg, FrameHomes))
	for id := range k.Values {
		if v := &k.Values[id]; v.Kind == simt.Special && v.Name == "%ctaid.x" {
			k.Emit(encode.ADD|encode.S32, encode.At(encode.RCX, k.Homes.Offset[id]), encode.Imm(1))
		}
	}
}

// findOnward finds the block that a warp goes on at with the next CTA of a row: the second one, if the first one computes what is the
// same in all of them (package row). That keeps its registers, as in a loop.
func (k *compiler) findOnward() {
	first := &k.Blocks[0]
	if !k.byWarp || first.End.Kind != simt.Jump || first.End.To[0] != 1 || len(k.Blocks[1].Preds) > 1 {
		return
	}
	for n := range first.Insts {
		i := &first.Insts[n]
		if i.Kind != simt.Compute && !k.LoadsParameter(i) {
			return
		}
		for _, d := range i.Defs {
			if k.stepped[d] {
				return
			}
		}
		for _, a := range i.Args {
			if v := &k.Values[a]; v.Kind == simt.Special && v.Name == "%ctaid.x" {
				return
			}
		}
	}
	k.onward = 1
}

// byWarp reports whether warps best go through rows of CTAs each by itself.
func byWarp(f *simt.Function, block [3]int) bool {
	return 0 < block[0] && block[0] <= simt.WarpSize && block[0]*block[1]*block[2] > simt.WarpSize && f.AnyOrder()
}
