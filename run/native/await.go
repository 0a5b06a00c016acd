package native

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// mustAwait reports whether an exchange that the code has come to names lanes that neither execute it nor have ended.
func (k *Kernel) mustAwait(r *Run, site *frame.Site, lanes uint32) bool {
	inst := &k.function.Blocks[site.Block].Insts[site.Inst]
	members := inst.Args[len(inst.Args)-1]
	r.Frame.visit++
	k.bringHome(r, members, site.Left)
	k.bringHome(r, inst.Guard, site.Left)
	if inst.Guard != 0 {
		holds := *(*uint32)(k.home(r, inst.Guard))
		if inst.GuardNot {
			holds = ^holds
		}
		lanes &= holds
	}
	missing := uint32(0)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		missing |= uint32(laneOf(k.home(r, members), simt.B32, bits.TrailingZeros32(rest)))
	}
	return missing&r.Machine.Live()&^*r.Frame.at32(frame.Ended)&^lanes != 0
}
