package vector

import (
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Groups in parts. A group of 32-bit elements is one vector; of 64-bit elements it is two, the
// lower lanes first. Where nothing depends on that order, neither memory nor masks, the two are the
// even lanes and the odd ones instead: then extending words and multiplying them takes fewer
// instructions. A mask of a group is one register with AVX-512; for 64-bit elements its parts are
// two. With AVX2 masks are vectors as wide as the elements.

// Widen extends 32-bit elements by zeros.
func (s *Selection) Widen(x machine.Operand) [2]machine.Operand {
	if s.interleaved {
		return [2]machine.Operand{s.And(x, s.Const64(1<<32-1)), s.New(encode.VPSRLQI, x, machine.Immediate(32))}
	}
	return s.Extend(encode.VPMOVZXDQ, x)
}

// WidenSigned extends 32-bit elements by their signs.
func (s *Selection) WidenSigned(x machine.Operand) [2]machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		k := s.Const64(uint64(int64(int32(bits))))
		return [2]machine.Operand{k, k}
	}
	if s.interleaved {
		low := s.New(encode.VPSRAQI, s.New(encode.VPSLLQI, x, machine.Immediate(32)), machine.Immediate(32))
		return [2]machine.Operand{low, s.New(encode.VPSRAQI, x, machine.Immediate(32))}
	}
	return s.Extend(encode.VPMOVSXDQ, x)
}

// lowWords returns elements of 64 bits whose low halves are 32-bit elements; the high halves are
// anything.
func (s *Selection) lowWords(x machine.Operand) [2]machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		k := s.Const32(bits)
		return [2]machine.Operand{k, k}
	}
	if s.interleaved {
		return [2]machine.Operand{x, s.New(encode.VPSRLQI, x, machine.Immediate(32))}
	}
	return s.Widen(x)
}

// narrow takes the low halves of 64-bit elements that were made for the node.
func (s *Selection) narrow(x [2]machine.Operand) machine.Operand {
	return s.Pick(x, 0, !s.IsKnown(x[0]))
}

// Pick takes one of the two halves of 64-bit elements. dies says that nobody reads the lower lanes
// again.
func (s *Selection) Pick(x [2]machine.Operand, half int, dies bool) machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		index := s.ConstDwords(func(i int) uint32 {
			if s.interleaved { // in turn from the two vectors, the second of which begins with 16
				return uint32(i&^1 + i&1<<4 + half)
			}
			return uint32(2*i + half)
		})
		if dies {
			return s.Change(encode.VPERMT2D, x[0], index, x[1])
		}
		return s.Change(encode.VPERMI2D, index, x[0], x[1])
	}
	// Inside lanes of 128 bits, then the middle quarters change places.
	shuffled := s.New(encode.VSHUFPS, x[0], x[1], machine.Immediate(0x88+half*0x55))
	return s.New(encode.VPERMQI, shuffled, machine.Immediate(0xd8))
}

// joinMasks makes a mask of a group of the masks of its halves.
func (s *Selection) joinMasks(x [2]machine.Operand) machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		return s.Test(encode.KUNPCKBW, x[1], x[0])
	}
	return s.narrow(x)
}

// splitMask returns the masks of the halves of a group.
func (s *Selection) splitMask(x machine.Operand) [2]machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		return [2]machine.Operand{x, s.Test(encode.KSHIFTRW, x, machine.Immediate(8))}
	}
	return s.Extend(encode.VPMOVSXDQ, x)
}

// orderFree are the operations on elements of 64 bits that do the same for any order of lanes.
var orderFree = sync.OnceValue(func() []bool {
	return opsOf(map[string]bool{
		"widen.64": true, "narrow.32": true, "high.32": true, "cvt.s64.s32": true, "pack.64": true, "mul.wide.u32": true, "mul.wide.s32": true,
		"mad.wide.u32": true, "mad.wide.s32": true, "add.u64": true, "add.s64": true, "sub.u64": true, "sub.s64": true, "mul.lo.u64": true,
		"shl.b64": true, "word.shl.wide": true, "shr.u64": true, "shr.s64": true, "min.u64": true, "max.u64": true, "min.s64": true, "max.s64": true,
		"and.b64": true, "or.b64": true, "xor.b64": true,
	})
})

// Interleave chooses the order of even and odd lanes, if all nodes allow it.
func (c *Compiler) Interleave() {
	if c.Target.Level != amd64.AVX512 || c.Options.Without&amd64.FuseLanes != 0 {
		return
	}
	for n := range c.Nodes {
		if node := &c.Nodes[n]; (node.wide || node.sel.group != nil) && !node.free {
			return
		}
	}
	c.interleaved = true
}
