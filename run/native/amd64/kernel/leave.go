package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// The ways out of the code and back. Where it leaves, all machine registers are stored in the frame; who executes
// something in its place finds values there, changes them, and lets the code go on.

// site adds a site and returns its number.
func (k *compiler) site(s Site) int32 {
	k.sites = append(k.sites, s)
	k.resumes = append(k.resumes, k.Asm.NewLabel())
	return int32(len(k.sites) - 1)
}

// leave leaves for good: the code does not go on behind it.
func (k *compiler) leave(s Site, uses []machine.VReg) {
	site := k.site(s)
	k.DoWith(uses, func() {
		k.sites[site].Left = k.At
		k.writeLeave(site)
	})
}

// leaveIf leaves at a site if a condition holds. uses are the registers that are needed then.
func (k *compiler) leaveIf(c encode.Cond, site int32, uses []machine.VReg) {
	k.DoWith(uses, func() {
		k.sites[site].Left = k.At
		k.writeLeaveIf(c, site)
	})
}

// leaveOnWrap is for sums that wrap around, which an instruction is computed from: steps execute the rest of the block.
func (k *compiler) leaveOnWrap(b simt.BlockID, n int) func(encode.Cond) {
	site := k.site(Site{Kind: WrapSite, Block: b, Inst: int32(n)})
	uses := k.rootsOf(k.LiveBefore(b, n, k.stepsRead, nil))
	return func(c encode.Cond) { k.leaveIf(c, site, uses) }
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
	k.Jump(k.exit)
}

// effect selects an instruction that does more than compute, or that there is no machine code for.
func (k *compiler) effect(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	switch inst.Kind {
	case simt.Idle:
		return
	case simt.Fence: // the processor orders all but a load behind a store of another address
		k.Do(func() { k.Emit(encode.MFENCE) })
		return
	}
	if a, ok := k.addresses.Of(inst); ok {
		k.access(b, n, a)
		return
	}
	k.awaitMembers(b, n)
	if inst.Kind == simt.Exchange && k.nativeExchange(inst) {
		return
	}
	if inst.Kind == simt.Texture && k.nativeTexture(b, n) {
		return
	}
	if inst.Kind == simt.Atomic && k.nativeAtomic(b, n) {
		return
	}
	site := k.site(Site{Kind: StepSite, Block: b, Inst: int32(n)})
	k.DoWith(k.roots(append([]simt.ID{inst.Guard}, inst.Args...)), func() {
		k.sites[site].Left = k.At
		k.writeLeave(site)
	})
	k.defineUnknown(inst.Defs)
	k.Do(func() {
		k.Bind(k.resumes[site])
		k.sites[site].Resumed = k.At
	})
}

// defineUnknown gives registers to values that others compute.
func (k *compiler) defineUnknown(ids []simt.ID) {
	for _, id := range ids {
		if id == 0 {
			continue
		}
		k.phi(id)
		define := func(x machine.Operand) {
			if !x.None() {
				k.Code = append(k.Code, machine.Instr{Effect: machine.NoEffect, Defines: true, Args: [4]machine.Operand{x}, N: 1})
			}
		}
		if k.InGenerals(id) {
			for _, x := range k.RegistersOf(id) {
				define(x)
			}
			continue
		}
		for _, s := range k.Groups {
			define(s.Vectors[id].Parts[0])
			define(s.Vectors[id].Parts[1])
		}
	}
}

// rootsOf returns the roots of a set of values.
func (k *compiler) rootsOf(set []uint64) []machine.VReg {
	k.ids = slices.AppendSeq(k.ids[:0], simt.IDs(set))
	return k.roots(k.ids)
}

