package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// findNthSet is where the n-th bit set of a word is, counted from bit base on upwards, or downwards if n is negative, or all ones. With n = 0
// bit base itself must be set: it is then the first one of a word that has no other bit. A word has no bit if base is beyond its end. Both ways
// of counting become one, from bit 0 on.
func findNthSet(s *Selection, a []simt.ID) Value {
	zero, one32 := s.Const32(0), s.Const32(1)
	at := s.shifting(encode.SHL, encode.USHL, one32, a[1]) // zero beyond the end
	word, n := s.V(a[0]), s.V(a[2])
	isZero := s.New(encode.CMEQ|encode.S4, n, zero)
	word = s.New(encode.AND, word, s.New(encode.ORN, at, isZero))
	word = s.New(encode.BIC, word, s.New(encode.CMEQ|encode.S4, at, zero))
	n = s.New(encode.SUB|encode.S4, n, isZero)
	below := s.countOnes(s.New(encode.AND, word, s.New(encode.SUB|encode.S4, at, one32)))
	// Downwards, bit base is the first one if it is set.
	itself := s.New(encode.ADD|encode.S4, s.Const32(2), s.New(encode.CMEQ|encode.S4, s.New(encode.AND, word, at), zero))
	itself = s.New(encode.AND, itself, s.NewImm(encode.SSHR|encode.S4, 31, n))
	k := s.New(encode.ADD|encode.S4, s.New(encode.ADD|encode.S4, below, n), itself)
	return one(s.nthOf(word, k))
}

// nthOf is where the k-th bit set of words is, from bit 0 on, or all ones. How many there are in a half of the word tells in which one it is, and
// so on with halves of that. The counts of all fields of 2, 4 and 8 bits are computed at once.
func (s *Selection) nthOf(word, k machine.Register) machine.Register {
	right := func(x machine.Register, n int64) machine.Register { return s.NewImm(encode.USHR|encode.S4, n, x) }
	add := func(x, y machine.Register) machine.Register { return s.New(encode.ADD|encode.S4, x, y) }
	sub := func(x, y machine.Register) machine.Register { return s.New(encode.SUB|encode.S4, x, y) }
	and := func(x machine.Register, bits uint32) machine.Register { return s.New(encode.AND, x, s.Const32(bits)) }
	negative := func(x machine.Register) machine.Register { return s.NewImm(encode.SSHR|encode.S4, 31, x) }

	pairs := sub(word, and(right(word, 1), 0x55555555))
	const twoOfFour = 0x33333333
	fours := add(and(pairs, twoOfFour), and(right(pairs, 2), twoOfFour))
	bytes := s.New(encode.CNT|encode.B16, word)
	halves := add(bytes, right(bytes, 8))
	total := and(add(halves, right(halves, 16)), 63)
	none := s.New(encode.ORR, sub(k, s.Const32(1)), sub(total, k)) // one of them is negative

	place := s.Const32(0)
	for _, field := range []struct {
		counts     machine.Register
		bits, most uint32 // of the lower half, and the bits of its count
	}{{halves, 16, 31}, {bytes, 8, 15}, {fours, 4, 7}, {pairs, 2, 3}, {word, 1, 1}} {
		counts := field.counts
		if field.bits < 16 {
			counts = s.New(encode.USHL|encode.S4, counts, s.New(encode.NEG|encode.S4, place))
		}
		lower := and(counts, field.most)
		upper := negative(sub(lower, k))
		k = sub(k, s.New(encode.AND, lower, upper))
		place = s.New(encode.ORR, place, and(upper, field.bits))
	}
	return s.New(encode.ORR, place, negative(none))
}

// countOnes counts the bits set in words.
func (s *Selection) countOnes(x machine.Register) machine.Register {
	return s.New(encode.UADDLP|encode.H8, s.New(encode.UADDLP|encode.B16, s.New(encode.CNT|encode.B16, x)))
}
