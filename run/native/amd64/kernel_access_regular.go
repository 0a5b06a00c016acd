package amd64

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Loads and stores of the lanes of a group whose addresses are known but for a base: vectors side by side, or vectors that
// are permuted.

// loadRegular loads the elements of a group.
func (m *memoryAccess) loadRegular(s *group, base operand, at []int64) {
	for e, id := range m.inst.Defs {
		if id == 0 {
			continue
		}
		disp := int32(e * m.Size)
		if m.Size == 8 {
			half := len(at) / 2
			low, high := m.loadWides(s, base, at[:half], disp), m.loadWides(s, base, at[half:], disp)
			m.giveWide(s, id, [2]operand{low, high})
			continue
		}
		m.loadWords(s, id, base, at, disp)
	}
}

// loadWords loads the elements of a group that are no longer than words, and extends them.
func (m *memoryAccess) loadWords(s *group, id simt.ID, base operand, at []int64, disp int32) {
	by, same := step(at)
	first, _ := extent(at, m.Size)
	from := memoryAt(base, int32(first)+disp)
	switch {
	case same && by == 0 && m.Size == 4:
		m.widenTo(s, id, s.new(encode.VPBROADCASTD, from))
	case same && by == 0:
		m.widenTo(s, id, s.broadcast(m.compute(m.scalarLoad(simt.B32), from), false))
	case same && by == int64(m.Size):
		m.widenTo(s, id, s.new(m.widening(), from))
	case s.t.level == AVX512:
		m.extend(s, id, m.permuted512(s, base, at, disp))
	default:
		m.extend(s, id, m.permuted2(s, base, at, disp))
	}
}

// permuted512 loads the vectors that the elements of a group lie in, and permutes them.
func (m *memoryAccess) permuted512(s *group, base operand, at []int64, disp int32) operand {
	first, bytes := extent(at, m.Size)
	from := memoryAt(base, int32(first)+disp)
	words := func() operand { return m.constDwords(func(i int) uint32 { return uint32(at[i]-first) / 4 }) }
	switch {
	case bytes <= 64 && m.Size == 4:
		return s.new(encode.VPERMD, words(), s.new(encode.VMOVDQU32, from))
	case bytes <= 128 && m.Size == 4:
		next := memoryAt(base, int32(first)+disp+64)
		return s.change(encode.VPERMI2D, words(), s.new(encode.VMOVDQU32, from), s.new(encode.VMOVDQU32, next))
	case bytes <= 64:
		index := m.constDwords(func(i int) uint32 { return uint32(at[i]-first) + uint32(at[i]-first+1)<<8 })
		return s.new(encode.VPERMB, index, s.new(encode.VMOVDQU32, from))
	}
	return m.gathered(s, gatherDD, base, at, disp)
}

// permuted2 loads the vectors that the elements of a group lie in, and permutes them: bytes can only be permuted inside
// lanes of 128 bits.
func (m *memoryAccess) permuted2(s *group, base operand, at []int64, disp int32) operand {
	first, bytes := extent(at, m.Size)
	words := func(from int64) operand {
		return m.constDwords(func(i int) uint32 { return uint32(at[i]-from) / 4 })
	}
	load := func(from int64) operand { return s.new(encode.VMOVDQU, memoryAt(base, int32(from)+disp)) }
	switch {
	case bytes <= 32 && m.Size == 4:
		return s.new(encode.VPERMD, words(first), load(first))
	case bytes <= 64 && m.Size == 4:
		// What the first vector does not have is in the second.
		second := 0
		for l := range at {
			if at[l]-first >= 32 {
				second |= 1 << l
			}
		}
		low := s.new(encode.VPERMD, words(first), load(first))
		high := s.new(encode.VPERMD, words(first+32), load(first+32))
		return s.new(encode.VPBLENDD, low, high, immediate(second))
	case m.Size < 4:
		half := len(at) / 2
		first0, bytes0 := extent(at[:half], m.Size)
		first1, bytes1 := extent(at[half:], m.Size)
		if bytes0 > 16 || bytes1 > 16 {
			break
		}
		both := s.new(encode.VINSERTI128, s.new(encode.VMOVDQU|encode.L128, memoryAt(base, int32(first0)+disp)), memoryAt(base, int32(first1)+disp), immediate(1))
		return s.new(encode.VPSHUFB, both, m.constBytes(func(i int) byte {
			from := at[i/4] - first0
			if i/4 >= half {
				from = at[i/4] - first1
			}
			if i%4 >= m.Size {
				return 0x80
			}
			return byte(from) + byte(i%4)
		}))
	}
	return m.gathered(s, gatherDD, base, at, disp)
}

