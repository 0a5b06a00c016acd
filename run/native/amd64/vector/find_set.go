package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// findNthSet is where the n-th bit set of a word is, counted from bit base on upwards, or downwards if n is negative, or all ones. With n = 0
// bit base itself must be set: it is then the first one of a word that has no other bit. A word has no bit if base is beyond its end. Both ways
// of counting become one, from bit 0 on.
func (s *Selection) findNthSet(word, base, n machine.Operand) machine.Operand {
	at := shiftLeft32.by(s, s.Const32(1), base) // zero beyond the end
	zero := s.equalWords(n, s.Zero())
	word = s.AndNot(s.And(word, s.Or(s.Not(zero), at)), s.equalWords(at, s.Zero()))
	n = s.New(encode.VPSUBD, n, zero)
	below := s.countOnes(s.And(word, s.New(encode.VPSUBD, at, s.Const32(1))))
	// Downwards, bit base is the first one if it is set.
	itself := s.New(encode.VPADDD, s.Const32(2), s.equalWords(s.And(word, at), s.Zero()))
	k := s.New(encode.VPADDD, s.New(encode.VPADDD, below, n), s.And(itself, s.by(encode.VPSRADI, n, 31)))
	return s.nthOf(word, k)
}

// nthOf is where the k-th bit set of words is, from bit 0 on, or all ones. How many there are in a half of the word tells in which one it is, and
// so on with halves of that. The counts of all fields of 2, 4 and 8 bits are computed at once.
func (s *Selection) nthOf(word, k machine.Operand) machine.Operand {
	right := func(x machine.Operand, n int) machine.Operand { return s.by(encode.VPSRLDI, x, n) }
	pairs := s.New(encode.VPSUBD, word, s.And(right(word, 1), s.Const32(0x55555555)))
	const twoOfFour = 0x33333333
	fours := s.New(encode.VPADDD, s.And(pairs, s.Const32(twoOfFour)), s.And(right(pairs, 2), s.Const32(twoOfFour)))
	bytes := s.And(s.New(encode.VPADDD, fours, right(fours, 4)), s.Const32(0x0f0f0f0f))
	halves := s.New(encode.VPADDD, bytes, right(bytes, 8))
	total := s.And(s.New(encode.VPADDD, halves, right(halves, 16)), s.Const32(63))
	none := s.Or(s.New(encode.VPSUBD, k, s.Const32(1)), s.New(encode.VPSUBD, total, k)) // one of them is negative

	place := s.Zero()
	for _, field := range []struct {
		counts     machine.Operand
		bits, most uint32 // of the lower half, and the bits of its count
	}{{halves, 16, 31}, {bytes, 8, 15}, {fours, 4, 7}, {pairs, 2, 3}, {word, 1, 1}} {
		counts := field.counts
		if field.bits < 16 {
			counts = s.New(encode.VPSRLVD, counts, place)
		}
		lower := s.And(counts, s.Const32(field.most))
		upper := s.by(encode.VPSRADI, s.New(encode.VPSUBD, lower, k), 31)
		k = s.New(encode.VPSUBD, k, s.And(lower, upper))
		place = s.Or(place, s.And(upper, s.Const32(field.bits)))
	}
	return s.Or(place, s.by(encode.VPSRADI, none, 31))
}

// equalWords is all ones where words are equal, and zero elsewhere.
func (s *Selection) equalWords(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.New(emit.MasksToBits[4], s.Test(encode.VPCMPEQDK, x, y))
	}
	return s.New(encode.VPCMPEQD, x, y)
}

// countOnes counts the bits set in words.
func (s *Selection) countOnes(x machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.New(encode.VPOPCNTD, x)
	}
	pairs := s.New(encode.VPMADDUBSW, s.countBytes(x), s.Const8(1))
	return s.New(encode.VPMADDWD, pairs, s.Const16(1))
}
