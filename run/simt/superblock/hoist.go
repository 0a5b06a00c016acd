package superblock

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// maxHoisted bounds what is computed for answers at the head.
const maxHoisted = 48

// copier copies what the blocks of a trace define.
type copier struct {
	*position
	trace
	copied map[simt.ID]simt.ID // what stands for a value in the copy: itself, if nothing is here
	sunk   map[simt.ID]simt.ID // what stands for a predicate of the head behind it
	inside map[simt.BlockID]int
	to     simt.BlockID // where insts will be: the head at first, then the copy
	insts  []simt.Inst  // that are new

	low      map[simt.ID]int64 // the least that values are, if all answers are the usual ones
	computed map[computation]simt.ID
}

func newCopier(p *position, t trace) *copier {
	c := &copier{position: p, trace: t, copied: map[simt.ID]simt.ID{}, sunk: map[simt.ID]simt.ID{}, inside: map[simt.BlockID]int{}, to: t.head, low: map[simt.ID]int64{}, computed: map[computation]simt.ID{}}
	for n, b := range t.blocks {
		c.inside[b] = n
	}
	return c
}

// hoist adds to the head what a value is computed from, and returns the value there. ok is false if it cannot be computed there.
func (c *copier) hoist(id simt.ID) (at simt.ID, ok bool) {
	if at, ok = c.copied[id]; ok {
		return at, true
	}
	value := &c.Values[id]
	n, inside := c.inside[value.Block]
	switch {
	case value.Kind == simt.Const || value.Kind == simt.Special || !inside:
		return id, true
	case value.Kind == simt.PhiDef:
		at, ok = c.hoist(c.phiArg(n, id))
	case len(c.insts) < maxHoisted && (c.defined[id].Kind == simt.Compute || c.LoadsParameter(c.defined[id])):
		inst := *c.defined[id]
		inst.Args = slices.Clone(inst.Args)
		for k, a := range inst.Args {
			if inst.Args[k], ok = c.hoist(a); !ok {
				return 0, false
			}
		}
		inst.Defs = c.define(inst.Defs)
		c.insts = append(c.insts, inst)
		at, ok = c.copied[id], true
	}
	if ok {
		c.copied[id] = at
	}
	return at, ok
}

// phiArg returns what a phi of a block of the trace is, if the block before leads there.
func (c *copier) phiArg(n int, def simt.ID) simt.ID {
	block, before := &c.Blocks[c.blocks[n]], c.head
	if n > 0 {
		before = c.blocks[n-1]
	}
	phi := slices.IndexFunc(block.Phis, func(p simt.Phi) bool { return p.Def == def })
	return block.Phis[phi].Args[slices.Index(block.Preds, before)]
}

// define makes values that stand for some in the copy.
func (c *copier) define(defs []simt.ID) []simt.ID {
	all := make([]simt.ID, len(defs))
	for n, d := range defs {
		if d != 0 {
			all[n] = c.Define(c.Values[d].Type, c.to)
			c.copied[d] = all[n]
		}
	}
	return all
}

// question adds to the head whether all answers are the usual ones, and returns that.
func (c *copier) question() (cond simt.ID, ok bool) {
	seen := map[simt.ID]bool{}
	for _, l := range c.leaves {
		where, ok := c.hoist(l.where)
		if !ok {
			return 0, false
		}
		limit, ok := c.hoist(l.limit)
		if !ok {
			return 0, false
		}
		l.where, l.limit = where, limit
		l = c.withEqual(l)
		holds := c.compute(op.Must("setp."+l.relation+"."+l.typ), simt.Pred, l.at, l.where, l.limit)
		if seen[holds] {
			continue
		}
		seen[holds] = true
		if cond == 0 {
			cond = holds
		} else {
			cond = c.compute(both, simt.Pred, l.at, cond, holds)
		}
	}
	return cond, true
}

// withEqual says a comparison with a constant as one that allows for equality: greater than 0 is at least 1.
func (c *copier) withEqual(l leaf) leaf {
	bits, constant := c.ConstOf(l.limit)
	if !constant || l.typ != "s32" {
		return l
	}
	switch k := int32(bits); {
	case l.relation == "gt" && k+1 > k:
		l.relation, l.limit = "ge", c.Constant(simt.B32, uint64(uint32(k+1)))
	case l.relation == "lt" && k-1 < k:
		l.relation, l.limit = "le", c.Constant(simt.B32, uint64(uint32(k-1)))
	}
	return l
}
