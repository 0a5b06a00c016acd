package kernel

import (
	"strconv"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// The ways out of the code and back. Where it leaves, all machine registers are stored in the frame; who executes
// something in its place finds values there, changes them, and lets the code go on.

func decimal(l encode.Label) string { return strconv.Itoa(int(l)) }

// site adds a site and returns its number.
func (k *compiler) site(s Site) int32 {
	k.sites = append(k.sites, s)
	k.resumes = append(k.resumes, k.Asm.NewLabel())
	return int32(len(k.sites) - 1)
}

// leave leaves for good: the code does not go on behind it.
func (k *compiler) leave(s Site, uses []machine.VReg) {
	site := k.site(s)
	k.doWith(uses, func() {
		k.sites[site].Left = k.At
		k.writeLeave(site)
	})
}

// leaveIf leaves at a site if a condition holds. uses are the registers that are needed then.
func (k *compiler) leaveIf(c encode.Cond, site int32, uses []machine.VReg) {
	k.doWith(uses, func() {
		k.sites[site].Left = k.At
		k.writeLeaveIf(c, site)
	})
}

// writeLeaveIf writes a jump to the way out at a site, which stands behind the code.
func (k *compiler) writeLeaveIf(c encode.Cond, site int32) {
	out := k.Asm.NewLabel()
	k.JumpIf(c, out)
	k.cold = append(k.cold, func() {
		k.Bind(out)
		k.writeLeave(site)
	})
}

// writeLeave writes the way out at a site.
func (k *compiler) writeLeave(site int32) {
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameSite), encode.Imm(int64(site)))
	k.jump(k.exit)
}

// effect selects an instruction that does more than compute, or that there is no machine code for.
func (k *compiler) effect(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	if inst.Kind == simt.Idle {
		return
	}
	if a, ok := k.addresses.Of(inst); ok {
		k.access(b, n, a)
		return
	}
	if inst.Kind == simt.Exchange && k.nativeExchange(inst) {
		return
	}
	if inst.Kind == simt.Texture && k.nativeTexture(b, n) {
		return
	}
	site := k.site(Site{Kind: StepSite, Block: b, Inst: int32(n)})
	k.doWith(k.roots(append([]simt.ID{inst.Guard}, inst.Args...)), func() {
		k.sites[site].Left = k.At
		k.writeLeave(site)
	})
	k.defineUnknown(inst.Defs)
	k.do(func() {
		k.Bind(k.resumes[site])
		k.sites[site].Resumed = k.At
	})
}

