package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Permutations of bytes: prmt. Most selectors are constants, and many of those are something
// simpler than a permutation.

func definePermute() {
	both("prmt.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		if k, ok := s.Const32Of(a[2]); ok {
			return s.permute(a[0], a[1], k)
		}
		if r, ok := s.permuteLanes(a[0], a[1], a[2]); ok {
			return r
		}
		return s.permuteBy(a[0], a[1], a[2])
	})
	for name, rows := range permuteModes {
		both("prmt.b32."+name, func(s *Selection, a []machine.Operand) machine.Operand {
			if k, ok := s.Const32Of(a[2]); ok {
				return s.permute(a[0], a[1], rows[k&3])
			}
			// The selector is one of four constants.
			index := s.And(a[2], s.Const32(3))
			table := s.ConstDwords(func(i int) uint32 { return rows[i&3] })
			if s.Target.Level == amd64.AVX512 {
				return s.permuteBy(a[0], a[1], s.New(encode.VPERMD, index, table))
			}
			return s.permuteBy(a[0], a[1], s.New(encode.VPERMILPS, table, index))
		})
	}
}

// permuteLanes permutes by selectors that are known and differ from lane to lane: each takes four bytes in a row, as
// reading at an address that is no multiple of four is done, or any.
func (s *Selection) permuteLanes(x, y, selector machine.Operand) (r machine.Operand, ok bool) {
	words, ok := s.WordsOf(selector)
	if !ok || s.Target.Level != amd64.AVX512 {
		return r, false
	}
	inRow := true
	for _, w := range words {
		if w&0x8888 != 0 {
			return r, false
		}
		inRow = inRow && w&0xffff == w&3*0x1111+0x3210
	}
	if inRow {
		return s.Change(encode.VPSHRDVD, x, y, s.ConstDwords(func(i int) uint32 { return words[i] & 3 * 8 })), true
	}
	index := s.ConstBytes(func(i int) byte {
		from := byte(words[i/4] >> (i % 4 * 4) & 7)
		return byte(i&^3) + from&3 + from>>2<<6
	})
	return s.Change(encode.VPERMI2B, index, x, y), true
}

