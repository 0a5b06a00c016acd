package kernel

import (
	"maps"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Branches on whether an affine value is less, or greater, than a scalar, as those are that look for the edges of a picture.
// Most warps are on one side of them, which two comparisons of scalars tell. The lanes are only compared where they part.

// bound is a condition of such comparisons, which only branches read.
type bound struct {
	*affine.Condition
	nodes   []vector.Node // look at the lanes, consumers first
	defs    []simt.ID     // what they define
	numbers []int         // of the nodes
}

// findBounds finds the conditions. What is computed for them alone is computed with them.
func (k *compiler) findBounds() {
	k.bounds, k.apartFor = map[simt.ID]*bound{}, map[simt.ID]*bound{}
	if k.Options.Without&amd64.FuseAffine != 0 {
		return
	}
	here := make([]simt.BlockID, len(k.Values))
	var defined []simt.ID
	for b := range k.Blocks {
		defined = k.AppendDefined(defined[:0], simt.BlockID(b))
		for _, id := range defined {
			here[id] = simt.BlockID(b)
		}
	}
	all, apart := k.Known.Conditions(k.defined, func(id simt.ID, b simt.BlockID) bool {
		return k.Values[id].Kind == simt.Special || k.Reaches(id, here[id], b)
	})
	for id, c := range all {
		k.bounds[id] = &bound{Condition: c}
	}
	for id, of := range apart {
		k.apartFor[id] = k.bounds[of]
	}
}

// condition leaves in EAX the lanes for which a condition holds. It may go to yes or no, if that is all lanes or none.
func (k *compiler) condition(id simt.ID, yes, no encode.Label) {
	word := func() {
		var parts warp.Grouped
		for g, s := range k.Groups {
			parts[g] = s.Value(id).Parts[0]
		}
		k.WordOf(encode.RAX, parts)
	}
	c := k.bounds[id]
	if c == nil {
		word()
		return
	}
	parts := k.Asm.NewLabel()
	k.BringCondition(c.Condition)
	k.Decide(c.Condition, yes, no, parts)
	k.Do(func() { k.Bind(parts) })
	k.Briefly(func() { // the lanes are compared on one way only
		for _, n := range c.numbers {
			for _, s := range k.Groups {
				s.Run(n)
			}
		}
		word()
		for _, d := range c.defs {
			for _, s := range k.Groups {
				s.Vectors[d].Parts = [2]machine.Operand{}
			}
		}
	})
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
		for _, n := range slices.Backward(c.nodes) {
			c.numbers = append(c.numbers, add(n))
		}
	}
}