// roots returns the registers that values are in, or that they can be computed from: values that no machine code
// computes by themselves are computed by who needs them.
func (k *compiler) roots(ids []simt.ID) (all []machine.VReg) {
	k.visit++
	var visit func(id simt.ID)
	visit = func(id simt.ID) {
		if id == 0 || k.visited[id] == k.visit {
			return
		}
		k.visited[id] = k.visit
		if kind := k.Values[id].Kind; kind == simt.Const || kind == simt.Special {
			return
		}
		if k.isMade(id) {
			all = k.appendRegisters(all, id)
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

// appendRegisters appends the registers that a value has of itself, but for those that stand for constants.
func (k *compiler) appendRegisters(all []machine.VReg, id simt.ID) []machine.VReg {
	add := func(operands []machine.Operand) {
		for _, x := range operands {
			if x.Reg != 0 && !k.Registers[x.Reg].IsConstant() {
				all = append(all, x.Reg)
			}
		}
	}
	if k.InGenerals(id) {
		add(k.RegistersOf(id))
		return all
	}
	for _, s := range k.Groups {
		add(s.Vectors[id].Parts[:])
	}
	return all
}

// write writes the code: the way in, the blocks, what stands behind them, and the ways out.
func (k *compiler) write() (*Code, error) {
	k.Asm.Reserve(len(k.Code))
	used := k.Used()
	fresh := k.Asm.NewLabel()
	k.LoadConstants()
	used.Load(&k.Compiler.Compiler)
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
	used.Store(&k.Compiler.Compiler)
	k.Bind(k.done)
	k.writeFence()
	k.StoreLanes(FrameLanes)
	k.Emit(encode.MOV|encode.S64, encode.RAX, frameReg)
	k.Emit(encode.VZEROUPPER)
	k.Emit(encode.RET)
	code, err := k.Result()
	if err != nil {
		return nil, err
	}
	all := &Code{
		Bytes: code.Bytes, Lines: code.Lines, Digits: amd64.Digits, Sites: k.sites, Windows: int(k.windows), Params: int(k.params), Values: k.locations(),
		Homes: k.Homes, Also: k.defined.Also, Live: k.Entered, Rests: k.RestsOnHope(), Fresh: int32(k.Asm.Offset(fresh)), Together: true, ByWarp: k.byWarp, Flushes: k.Flushing, VectorBytes: k.Target.Bytes,
		Size: int(k.FrameStart) + k.Frame, Waiting: warp.FrameWaiting, SomeWait: k.frameSomeWait,
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
	k.LoadLanes(FrameLanes)
	k.Emit(encode.JMPR, encode.At(frameReg, FrameResume))
}

// locations says where values are.
func (k *compiler) locations() []Location {
	all := make([]Location, len(k.Values))
	count := 0 // of all parts, at most
	for n := range k.Values {
		if id := simt.ID(n); !k.IsBrought(id) {
			count += k.partsOf(id)
		} else if k.InGenerals(id) {
			count += 2
		}
	}
	parts := make([]Part, 0, count)
	for n := range k.Values {
		l, first := &all[n], len(parts)
		switch id := simt.ID(n); {
		case k.Values[id].Kind == simt.Special:
		case k.InGenerals(id):
			parts = k.locateScalars(parts, l, id)
		case !k.IsBrought(id):
			parts = k.locateVectors(parts, l, id)
		}
		if len(parts) > first {
			l.Parts = parts[first:len(parts):len(parts)]
		}
	}
	return all
}

// locateScalars says what a value is that is computed in general registers, and adds where it is, if somebody needs it.
func (k *compiler) locateScalars(parts []Part, l *Location, id simt.ID) []Part {
	if !k.IsMade(id) {
		return parts
	}
	l.Scalar = k.Scalar[id]
	if a := k.Affines[id]; a != nil {
		l.Lanes = (*[simt.WarpSize]int64)(&a.C)
	}
	for _, x := range k.RegistersOf(id) {
		parts = append(parts, k.PartOf(x.Reg))
	}
	return parts
}

// locateVectors adds where the vectors of a value are.
func (k *compiler) locateVectors(parts []Part, l *Location, id simt.ID) []Part {
	before := len(parts)
	for _, s := range k.Groups {
		for _, x := range s.Vectors[id].Parts {
			if x.Reg != 0 && !k.Registers[x.Reg].IsConstant() {
				parts = append(parts, k.PartOf(x.Reg))
			}
		}
	}
	if len(parts)-before != k.partsOf(id) {
		l.Constant = !k.Groups[0].Vectors[id].Parts[0].None()
		return parts[:before]
	}
	return parts
}

// partsOf returns how many vectors or masks a value has.
func (k *compiler) partsOf(id simt.ID) int {
	if k.Values[id].Type == simt.B64 {
		return 2 * len(k.Groups)
	}
	return len(k.Groups)
}
