package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// The ways out of the code and back. All values are in memory, in their homes or in the frame: who executes something in
// its place finds them there.

// site adds a site and returns its number.
func (k *compiler) site(s frame.Site) int {
	k.sites = append(k.sites, s)
	k.resumes = append(k.resumes, k.Asm.NewLabel())
	return len(k.sites) - 1
}

// leave writes the way out at a site.
func (k *compiler) leave(site int) {
	k.number(encode.X(0), uint64(site))
	k.Access(encode.STRW, encode.X(0), frameReg, frame.SiteAt)
	k.Emit(encode.RET)
}

// outOfLine makes a label for the way out at a site, which stands behind the code.
func (k *compiler) outOfLine(site int) encode.Label {
	out := k.Asm.NewLabel()
	k.cold = append(k.cold, func() {
		k.Bind(out)
		k.leave(site)
	})
	return out
}

// resume is where the code goes on behind a site: nothing is in registers.
func (k *compiler) resume(site int) {
	k.Bind(k.resumes[site])
	k.generals.forget()
}

// effect writes an instruction that does more than compute, or that there is no machine code for.
func (k *compiler) effect(b simt.BlockID, n int) error {
	inst := &k.Blocks[b].Insts[n]
	if inst.Kind == simt.Fence {
		k.fence()
		return nil
	}
	if native(inst) {
		return k.access(b, n)
	}
	if k.nativeTexture(inst) {
		return k.readTexture(b, n)
	}
	k.awaitMembers(b, n)
	if nativeExchange(inst) {
		return k.newExchange(inst).write()
	}
	site := k.site(frame.Site{Kind: frame.StepSite, Block: b, Inst: int32(n)})
	k.leave(site)
	k.resume(site)
	return nil
}

// writeEntry writes the way in: the lanes and the place are those that the frame says.
func (k *compiler) writeEntry() {
	k.Emit(encode.MOVX, frameReg, encode.X(0))
	k.Access(encode.LDRX, homesReg, frameReg, frame.Homes)
	k.Access(encode.LDRX, windowsReg, frameReg, frame.Windows)
	k.loadLanes(frame.Lanes)
	k.Access(encode.LDRX, encode.X(0), frameReg, frame.Resume)
	k.Emit(encode.BR, encode.X(0))
}

// loadLanes makes lanes that are in the frame those at work.
func (k *compiler) loadLanes(at int32) {
	k.Access(encode.LDRW, encode.X(0), frameReg, at)
	if at != frame.Lanes {
		k.Access(encode.STRW, encode.X(0), frameReg, frame.Lanes)
	}
	back := k.Asm.NewLabel()
	k.Emit(encode.ADR, backReg, encode.At(back))
	k.Branch(encode.B, k.loadLanesAt)
	k.Bind(back)
}

// writeLoadLanes writes what makes words of the lanes in X0. It changes vector registers only.
func (k *compiler) writeLoadLanes() {
	k.Bind(k.loadLanesAt)
	all := encode.V(0)
	k.Emit(encode.DUPW|encode.S4, all, encode.X(0))
	for g := range numGroups {
		var bytes [16]byte
		for i := range arm64.Lanes {
			lane := arm64.Lanes*g + i
			bytes[4*i+lane/8] = 1 << (lane % 8)
		}
		x := encode.V(1 + g)
		k.Emit(encode.LDRQLiteral, x, k.Asm.Const(bytes))
		k.Emit(encode.CMTST|encode.S4, x, all, x)
		k.Access(encode.STRQ, x, frameReg, frameAtWork+int32(g)*arm64.Bytes)
	}
	k.Emit(encode.BR, backReg)
}
