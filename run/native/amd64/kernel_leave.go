package amd64

import (
	"strconv"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// The ways out of the code and back. Where it leaves, all machine registers are stored in the frame; who executes
// something in its place finds values there, changes them, and lets the code go on.

func decimal(l encode.Label) string { return strconv.Itoa(int(l)) }

// site adds a site and returns its number.
func (k *kernelCompiler) site(s Site) int32 {
	k.sites = append(k.sites, s)
	return int32(len(k.sites) - 1)
}

// leave leaves for good: the code does not go on behind it.
func (k *kernelCompiler) leave(s Site, uses []vreg) {
	site := k.site(s)
	k.doWith(uses, func() {
		k.sites[site].Left = k.at
		k.writeLeave(site)
	})
}

// leaveIf leaves at a site if a condition holds. uses are the registers that are needed then.
func (k *kernelCompiler) leaveIf(c encode.Cond, site int32, uses []vreg) {
	k.doWith(uses, func() {
		k.sites[site].Left = k.at
		k.writeLeaveIf(c, site)
	})
}

// writeLeaveIf writes a jump to the way out at a site, which stands behind the code.
func (k *kernelCompiler) writeLeaveIf(c encode.Cond, site int32) {
	out := k.asm.NewLabel()
	k.jumpIf(c, out)
	k.cold = append(k.cold, func() {
		k.bind(out)
		k.writeLeave(site)
	})
}

// writeLeave writes the way out at a site.
func (k *kernelCompiler) writeLeave(site int32) {
	k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameSite), encode.Imm(int64(site)))
	k.jump(k.exit)
}

// effect selects an instruction that does more than compute, or that there is no machine code for.
func (k *kernelCompiler) effect(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	if inst.Kind == simt.Idle {
		return
	}
	if a, ok := k.native(inst); ok {
		k.access(b, n, a)
		return
	}
	if inst.Kind == simt.Exchange && k.nativeExchange(inst) {
		return
	}
	site := k.site(Site{Kind: StepSite, Block: b, Inst: int32(n), resume: k.asm.NewLabel()})
	k.doWith(k.roots(append([]simt.ID{inst.Guard}, inst.Args...)), func() {
		k.sites[site].Left = k.at
		k.writeLeave(site)
	})
	k.defineUnknown(inst.Defs)
	k.do(func() {
		k.bind(k.sites[site].resume)
		k.sites[site].Resumed = k.at
	})
}

// defineUnknown gives registers to values that others compute.
func (k *kernelCompiler) defineUnknown(ids []simt.ID) {
	nothing := func() {}
	for _, id := range ids {
		if id == 0 {
			continue
		}
		k.phi(id)
		define := func(x operand) {
			if !x.none() {
				k.code = append(k.code, instr{write: nothing, defines: true, args: [4]operand{x}, n: 1})
			}
		}
		if k.scalar[id] {
			define(k.generals[id])
			continue
		}
		if k.affines[id] != nil {
			define(k.apart[id][0])
			if k.apart[id][1] != k.apart[id][0] {
				define(k.apart[id][1])
			}
			continue
		}
		for _, s := range k.groups {
			define(s.values[id].parts[0])
			define(s.values[id].parts[1])
		}
	}
}

// roots returns the registers that values are in, or that they can be computed from: values that no machine code
// computes by themselves are computed by who needs them.
func (k *kernelCompiler) roots(ids []simt.ID) (all []vreg) {
	seen := map[simt.ID]bool{}
	add := func(x operand) {
		if x.v != 0 && !k.registers[x.v].isConstant() {
			all = append(all, x.v)
		}
	}
	var visit func(id simt.ID)
	visit = func(id simt.ID) {
		if id == 0 || seen[id] {
			return
		}
		seen[id] = true
		if kind := k.Values[id].Kind; kind == simt.Const || kind == simt.Special {
			return
		}
		if k.scalar[id] {
			if x := k.generals[id]; !x.none() {
				add(x)
				return
			}
		} else if a := k.affines[id]; a != nil {
			if !k.apart[id][0].none() || a.none {
				add(k.apart[id][0])
				add(k.apart[id][1])
				return
			}
		} else if !k.groups[0].values[id].parts[0].none() {
			for _, s := range k.groups {
				add(s.values[id].parts[0])
				add(s.values[id].parts[1])
			}
			return
		}
		if i := k.defined[id]; i != nil && i.Kind == simt.Compute {
			for _, a := range i.Args {
				visit(a)
			}
		}
	}
	for _, id := range ids {
		visit(id)
	}
	return all
}

