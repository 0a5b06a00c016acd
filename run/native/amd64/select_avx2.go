package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// What AVX2 has no instruction for, made of those that it has: integers and bits. Masks are
// vectors.

func defineAVX2() {
	for _, c := range []struct {
		name        string
		left, clamp bool
	}{{"l.wrap", true, false}, {"r.wrap", false, false}, {"l.clamp", true, true}, {"r.clamp", false, true}} {
		with2("shf."+c.name+".b32", func(s *selection, a []operand) operand {
			amount := s.and(a[2], s.const32(31))
			if c.clamp {
				amount = s.commuted(encode.VPMINUD, a[2], s.const32(32))
			}
			// A shift by 32 gives zeros, so that an amount of 0 or 32 leaves one word as it is.
			back := s.new(encode.VPSUBD, s.const32(32), amount)
			if c.left {
				return s.or(s.new(encode.VPSLLVD, a[1], amount), s.new(encode.VPSRLVD, a[0], back))
			}
			return s.or(s.new(encode.VPSRLVD, a[0], amount), s.new(encode.VPSLLVD, a[1], back))
		})
	}
	with2("slct.32.s32", func(s *selection, a []operand) operand {
		return s.new(encode.VBLENDVPS, a[0], a[1], a[2])
	})
	with2("slct.64.s32", func(s *selection, a []operand) operand {
		return s.new(encode.VBLENDVPD, a[0], a[1], s.new(encode.VPSLLQI, a[2], immediate(32)))
	})
	with2("add.sat.s32", func(s *selection, a []operand) operand {
		sum := s.new(encode.VPADDD, a[0], a[1])
		return s.saturateSigns(a[0], sum, s.and(s.xor(a[0], sum), s.xor(a[1], sum)))
	})
	with2("sub.sat.s32", func(s *selection, a []operand) operand {
		difference := s.new(encode.VPSUBD, a[0], a[1])
		return s.saturateSigns(a[0], difference, s.and(s.xor(a[0], a[1]), s.xor(a[0], difference)))
	})
	with2("cnot.b16", func(s *selection, a []operand) operand {
		return s.and(s.new(encode.VPCMPEQD, s.low16(a[0]), s.zero()), s.const32(1))
	})
	for _, t := range []string{"u16", "s16", "u32", "s32"} {
		with2("div."+t, func(s *selection, a []operand) operand {
			q, _, _ := s.quotientAVX2(t, a[0], a[1])
			return q
		})
		with2("rem."+t, func(s *selection, a []operand) operand {
			q, x, y := s.quotientAVX2(t, a[0], a[1])
			return s.new(encode.VPSUBD, x, s.new(encode.VPMULLD, q, y))
		})
	}
	elements32.defineAVX2("b32", "u32", "s32", 4)
	elements64.defineAVX2("b64", "u64", "s64", 8)
	with2("popc.b32", func(s *selection, a []operand) operand {
		pairs := s.new(encode.VPMADDUBSW, s.countBytes(a[0]), s.const8(1))
		return s.new(encode.VPMADDWD, pairs, s.const16(1))
	})
	with2("popc.b64", func(s *selection, a []operand) operand {
		return s.new(encode.VPSADBW, s.countBytes(a[0]), s.zero())
	})
}

// defineAVX2 enters the operations on bits of elements of a size in bytes.
func (e *elements) defineAVX2(b, u, signed string, size int) {
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	with2("cnot."+b, func(s *selection, a []operand) operand {
		return s.and(s.new(equal, a[0], s.zero()), e.constant(s, 1))
	})
	with2("clz."+b, func(s *selection, a []operand) operand { return e.countZeros(s, a[0]) })
	find := func(s *selection, x operand) operand {
		return s.new(e.subtract, e.constant(s, uint64(e.bits-1)), e.countZeros(s, x))
	}
	findShift := func(s *selection, x operand) operand {
		return s.or(e.countZeros(s, x), s.new(equal, x, s.zero()))
	}
	with2("bfind."+u, func(s *selection, a []operand) operand { return find(s, a[0]) })
	with2("bfind.shiftamt."+u, func(s *selection, a []operand) operand { return findShift(s, a[0]) })
	with2("bfind."+signed, func(s *selection, a []operand) operand { return find(s, e.magnitude(s, a[0])) })
	with2("bfind.shiftamt."+signed, func(s *selection, a []operand) operand {
		return findShift(s, e.magnitude(s, a[0]))
	})
	with2("brev."+b, func(s *selection, a []operand) operand {
		low, high := s.nibbles(a[0])
		table := s.constBytes(func(i int) byte {
			return byte(i&1<<3 | i&2<<1 | i&4>>1 | i&8>>3)
		})
		low = s.new(encode.VPSLLWI, s.new(encode.VPSHUFB, table, low), immediate(4))
		bytes := s.or(low, s.new(encode.VPSHUFB, table, high))
		return s.new(encode.VPSHUFB, bytes, s.constBytes(func(i int) byte { return byte(i&15 ^ (size - 1)) }))
	})

	// A mask that is set is -1.
	addCarry := func(s *selection, a []operand) operand {
		return s.new(e.subtract, s.new(e.add, a[0], a[1]), a[2])
	}
	with2("addc."+u, addCarry)
	with2("subc."+u, func(s *selection, a []operand) operand {
		return s.new(e.add, s.new(e.subtract, a[0], a[1]), a[2])
	})
	with2("carry.add."+u, func(s *selection, a []operand) operand {
		sum := addCarry(s, a)
		return s.or(s.greaterUnsigned(size, a[0], sum), s.and(s.new(equal, sum, a[0]), a[2]))
	})
	with2("carry.sub."+u, func(s *selection, a []operand) operand {
		return s.or(s.greaterUnsigned(size, a[1], a[0]), s.and(s.new(equal, a[0], a[1]), a[2]))
	})
}

