package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

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
	shiftLeft32, shiftRight32, shiftRightSigned32, comparison{encode.VPCMPUD, CompareLess, 4}, comparison{encode.VPCMPUD, CompareEqual, 4}}

var elements64 = elements{64, encode.VPOPCNTQ, encode.VPLZCNTQ, encode.VPSUBQ, encode.VPTESTNMQ, encode.VMOVDQA64, encode.VPADDQ,
	shiftLeft64, shiftRight64, shiftRightSigned64, comparison{encode.VPCMPUQ, CompareLess, 8}, comparison{encode.VPCMPUQ, CompareEqual, 8}}

func defineBits() {
	elements32.define("b32", "u32", "s32")
	elements64.define("b64", "u64", "s64")
	with512("cnot.b16", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Zeroed(encode.VMOVDQA32, s.Test(encode.VPTESTNMD, a[0], s.Const32(0xffff)), s.Const32(1))
	})
	both("bmsk.clamp.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		return shiftLeft32.by(s, elements32.lowBits(s, a[1]), a[0])
	})
	both("fns.b32", func(s *Selection, a []machine.Operand) machine.Operand { return s.findNthSet(a[0], a[1], a[2]) })
	both("bmsk.wrap.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		low := s.Const32(31)
		return shiftLeft32.by(s, elements32.lowBits(s, s.And(a[1], low)), s.And(a[0], low))
	})
}

func (e *elements) define(b, u, signed string) {
	with512("popc."+b, unary(e.popcount))
	with512("clz."+b, unary(e.leadingZeros))
	with512("brev."+b, e.reverse)
	with512("cnot."+b, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Zeroed(e.move, s.Test(e.isZero, a[0], a[0]), s.Const64(1<<(64-e.bits)&^1|1))
	})
	with512("bfind."+u, func(s *Selection, a []machine.Operand) machine.Operand { return e.find(s, a[0]) })
	with512("bfind."+signed, func(s *Selection, a []machine.Operand) machine.Operand { return e.find(s, e.magnitude(s, a[0])) })
	with512("bfind.shiftamt."+u, func(s *Selection, a []machine.Operand) machine.Operand { return e.findShift(s, a[0]) })
	with512("bfind.shiftamt."+signed, func(s *Selection, a []machine.Operand) machine.Operand { return e.findShift(s, e.magnitude(s, a[0])) })
	// Positions and lengths count modulo 256. What is beyond the top is zero, or the sign.
	both("bfe."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.And(e.right.by(s, a[0], e.byteOf(s, a[1])), e.lowBits(s, e.byteOf(s, a[2])))
	})
	both("bfe."+signed, func(s *Selection, a []machine.Operand) machine.Operand {
		field := e.rightSigned.by(s, a[0], e.byteOf(s, a[1]))
		above := s.New(encode.VPSUBUSW, e.constant(s, uint64(e.bits)), e.byteOf(s, a[2]))
		return e.rightSigned.by(s, e.left.by(s, field, above), above)
	})
	both("bfi."+b, func(s *Selection, a []machine.Operand) machine.Operand {
		at := e.byteOf(s, a[2])
		field := e.left.by(s, e.lowBits(s, e.byteOf(s, a[3])), at)
		moved := e.left.by(s, a[0], at)
		if s.Target.Level == amd64.AVX2 {
			return s.Or(s.New(encode.VPANDN, field, a[1]), s.And(moved, field))
		}
		return s.Logic(emit.TableX&^emit.TableY&0xff|emit.TableY&emit.TableZ, a[1], field, moved)
	})

	with512("addc."+u, func(s *Selection, a []machine.Operand) machine.Operand { return e.addCarry(s, a) })
	with512("subc."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		difference := s.New(e.subtract, a[0], a[1])
		return s.Merged(e.add, a[2], difference, difference, s.Ones())
	})
	with512("carry.add."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		sum := e.addCarry(s, a)
		wrapped := s.compare(e.lessUnsigned, sum, a[0])
		s.under = a[2]
		same := s.compare(e.equal, sum, a[0])
		s.under = machine.Operand{}
		return s.Test(encode.KORW, wrapped, same)
	})
	with512("carry.sub."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		less := s.compare(e.lessUnsigned, a[0], a[1])
		s.under = a[2]
		same := s.compare(e.equal, a[0], a[1])
		s.under = machine.Operand{}
		return s.Test(encode.KORW, less, same)
	})
}

// constant is a constant in all elements.
func (e *elements) constant(s *Selection, x uint64) machine.Operand {
	if e.bits == 32 {
		return s.Const32(uint32(x))
	}
	return s.Const64(x)
}

// byteOf is the lowest byte of a count.
func (e *elements) byteOf(s *Selection, x machine.Operand) machine.Operand {
	if bits, ok := s.Const64Of(x); ok {
		return e.constant(s, bits&0xff)
	}
	return s.And(x, e.constant(s, 0xff))
}

// lowBits has so many low bits set.
func (e *elements) lowBits(s *Selection, count machine.Operand) machine.Operand {
	return s.not64(e.left.by(s, s.Ones(), count))
}

func (e *elements) addCarry(s *Selection, a []machine.Operand) machine.Operand {
	sum := s.Commuted(e.add, a[0], a[1])
	return s.Merged(e.subtract, a[2], sum, sum, s.Ones())
}

// find is the position of the highest bit set, or all ones.
func (e *elements) find(s *Selection, x machine.Operand) machine.Operand {
	return s.New(e.subtract, e.constant(s, uint64(e.bits-1)), s.New(e.leadingZeros, x))
}

// findShift is how far that bit is from the top, or all ones if there is none.
func (e *elements) findShift(s *Selection, x machine.Operand) machine.Operand {
	return s.Merged(e.move, s.Test(e.isZero, x, x), s.New(e.leadingZeros, x), s.Ones())
}

// magnitude complements negative numbers.
func (e *elements) magnitude(s *Selection, x machine.Operand) machine.Operand {
	return s.Xor(x, e.rightSigned.by(s, x, e.constant(s, uint64(e.bits-1))))
}

// reverse reverses the bits of each byte, as a product of bit matrices, and then the bytes.
func (e *elements) reverse(s *Selection, a []machine.Operand) machine.Operand {
	bits := s.New(encode.VGF2P8AFFINEQB, a[0], s.Const64(0x8040201008040201), machine.Immediate(0))
	last := e.bits/8 - 1
	return s.New(encode.VPSHUFB, bits, s.ConstBytes(func(i int) byte { return byte(i&15 ^ last) }))
}
