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

// Require goes to no unless a condition is known to hold in all lanes, at work or not.
func (k *Compiler) Require(c *affine.Condition, no encode.Label) {
	switch {
	case c.All[0] != nil:
		k.Require(c.All[0], no)
		k.Require(c.All[1], no)
	case c.Any[0] != nil:
		yes := k.Asm.NewLabel()
		k.Decide(c, yes, no, no)
		k.Do(func() { k.Bind(yes) })
	case c.Holds != 0:
		x := k.General(c.Holds)
		k.Fixedly(encode.TEST|encode.S32, x, x)
		k.Do(func() { k.JumpIf(encode.CondE, no) })
	default:
		e := k.extremesOf(c, no)
		k.goIf(e.worst, e.holds.Not(), e.limit, no)
	}
}

// compare is Decide for a comparison.
func (k *Compiler) compare(c *affine.Condition, yes, no, parts encode.Label) {
	e := k.extremesOf(c, parts)
	k.goIf(e.worst, e.holds, e.limit, yes)
	k.goIf(e.best, e.holds.Not(), e.limit, no)
	k.Do(func() { k.Jump(parts) })
}

// extremes are, of a comparison, the lane that is least likely to be on the right side of the limit, the one that is most
// likely to, and how such a lane is compared with the limit.
type extremes struct {
	worst, best, limit machine.Operand
	holds              encode.Cond
}

// extremesOf computes the extremes of a comparison, and goes to wraps if a sum has wrapped around.
func (k *Compiler) extremesOf(c *affine.Condition, wraps encode.Label) extremes {
	low, high := k.Affines[c.Value].Bounds()
	x := k.ScalarParts(c.Value)[0]
	least, most := warp.RAX, warp.RCX
	limit := k.limitOf(c)
	k.Fixedly(encode.LEA|encode.S32, least, machine.MemoryAt(x, int32(low)))
	k.Fixedly(encode.LEA|encode.S32, most, machine.MemoryAt(x, int32(high)))
	less, lessOrEqual := encode.CondL, encode.CondLE
	if !c.Signed {
		less, lessOrEqual = encode.CondB, encode.CondBE
	}
	k.goIf(most, less, least, wraps)
	switch c.Relation {
	case "lt":
		return extremes{most, least, limit, less}
	case "le":
		return extremes{most, least, limit, lessOrEqual}
	case "gt":
		return extremes{least, most, limit, lessOrEqual.Not()}
	}
	return extremes{least, most, limit, less.Not()}
}

// goIf goes to a label if a comparison of words holds.
func (k *Compiler) goIf(x machine.Operand, cond encode.Cond, y machine.Operand, to encode.Label) {
	k.Fixedly(encode.CMP|encode.S32, x, y)
	k.Do(func() { k.JumpIf(cond, to) })
}
