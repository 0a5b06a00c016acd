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

// bound is a condition of such comparisons.
type bound struct {
	all, any     [2]*bound // the two of which both, or one, must hold; or nil
	holds        simt.ID   // a scalar predicate, or 0
	value, limit simt.ID   // of a comparison: the affine value is on the left
	relation     string    // lt, le, gt or ge
	signed       bool
	// Of a condition that a branch reads, the nodes that look at the lanes, consumers first, and their numbers.
	nodes   []vector.Node
	defs    []simt.ID // what they define
	numbers []int
}

// mirrored are the relations with their sides exchanged.
var mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

// findBounds finds the conditions that only branches read. What is computed for them alone is computed with them.
func (k *compiler) findBounds() {
	k.bounds, k.apartFor = map[simt.ID]*bound{}, map[simt.ID]*bound{}
	if k.Options.Without&amd64.FuseAffine != 0 {
		return
	}
	uses, conditions := make([]int32, len(k.Values)), make([]int32, len(k.Values))
	k.CountUses(uses)
	for b := range k.Blocks {
		if end := &k.Blocks[b].End; end.Kind == simt.Branch {
			conditions[end.Cond]++
		}
	}
	for id := range k.Values {
		if conditions[id] == 0 || conditions[id] != uses[id] || k.scalar[id] {
			continue
		}
		if c := k.boundOf(simt.ID(id)); c != nil {
			k.bounds[simt.ID(id)] = c
			k.computeApart(simt.ID(id), c, uses)
		}
	}
}

// computeApart notes what is computed for a condition alone.
func (k *compiler) computeApart(id simt.ID, c *bound, uses []int32) {
	k.apartFor[id] = c
	for _, arg := range k.defined[id].Args {
		if i := k.defined[arg]; k.Values[arg].Type == simt.Pred && uses[arg] == 1 && !k.isScalarOrConst(arg) && i != nil && i.Kind == simt.Compute {
			k.computeApart(arg, c, uses)
		}
	}
}

// boundOf returns the condition that a predicate is, or nil.
func (k *compiler) boundOf(id simt.ID) *bound {
	if k.scalar[id] {
		return &bound{holds: id}
	}
	i := k.defined[id]
	if i == nil || i.Kind != simt.Compute {
		return nil
	}
	switch name := i.Op.String(); name {
	case "and.pred", "or.pred":
		both := [2]*bound{k.boundOf(i.Args[0]), k.boundOf(i.Args[1])}
		switch {
		case both[0] == nil || both[1] == nil:
			return nil
		case name == "and.pred":
			return &bound{all: both}
		}
		return &bound{any: both}
	default:
		return k.comparisonOf(i, strings.Split(name, "."))
	}
}

// comparisonOf returns the comparison that an instruction is, or nil.
func (k *compiler) comparisonOf(i *simt.Inst, name []string) *bound {
	if len(name) != 3 || name[0] != "setp" || name[2] != "s32" && name[2] != "u32" || mirrored[name[1]] == "" {
		return nil
	}
	c := &bound{value: i.Args[0], limit: i.Args[1], relation: name[1], signed: name[2] == "s32"}
	if k.isScalarOrConst(c.value) {
		c.value, c.limit, c.relation = c.limit, c.value, mirrored[c.relation]
	}
	if a := k.affines[c.value]; a == nil || a.None || a.Split || !k.isScalarOrConst(c.limit) {
		return nil
	}
	return c
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
	k.bringBounds(c)
	k.decide(c, yes, no, parts)
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

// bringBounds brings what is compared into registers, before the ways part.
func (k *compiler) bringBounds(c *bound) {
	switch {
	case c.all[0] != nil:
		k.bringBounds(c.all[0])
		k.bringBounds(c.all[1])
	case c.any[0] != nil:
		k.bringBounds(c.any[0])
		k.bringBounds(c.any[1])
	case c.holds != 0:
		k.general(c.holds)
	default:
		k.scalarParts(c.value)
		k.limitOf(c)
	}
}

// limitOf returns what is compared with.
func (k *compiler) limitOf(c *bound) machine.Operand {
	if bits, ok := k.ConstOf(c.limit); ok {
		return machine.Fixed(encode.Imm(int64(int32(bits))))
	}
	return k.general(c.limit)
}

// decide goes to yes if a condition holds in all lanes, at work or not, to no if it holds in none, and else to parts.
func (k *compiler) decide(c *bound, yes, no, parts encode.Label) {
	next := k.Asm.NewLabel()
	switch {
	case c.all[0] != nil:
		k.decide(c.all[0], next, no, parts)
		k.do(func() { k.Bind(next) })
		k.decide(c.all[1], yes, no, parts)
	case c.any[0] != nil:
		k.decide(c.any[0], yes, next, parts)
		k.do(func() { k.Bind(next) })
		k.decide(c.any[1], yes, no, parts)
	case c.holds != 0:
		x := k.general(c.holds)
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
func (k *compiler) compare(c *bound, yes, no, parts encode.Label) {
	low, high := k.affines[c.value].Bounds()
	x := k.scalarParts(c.value)[0]
	limit := k.limitOf(c)
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
