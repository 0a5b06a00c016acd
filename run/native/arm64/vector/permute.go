package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// permutations choose bytes.
var permutations = map[string]selector{"prmt.b32": permute}

// permute makes each byte of the result from one of x (0 to 3) or y (4 to 7). A table is read by the numbers of bytes in
// the vector; a number beyond its end gives zero (tbl), or leaves what there was (tbx).
func permute(s *Selection, a []simt.ID) Value {
	k, ok := s.ConstOf(a[2])
	if !ok {
		return one(s.permuteBy(s.V(a[0]), s.V(a[1]), s.V(a[2])))
	}
	selector := uint32(k)
	if signs := selector & 0x8888; signs != 0 {
		chosen := s.permuted(a, selector&0x7777)
		mask := uint32(0)
		for n := range 4 {
			if signs>>(4*n)&8 != 0 {
				mask |= 0xff << (8 * n)
			}
		}
		return one(s.bits(s.Const32(mask), s.New(encode.CMLTZ|encode.B16, chosen), chosen))
	}
	return one(s.permuted(a, selector))
}

// permuteBy permutes by selectors that vary: their four digits become bytes, which are numbers of the bytes of the vector, or
// beyond its end for those that the other operand has.
func (s *Selection) permuteBy(x, y, selector machine.Register) machine.Register {
	digits := s.New(encode.AND, selector, s.Const32(0xffff))
	for _, apart := range []struct {
		by   int64
		mask uint32
	}{{8, 0x00ff00ff}, {4, 0x0f0f0f0f}} {
		digits = s.New(encode.AND, s.New(encode.ORR, digits, s.NewImm(encode.SHL|encode.S4, apart.by, digits)), s.Const32(apart.mask))
	}
	var first [16]byte
	for n := range first {
		first[n] = byte(n &^ 3)
	}
	three := s.Const8(3)
	indexes := func(digit machine.Register) machine.Register { // of those from 0 to 3
		return s.New(encode.ORR, s.New(encode.ADD|encode.B16, digit, s.ConstBytes(first)), s.New(encode.CMHI|encode.B16, digit, three))
	}
	number := s.New(encode.AND, digits, s.Const8(7))
	chosen := s.New(encode.TBL, x, indexes(number))
	chosen = s.Change(encode.TBX, chosen, y, indexes(s.New(encode.EOR, number, s.Const8(4))))
	signs := s.New(encode.CMHI|encode.B16, digits, s.Const8(7))
	return s.Change(encode.BIT, chosen, s.New(encode.CMLTZ|encode.B16, chosen), signs)
}

// permuted is permute for a selector without signs.
func (s *Selection) permuted(a []simt.ID, selector uint32) machine.Register {
	fromX, fromY := false, false
	for n := range 4 {
		if source := selector >> (4 * n) & 7; source < 4 {
			fromX = true
		} else {
			fromY = true
		}
	}
	zero := func(id simt.ID) bool { k, ok := s.ConstOf(id); return ok && k == 0 }
	if r, ok := s.shifted(selector, a, zero); ok {
		return r
	}
	switch {
	case !fromY || zero(a[1]):
		return s.New(encode.TBL, s.V(a[0]), s.indexes(selector, 0))
	case !fromX || zero(a[0]):
		return s.New(encode.TBL, s.V(a[1]), s.indexes(selector, 4))
	}
	if m, ok := inPlace(selector); ok { // bytes stay where they are
		return s.Change(encode.BSL, s.Const32(m), s.V(a[0]), s.V(a[1]))
	}
	first := s.New(encode.TBL, s.V(a[0]), s.indexes(selector, 0))
	return s.Change(encode.TBX, first, s.V(a[1]), s.indexes(selector, 4))
}

// indexes are the numbers of the bytes that come from one of the operands, the first of whose bytes has a number in the
// selector; beyond the end for the others.
func (s *Selection) indexes(selector, first uint32) machine.Register {
	var bytes [16]byte
	for lane := range 4 {
		for n := range 4 {
			bytes[4*lane+n] = 0xff
			if from := selector>>(4*n)&7 - first; from < 4 {
				bytes[4*lane+n] = byte(4*lane) + byte(from)
			}
		}
	}
	return s.ConstBytes(bytes)
}

// inPlace tells for a selector that moves no byte which bits come from x.
func inPlace(selector uint32) (mask uint32, ok bool) {
	for n := range uint32(4) {
		switch selector >> (4 * n) & 7 {
		case n:
			mask |= 0xff << (8 * n)
		case n + 4:
		default:
			return 0, false
		}
	}
	return mask, true
}

// shifted selects the permutations that are instructions without a table: shifts by bytes that leave zeros, and the bytes of
// a word in the other order.
func (s *Selection) shifted(selector uint32, a []simt.ID, zero func(simt.ID) bool) (r machine.Register, ok bool) {
	x, y := a[0], a[1]
	if zero(x) {
		x, y, selector = y, x, selector^0x4444
	}
	selector &= 0x7777
	switch selector {
	case 0x0123:
		return s.New(encode.REV32|encode.B16, s.V(x)), true
	case 0x1032:
		return s.New(encode.REV32|encode.H8, s.V(x)), true
	case 0x2301:
		return s.New(encode.REV16|encode.B16, s.V(x)), true
	case 0x1010:
		return s.New(encode.TRN1|encode.H8, s.V(x), s.V(x)), true
	case 0x3232:
		return s.New(encode.TRN2|encode.H8, s.V(x), s.V(x)), true
	case 0x5410:
		if zero(y) {
			break
		}
		return s.New(encode.TRN1|encode.H8, s.V(x), s.V(y)), true
	case 0x7632:
		if zero(y) {
			break
		}
		return s.New(encode.TRN2|encode.H8, s.V(x), s.V(y)), true
	}
	if !zero(y) {
		return 0, false
	}
	for by := uint32(1); by < 4; by++ {
		left, right := true, true
		for n := range uint32(4) {
			from := selector >> (4 * n) & 7
			left = left && (n < by && from > 3 || n >= by && from == n-by)
			right = right && (n+by > 3 && from > 3 || from == n+by)
		}
		switch {
		case left:
			return s.shiftBy(encode.SHL, s.V(x), 8*by), true
		case right:
			return s.shiftBy(encode.USHR, s.V(x), 8*by), true
		}
	}
	return 0, false
}
