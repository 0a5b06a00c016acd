package kernel

import (
	"maps"
	"math"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// blockNodes are the nodes of a block: those from first to last, of all.
type blockNodes struct {
	first, last int
	selected    int // so many have been selected
}

// findNodes covers what is computed in vector registers by nodes, from the end of the function to its beginning: a
// value that no node needs is not computed.
func (k *compiler) findNodes() {
	f := k.NewFuser()
	k.CountUses(f.Uses)
	k.atBlock = make([]blockNodes, len(k.Blocks))
	insts := 0
	for b := range k.Blocks {
		insts += len(k.Blocks[b].Insts)
	}
	k.Nodes, k.nodeAt = nodesMemory.TakeRoom(insts), nodeAtMemory.TakeRoom(insts)
	var paired []*pair
	for b := len(k.Blocks) - 1; b >= 0; b-- {
		block := &k.Blocks[b]
		k.needEnd(simt.BlockID(b))
		f.Insts = block.Insts
		k.define(f, block, true)
		k.atBlock[b].last = len(k.Nodes) // from the end of the function
		for n := len(block.Insts) - 1; n >= 0; n-- {
			inst := &block.Insts[n]
			if inst.Kind != simt.Compute {
				k.needInst(inst)
				continue
			}
			if !k.needed[inst.Defs[0]] {
				continue
			}
			if a := k.Affines[inst.Defs[0]]; a != nil && a.None {
				continue
			}
			if k.InGenerals(inst.Defs[0]) {
				k.need(inst.Args...)
				continue
			}
			covered, err := f.Cover(inst)
			if p := k.loads.permuted[inst.Defs[0]]; p != nil && err == nil {
				p.node = covered
				paired = append(paired, p)
				k.need(covered.Args[:covered.Count]...)
				continue
			}
			if c := k.apartFor[inst.Defs[0]]; c != nil && err == nil {
				c.nodes, c.defs = append(c.nodes, covered), append(c.defs, inst.Defs[0])
				k.need(covered.Args[:covered.Count]...)
				continue
			}
			if err != nil { // there is no machine code: a step executes it
				k.stepped[inst.Defs[0]] = true
				k.need(inst.Args...)
				continue
			}
			k.need(covered.Args[:covered.Count]...)
			k.Nodes, k.nodeAt = append(k.Nodes, covered), append(k.nodeAt, int32(n))
		}
		k.define(f, block, false)
		k.atBlock[b].first = len(k.Nodes)
	}
	apart := len(k.Nodes)
	slices.Reverse(k.Nodes)
	slices.Reverse(k.nodeAt)
	for b := range k.atBlock {
		at := &k.atBlock[b]
		at.first, at.last = apart-at.first, apart-at.last
	}
	k.addNodes(paired)
	maps.DeleteFunc(k.loads.pairs, func(_ *simt.Inst, p *pair) bool { return p.number == 0 })
	k.findLastUses(apart)
}

// InGenerals reports whether a value is computed in general registers.
func (k *compiler) InGenerals(id simt.ID) bool {
	return k.Scalar[id] || k.Affines[id] != nil
}

// inVectors reports whether nodes compute an instruction.
func (k *compiler) inVectors(i *simt.Inst) bool {
	return i.Kind == simt.Compute && !k.InGenerals(i.Defs[0]) && !k.stepped[i.Defs[0]]
}

// define notes which instructions of a block define values in vector registers, or forgets them.
func (k *compiler) define(f *vector.Fuser, block *simt.Block, known bool) {
	for n := range block.Insts {
		if i := &block.Insts[n]; i.Kind == simt.Compute && !k.InGenerals(i.Defs[0]) && k.loads.permuted[i.Defs[0]] == nil {
			f.By[i.Defs[0]] = 0
			if known {
				f.By[i.Defs[0]] = int32(n + 1)
			}
		}
	}
}

// need notes values that are to be computed.
func (k *compiler) need(ids ...simt.ID) {
	for _, id := range ids {
		k.needed[id] = true
	}
}

// needEnd notes what the end of a block reads, with the phis behind it.
func (k *compiler) needEnd(b simt.BlockID) {
	end := &k.Blocks[b].End
	k.need(end.Args...)
	k.need(end.Cond)
	for n := range end.To {
		for _, m := range k.moves(b, n) {
			k.need(m.From)
		}
	}
}

// needInst notes what an instruction with effects reads: of an address that is taken apart its parts.
func (k *compiler) needInst(i *simt.Inst) {
	k.need(i.Guard)
	if a, ok := k.addresses.Of(i); ok {
		k.need(a.Leaves()...)
		k.need(i.Args[1:]...)
		return
	}
	k.need(i.Args...)
}

// findLastUses tells which node reads a value last. What others than nodes read does not die in one, nor what is read by
// those from apart on.
func (k *compiler) findLastUses(apart int) {
	for n := range k.Nodes {
		for _, a := range k.Nodes[n].Args[:k.Nodes[n].Count] {
			k.LastUse[a] = int32(n)
		}
	}
	keep := func(ids ...simt.ID) {
		for _, id := range ids {
			k.LastUse[id] = math.MaxInt32
		}
	}
	for n := range k.Nodes[apart:] {
		keep(k.Nodes[apart+n].Args[:k.Nodes[apart+n].Count]...)
	}
	for b := range k.Blocks {
		block := &k.Blocks[b]
		for i := range block.Phis {
			keep(block.Phis[i].Args...)
		}
		for i := range block.Insts {
			if inst := &block.Insts[i]; !k.inVectors(inst) {
				keep(inst.Guard)
				if a, ok := k.addresses.Of(inst); ok {
					keep(a.Leaves()...)
				}
				keep(inst.Args...)
			}
		}
		keep(block.End.Args...)
		keep(block.End.Cond)
	}
}
