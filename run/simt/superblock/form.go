package superblock

import "github.com/vop-ptx/vop/run/simt"

// Form gives a kernel a superblock, if there is one that is worth it, and reports whether it has. The function must not be
// literal. What it computes, and in which order, stays: lanes that have parted before meet where they have met, so that a
// superblock only begins where none can have.
func Form(f *simt.Function) bool {
	if f.Decl == nil || !f.Decl.Entry {
		return false
	}
	uniform := f.Uniform(nil)
	for b := range f.Blocks {
		end := &f.Blocks[b].End
		if end.Kind != simt.Branch && end.Kind != simt.Switch || uniform[end.Cond] {
			continue
		}
		p := positionsOf(f)
		if t, ok := p.traceFrom(simt.BlockID(b)); ok {
			c := newCopier(p, t)
			if cond, ok := c.question(); ok {
				c.form(cond)
				f.RemoveDead()
				return true
			}
		}
		return false
	}
	return false
}

// form puts the copy behind the head, and what the head has done at its end behind that.
func (c *copier) form(cond simt.ID) {
	head, copied, rest := c.head, c.head+1, c.head+2
	c.InsertBlocks(head, 2)
	for n := range c.blocks {
		c.blocks[n] += 2
	}
	first := &c.Blocks[head]
	first.Insts = append(first.Insts, c.insts...)
	c.to, c.insts, c.computed = copied, nil, map[computation]simt.ID{}
	c.noteLow()
	to := &c.Blocks[copied]
	to.Preds, to.From = []simt.BlockID{head}, c.Blocks[c.blocks[0]].From
	for n, b := range c.blocks {
		block := &c.Blocks[b]
		for _, phi := range block.Phis {
			c.copied[phi.Def] = c.now(c.phiArg(n, phi.Def))
		}
		for i := range block.Insts {
			c.copy(&block.Insts[i])
		}
		to.From, to.To = min(to.From, block.From), max(to.To, block.To)
		to.End = block.End
	}
	to.Insts = c.insts
	c.Blocks[rest] = simt.Block{Loop: simt.NoBlock, Preds: []simt.BlockID{head}, From: first.To, To: first.To, End: first.End}
	for _, b := range first.End.To {
		for n, p := range c.Blocks[b].Preds {
			if p == head {
				c.Blocks[b].Preds[n] = rest
			}
		}
	}
	c.to, c.insts, c.computed = rest, nil, map[computation]simt.ID{}
	asked := c.sink(first.End.Cond)
	c.Blocks[rest].End.Cond, c.Blocks[rest].Insts = asked, c.insts
	first.End = simt.End{Kind: simt.BranchAll, Cond: cond, To: []simt.BlockID{copied, rest}, At: -1}
}

// sink computes a predicate of the head behind it, and returns it: most warps do not come there.
func (c *copier) sink(id simt.ID) simt.ID {
	i := c.defined[id]
	if i == nil || i.Kind != simt.Compute || c.Values[id].Block != c.head || c.Values[id].Type != simt.Pred {
		return id
	}
	if to, ok := c.sunk[id]; ok {
		return to
	}
	args := make([]simt.ID, len(i.Args))
	for n, a := range i.Args {
		args[n] = c.sink(a)
	}
	c.sunk[id] = c.compute(i.Op, simt.Pred, i.At, args...)
	return c.sunk[id]
}

// now returns what a value is in the copy.
func (c *copier) now(id simt.ID) simt.ID {
	if at, ok := c.copied[id]; ok {
		return at
	}
	return id
}

// copy copies an instruction, unless the head has what it computes.
func (c *copier) copy(i *simt.Inst) {
	if len(i.Defs) > 0 && i.Defs[0] != 0 && c.now(i.Defs[0]) != i.Defs[0] {
		return
	}
	args := make([]simt.ID, len(i.Args))
	for n, a := range i.Args {
		args[n] = c.now(a)
	}
	if i.Kind == simt.Compute && !i.Merge {
		id, ok := c.simplified(i)
		if !ok {
			id = c.compute(i.Op, c.Values[i.Defs[0]].Type, i.At, args...)
		}
		c.copied[i.Defs[0]] = id
		return
	}
	inst := *i
	inst.Args, inst.Guard = args, c.now(i.Guard)
	inst.Defs = c.define(i.Defs)
	c.insts = append(c.insts, inst)
}
