package native

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// What is done where the code leaves at a site: a step is executed, or values are brought home for those who go on.

// park notes where a group goes on that is at a barrier.
func (k *Kernel) park(r *Run, site *frame.Site) {
	f := r.Frame
	f.visit++
	for _, v := range k.function.Blocks[site.Block].End.Args {
		k.bringHome(r, v, site.Left)
	}
	r.Ended = *f.at32(frame.Ended)
	*f.at32(frame.Ended) = 0
	f.resume, f.entry = k.piece.address+uintptr(site.Resume), k.piece.address
	if site.Fresh {
		f.entry = k.fresh()
	}
}

// leave brings all values home that lanes may still read, and tells which lanes wait.
func (k *Kernel) leave(r *Run, site *frame.Site, values []simt.ID) {
	f := r.Frame
	f.visit++
	for _, v := range values {
		k.bringHome(r, v, site.Left)
	}
	first := *f.at32(frame.Frontier)
	for b := int32(first); b < int32(len(k.function.Blocks)) && first != frame.NoFrontier; b++ {
		waiting := f.at32(k.code.Waiting + 4*b)
		if *waiting == 0 {
			continue
		}
		for v := range simt.IDs(k.live[b]) {
			k.bringHome(r, v, site.Left)
		}
		r.Wait(simt.BlockID(b), *waiting)
		*waiting = 0
	}
	if at := k.code.SomeWait; at != 0 && first != frame.NoFrontier {
		for n := range int32(len(k.function.Blocks)+31) / 32 {
			*f.at32(at + 4*n) = 0
		}
	}
}

// valuesOf returns valuesAt for a site, which is found out once.
func (k *Kernel) valuesOf(number uint32) []simt.ID {
	known := k.leaving[number].Load()
	if known == nil {
		values := k.valuesAt(&k.code.Sites[number], k.live, k.code.Also)
		known = &values
		k.leaving[number].Store(known)
	}
	return *known
}

// valuesAt returns the values that are read where the code leaves for good, given those that are read from the beginnings
// of blocks on, and what instructions read besides their operands.
func (k *Kernel) valuesAt(site *frame.Site, live [][]uint64, also func(i *simt.Inst) []simt.ID) []simt.ID {
	var set []uint64
	switch site.Kind {
	case frame.EndSite, frame.BarrierSite:
		set = k.function.LiveAtEnd(site.Block, live)
	case frame.WrapSite, frame.AwaitSite:
		set = k.function.LiveBefore(site.Block, int(site.Inst), live, also)
	case frame.BudgetSite:
		set = live[site.Block]
	}
	return slices.Collect(simt.IDs(set))
}

// stepping are the values that a step reads and defines, but for those that code keeps in their homes.
type stepping struct{ reads, defines []simt.ID }

// steppingAt finds them for a site.
func (k *Kernel) steppingAt(site *frame.Site) (s stepping) {
	if site.Kind != frame.StepSite && site.Kind != frame.AccessSite {
		return s
	}
	inst := &k.function.Blocks[site.Block].Insts[site.Inst]
	for _, id := range append([]simt.ID{inst.Guard}, inst.Args...) {
		if id != 0 && !k.code.Values[id].AtHome {
			s.reads = append(s.reads, id)
		}
	}
	for _, id := range inst.Defs { // what is at home may be elsewhere too
		if l := &k.code.Values[id]; id != 0 && (!l.AtHome || len(l.Parts) > 0) {
			s.defines = append(s.defines, id)
		}
	}
	return s
}

// step executes an instruction by other means. It returns what [Machine].Step does.
func (k *Kernel) step(r *Run, number uint32, lanes uint32) (failed uint32, ok bool) {
	site, values := &k.code.Sites[number], &k.stepping[number]
	r.Frame.visit++
	for _, v := range values.reads {
		k.bringHome(r, v, site.Left)
	}
	failed, ok = r.Machine.Step(site.Block, int(site.Inst), lanes)
	if lanes &^= failed; !ok || lanes == 0 {
		return failed, ok
	}
	for _, d := range values.defines {
		if !k.fetch(r, d, site.Resumed, lanes) {
			panic("native: a step gives lanes what differs, and the code takes it for the same")
		}
	}
	if site.Kind == frame.AccessSite {
		inst := &k.function.Blocks[site.Block].Insts[site.Inst]
		if op, ok := inst.Aux.(*simt.TextureOp); ok {
			k.findTexture(r, site, inst, op, lanes)
		} else {
			k.findWindow(r, site, inst, lanes)
		}
	}
	return failed, true
}
