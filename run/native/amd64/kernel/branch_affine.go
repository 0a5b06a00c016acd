package kernel

import (
	"maps"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// Branches on whether an affine value is less, or greater, than a scalar, as those are that look for the edges of a picture.
// Most warps are on one side of them, which two comparisons of scalars tell. The lanes are only compared where they part.

// bound is such a comparison, which nobody reads but branches.
type bound struct {
	value, limit simt.ID // the affine value is on the left
	relation     string  // lt, le, gt or ge
	signed       bool
	node         vector.Node // compares the lanes
	number       int         // of the node
}

// mirrored are the relations with their sides exchanged.
var mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

// findBounds finds the comparisons that only branches read, of their own loop.
func (k *compiler) findBounds() {
	k.bounds = map[simt.ID]*bound{}
	if k.Options.Without&amd64.FuseAffine != 0 {
		return
	}
	uses, conditions := make([]int32, len(k.Values)), make([]int32, len(k.Values))
	k.CountUses(uses)
	at := make([]simt.BlockID, len(k.Values))
	for b := range k.Blocks {
		for n := range k.Blocks[b].Insts {
			for _, d := range k.Blocks[b].Insts[n].Defs {
				at[d] = simt.BlockID(b)
			}
		}
	}
	for b := range k.Blocks {
		if end := &k.Blocks[b].End; end.Kind == simt.Branch && k.Blocks[at[end.Cond]].Loop == k.Blocks[b].Loop {
			conditions[end.Cond]++
		}
	}
	for id := range k.Values {
		if conditions[id] == 0 || conditions[id] != uses[id] || k.scalar[id] {
			continue
		}
		if c := k.boundOf(k.defined[id]); c != nil {
			k.bounds[simt.ID(id)] = c
		}
	}
}

// boundOf returns the comparison that an instruction is, or nil.
func (k *compiler) boundOf(i *simt.Inst) *bound {
	if i == nil || i.Kind != simt.Compute {
		return nil
	}
	parts := strings.Split(i.Op.String(), ".")
	if len(parts) != 3 || parts[0] != "setp" || parts[2] != "s32" && parts[2] != "u32" || mirrored[parts[1]] == "" {
		return nil
	}
	c := &bound{value: i.Args[0], limit: i.Args[1], relation: parts[1], signed: parts[2] == "s32"}
	if k.isScalarOrConst(c.value) {
		c.value, c.limit, c.relation = c.limit, c.value, mirrored[c.relation]
	}
	if a := k.affines[c.value]; a == nil || a.None || a.Split || !k.isScalarOrConst(c.limit) {
		return nil
	}
	return c
}

// decide goes to yes if a comparison holds in all lanes, at work or not, and to no if it holds in none.
func (k *compiler) decide(c *bound, yes, no encode.Label) {
	low, high := k.affines[c.value].Bounds()
	x, parts := k.scalarParts(c.value)[0], k.Asm.NewLabel()
	limit := k.general(c.limit)
	least, most := rax, rcx
	k.fixedly(encode.LEA|encode.S32, least, machine.MemoryAt(x, int32(low)))
	k.fixedly(encode.LEA|encode.S32, most, machine.MemoryAt(x, int32(high)))
	less, lessOrEqual := encode.CondL, encode.CondLE
	if !c.signed {
		less, lessOrEqual = encode.CondB, encode.CondBE
	}
	goIf := func(x machine.Operand, cond encode.Cond, y machine.Operand, to encode.Label) {
		k.fixedly(encode.CMP|encode.S32, x, y)
		k.do(func() { k.JumpIf(cond, to) })
	}
	goIf(most, less, least, parts) // a sum has wrapped around
	switch c.relation {
	case "lt":
		goIf(most, less, limit, yes)
		goIf(least, less.Not(), limit, no)
	case "le":
		goIf(most, lessOrEqual, limit, yes)
		goIf(least, lessOrEqual.Not(), limit, no)
	case "gt":
		goIf(least, lessOrEqual.Not(), limit, yes)
		goIf(most, lessOrEqual, limit, no)
	case "ge":
		goIf(least, less.Not(), limit, yes)
		goIf(most, less, limit, no)
	}
	k.do(func() { k.Bind(parts) })
}

// addNodes adds nodes that are selected apart from those of their blocks.
func (k *compiler) addNodes(paired []*pair) {
	add := func(n vector.Node) int {
		k.Nodes = append(k.Nodes, n)
		return len(k.Nodes) - 1
	}
	for _, p := range paired {
		p.number = add(p.node)
	}
	for _, id := range slices.Sorted(maps.Keys(k.bounds)) {
		c := k.bounds[id]
		c.number = add(c.node)
	}
}