// defineUnknown gives registers to values that others compute.
func (k *compiler) defineUnknown(ids []simt.ID) {
	nothing := func() {}
	for _, id := range ids {
		if id == 0 {
			continue
		}
		k.phi(id)
		define := func(x machine.Operand) {
			if !x.None() {
				k.Code = append(k.Code, machine.Instr{Write: nothing, Defines: true, Args: [4]machine.Operand{x}, N: 1})
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
			define(s.Vectors[id].Parts[0])
			define(s.Vectors[id].Parts[1])
		}
	}
}

// roots returns the registers that values are in, or that they can be computed from: values that no machine code
// computes by themselves are computed by who needs them.
func (k *compiler) roots(ids []simt.ID) (all []machine.VReg) {
	seen := map[simt.ID]bool{}
	add := func(x machine.Operand) {
		if x.Reg != 0 && !k.Registers[x.Reg].IsConstant() {
			all = append(all, x.Reg)
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
			if x := k.generals[id]; !x.None() {
				add(x)
				return
			}
		} else if a := k.affines[id]; a != nil {
			if !k.apart[id][0].None() || a.None {
				add(k.apart[id][0])
				add(k.apart[id][1])
				return
			}
		} else if !k.groups[0].Vectors[id].Parts[0].None() {
			for _, s := range k.groups {
				add(s.Vectors[id].Parts[0])
				add(s.Vectors[id].Parts[1])
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
func (k *compiler) write() (*Code, error) {
	used := k.used()
	fresh := k.Asm.NewLabel()
	k.LoadConstants()
	used.load(k)
	k.writeStart()
	k.Bind(fresh)
	k.LoadConstants()
	k.Bind(k.begin)
	k.writeStart()

	k.Assemble(0, len(k.Code))
	k.AssembleCold()
	for len(k.cold) > 0 {
		write := k.cold
		k.cold = nil
		for _, f := range write {
			f()
		}
	}
	k.writeRejoin()
	k.Bind(k.exit)
	used.store(k)
	k.Bind(k.done)
	k.writeFence()
	k.storeLanes(FrameLanes)
	k.Emit(encode.MOV|encode.S64, encode.RAX, frameReg)
	k.Emit(encode.VZEROUPPER)
	k.Emit(encode.RET)
	code, err := k.Result()
	if err != nil {
		return nil, err
	}
	all := &Code{
		Bytes: code.Bytes, Lines: code.Lines, Digits: amd64.Digits, Sites: k.sites, Windows: int(k.windows), Values: k.locations(),
		Homes: k.homes, Also: k.also, Live: k.Live(k.also), Rests: k.same.used && k.same.hopes, Fresh: int32(k.Asm.Offset(fresh)), Together: true, VectorBytes: k.Target.Bytes,
		Size: int(k.FrameStart) + k.Frame, Waiting: FrameWaiting, SomeWait: k.frameSomeWait,
	}
	for _, l := range k.blockLabel {
		all.Blocks = append(all.Blocks, int32(k.Asm.Offset(l)))
	}
	for b := range k.Blocks {
		all.Entered = append(all.Entered, int32(k.Marks[b].At))
	}
	for n := range all.Sites {
		if s := &all.Sites[n]; s.GoesOn() {
			s.Resume = int32(k.Asm.Offset(k.resumes[n]))
		}
	}
	return all, nil
}

// writeStart goes on with the lanes and at the place that the frame says.
func (k *compiler) writeStart() {
	k.Emit(encode.MOV|encode.S64, homesReg, encode.At(frameReg, FrameHomes))
	k.Emit(encode.MOV|encode.S64, windowsReg, encode.At(frameReg, FrameWindows))
	k.loadLanes(FrameLanes)
	k.Emit(encode.JMPR, encode.At(frameReg, FrameResume))
}

// locations says where values are.
func (k *compiler) locations() []Location {
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
			if x := k.generals[id]; x.Reg != 0 && k.Values[id].Kind != simt.Special {
				l.Scalar = true
				l.Parts = append(l.Parts, k.partOf(x.Reg))
			}
			continue
		}
		for _, s := range k.groups {
			for _, x := range s.Vectors[id].Parts {
				if x.Reg != 0 && !k.Registers[x.Reg].IsConstant() {
					l.Parts = append(l.Parts, k.partOf(x.Reg))
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
func (k *compiler) locateAffine(l *Location, id simt.ID) {
	a, s := k.affines[id], k.apart[id]
	if !a.None && s[0].None() {
		return // nobody needs it
	}
	l.Lanes = (*[simt.WarpSize]int64)(&a.C)
	if a.None {
		return
	}
	l.Parts = append(l.Parts, k.partOf(s[0].Reg))
	if a.Split {
		l.Parts = append(l.Parts, k.partOf(s[1].Reg))
	}
}

// partsOf returns how many vectors or masks a value has.
func (k *compiler) partsOf(id simt.ID) int {
	if k.Values[id].Type == simt.B64 {
		return 2 * len(k.groups)
	}
	return len(k.groups)
}

// partOf says where a register is when the code has left.
func (k *compiler) partOf(v machine.VReg) Part {
	r := &k.Registers[v]
	switch {
	case r.Slot < 0:
		return Part{Offset: -r.Slot, Everywhere: true}
	case r.Slot > 0:
		return Part{Offset: k.FrameStart + r.Slot - int32(k.Target.Bytes), Everywhere: true}
	}
	p := Part{From: r.Start, To: r.End}
	switch r.Class {
	case machine.Mask:
		p.Offset = frameMasks + 8*int32(r.Machine)
	case machine.General:
		p.Offset = frameGenerals + 8*int32(r.Machine)
	default:
		p.Offset = frameVectors + 64*int32(r.Machine)
	}
	return p
}
