package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Dot products of bytes, and of halves with bytes, that are added to a third operand: dp4a and
// dp2a.

func defineDot() {
	for a, signedA := range map[string]bool{"u32": false, "s32": true} {
		for b, signedB := range map[string]bool{"u32": false, "s32": true} {
			both("dp4a."+a+"."+b, func(s *Selection, x []machine.Operand) machine.Operand {
				return s.dotBytes(x[0], x[1], x[2], signedA, signedB)
			})
			for half, first := range map[string]int{"lo": 0, "hi": 2} {
				both("dp2a."+half+"."+a+"."+b, func(s *Selection, x []machine.Operand) machine.Operand {
					return s.dotHalves(x[0], x[1], x[2], first, signedA, signedB)
				})
			}
		}
	}
}

// dotUnsigned adds the unsigned bytes of x, each times a signed byte, to a sum.
func (s *Selection) dotUnsigned(x machine.Operand, weights uint32, sum machine.Operand) machine.Operand {
	return s.dotBytes(x, s.Const32(weights), sum, false, true)
}

// dotBytes is sum + the products of the bytes of x and y. The processor has it for an unsigned and
// a signed operand. AVX2 has it for small weights; what is not small is taken apart into halves.
func (s *Selection) dotBytes(x, y, sum machine.Operand, signedX, signedY bool) machine.Operand {
	if s.IsKnown(x) {
		x, y, signedX, signedY = y, x, signedY, signedX
	}
	weights, known := s.Const32Of(y)
	if known && weights&0x80808080 == 0 {
		signedY = !signedX // either reading is right
	}
	if signedX != signedY {
		unsigned, signed := x, y
		if signedX {
			unsigned, signed = y, x
		}
		if s.Target.Level == amd64.AVX512 {
			return s.Change(encode.VPDPBUSD, sum, unsigned, signed)
		}
		if known && smallWeights(weights, signedX) {
			pairs := s.New(encode.VPMADDUBSW, unsigned, signed)
			return s.plus(s.New(encode.VPMADDWD, pairs, s.Const16(1)), sum)
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
func (s *Selection) evenBytes(x machine.Operand, signed bool) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(bytesToHalves(bits, signed))
	}
	if signed {
		return s.New(encode.VPSRAWI, s.New(encode.VPSLLWI, x, machine.Immediate(8)), machine.Immediate(8))
	}
	return s.And(x, s.Const32(0x00ff00ff))
}

func (s *Selection) oddBytes(x machine.Operand, signed bool) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(bytesToHalves(bits>>8, signed))
	}
	if signed {
		return s.New(encode.VPSRAWI, x, machine.Immediate(8))
	}
	return s.New(encode.VPSRLWI, x, machine.Immediate(8))
}

// bytesToHalves extends bytes 0 and 2.
func bytesToHalves(bits uint32, signed bool) uint32 {
	if signed {
		return uint32(uint16(int8(bits))) | uint32(uint16(int8(bits>>16)))<<16
	}
	return bits & 0x00ff00ff
}

// multiplyHalves adds the products of signed halves to a sum.
func (s *Selection) multiplyHalves(x, y, sum machine.Operand) machine.Operand {
	if s.IsKnown(x) {
		x, y = y, x
	}
	if s.Target.Level == amd64.AVX512 {
		return s.Change(encode.VPDPWSSD, sum, x, y)
	}
	return s.plus(s.New(encode.VPMADDWD, x, y), sum)
}

// plus adds words.
func (s *Selection) plus(x, y machine.Operand) machine.Operand {
	if s.IsZero(y) {
		return x
	}
	return s.Commuted(encode.VPADDD, x, y)
}

// dotHalves is sum + the products of the halves of x and two bytes of y, from byte first on.
func (s *Selection) dotHalves(x, y, sum machine.Operand, first int, signedX, signedY bool) machine.Operand {
	var factors machine.Operand
	if bits, ok := s.Const32Of(y); ok {
		bits >>= 8 * first
		factors = s.Const32(bytesToHalves(bits&0xff|bits&0xff00<<8, signedY))
	} else {
		// Bytes first and first+1 to the lower ends of halves, then extended.
		spread := s.permuteOne(y, [4]int{fromZero, first, fromZero, first + 1})
		if signedY {
			factors = s.New(encode.VPSRAWI, spread, machine.Immediate(8))
		} else {
			factors = s.New(encode.VPSRLWI, spread, machine.Immediate(8))
		}
	}
	if signedX {
		return s.multiplyHalves(x, factors, sum)
	}
	// x = x' + 2^16 where its top bit is set: with x' = x - 2^15 the products are those of signed
	// halves, and what is missing is 2^15 times the sum of the factors.
	if bits, ok := s.Const32Of(y); ok {
		bits >>= 8 * first
		extend := func(b uint32) uint32 {
			if signedY {
				return uint32(int32(int8(b)))
			}
			return b & 0xff
		}
		missing := (extend(bits) + extend(bits>>8)) << 15
		flipped := s.Xor(x, s.Const32(0x80008000))
		return s.multiplyHalves(flipped, factors, s.plus(sum, s.Const32(missing)))
	}
	flipped := s.Xor(x, s.Const32(0x80008000))
	missing := s.New(encode.VPSLLDI, s.New(encode.VPMADDWD, factors, s.Const16(1)), machine.Immediate(15))
	return s.multiplyHalves(flipped, factors, s.Commuted(encode.VPADDD, sum, missing))
}
