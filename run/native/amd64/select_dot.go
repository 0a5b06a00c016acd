package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Dot products of bytes, and of halves with bytes, that are added to a third operand: dp4a and
// dp2a.

func defineDot() {
	for a, signedA := range map[string]bool{"u32": false, "s32": true} {
		for b, signedB := range map[string]bool{"u32": false, "s32": true} {
			both("dp4a."+a+"."+b, func(s *selection, x []operand) operand {
				return s.dotBytes(x[0], x[1], x[2], signedA, signedB)
			})
			for half, first := range map[string]int{"lo": 0, "hi": 2} {
				both("dp2a."+half+"."+a+"."+b, func(s *selection, x []operand) operand {
					return s.dotHalves(x[0], x[1], x[2], first, signedA, signedB)
				})
			}
		}
	}
}

// dotUnsigned adds the unsigned bytes of x, each times a signed byte, to a sum.
func (s *selection) dotUnsigned(x operand, weights uint32, sum operand) operand {
	return s.dotBytes(x, s.const32(weights), sum, false, true)
}

// dotBytes is sum + the products of the bytes of x and y. The processor has it for an unsigned and
// a signed operand. AVX2 has it for small weights; what is not small is taken apart into halves.
func (s *selection) dotBytes(x, y, sum operand, signedX, signedY bool) operand {
	if s.isKnown(x) {
		x, y, signedX, signedY = y, x, signedY, signedX
	}
	weights, known := s.constOf(y)
	if known && weights&0x80808080 == 0 {
		signedY = !signedX // either reading is right
	}
	if signedX != signedY {
		unsigned, signed := x, y
		if signedX {
			unsigned, signed = y, x
		}
		if s.t.level == AVX512 {
			return s.change(encode.VPDPBUSD, sum, unsigned, signed)
		}
		if known && smallWeights(weights, signedX) {
			pairs := s.new(encode.VPMADDUBSW, unsigned, signed)
			return s.plus(s.new(encode.VPMADDWD, pairs, s.const16(1)), sum)
		}
	}
	even := s.multiplyHalves(s.evenBytes(x, signedX), s.evenBytes(y, signedY), sum)
	return s.multiplyHalves(s.oddBytes(x, signedX), s.oddBytes(y, signedY), even)
}

// smallWeights reports whether sums of two products of bytes with weights fit into halves, as
// vpmaddubsw, which saturates, needs. The bytes are signed, and the weights not, or the other way
// round.
func smallWeights(weights uint32, signedBytes bool) bool {
	for n := 0; n < 32; n += 16 {
		if signedBytes {
			if int(uint8(weights>>n))+int(uint8(weights>>(n+8))) > 1<<15/128 {
				return false
			}
			continue
		}
		low, high := int(int8(weights>>n)), int(int8(weights>>(n+8)))
		least, most := min(low, 0)+min(high, 0), max(low, 0)+max(high, 0)
		if 255*most > 1<<15-1 || 255*least < -1<<15 {
			return false
		}
	}
	return true
}

// evenBytes extends bytes 0 and 2 of words to halves, oddBytes bytes 1 and 3.
func (s *selection) evenBytes(x operand, signed bool) operand {
	if bits, ok := s.constOf(x); ok {
		return s.const32(bytesToHalves(bits, signed))
	}
	if signed {
		return s.new(encode.VPSRAWI, s.new(encode.VPSLLWI, x, immediate(8)), immediate(8))
	}
	return s.and(x, s.const32(0x00ff00ff))
}

func (s *selection) oddBytes(x operand, signed bool) operand {
	if bits, ok := s.constOf(x); ok {
		return s.const32(bytesToHalves(bits>>8, signed))
	}
	if signed {
		return s.new(encode.VPSRAWI, x, immediate(8))
	}
	return s.new(encode.VPSRLWI, x, immediate(8))
}

// bytesToHalves extends bytes 0 and 2.
func bytesToHalves(bits uint32, signed bool) uint32 {
	if signed {
		return uint32(uint16(int8(bits))) | uint32(uint16(int8(bits>>16)))<<16
	}
	return bits & 0x00ff00ff
}

// multiplyHalves adds the products of signed halves to a sum.
func (s *selection) multiplyHalves(x, y, sum operand) operand {
	if s.isKnown(x) {
		x, y = y, x
	}
	if s.t.level == AVX512 {
		return s.change(encode.VPDPWSSD, sum, x, y)
	}
	return s.plus(s.new(encode.VPMADDWD, x, y), sum)
}

// plus adds words.
func (s *selection) plus(x, y operand) operand {
	if s.isZero(y) {
		return x
	}
	return s.commuted(encode.VPADDD, x, y)
}

// dotHalves is sum + the products of the halves of x and two bytes of y, from byte first on.
func (s *selection) dotHalves(x, y, sum operand, first int, signedX, signedY bool) operand {
	var factors operand
	if bits, ok := s.constOf(y); ok {
		bits >>= 8 * first
		factors = s.const32(bytesToHalves(bits&0xff|bits&0xff00<<8, signedY))
	} else {
		// Bytes first and first+1 to the lower ends of halves, then extended.
		spread := s.permuteOne(y, [4]int{fromZero, first, fromZero, first + 1})
		if signedY {
			factors = s.new(encode.VPSRAWI, spread, immediate(8))
		} else {
			factors = s.new(encode.VPSRLWI, spread, immediate(8))
		}
	}
	if signedX {
		return s.multiplyHalves(x, factors, sum)
	}
	// x = x' + 2^16 where its top bit is set: with x' = x - 2^15 the products are those of signed
	// halves, and what is missing is 2^15 times the sum of the factors.
	if bits, ok := s.constOf(y); ok {
		bits >>= 8 * first
		extend := func(b uint32) uint32 {
			if signedY {
				return uint32(int32(int8(b)))
			}
			return b & 0xff
		}
		missing := (extend(bits) + extend(bits>>8)) << 15
		flipped := s.xor(x, s.const32(0x80008000))
		return s.multiplyHalves(flipped, factors, s.plus(sum, s.const32(missing)))
	}
	flipped := s.xor(x, s.const32(0x80008000))
	missing := s.new(encode.VPSLLDI, s.new(encode.VPMADDWD, factors, s.const16(1)), immediate(15))
	return s.multiplyHalves(flipped, factors, s.commuted(encode.VPADDD, sum, missing))
}
