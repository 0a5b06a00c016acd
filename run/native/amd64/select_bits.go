package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Bits: counting them, finding them, fields of them. Also carries.

// elements are the instructions for elements of 32 or 64 bits.
type elements struct {
	bits                             int
	popcount, leadingZeros, subtract encode.Op
	isZero, move, add                encode.Op
	left, right, rightSigned         shift
	lessUnsigned, equal              comparison
}

var elements32 = elements{32, encode.VPOPCNTD, encode.VPLZCNTD, encode.VPSUBD, encode.VPTESTNMD, encode.VMOVDQA32, encode.VPADDD,
	shiftLeft32, shiftRight32, shiftRightSigned32, comparison{encode.VPCMPUD, compareLess, 4}, comparison{encode.VPCMPUD, compareEqual, 4}}

var elements64 = elements{64, encode.VPOPCNTQ, encode.VPLZCNTQ, encode.VPSUBQ, encode.VPTESTNMQ, encode.VMOVDQA64, encode.VPADDQ,
	shiftLeft64, shiftRight64, shiftRightSigned64, comparison{encode.VPCMPUQ, compareLess, 8}, comparison{encode.VPCMPUQ, compareEqual, 8}}

func defineBits() {
	elements32.define("b32", "u32", "s32")
	elements64.define("b64", "u64", "s64")
	with512("cnot.b16", func(s *selection, a []operand) operand {
		return s.zeroed(encode.VMOVDQA32, s.test(encode.VPTESTNMD, a[0], s.const32(0xffff)), s.const32(1))
	})
	both("bmsk.clamp.b32", func(s *selection, a []operand) operand {
		return shiftLeft32.by(s, elements32.lowBits(s, a[1]), a[0])
	})
	both("bmsk.wrap.b32", func(s *selection, a []operand) operand {
		low := s.const32(31)
		return shiftLeft32.by(s, elements32.lowBits(s, s.and(a[1], low)), s.and(a[0], low))
	})
}

func (e *elements) define(b, u, signed string) {
	with512("popc."+b, unary(e.popcount))
	with512("clz."+b, unary(e.leadingZeros))
	with512("brev."+b, e.reverse)
	with512("cnot."+b, func(s *selection, a []operand) operand {
		return s.zeroed(e.move, s.test(e.isZero, a[0], a[0]), s.const64(1<<(64-e.bits)&^1|1))
	})
	with512("bfind."+u, func(s *selection, a []operand) operand { return e.find(s, a[0]) })
	with512("bfind."+signed, func(s *selection, a []operand) operand { return e.find(s, e.magnitude(s, a[0])) })
	with512("bfind.shiftamt."+u, func(s *selection, a []operand) operand { return e.findShift(s, a[0]) })
	with512("bfind.shiftamt."+signed, func(s *selection, a []operand) operand { return e.findShift(s, e.magnitude(s, a[0])) })
	// Positions and lengths count modulo 256. What is beyond the top is zero, or the sign.
	both("bfe."+u, func(s *selection, a []operand) operand {
		return s.and(e.right.by(s, a[0], e.byteOf(s, a[1])), e.lowBits(s, e.byteOf(s, a[2])))
	})
	both("bfe."+signed, func(s *selection, a []operand) operand {
		field := e.rightSigned.by(s, a[0], e.byteOf(s, a[1]))
		above := s.new(encode.VPSUBUSW, e.constant(s, uint64(e.bits)), e.byteOf(s, a[2]))
		return e.rightSigned.by(s, e.left.by(s, field, above), above)
	})
	both("bfi."+b, func(s *selection, a []operand) operand {
		at := e.byteOf(s, a[2])
		field := e.left.by(s, e.lowBits(s, e.byteOf(s, a[3])), at)
		moved := e.left.by(s, a[0], at)
		if s.t.level == AVX2 {
			return s.or(s.new(encode.VPANDN, field, a[1]), s.and(moved, field))
		}
		return s.logic(tableX&^tableY&0xff|tableY&tableZ, a[1], field, moved)
	})

	with512("addc."+u, func(s *selection, a []operand) operand { return e.addCarry(s, a) })
	with512("subc."+u, func(s *selection, a []operand) operand {
		difference := s.new(e.subtract, a[0], a[1])
		return s.merged(e.add, a[2], difference, difference, s.ones())
	})
	with512("carry.add."+u, func(s *selection, a []operand) operand {
		sum := e.addCarry(s, a)
		wrapped := s.compare(e.lessUnsigned, sum, a[0])
		s.under = a[2]
		same := s.compare(e.equal, sum, a[0])
		s.under = operand{}
		return s.test(encode.KORW, wrapped, same)
	})
	with512("carry.sub."+u, func(s *selection, a []operand) operand {
		less := s.compare(e.lessUnsigned, a[0], a[1])
		s.under = a[2]
		same := s.compare(e.equal, a[0], a[1])
		s.under = operand{}
		return s.test(encode.KORW, less, same)
	})
}

// constant is a constant in all elements.
func (e *elements) constant(s *selection, x uint64) operand {
	if e.bits == 32 {
		return s.const32(uint32(x))
	}
	return s.const64(x)
}

// byteOf is the lowest byte of a count.
func (e *elements) byteOf(s *selection, x operand) operand {
	if bits, ok := s.const64Of(x); ok {
		return e.constant(s, bits&0xff)
	}
	return s.and(x, e.constant(s, 0xff))
}

// lowBits has so many low bits set.
func (e *elements) lowBits(s *selection, count operand) operand {
	return s.not64(e.left.by(s, s.ones(), count))
}

func (e *elements) addCarry(s *selection, a []operand) operand {
	sum := s.commuted(e.add, a[0], a[1])
	return s.merged(e.subtract, a[2], sum, sum, s.ones())
}

// find is the position of the highest bit set, or all ones.
func (e *elements) find(s *selection, x operand) operand {
	return s.new(e.subtract, e.constant(s, uint64(e.bits-1)), s.new(e.leadingZeros, x))
}

// findShift is how far that bit is from the top, or all ones if there is none.
func (e *elements) findShift(s *selection, x operand) operand {
	return s.merged(e.move, s.test(e.isZero, x, x), s.new(e.leadingZeros, x), s.ones())
}

// magnitude complements negative numbers.
func (e *elements) magnitude(s *selection, x operand) operand {
	return s.xor(x, e.rightSigned.by(s, x, e.constant(s, uint64(e.bits-1))))
}

// reverse reverses the bits of each byte, as a product of bit matrices, and then the bytes.
func (e *elements) reverse(s *selection, a []operand) operand {
	bits := s.new(encode.VGF2P8AFFINEQB, a[0], s.const64(0x8040201008040201), immediate(0))
	last := e.bits/8 - 1
	return s.new(encode.VPSHUFB, bits, s.constBytes(func(i int) byte { return byte(i&15 ^ last) }))
}
