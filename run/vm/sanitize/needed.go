package sanitize

import (
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Compilers read memory that has not been written where what they read does not matter: gcc writes half of a double word as what the
// word was before, masked with 0, or the new half. So a load is said to read unset memory only if bits of it are that are not masked or
// shifted out. What is done with them then is not asked: a result that nothing reads counts as one that has an effect.

// everything is that all bits of a value may have an effect.
const everything = ^uint64(0)

// neededBytes returns which bytes of what the loads of literal code read may have an effect, bit n for byte n; of those that are not
// in it all may.
func neededBytes(f *simt.Function) map[*simt.Access]uint32 {
	n := needs{f, make([]uint64, len(f.Values)), make([]bool, len(f.Values)), make([]*simt.Inst, len(f.Values)), make([]*simt.Phi, len(f.Values)), nil}
	n.find()
	bytes := map[*simt.Access]uint32{}
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			in := &f.Blocks[b].Insts[i]
			if a, ok := in.Aux.(*simt.Access); ok && in.Kind == simt.Load {
				bytes[a] |= n.read(in.Defs, a)
			}
		}
	}
	return bytes
}

// needs are which bits of each value may have an effect.
type needs struct {
	*simt.Function
	bits    []uint64
	used    []bool       // anything has it as an argument
	insts   []*simt.Inst // by value: the computation that defines it
	phis    []*simt.Phi
	pending []simt.ID
}

func (n *needs) find() {
	for b := range n.Blocks {
		block := &n.Blocks[b]
		for i := range block.Phis {
			phi := &block.Phis[i]
			n.phis[phi.Def] = phi
			n.use(phi.Args)
		}
		for i := range block.Insts {
			in := &block.Insts[i]
			n.use(in.Args)
			if in.Kind == simt.Compute {
				n.insts[in.Defs[0]] = in
				continue
			}
			n.need(in.Guard, everything)
			for _, arg := range in.Args {
				n.need(arg, everything)
			}
		}
		n.need(block.End.Cond, everything)
		for _, arg := range block.End.Args {
			n.need(arg, everything)
		}
	}
	for v := range n.Values {
		if !n.used[v] {
			n.need(simt.ID(v), everything)
		}
	}
	for len(n.pending) > 0 {
		v := n.pending[len(n.pending)-1]
		n.pending = n.pending[:len(n.pending)-1]
		if phi := n.phis[v]; phi != nil {
			for _, arg := range phi.Args {
				n.need(arg, n.bits[v])
			}
		}
		if in := n.insts[v]; in != nil {
			for k, arg := range in.Args {
				n.need(arg, n.argument(in, k, n.bits[v]))
			}
		}
	}
}

func (n *needs) use(args []simt.ID) {
	for _, arg := range args {
		n.used[arg] = true
	}
}

// need notes that some bits of a value may have an effect.
func (n *needs) need(v simt.ID, bits uint64) {
	if v != 0 && bits&^n.bits[v] != 0 {
		n.bits[v] |= bits
		n.pending = append(n.pending, v)
	}
}

// argument returns which bits of argument k of a computation may have an effect, if some of its result do.
func (n *needs) argument(in *simt.Inst, k int, result uint64) uint64 {
	switch how[in.Op] {
	case bitwise:
		return result
	case masking:
		if mask, ok := n.ConstOf(in.Args[1-k]); ok {
			return result & mask
		}
		return result
	case setting:
		if mask, ok := n.ConstOf(in.Args[1-k]); ok {
			return result &^ mask
		}
		return result
	case shiftingLeft, shiftingRight:
		if by, ok := n.ConstOf(in.Args[1]); ok && k == 0 && by < 64 {
			if how[in.Op] == shiftingLeft {
				return result >> by
			}
			return result << by
		}
	case choosing:
		if k < 2 {
			return result
		}
	case halving:
		return result << 32
	}
	return everything
}

// read returns which bytes of what a load reads may have an effect.
func (n *needs) read(defs []simt.ID, a *simt.Access) (bytes uint32) {
	for k, def := range defs {
		bits := n.bits[def]
		if top := 8*a.Size - 1; a.Signed && bits>>top != 0 {
			bits |= 1 << top
		}
		for at := range a.Size {
			if bits>>(8*at)&0xff != 0 {
				bytes |= 1 << (k*a.Size + at)
			}
		}
	}
	return bytes
}

// manner is how the bits of an operation's result depend on those of its operands.
type manner uint8

const (
	bitwise manner = 1 + iota
	masking
	setting
	shiftingLeft
	shiftingRight
	choosing
	halving // the high half of a double word
)

// how has the manners of the operations of which it is known.
var how = func() map[op.Op]manner {
	all := map[op.Op]manner{}
	for manner, names := range map[manner][]string{
		bitwise: {"mov.32", "mov.64", "not.b16", "not.b32", "not.b64", "xor.b16", "xor.b32", "xor.b64", "widen.64", "narrow.32"},
		masking: {"and.b16", "and.b32", "and.b64"}, setting: {"or.b16", "or.b32", "or.b64"},
		shiftingLeft: {"shl.b32", "shl.b64"}, shiftingRight: {"shr.u32", "shr.u64"},
		choosing: {"selp.32", "selp.64"}, halving: {"high.32"},
	} {
		for _, name := range names {
			all[op.Must(name)] = manner
		}
	}
	return all
}()