// write writes the code: the way in, the blocks, what stands behind them, and the ways out.
func (k *kernelCompiler) write() (*KernelCode, error) {
	vectors, masks, generals := k.used()
	fresh := k.asm.NewLabel()
	k.writeEntry()
	for r := range k.t.vectors {
		if vectors>>r&1 != 0 {
			k.emit(k.t.move, encode.V(r), encode.At(kernelFrame, int32(frameVectors+64*r)))
		}
		if masks>>r&1 != 0 {
			k.emit(encode.KMOVW, encode.K(r), encode.At(kernelFrame, int32(frameMasks+8*r)))
		}
		if generals>>r&1 != 0 {
			k.emit(encode.MOV|encode.S64, encode.R(r), encode.At(kernelFrame, int32(frameGenerals+8*r)))
		}
	}
	k.writeStart()
	k.bind(fresh)
	k.writeEntry()
	k.writeStart()

	k.assemble(0, len(k.code))
	for len(k.cold) > 0 {
		write := k.cold
		k.cold = nil
		for _, f := range write {
			f()
		}
	}
	k.writeRejoin()
	k.bind(k.exit)
	for r := range k.t.vectors {
		if vectors>>r&1 != 0 {
			k.emit(k.t.move, encode.At(kernelFrame, int32(frameVectors+64*r)), encode.V(r))
		}
		if masks>>r&1 != 0 {
			k.emit(encode.KMOVW, encode.At(kernelFrame, int32(frameMasks+8*r)), encode.K(r))
		}
		if generals>>r&1 != 0 {
			k.emit(encode.MOV|encode.S64, encode.At(kernelFrame, int32(frameGenerals+8*r)), encode.R(r))
		}
	}
	k.bind(k.done)
	k.storeLanes(FrameLanes)
	k.emit(encode.VZEROUPPER)
	k.emit(encode.RET)
	code, err := k.result()
	if err != nil {
		return nil, err
	}
	all := &KernelCode{Code: *code, Sites: k.sites, Windows: int(k.windows), Values: k.locations(), Homes: k.homes, Also: k.also, Live: k.Live(k.also), Fresh: int32(k.asm.Offset(fresh)), VectorBytes: k.t.bytes}
	all.FrameSize = int(k.frameStart) + k.frame
	for _, l := range k.blockLabel {
		all.Blocks = append(all.Blocks, int32(k.asm.Offset(l)))
	}
	for b := range k.Blocks {
		all.Entered = append(all.Entered, int32(k.marks[b].at))
	}
	for n := range all.Sites {
		if s := &all.Sites[n]; s.Kind != EndSite && s.Kind != DoneSite && s.Kind != WrapSite {
			s.Resume = int32(k.asm.Offset(s.resume))
		}
	}
	return all, nil
}

// writeEntry loads what all code needs, and writeStart begins with the lanes and at the place that the frame says.
func (k *kernelCompiler) writeEntry() {
	k.emit(encode.MOV|encode.S64, kernelHomes, encode.At(kernelFrame, FrameHomes))
	k.emit(encode.MOV|encode.S64, kernelWindows, encode.At(kernelFrame, FrameWindows))
	k.loadConstants()
}

func (k *kernelCompiler) writeStart() {
	k.loadLanes(FrameLanes)
	k.emit(encode.JMPR, encode.At(kernelFrame, FrameResume))
}

// used returns the machine registers that values are in, as sets.
func (k *kernelCompiler) used() (vectors, masks, generals uint32) {
	for v := range k.registers {
		r := &k.registers[v]
		if r.machine < 0 || r.isConstant() {
			continue
		}
		switch r.class {
		case vector:
			vectors |= 1 << r.machine
		case mask:
			masks |= 1 << r.machine
		case general:
			generals |= 1 << r.machine
		}
	}
	return vectors, masks, generals
}

// locations says where values are.
func (k *kernelCompiler) locations() []Location {
	all := make([]Location, len(k.Values))
	for id := range k.Values {
		l := &all[id]
		if a := k.affines[id]; a != nil && k.Values[id].Kind != simt.Special {
			k.locateAffine(l, simt.ID(id))
			continue
		}
		if k.isBrought(simt.ID(id)) && !k.scalar[id] {
			continue
		}
		if k.scalar[id] {
			if x := k.generals[id]; x.v != 0 && k.Values[id].Kind != simt.Special {
				l.Scalar = true
				l.Parts = append(l.Parts, k.partOf(x.v))
			}
			continue
		}
		for _, s := range k.groups {
			for _, x := range s.values[id].parts {
				if x.v != 0 && !k.registers[x.v].isConstant() {
					l.Parts = append(l.Parts, k.partOf(x.v))
				}
			}
		}
		if len(l.Parts) != k.partsOf(simt.ID(id)) { // it is a constant after all
			l.Parts = nil
		}
	}
	return all
}

// locateAffine says where the scalars of an affine value are.
func (k *kernelCompiler) locateAffine(l *Location, id simt.ID) {
	a, s := k.affines[id], k.apart[id]
	if !a.none && s[0].none() {
		return // nobody needs it
	}
	l.Lanes = (*[simt.WarpSize]int64)(&a.c)
	if a.none {
		return
	}
	l.Parts = append(l.Parts, k.partOf(s[0].v))
	if a.split {
		l.Parts = append(l.Parts, k.partOf(s[1].v))
	}
}

// partsOf returns how many vectors or masks a value has.
func (k *kernelCompiler) partsOf(id simt.ID) int {
	if k.Values[id].Type == simt.B64 {
		return 2 * len(k.groups)
	}
	return len(k.groups)
}

// partOf says where a register is when the code has left.
func (k *kernelCompiler) partOf(v vreg) Part {
	r := &k.registers[v]
	switch {
	case r.slot < 0:
		return Part{Offset: -r.slot, Everywhere: true}
	case r.slot > 0:
		return Part{Offset: k.frameStart + r.slot - int32(k.t.bytes), Everywhere: true}
	}
	p := Part{From: r.start, To: r.end}
	switch r.class {
	case mask:
		p.Offset = frameMasks + 8*int32(r.machine)
	case general:
		p.Offset = frameGenerals + 8*int32(r.machine)
	default:
		p.Offset = frameVectors + 64*int32(r.machine)
	}
	return p
}
