package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Groups in parts. A group of 32-bit elements is one vector; of 64-bit elements it is two, the
// lower lanes first. Where nothing depends on that order, neither memory nor masks, the two are the
// even lanes and the odd ones instead: then extending words and multiplying them takes fewer
// instructions. A mask of a group is one register with AVX-512; for 64-bit elements its parts are
// two. With AVX2 masks are vectors as wide as the elements.

// upper returns the upper half of a vector.
func (s *selection) upper(x operand) operand {
	if s.t.level == AVX512 {
		return s.new(encode.VEXTRACTI64X4, x, immediate(1))
	}
	return s.new(encode.VEXTRACTI128, x, immediate(1))
}

// widen extends 32-bit elements by zeros.
func (s *selection) widen(x operand) [2]operand {
	if s.interleaved {
		return [2]operand{s.and(x, s.const64(1<<32-1)), s.new(encode.VPSRLQI, x, immediate(32))}
	}
	return s.extend(encode.VPMOVZXDQ, x)
}

// widenSigned extends 32-bit elements by their signs.
func (s *selection) widenSigned(x operand) [2]operand {
	if bits, ok := s.constOf(x); ok {
		k := s.const64(uint64(int64(int32(bits))))
		return [2]operand{k, k}
	}
	if s.interleaved {
		low := s.new(encode.VPSRAQI, s.new(encode.VPSLLQI, x, immediate(32)), immediate(32))
		return [2]operand{low, s.new(encode.VPSRAQI, x, immediate(32))}
	}
	return s.extend(encode.VPMOVSXDQ, x)
}

// lowWords returns elements of 64 bits whose low halves are 32-bit elements; the high halves are
// anything.
func (s *selection) lowWords(x operand) [2]operand {
	if bits, ok := s.constOf(x); ok {
		k := s.const32(bits)
		return [2]operand{k, k}
	}
	if s.interleaved {
		return [2]operand{x, s.new(encode.VPSRLQI, x, immediate(32))}
	}
	return s.widen(x)
}

// extend widens both halves of a vector by an instruction.
func (s *selection) extend(o encode.Op, x operand) [2]operand {
	return [2]operand{s.new(o, x), s.new(o, s.upper(x))}
}

// joinHalves puts two half vectors side by side.
func (s *selection) joinHalves(x [2]operand) operand {
	if s.t.level == AVX512 {
		return s.new(encode.VINSERTI64X4, x[0], x[1], immediate(1))
	}
	return s.new(encode.VINSERTI128, x[0], x[1], immediate(1))
}

// narrow takes the low halves of 64-bit elements that were made for the node.
func (s *selection) narrow(x [2]operand) operand { return s.pick(x, 0, !s.isKnown(x[0])) }

// pick takes one of the two halves of 64-bit elements. dies says that nobody reads the lower lanes
// again.
func (s *selection) pick(x [2]operand, half int, dies bool) operand {
	if s.t.level == AVX512 {
		index := s.constDwords(func(i int) uint32 {
			if s.interleaved { // in turn from the two vectors, the second of which begins with 16
				return uint32(i&^1 + i&1<<4 + half)
			}
			return uint32(2*i + half)
		})
		if dies {
			return s.change(encode.VPERMT2D, x[0], index, x[1])
		}
		return s.change(encode.VPERMI2D, index, x[0], x[1])
	}
	// Inside lanes of 128 bits, then the middle quarters change places.
	shuffled := s.new(encode.VSHUFPS, x[0], x[1], immediate(0x88+half*0x55))
	return s.new(encode.VPERMQI, shuffled, immediate(0xd8))
}

// joinMasks makes a mask of a group of the masks of its halves.
func (s *selection) joinMasks(x [2]operand) operand {
	if s.t.level == AVX512 {
		return s.test(encode.KUNPCKBW, x[1], x[0])
	}
	return s.narrow(x)
}

// splitMask returns the masks of the halves of a group.
func (s *selection) splitMask(x operand) [2]operand {
	if s.t.level == AVX512 {
		return [2]operand{x, s.test(encode.KSHIFTRW, x, immediate(8))}
	}
	return s.extend(encode.VPMOVSXDQ, x)
}

// constMask returns a mask that is the same for all lanes.
func (s *selection) constMask(set bool) operand {
	if s.t.level == AVX512 {
		if set {
			return s.put(mask, instr{op: encode.KXNORW}, []operand{fixed(encode.K0), fixed(encode.K0)})
		}
		return s.put(mask, instr{op: encode.KXORW}, []operand{fixed(encode.K0), fixed(encode.K0)})
	}
	if set {
		return s.ones()
	}
	return s.zero()
}

// orderFree are the operations on elements of 64 bits that do the same for any order of lanes.
var orderFree = map[string]bool{
	"widen.64": true, "narrow.32": true, "high.32": true, "cvt.s64.s32": true, "pack.64": true, "mul.wide.u32": true, "mul.wide.s32": true,
	"mad.wide.u32": true, "mad.wide.s32": true, "add.u64": true, "add.s64": true, "sub.u64": true, "sub.s64": true, "mul.lo.u64": true,
	"shl.b64": true, "word.shl.wide": true, "shr.u64": true, "shr.s64": true, "min.u64": true, "max.u64": true, "min.s64": true, "max.s64": true,
	"and.b64": true, "or.b64": true, "xor.b64": true,
}

// interleave chooses the order of even and odd lanes, if all nodes allow it.
func (c *compiler) interleave() {
	if c.t.level != AVX512 || c.o.Without&FuseLanes != 0 {
		return
	}
	for n := range c.nodes {
		if node := &c.nodes[n]; (node.wide || node.sel.group != nil) && !orderFree[node.name] {
			return
		}
	}
	c.interleaved = true
}