// saturateSigns is saturateOverflow where the top bits of a vector choose.
func (s *selection) saturateSigns(x, value, overflow operand) operand {
	limit := s.xor(s.new(encode.VPSRADI, x, immediate(31)), s.const32(1<<31-1))
	return s.new(encode.VBLENDVPS, value, limit, overflow)
}

// nibbles takes the bytes of a vector apart.
func (s *selection) nibbles(x operand) (low, high operand) {
	return s.and(x, s.const8(15)), s.and(s.new(encode.VPSRLWI, x, immediate(4)), s.const8(15))
}

// countBytes counts the bits that are set in each byte.
func (s *selection) countBytes(x operand) operand {
	low, high := s.nibbles(x)
	table := s.constBytes(func(i int) byte { return byte(i&1 + i>>1&1 + i>>2&1 + i>>3&1) })
	return s.new(encode.VPADDB, s.new(encode.VPSHUFB, table, low), s.new(encode.VPSHUFB, table, high))
}

// countZeros counts the zeros above the highest bit set: the exponent of the number as a float. The
// bit below each one is cleared first, so that nothing is rounded up to the next power of two.
func (e *elements) countZeros(s *selection, x operand) operand {
	kept := s.new(encode.VPANDN, s.new(encode.VPSRLDI, x, immediate(1)), x)
	exponent := s.new(encode.VPSRLDI, s.new(encode.VCVTDQ2PS, kept), immediate(23))
	// 158 is the exponent of 2^31. That of a negative number has the sign above it.
	zeros := s.new(encode.VPSUBUSW, s.const32(158), exponent)
	zeros = s.new(encode.VPMINSD, zeros, s.const32(32))
	if e.bits == 32 {
		return zeros
	}
	high := s.new(encode.VPSRLQI, zeros, immediate(32))
	low := s.and(zeros, s.const64(1<<32-1))
	return s.new(encode.VPADDQ, high, s.and(low, s.new(encode.VPCMPEQQ, high, s.const64(32))))
}

// quotientAVX2 divides integers as floats of 64 bits, see [quotient]. Unsigned words are converted
// as signed ones that are 2^31 less, and so are the quotients.
func (s *selection) quotientAVX2(t string, x, y operand) (q, dividend, divisor operand) {
	switch t {
	case "u16":
		x, y = s.low16(x), s.low16(y)
	case "s16":
		x, y = s.signed16(x), s.signed16(y)
	}
	const half = 0x41e0000000000000 // 2^31
	unsigned := t == "u32"
	double := func(x operand) (wide [2]operand) {
		if !unsigned {
			return s.extend(encode.VCVTDQ2PD, x)
		}
		wide = s.extend(encode.VCVTDQ2PD, s.xor(x, s.const32(1<<31)))
		for h := range wide {
			wide[h] = s.new(encode.VADDPD, wide[h], s.const64(half))
		}
		return wide
	}
	a, b := double(x), double(y)
	var parts [2]operand
	for h := range parts {
		parts[h] = s.new(encode.VDIVPD, a[h], b[h])
		if unsigned {
			whole := s.new(encode.VROUNDPD, parts[h], immediate(3|8))
			parts[h] = s.new(encode.VSUBPD, whole, s.const64(half))
		}
		parts[h] = s.new(encode.VCVTTPD2DQ, parts[h])
	}
	q = s.joinHalves(parts)
	if unsigned {
		q = s.xor(q, s.const32(1<<31))
	}
	return s.or(q, s.new(encode.VPCMPEQD, y, s.zero())), x, y
}
