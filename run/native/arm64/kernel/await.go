package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// awaitMembers lets code leave before an exchange that may have to wait: where lanes wait elsewhere, or it has a guard. Others find out whether
// it does.
func (k *compiler) awaitMembers(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	op, ok := inst.Aux.(*simt.ExchangeOp)
	if inst.Kind != simt.Exchange || !ok || !op.Members || inst.Guard == 0 && !k.MayWait(b, k.parting) {
		return
	}
	site := k.site(frame.Site{Kind: frame.AwaitSite, Block: b, Inst: int32(n)})
	if inst.Guard != 0 {
		k.leave(site)
		k.resume(site)
		return
	}
	k.Access(encode.LDRW, x1, frameReg, frame.Frontier)
	k.number(x0, frame.NoFrontier)
	k.Emit(encode.CMPW, x1, x0)
	k.Branch(encode.BNE, k.outOfLine(site))
	k.resume(site)
}
