package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// What AVX2 has no instruction for, made of those that it has: integers and bits. Masks are
// vectors.

func defineAVX2() {
	for _, c := range []struct {
		name        string
		left, clamp bool
	}{{"l.wrap", true, false}, {"r.wrap", false, false}, {"l.clamp", true, true}, {"r.clamp", false, true}} {
		with2("shf."+c.name+".b32", func(s *Selection, a []machine.Operand) machine.Operand {
			amount := s.And(a[2], s.Const32(31))
			if c.clamp {
				amount = s.Commuted(encode.VPMINUD, a[2], s.Const32(32))
			}
			// A shift by 32 gives zeros, so that an amount of 0 or 32 leaves one word as it is.
			back := s.New(encode.VPSUBD, s.Const32(32), amount)
			if c.left {
				return s.Or(s.New(encode.VPSLLVD, a[1], amount), s.New(encode.VPSRLVD, a[0], back))
			}
			return s.Or(s.New(encode.VPSRLVD, a[0], amount), s.New(encode.VPSLLVD, a[1], back))
		})
	}
	with2("slct.32.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VBLENDVPS, a[0], a[1], a[2])
	})
	with2("slct.64.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VBLENDVPD, a[0], a[1], s.New(encode.VPSLLQI, a[2], machine.Immediate(32)))
	})
	with2("add.sat.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		sum := s.New(encode.VPADDD, a[0], a[1])
		return s.saturateSigns(a[0], sum, s.And(s.Xor(a[0], sum), s.Xor(a[1], sum)))
	})
	with2("sub.sat.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		difference := s.New(encode.VPSUBD, a[0], a[1])
		return s.saturateSigns(a[0], difference, s.And(s.Xor(a[0], a[1]), s.Xor(a[0], difference)))
	})
	with2("cnot.b16", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.And(s.New(encode.VPCMPEQD, s.low16(a[0]), s.Zero()), s.Const32(1))
	})
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		with2("div."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			q, _, y := s.quotientAVX2(t, a[0], a[1])
			return s.onesByZero(q, y)
		})
		with2("rem."+t, func(s *Selection, a []machine.Operand) machine.Operand {
			q, x, y := s.quotientAVX2(t, a[0], a[1])
			return s.onesByZero(s.New(encode.VPSUBD, x, s.New(encode.VPMULLD, q, y)), y)
		})
	}
	elements32.defineAVX2("b32", "u32", "s32", 4)
	elements64.defineAVX2("b64", "u64", "s64", 8)
	with2("popc.b32", func(s *Selection, a []machine.Operand) machine.Operand { return s.countOnes(a[0]) })
	with2("popc.b64", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VPSADBW, s.countBytes(a[0]), s.Zero())
	})
}

// defineAVX2 enters the operations on bits of elements of a size in bytes.
func (e *elements) defineAVX2(b, u, signed string, size int) {
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	with2("cnot."+b, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.And(s.New(equal, a[0], s.Zero()), e.constant(s, 1))
	})
	with2("clz."+b, func(s *Selection, a []machine.Operand) machine.Operand { return e.countZeros(s, a[0]) })
	find := func(s *Selection, x machine.Operand) machine.Operand {
		return s.New(e.subtract, e.constant(s, uint64(e.bits-1)), e.countZeros(s, x))
	}
	findShift := func(s *Selection, x machine.Operand) machine.Operand {
		return s.Or(e.countZeros(s, x), s.New(equal, x, s.Zero()))
	}
	with2("bfind."+u, func(s *Selection, a []machine.Operand) machine.Operand { return find(s, a[0]) })
	with2("bfind.shiftamt."+u, func(s *Selection, a []machine.Operand) machine.Operand { return findShift(s, a[0]) })
	with2("bfind."+signed, func(s *Selection, a []machine.Operand) machine.Operand { return find(s, e.magnitude(s, a[0])) })
	with2("bfind.shiftamt."+signed, func(s *Selection, a []machine.Operand) machine.Operand {
		return findShift(s, e.magnitude(s, a[0]))
	})
	with2("brev."+b, func(s *Selection, a []machine.Operand) machine.Operand {
		low, high := s.nibbles(a[0])
		table := s.ConstBytes(func(i int) byte {
			return byte(i&1<<3 | i&2<<1 | i&4>>1 | i&8>>3)
		})
		low = s.New(encode.VPSLLWI, s.New(encode.VPSHUFB, table, low), machine.Immediate(4))
		bytes := s.Or(low, s.New(encode.VPSHUFB, table, high))
		return s.New(encode.VPSHUFB, bytes, s.ConstBytes(func(i int) byte { return byte(i&15 ^ (size - 1)) }))
	})

	// A mask that is set is -1.
	addCarry := func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(e.subtract, s.New(e.add, a[0], a[1]), a[2])
	}
	with2("addc."+u, addCarry)
	with2("subc."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(e.add, s.New(e.subtract, a[0], a[1]), a[2])
	})
	with2("carry.add."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		sum := addCarry(s, a)
		return s.Or(s.GreaterUnsigned(size, a[0], sum), s.And(s.New(equal, sum, a[0]), a[2]))
	})
	with2("carry.sub."+u, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Or(s.GreaterUnsigned(size, a[1], a[0]), s.And(s.New(equal, a[0], a[1]), a[2]))
	})
}

