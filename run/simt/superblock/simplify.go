package superblock

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// What the usual answers tell of where a thread is: a word that is at least 1 is extended by zeros as by its sign, and so is
// what is one less. In the copy all addresses are computed from a word that is extended once, so that it is known how far they
// are apart.

var (
	extendBySign = op.Must("cvt.s64.s32")
	extend       = op.Must("widen.64")
	scale        = op.Must("shl.b64")
	add64        = op.Must("add.u64")
	sums         = map[op.Op]bool{op.Must("add.u32"): true, op.Must("add.s32"): true}
	scaled       = op.Must("mul.wide.s32")
)

// computation is an operation and what it reads.
type computation struct {
	op   op.Op
	args [4]simt.ID
}

// noteLow notes what the answers tell of the least that values are.
func (c *copier) noteLow() {
	for _, l := range c.leaves {
		limit, constant := c.ConstOf(l.limit)
		if !constant || l.typ != "s32" || l.relation != "ge" && l.relation != "gt" {
			continue
		}
		low := int64(int32(limit))
		if l.relation == "gt" {
			low++
		}
		if before, ok := c.low[l.where]; !ok || low > before {
			c.low[l.where] = low
		}
	}
}

// compute returns what an operation gives in the copy.
func (c *copier) compute(o op.Op, t simt.Type, at int32, args ...simt.ID) simt.ID {
	key := computation{op: o}
	copy(key.args[:], args)
	if id, ok := c.computed[key]; ok {
		return id
	}
	id := c.Define(t, c.to)
	c.insts = append(c.insts, simt.Inst{Op: o, Defs: []simt.ID{id}, Args: args, At: at})
	c.computed[key] = id
	return id
}

// simplified returns what an operation on where a thread is gives in the copy, computed from that extended by its sign.
func (c *copier) simplified(i *simt.Inst) (id simt.ID, ok bool) {
	switch i.Op {
	case scaled: // a multiple, which is a power of two
		for k := range 2 {
			n, constant := c.ConstOf(i.Args[1-k])
			if constant && int32(n) > 0 && n&(n-1) == 0 && c.of[i.Args[k]] == inGrid {
				wide := c.compute(extendBySign, simt.B64, i.At, c.now(i.Args[k]))
				return c.compute(scale, simt.B64, i.At, wide, c.Constant(simt.B32, uint64(bits.TrailingZeros64(n)))), true
			}
		}
	case extend: // a sum with a constant, which is not below 0
		sum := c.defined[i.Args[0]]
		if sum == nil || !sums[sum.Op] {
			return 0, false
		}
		for k := range 2 {
			n, constant := c.ConstOf(sum.Args[1-k])
			low, known := c.low[sum.Args[k]]
			if by := int64(int32(n)); constant && known && -by <= low && by <= 0 && low < math.MaxInt32 {
				wide := c.compute(extendBySign, simt.B64, i.At, c.now(sum.Args[k]))
				return c.compute(add64, simt.B64, i.At, wide, c.Constant(simt.B64, uint64(by))), true
			}
		}
	}
	return 0, false
}