// permuteModes are the selectors that the modes of prmt stand for.
var permuteModes = map[string][4]uint32{
	"f4e":  {0x3210, 0x4321, 0x5432, 0x6543},
	"b4e":  {0x5670, 0x6701, 0x7012, 0x0123},
	"rc8":  {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl":  {0x3210, 0x3211, 0x3222, 0x3333},
	"ecr":  {0x0000, 0x1110, 0x2210, 0x3210},
	"rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

// Where a byte of a permutation comes from, besides bytes 0 to 3 of x and 4 to 7 of y.
const fromZero = 8

// permutation is a constant selector taken apart: for each byte the number of the source's byte or
// fromZero, and whether it is replaced by copies of its sign.
type permutation struct {
	from [4]int
	sign [4]bool
}

// permute permutes the bytes of x and y by a constant selector.
func (s *Selection) permute(x, y machine.Operand, selector uint32) machine.Operand {
	var p permutation
	signs := 0
	for n := range p.from {
		p.from[n] = int(selector >> (4 * n) & 7)
		p.sign[n] = selector>>(4*n)&8 != 0
		source := x
		if p.from[n] > 3 {
			source = y
		}
		if source == x && x == y {
			p.from[n] &= 3
		}
		if bits, ok := s.Const32Of(source); ok {
			b := bits >> (p.from[n] & 3 * 8) & 0xff
			switch {
			case p.sign[n] && b < 0x80, !p.sign[n] && b == 0:
				p.from[n], p.sign[n] = fromZero, false
			}
		}
		if p.sign[n] {
			signs++
		}
	}
	if signs == 0 {
		return s.permuteUnsigned(x, y, p.from)
	}
	if r, ok := s.permuteShifted(x, y, p); ok {
		return r
	}
	// The bytes themselves, then those that are signs made of them.
	bytes := s.permuteUnsigned(x, y, p.from)
	return s.signBytes(bytes, p.sign)
}

// signBytes replaces some bytes of words by copies of their signs.
func (s *Selection) signBytes(x machine.Operand, which [4]bool) machine.Operand {
	m := uint32(0)
	for n, sign := range which {
		if sign {
			m |= 0xff << (8 * n)
		}
	}
	var signs machine.Operand
	if s.Target.Level == amd64.AVX512 {
		signs = s.New(encode.VPMOVM2B, s.Test(encode.VPMOVB2M, x))
	} else {
		signs = s.New(encode.VPCMPGTB, s.Zero(), x)
	}
	if m == 1<<32-1 {
		return signs
	}
	if s.Target.Level == amd64.AVX512 {
		return s.Logic(emit.TableZ&emit.TableY|emit.TableX&^emit.TableZ&0xff, x, signs, s.Const32(m))
	}
	return s.New(encode.VPBLENDVB, x, signs, s.Const32(m))
}

// permuteShifted finds permutations that extend a byte or a half by its sign: shifts.
func (s *Selection) permuteShifted(x, y machine.Operand, p permutation) (r machine.Operand, ok bool) {
	// The signs are those of one byte, at the upper end.
	kept := 4
	for kept > 0 && p.sign[kept-1] {
		kept--
	}
	top := p.from[3]
	for n := range p.from {
		switch {
		case n < kept && p.sign[n]:
			return r, false
		case n >= kept && p.from[n] != top:
			return r, false
		}
	}
	source, first := x, 0
	if top > 3 {
		source, first = y, 4
	}
	// Below them stand the bytes that end with that one, in order; so many bytes are wanted.
	count := kept
	for n := range kept {
		if p.from[n] != top-kept+1+n || p.from[n] < first {
			return r, false
		}
	}
	if kept == 0 {
		count = 0
	}
	left := 3 - (top - first)
	if left > 0 {
		source = s.New(encode.VPSLLDI, source, machine.Immediate(8*left))
	}
	if count == 4 {
		return source, true
	}
	return s.New(encode.VPSRADI, source, machine.Immediate(min(8*(4-count), 31))), true
}

// permuteUnsigned permutes bytes; those from fromZero are zero.
func (s *Selection) permuteUnsigned(x, y machine.Operand, from [4]int) machine.Operand {
	usesX, usesY, zeros := false, false, 0
	for _, f := range from {
		switch {
		case f == fromZero:
			zeros++
		case f > 3:
			usesY = true
		default:
			usesX = true
		}
	}
	switch {
	case zeros == 4:
		return s.Zero()
	case !usesX:
		for n := range from {
			if from[n] != fromZero {
				from[n] -= 4
			}
		}
		return s.permuteOne(y, from)
	case !usesY:
		return s.permuteOne(x, from)
	}
	// Bytes that stay where they are: a blend. Consecutive ones: a funnel shift.
	blend, run := zeros == 0, zeros == 0
	m := uint32(0)
	for n, f := range from {
		blend = blend && f&3 == n
		run = run && f == from[0]+n
		if f > 3 {
			m |= 0xff << (8 * n)
		}
	}
	wrapped := zeros == 0
	for n, f := range from {
		wrapped = wrapped && f == (from[0]+n)&7
	}
	if s.Target.Level == amd64.AVX512 {
		switch {
		case blend:
			return s.Logic(emit.TableZ&emit.TableY|emit.TableX&^emit.TableZ&0xff, x, y, s.Const32(m))
		case run: // from x on into y
			return s.New(encode.VPSHRDD, x, y, machine.Immediate(8*from[0]))
		case wrapped: // from y on into x
			return s.New(encode.VPSHRDD, y, x, machine.Immediate(8*(from[0]-4)))
		}
		return s.permuteTwo(x, y, from)
	}
	if blend && (m == 0xffff0000 || m == 0xffff) {
		return s.New(encode.VPBLENDW, x, y, machine.Immediate(int(m>>31*0xaa|m&1*0x55)))
	}
	if blend {
		return s.New(encode.VPBLENDVB, x, y, s.Const32(m))
	}
	low, high := from, from
	for n, f := range from {
		switch {
		case f == fromZero:
		case f > 3:
			low[n], high[n] = fromZero, f-4
		default:
			high[n] = fromZero
		}
	}
	return s.Or(s.permuteOne(x, low), s.permuteOne(y, high))
}

// permuteOne permutes the bytes of one vector.
func (s *Selection) permuteOne(x machine.Operand, from [4]int) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		r := uint32(0)
		for n, f := range from {
			if f != fromZero {
				r |= bits >> (8 * f) & 0xff << (8 * n)
			}
		}
		return s.Const32(r)
	}
	same, m, rotated := true, uint32(0), true
	first, shift := -1, 0
	shifted := true
	for n, f := range from {
		rotated = rotated && f == (from[0]+n)&3
		if f == fromZero {
			continue
		}
		m |= 0xff << (8 * n)
		same = same && f == n
		if first < 0 {
			first, shift = n, f-n
		}
		shifted = shifted && f-n == shift
	}
	if shifted {
		// A shift brings zeros; if it brings them where they are wanted, it does all.
		var brought uint32
		if shift >= 0 {
			brought = ^uint32(0) >> (8 * shift)
		} else {
			brought = ^uint32(0) << (-8 * shift)
		}
		switch {
		case brought != m:
		case shift == 0:
			return x
		case shift > 0:
			return s.New(encode.VPSRLDI, x, machine.Immediate(8*shift))
		default:
			return s.New(encode.VPSLLDI, x, machine.Immediate(-8*shift))
		}
	}
	switch {
	case same:
		return s.And(x, s.Const32(m))
	case rotated && s.Target.Level == amd64.AVX512:
		return s.New(encode.VPRORDI, x, machine.Immediate(8*from[0]))
	}
	index := s.ConstBytes(func(i int) byte {
		if f := from[i&3]; f != fromZero {
			return byte(i&12 + f)
		}
		return 0x80
	})
	return s.New(encode.VPSHUFB, x, index)
}