// saturateSigns is saturateOverflow where the top bits of a vector choose.
func (s *Selection) saturateSigns(x, value, overflow machine.Operand) machine.Operand {
	limit := s.Xor(s.New(encode.VPSRADI, x, machine.Immediate(31)), s.Const32(1<<31-1))
	return s.New(encode.VBLENDVPS, value, limit, overflow)
}

// nibbles takes the bytes of a vector apart.
func (s *Selection) nibbles(x machine.Operand) (low, high machine.Operand) {
	return s.And(x, s.Const8(15)), s.And(s.New(encode.VPSRLWI, x, machine.Immediate(4)), s.Const8(15))
}

// countBytes counts the bits that are set in each byte.
func (s *Selection) countBytes(x machine.Operand) machine.Operand {
	low, high := s.nibbles(x)
	table := s.ConstBytes(func(i int) byte { return byte(i&1 + i>>1&1 + i>>2&1 + i>>3&1) })
	return s.New(encode.VPADDB, s.New(encode.VPSHUFB, table, low), s.New(encode.VPSHUFB, table, high))
}

// countZeros counts the zeros above the highest bit set: the exponent of the number as a float. The
// bit below each one is cleared first, so that nothing is rounded up to the next power of two.
func (e *elements) countZeros(s *Selection, x machine.Operand) machine.Operand {
	kept := s.New(encode.VPANDN, s.New(encode.VPSRLDI, x, machine.Immediate(1)), x)
	exponent := s.New(encode.VPSRLDI, s.New(encode.VCVTDQ2PS, kept), machine.Immediate(23))
	// 158 is the exponent of 2^31. That of a negative number has the sign above it.
	zeros := s.New(encode.VPSUBUSW, s.Const32(158), exponent)
	zeros = s.New(encode.VPMINSD, zeros, s.Const32(32))
	if e.bits == 32 {
		return zeros
	}
	high := s.New(encode.VPSRLQI, zeros, machine.Immediate(32))
	low := s.And(zeros, s.Const64(1<<32-1))
	return s.New(encode.VPADDQ, high, s.And(low, s.New(encode.VPCMPEQQ, high, s.Const64(32))))
}

// quotientAVX2 divides integers as floats of 64 bits, see [quotient]. Unsigned words are converted
// as signed ones that are 2^31 less, and so are the quotients. By zero they are anything.
func (s *Selection) quotientAVX2(t string, x, y machine.Operand) (q, dividend, divisor machine.Operand) {
	switch t {
	case "u16":
		x, y = s.low16(x), s.low16(y)
	case "s16":
		x, y = s.signed16(x), s.signed16(y)
	}
	const half = 0x41e0000000000000 // 2^31
	unsigned := t == "u32"
	double := func(x machine.Operand) (wide [2]machine.Operand) {
		if !unsigned {
			return s.Extend(encode.VCVTDQ2PD, x)
		}
		wide = s.Extend(encode.VCVTDQ2PD, s.Xor(x, s.Const32(1<<31)))
		for h := range wide {
			wide[h] = s.New(encode.VADDPD, wide[h], s.Const64(half))
		}
		return wide
	}
	a, b := double(x), double(y)
	var parts [2]machine.Operand
	for h := range parts {
		parts[h] = s.New(encode.VDIVPD, a[h], b[h])
		if unsigned {
			whole := s.New(encode.VROUNDPD, parts[h], machine.Immediate(3|8))
			parts[h] = s.New(encode.VSUBPD, whole, s.Const64(half))
		}
		parts[h] = s.New(encode.VCVTTPD2DQ, parts[h])
	}
	q = s.JoinHalves(parts)
	if unsigned {
		q = s.Xor(q, s.Const32(1<<31))
	}
	return q, x, y
}