// gathered gathers elements at constants after a base.
func (m *memoryAccess) gathered(s *group, op gathering, base operand, at []int64, disp int32) operand {
	index := m.loose(s, m.constDwords(func(i int) uint32 { return uint32(at[i%len(at)]) }))
	return s.gather(op, indexed(base, index, 1, disp), s.everyLane())
}

// widening returns the instruction that loads elements side by side as words.
func (m *memoryAccess) widening() encode.Op {
	switch {
	case m.Size == 1 && m.Signed:
		return encode.VPMOVSXBD
	case m.Size == 1:
		return encode.VPMOVZXBD
	case m.Size == 2 && m.Signed:
		return encode.VPMOVSXWD
	case m.Size == 2:
		return encode.VPMOVZXWD
	}
	return m.t.move
}

// widenTo sets a value to words that are extended already.
func (m *memoryAccess) widenTo(s *group, id simt.ID, x operand) {
	switch {
	case m.Values[id].Type != simt.B64:
		s.values[id].parts[0] = x
	case m.Signed:
		s.values[id].parts = s.widenSigned(x)
	default:
		s.values[id].parts = s.widen(x)
	}
}

// loadWides loads elements of 64 bits of half a group.
func (m *memoryAccess) loadWides(s *group, base operand, at []int64, disp int32) operand {
	by, same := step(at)
	first, bytes := extent(at, 8)
	from := memoryAt(base, int32(first)+disp)
	switch {
	case same && by == 0:
		return s.new(encode.VPBROADCASTQ, from)
	case same && by == 8:
		return s.new(m.t.move, from)
	case bytes <= 64 && s.t.level == AVX512:
		index := m.constBytes(func(i int) byte { return byte(at[i/8] - first + int64(i%8)) })
		return s.new(encode.VPERMB, index, s.new(encode.VMOVDQU32, from))
	}
	return m.gathered(s, gatherDQ, base, at, disp)
}

// loose copies a constant to a register that can be an index.
func (m *memoryAccess) loose(s *group, c operand) operand {
	return s.put(vector, instr{op: m.t.move, move: true}, []operand{c})
}

// storeRegular stores the elements of a group in the lanes at work; full says that these are all.
func (m *memoryAccess) storeRegular(s *group, base operand, at []int64, full bool) {
	by, same := step(at)
	for e, id := range m.inst.Args[1:] {
		disp := int32(e * m.Size)
		x := m.element(s, id)
		if same && by == int64(m.Size) && m.storeBeside(s, base, x, at, disp, full) {
			continue
		}
		index := m.loose(s, m.constDwords(func(i int) uint32 { return uint32(at[i]) }))
		m.store32(s, indexed(base, index, 1, disp), x, m.lanes(s.number))
	}
}

// storeBeside stores elements side by side. It reports whether there is a way.
func (m *memoryAccess) storeBeside(s *group, base operand, x [2]operand, at []int64, disp int32, full bool) bool {
	parts, each := x[:1], len(at)
	if m.Size == 8 {
		parts, each = x[:], len(at)/2
	}
	for p := range parts {
		to := memoryAt(base, int32(at[p*each])+disp)
		store := func(op encode.Op, x ...operand) *instr {
			i := instr{op: s.sized(op), args: [4]operand{to}}
			i.n = uint8(1 + copy(i.args[1:], x))
			m.code = append(m.code, i)
			return &m.code[len(m.code)-1]
		}
		if s.hasMasks() {
			lanes := m.lanes(s.number)
			if m.Size == 8 {
				lanes = s.lanesOfHalf(lanes, p)
			}
			store([9]encode.Op{1: encode.VPMOVDB, 2: encode.VPMOVDW, 4: encode.VMOVDQU32, 8: encode.VMOVDQU64}[m.Size], parts[p]).mask = lanes
			continue
		}
		switch {
		case m.Size >= 4 && full:
			store(encode.VMOVDQU, parts[p])
		case m.Size == 4:
			store(encode.VPMASKMOVD, m.lanes(s.number), parts[p])
		case m.Size == 8:
			store(encode.VPMASKMOVQ, s.lanesOfHalf(m.lanes(s.number), p), parts[p])
		case !full:
			return false
		case m.Size == 2:
			store(encode.VMOVDQU|encode.L128, s.packed(parts[p], 2))
		default:
			store(encode.VMOVQS, s.packed(parts[p], 1))
		}
	}
	return true
}

// packed puts the lowest bytes of words side by side, with AVX2: so many of each.
func (s *group) packed(x operand, size int) operand {
	x = s.new(encode.VPSHUFB, x, s.constBytes(func(i int) byte {
		if i%16 >= 4*size {
			return 0x80
		}
		return byte(i%16/size*4 + i%size)
	}))
	return s.new(encode.VPERMD, s.constDwords(func(i int) uint32 {
		return uint32(i%size + i/size%2*4)
	}), x)
}