// permuteTwo permutes the bytes of two vectors; zeros are cleared under a mask.
func (s *Selection) permuteTwo(x, y machine.Operand, from [4]int) machine.Operand {
	// The table that is overwritten should be one that nobody reads again.
	exchange := !s.Dies(x) && s.Dies(y) || s.IsKnown(x)
	if exchange {
		x, y = y, x
	}
	zeros := uint32(1<<32 - 1)
	index := s.ConstBytes(func(i int) byte {
		f := from[i&3]
		if f == fromZero {
			zeros &^= 0xff << (8 * (i & 3))
			return 0
		}
		if exchange {
			f ^= 4
		}
		return byte(i&60 + f&3 + f&4<<4)
	})
	r := s.Change(encode.VPERMT2B, x, index, y)
	if zeros != 1<<32-1 {
		return s.And(r, s.Const32(zeros))
	}
	return r
}

// permuteBy permutes bytes by selectors that differ from lane to lane.
func (s *Selection) permuteBy(x, y, selector machine.Operand) machine.Operand {
	// A number of four bits to each byte.
	n := s.low16(selector)
	n = s.And(s.Or(n, s.New(encode.VPSLLDI, n, machine.Immediate(8))), s.Const32(0x00ff00ff))
	n = s.And(s.Or(n, s.New(encode.VPSLLDI, n, machine.Immediate(4))), s.Const32(0x0f0f0f0f))
	if s.Target.Level == amd64.AVX512 {
		lane := s.ConstDwords(func(i int) uint32 { return uint32(4*i) * 0x01010101 })
		second := s.New(encode.VPSLLDI, s.And(n, s.Const8(4)), machine.Immediate(4))
		index := s.Logic(emit.TableX|emit.TableY|emit.TableZ, s.And(n, s.Const8(3)), second, lane)
		r := s.Change(encode.VPERMI2B, index, x, y)
		signs := s.New(encode.VPMOVM2B, s.Test(encode.VPMOVB2M, r))
		return s.Merged(encode.VMOVDQU8, s.Test(encode.VPTESTMB, n, s.Const8(8)), r, signs)
	}
	lane := s.ConstDwords(func(i int) uint32 { return uint32(4*i&12) * 0x01010101 })
	index := s.Or(s.And(n, s.Const8(3)), lane)
	second := s.New(encode.VPCMPEQB, s.And(n, s.Const8(4)), s.Const8(4))
	r := s.New(encode.VPBLENDVB, s.New(encode.VPSHUFB, x, index), s.New(encode.VPSHUFB, y, index), second)
	signs := s.New(encode.VPCMPGTB, s.Zero(), r)
	return s.New(encode.VPBLENDVB, r, signs, s.New(encode.VPCMPEQB, s.And(n, s.Const8(8)), s.Const8(8)))
}
