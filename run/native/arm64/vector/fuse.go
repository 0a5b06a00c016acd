package vector

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Fuse covers the operations of a block by nodes, from the last on; what no result needs is left out. A pattern takes
// operations in whose results nobody else has an interest; they are not computed by themselves then.
func (c *Compiler) Fuse(block *simt.Block, results []simt.ID) error {
	f := &fuser{Compiler: c, uses: make([]int32, len(c.Values)), by: make(map[simt.ID]*simt.Inst)}
	wanted := make([]bool, len(c.Values))
	for n := range block.Insts {
		i := &block.Insts[n]
		if i.Kind != simt.Compute {
			return &NotSelectedError{"other than to compute"}
		}
		f.by[i.Defs[0]] = i
		for _, a := range i.Args {
			f.uses[a]++
		}
	}
	for _, id := range results {
		f.uses[id]++
		wanted[id] = true
	}
	for n := len(block.Insts) - 1; n >= 0; n-- {
		i := &block.Insts[n]
		if !wanted[i.Defs[0]] {
			continue
		}
		node, err := f.cover(i)
		if err != nil {
			return err
		}
		for _, a := range node.args {
			wanted[a] = true
		}
		c.Nodes = append(c.Nodes, node)
	}
	slices.Reverse(c.Nodes)
	return nil
}

// fuser knows how often values are used, and what computes them.
type fuser struct {
	*Compiler
	uses []int32
	by   map[simt.ID]*simt.Inst // what the run computes
}

// pattern finds several operations that one instruction does.
type pattern func(f *fuser, i *simt.Inst) (Node, bool)

// patterns are those that are tried for an operation, in their order.
var patterns = map[string][]pattern{
	"sub.u32": {difference("max.u32", "min.u32", encode.UABD|encode.S4), difference("max.s32", "min.s32", encode.SABD|encode.S4), lessProduct},
	"word.sub.16": {
		difference("max.u16x2", "min.u16x2", encode.UABD|encode.H8), difference("max.s16x2", "min.s16x2", encode.SABD|encode.H8),
	},
	"word.sub.8": {
		difference("word.max.u8", "word.min.u8", encode.UABD|encode.B16), difference("word.max.s8", "word.min.s8", encode.SABD|encode.B16),
	},
	"add.u32": {plusProduct, plusShifted},
	"or.b32":  {merged},
}

// cover returns the node for an operation.
func (f *fuser) cover(i *simt.Inst) (Node, error) {
	if !f.Options.NoFuse {
		for _, match := range patterns[i.Op.String()] {
			if n, ok := match(f, i); ok {
				n.def = i.Defs[0]
				return n, nil
			}
		}
	}
	s := table()[i.Op.String()]
	if s == nil {
		return Node{}, &NotSelectedError{i.Op.String()}
	}
	return Node{sel: s, args: i.Args, def: i.Defs[0]}, nil
}

// is returns the instruction that computes a value if it is one of an operation, or nil.
func (f *fuser) is(id simt.ID, name string) *simt.Inst {
	if i := f.by[id]; i != nil && i.Op.String() == name {
		return i
	}
	return nil
}

// only is [fuser.is] if nobody else uses the value.
func (f *fuser) only(id simt.ID, name string) *simt.Inst {
	if f.uses[id] != 1 {
		return nil
	}
	return f.is(id, name)
}

// difference is the larger less the smaller: |x - y|.
func difference(larger, smaller string, o encode.Op) pattern {
	return func(f *fuser, i *simt.Inst) (Node, bool) {
		most, least := f.is(i.Args[0], larger), f.is(i.Args[1], smaller)
		if most == nil || least == nil {
			return Node{}, false
		}
		x, y := most.Args[0], most.Args[1]
		if least.Args[0] == y && least.Args[1] == x {
			x, y = y, x
		}
		if least.Args[0] != x || least.Args[1] != y {
			return Node{}, false
		}
		return Node{args: []simt.ID{x, y}, sel: plain(o)}, true
	}
}

// accumulated changes the last argument by an instruction on the others.
func accumulated(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.Change(o, s.V(a[2]), s.V(a[0]), s.V(a[1])))
	}
}

// plusProduct is x*y + z.
func plusProduct(f *fuser, i *simt.Inst) (Node, bool) {
	for k, a := range i.Args {
		if product := f.only(a, "mul.lo.u32"); product != nil {
			return Node{args: []simt.ID{product.Args[0], product.Args[1], i.Args[1-k]}, sel: accumulated(encode.MLA | encode.S4)}, true
		}
	}
	return Node{}, false
}

// lessProduct is z - x*y.
func lessProduct(f *fuser, i *simt.Inst) (Node, bool) {
	if product := f.only(i.Args[1], "mul.lo.u32"); product != nil {
		return Node{args: []simt.ID{product.Args[0], product.Args[1], i.Args[0]}, sel: accumulated(encode.MLS | encode.S4)}, true
	}
	return Node{}, false
}

// plusShifted is (x >> constant) + z.
func plusShifted(f *fuser, i *simt.Inst) (Node, bool) {
	for k, a := range i.Args {
		for name, o := range map[string]encode.Op{"shr.u32": encode.USRA, "shr.s32": encode.SSRA} {
			shift := f.only(a, name)
			if shift == nil {
				continue
			}
			if by, ok := f.ConstOf(shift.Args[1]); ok && by > 0 && by < 32 {
				return Node{args: []simt.ID{shift.Args[0], i.Args[1-k]}, sel: func(s *Selection, a []simt.ID) Value {
					return one(s.ChangeImm(o|encode.S4, s.V(a[1]), int64(by), s.V(a[0])))
				}}, true
			}
		}
	}
	return Node{}, false
}

// merged are the bits of x under a mask and those of y beside it.
func merged(f *fuser, i *simt.Inst) (Node, bool) {
	for k := range i.Args {
		x, y := f.only(i.Args[k], "and.b32"), i.Args[1-k]
		if x == nil {
			continue
		}
		if other := f.only(y, "word.andnot"); other != nil {
			for j, mask := range x.Args {
				if other.Args[1] == mask {
					return Node{args: []simt.ID{mask, x.Args[1-j], other.Args[0]}, sel: bitsOf}, true
				}
			}
		}
		other := f.only(y, "and.b32")
		if other == nil {
			continue
		}
		if m, j, ok := f.constantOf(x); ok {
			if n, l, ok := f.constantOf(other); ok && m == ^n {
				return Node{args: []simt.ID{x.Args[j], x.Args[1-j], other.Args[1-l]}, sel: bitsOf}, true
			}
		}
	}
	return Node{}, false
}

// constantOf returns the constant among two operands, and which it is.
func (f *fuser) constantOf(i *simt.Inst) (bits uint32, k int, ok bool) {
	for k, a := range i.Args {
		if bits, ok := f.ConstOf(a); ok {
			return uint32(bits), k, true
		}
	}
	return 0, 0, false
}

// bitsOf is [Selection.choose] for a mask that may be needed again.
func bitsOf(s *Selection, a []simt.ID) Value {
	return one(s.bits(s.V(a[0]), s.V(a[1]), s.V(a[2])))
}

// bits returns those of x where the mask has ones, and those of y where it has zeros. What is changed is y, so that a
// constant mask stays.
func (s *Selection) bits(mask, x, y machine.Register) machine.Register {
	if s.IsConstant(y) && !s.IsConstant(x) {
		return s.Change(encode.BIF, x, y, mask)
	}
	return s.Change(encode.BIT, y, x, mask)
}
