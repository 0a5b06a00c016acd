package scalar

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Conditions on whether an affine value is less, or greater, than a scalar. Two comparisons of scalars tell whether they hold
// in all lanes, or in none.

// BringCondition brings what is compared into registers, before the ways part.
func (k *Compiler) BringCondition(c *affine.Condition) {
	switch {
	case c.All[0] != nil:
		k.BringCondition(c.All[0])
		k.BringCondition(c.All[1])
	case c.Any[0] != nil:
		k.BringCondition(c.Any[0])
		k.BringCondition(c.Any[1])
	case c.Holds != 0:
		k.General(c.Holds)
	default:
		k.ScalarParts(c.Value)
		k.limitOf(c)
	}
}

// limitOf returns what is compared with.
func (k *Compiler) limitOf(c *affine.Condition) machine.Operand {
	if bits, ok := k.ConstOf(c.Limit); ok {
		return machine.Fixed(encode.Imm(int64(int32(bits))))
	}
	return k.General(c.Limit)
}

// Decide goes to yes if a condition holds in all lanes, at work or not, to no if it holds in none, and else to parts.
func (k *Compiler) Decide(c *affine.Condition, yes, no, parts encode.Label) {
	next := k.Asm.NewLabel()
	switch {
	case c.All[0] != nil:
		k.Decide(c.All[0], next, no, parts)
		k.Do(func() { k.Bind(next) })
		k.Decide(c.All[1], yes, no, parts)
	case c.Any[0] != nil:
		k.Decide(c.Any[0], yes, next, parts)
		k.Do(func() { k.Bind(next) })
		k.Decide(c.Any[1], yes, no, parts)
	case c.Holds != 0:
		x := k.General(c.Holds)
		k.Fixedly(encode.TEST|encode.S32, x, x)
		k.Do(func() {
			k.JumpIf(encode.CondE, no)
			k.Jump(yes)
		})
	default:
		k.compare(c, yes, no, parts)
	}
}

// compare is decide for a comparison.
func (k *Compiler) compare(c *affine.Condition, yes, no, parts encode.Label) {
	low, high := k.Affines[c.Value].Bounds()
	x := k.ScalarParts(c.Value)[0]
	limit := k.limitOf(c)
	least, most := warp.RAX, warp.RCX
	k.Fixedly(encode.LEA|encode.S32, least, machine.MemoryAt(x, int32(low)))
	k.Fixedly(encode.LEA|encode.S32, most, machine.MemoryAt(x, int32(high)))
	less, lessOrEqual := encode.CondL, encode.CondLE
	if !c.Signed {
		less, lessOrEqual = encode.CondB, encode.CondBE
	}
	goIf := func(x machine.Operand, cond encode.Cond, y machine.Operand, to encode.Label) {
		k.Fixedly(encode.CMP|encode.S32, x, y)
		k.Do(func() { k.JumpIf(cond, to) })
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
	k.Do(func() { k.Jump(parts) })
}
