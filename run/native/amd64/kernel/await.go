package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// awaitMembers lets code leave before an exchange that may have to wait: where lanes wait elsewhere, or do not execute it under its guard, and are, or may
// be, among the members. Others find out whether they come.
func (k *compiler) awaitMembers(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	op, ok := inst.Aux.(*simt.ExchangeOp)
	guarded := inst.Guard != 0
	if inst.Kind != simt.Exchange || !ok || !op.Members || !guarded && !k.MayWait(b, k.parting) {
		return
	}
	members := inst.Args[len(inst.Args)-1]
	site := k.site(Site{Kind: AwaitSite, Block: b, Inst: int32(n)})
	uses := k.rootsOf(k.LiveBefore(b, n, k.stepsRead, nil))
	bits, constant := k.ConstOf(members)
	known := constant || k.Known.IsScalar(members)
	// EAX = the lanes that execute it, EDX = the members.
	if guarded {
		k.BeginApart()
		var lanes warp.Grouped
		for g, s := range k.Groups {
			lanes[g] = s.GuardedBy(inst)
		}
		k.WordOf(encode.RAX, lanes)
	}
	if known && !constant {
		k.Fixedly(encode.MOV|encode.S32, rdx, k.General(members))
	}
	k.DoWith(uses, func() {
		some := k.Asm.NewLabel()
		k.sites[site].Left, k.sites[site].Resumed = k.At, k.At
		if guarded {
			k.WriteWordAtWork(encode.RCX)
			k.Emit(encode.CMP|encode.S32, encode.RAX, encode.RCX)
			k.JumpIf(encode.CondNE, some)
		}
		k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameFrontier), encode.Imm(NoFrontier))
		k.JumpIf(encode.CondNE, some)
		k.Bind(k.resumes[site])
		k.cold = append(k.cold, func() {
			k.Bind(some)
			if !guarded {
				k.WriteWordAtWork(encode.RAX)
			}
			if constant {
				k.Emit(encode.MOV|encode.S32, encode.RDX, encode.Imm(int64(int32(uint32(bits)))))
			}
			if known { // those that have ended need not be waited for
				k.Emit(encode.OR|encode.S32, encode.RAX, encode.At(frameReg, FrameEnded))
				k.Emit(encode.ANDN|encode.S32, encode.RDX, encode.RAX, encode.RDX)
				k.Emit(encode.TEST|encode.S32, encode.RDX, encode.RDX)
				k.JumpIf(encode.CondE, k.resumes[site])
			}
			k.writeLeave(site)
		})
	})
}
