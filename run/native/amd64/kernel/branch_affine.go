package kernel

import (
	"maps"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
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
	all, apart := k.known.Conditions(k.defined)
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
		var parts grouped
		for g, s := range k.groups {
			parts[g] = s.Value(id).Parts[0]
		}
		k.wordOf(encode.RAX, parts)
	}
	c := k.bounds[id]
	if c == nil {
		word()
		return
	}
	parts := k.Asm.NewLabel()
	k.bringCondition(c.Condition)
	k.decide(c.Condition, yes, no, parts)
	k.do(func() { k.Bind(parts) })
	k.noKeep = true
	k.saveCaches(func() { // the lanes are compared on one way only
		for _, n := range c.numbers {
			for _, s := range k.groups {
				s.Run(n)
			}
		}
		word()
		for _, d := range c.defs {
			for _, s := range k.groups {
				s.Vectors[d].Parts = [2]machine.Operand{}
			}
		}
	})
	k.noKeep = false
}

// bringCondition brings what is compared into registers, before the ways part.
func (k *compiler) bringCondition(c *affine.Condition) {
	switch {
	case c.All[0] != nil:
		k.bringCondition(c.All[0])
		k.bringCondition(c.All[1])
	case c.Any[0] != nil:
		k.bringCondition(c.Any[0])
		k.bringCondition(c.Any[1])
	case c.Holds != 0:
		k.general(c.Holds)
	default:
		k.scalarParts(c.Value)
		k.limitOf(c)
	}
}

// limitOf returns what is compared with.
func (k *compiler) limitOf(c *affine.Condition) machine.Operand {
	if bits, ok := k.ConstOf(c.Limit); ok {
		return machine.Fixed(encode.Imm(int64(int32(bits))))
	}
	return k.general(c.Limit)
}

// decide goes to yes if a condition holds in all lanes, at work or not, to no if it holds in none, and else to parts.
func (k *compiler) decide(c *affine.Condition, yes, no, parts encode.Label) {
	next := k.Asm.NewLabel()
	switch {
	case c.All[0] != nil:
		k.decide(c.All[0], next, no, parts)
		k.do(func() { k.Bind(next) })
		k.decide(c.All[1], yes, no, parts)
	case c.Any[0] != nil:
		k.decide(c.Any[0], yes, next, parts)
		k.do(func() { k.Bind(next) })
		k.decide(c.Any[1], yes, no, parts)
	case c.Holds != 0:
		x := k.general(c.Holds)
		k.fixedly(encode.TEST|encode.S32, x, x)
		k.do(func() {
			k.JumpIf(encode.CondE, no)
			k.jump(yes)
		})
	default:
		k.compare(c, yes, no, parts)
	}
}

// compare is decide for a comparison.
func (k *compiler) compare(c *affine.Condition, yes, no, parts encode.Label) {
	low, high := k.affines[c.Value].Bounds()
	x := k.scalarParts(c.Value)[0]
	limit := k.limitOf(c)
	least, most := rax, rcx
	k.fixedly(encode.LEA|encode.S32, least, machine.MemoryAt(x, int32(low)))
	k.fixedly(encode.LEA|encode.S32, most, machine.MemoryAt(x, int32(high)))
	less, lessOrEqual := encode.CondL, encode.CondLE
	if !c.Signed {
		less, lessOrEqual = encode.CondB, encode.CondBE
	}
	goIf := func(x machine.Operand, cond encode.Cond, y machine.Operand, to encode.Label) {
		k.fixedly(encode.CMP|encode.S32, x, y)
		k.do(func() { k.JumpIf(cond, to) })
	}
	goIf(most, less, least, parts) // a sum has wrapped around
	switch c.Relation {
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
	k.do(func() { k.jump(parts) })
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
