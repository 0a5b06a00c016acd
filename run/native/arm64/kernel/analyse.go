package kernel

import "github.com/vop-ptx/vop/run/simt"

// analyse finds what is computed how, and who reads it.
func (k *compiler) analyse() {
	n := len(k.Values)
	k.can, k.uses, k.runOf, k.outside = make([]bool, n), make([]int32, n), make([]int32, n), make([]bool, n)
	k.parting = make([]bool, len(k.Blocks))
	for b := range k.Blocks {
		end := &k.Blocks[b].End
		k.parting[b] = (end.Kind == simt.Branch || end.Kind == simt.Switch) && !k.uniform[end.Cond]
	}
	k.scalar = k.Scalars(k.uniform, k.givesScalars)
	k.findAffine()
	k.CountUses(k.uses)
	for b := range k.Blocks {
		insts := k.Blocks[b].Insts
		for i := range insts {
			if inst := &insts[i]; inst.Kind == simt.Compute && !k.scalar[inst.Defs[0]] {
				k.can[inst.Defs[0]] = k.Can(inst)
			}
		}
	}
	k.findRuns()
	k.findStepped()
}

// findStepped finds what steps read. Scalars among that are kept in their homes too: steps are often in loops, and their
// operands are not computed there.
func (k *compiler) findStepped() {
	k.stepped = make([]bool, len(k.Values))
	for b := range k.Blocks {
		insts := k.Blocks[b].Insts
		for n := range insts {
			i := &insts[n]
			if i.Kind == simt.Fence || nativeExchange(i) || k.inRun(i) || native(i) || k.nativeTexture(i) {
				continue
			}
			k.stepped[i.Guard] = true
			for _, a := range i.Args {
				k.stepped[a] = true
			}
		}
	}
}

// inRun reports whether an instruction breaks no run of operations.
func (k *compiler) inRun(i *simt.Inst) bool {
	return i.Kind == simt.Idle || i.Kind == simt.Compute && (k.scalar[i.Defs[0]] || k.can[i.Defs[0]])
}

// inVectors reports whether a run computes an instruction in vectors.
func (k *compiler) inVectors(i *simt.Inst) bool { return i.Kind == simt.Compute && k.can[i.Defs[0]] }

// findRuns numbers the runs, and finds what is read outside of its run: it goes home.
func (k *compiler) findRuns() {
	run := int32(0)
	last := make([]int32, len(k.Blocks)) // by block: the run before its end
	for b := range k.Blocks {
		run++
		insts := k.Blocks[b].Insts
		for n := range insts {
			switch i := &insts[n]; {
			case !k.inRun(i):
				run++
			case k.inVectors(i):
				k.runOf[i.Defs[0]] = run
			}
		}
		last[b] = run
	}
	run = 0
	read := func(id simt.ID, by int32) { k.outside[id] = k.outside[id] || k.runOf[id] != by }
	for b := range k.Blocks {
		run++
		block := &k.Blocks[b]
		for n := range block.Insts {
			i := &block.Insts[n]
			by := run
			if !k.inRun(i) {
				run++
				by = -1
			}
			for _, a := range i.Args {
				read(a, by)
			}
			read(i.Guard, by)
		}
		for _, a := range block.End.Args {
			read(a, -1)
		}
		by := int32(-1)
		if block.End.Kind == simt.Branch || block.End.Kind == simt.BranchAll {
			by = last[b]
		}
		read(block.End.Cond, by)
		by = -1
		if block.End.Kind == simt.Jump {
			by = last[b]
		}
		for n := range block.End.To {
			for _, m := range k.Moves(simt.BlockID(b), n) {
				read(m.From, by)
			}
		}
	}
}

// givesScalars reports whether there is code for an instruction on scalars.
func (k *compiler) givesScalars(i *simt.Inst, scalars func(ids []simt.ID) bool) bool {
	switch i.Kind {
	case simt.Compute:
		s, ok := scalarTable()[i.Op]
		if ok && s.counted {
			_, ok = k.ConstOf(i.Args[1])
		}
		return ok && scalars(i.Args)
	case simt.Load:
		return native(i) && !isLocal(i) && i.Guard == 0 && scalars(i.Args)
	}
	return false
}

// allScalar reports whether values are scalars or constants.
func (k *compiler) allScalar(ids []simt.ID) bool { return k.AllScalar(k.scalar, ids) }
