package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// Loads and stores of the lanes of a group whose addresses are known but for a base: vectors side by side, or vectors that
// are permuted.

// loadRegular loads the elements of a group.
func (m *memoryAccess) loadRegular(s *warp.Group, base machine.Operand, at []int64) {
	for e, id := range m.inst.Defs {
		if id == 0 {
			continue
		}
		disp := int32(e * m.Size)
		if m.Size == 8 {
			half := len(at) / 2
			low, high := m.loadWides(s, base, at[:half], disp), m.loadWides(s, base, at[half:], disp)
			m.giveWide(s, id, [2]machine.Operand{low, high})
			continue
		}
		m.loadWords(s, id, base, at, disp)
	}
}

// loadWords loads the elements of a group that are no longer than words, and extends them.
func (m *memoryAccess) loadWords(s *warp.Group, id simt.ID, base machine.Operand, at []int64, disp int32) {
	by, same := step(at)
	first, _ := extent(at, m.Size)
	from := machine.MemoryAt(base, int32(first)+disp)
	switch {
	case same && by == 0 && m.Size == 4:
		m.widenTo(s, id, s.New(encode.VPBROADCASTD, from))
	case same && by == 0:
		m.widenTo(s, id, s.Broadcast(m.Compute(scalarLoad(m.Access, simt.B32), from), false))
	case same && by == int64(m.Size):
		m.widenTo(s, id, s.New(m.widening(), from))
	case s.Target.Level == amd64.AVX512:
		m.extend(s, id, m.permuted512(s, base, at, disp))
	default:
		m.extend(s, id, m.permuted2(s, base, at, disp))
	}
}

// permuted512 loads the vectors that the elements of a group lie in, and permutes them.
func (m *memoryAccess) permuted512(s *warp.Group, base machine.Operand, at []int64, disp int32) machine.Operand {
	first, bytes := extent(at, m.Size)
	from := machine.MemoryAt(base, int32(first)+disp)
	words := func() machine.Operand { return m.ConstDwords(func(i int) uint32 { return uint32(at[i]-first) / 4 }) }
	// A vector that is no longer than needed crosses fewer lines of the caches.
	load := encode.Op(encode.VMOVDQU32)
	if bytes <= 32 {
		load |= encode.L256
	}
	switch {
	case bytes <= 64 && m.Size == 4:
		return s.New(encode.VPERMD, words(), s.New(load, from))
	case bytes <= 128 && m.Size == 4:
		next := machine.MemoryAt(base, int32(first)+disp+64)
		return s.Change(encode.VPERMI2D, words(), s.New(encode.VMOVDQU32, from), s.New(encode.VMOVDQU32, next))
	case bytes <= 64:
		index := m.ConstDwords(func(i int) uint32 { return uint32(at[i]-first) + uint32(at[i]-first+1)<<8 })
		return s.New(encode.VPERMB, index, s.New(load, from))
	}
	return m.gathered(s, warp.GatherDD, base, at, disp)
}

// permuted2 loads the vectors that the elements of a group lie in, and permutes them: bytes can only be permuted inside
// lanes of 128 bits.
func (m *memoryAccess) permuted2(s *warp.Group, base machine.Operand, at []int64, disp int32) machine.Operand {
	first, bytes := extent(at, m.Size)
	words := func(from int64) machine.Operand {
		return m.ConstDwords(func(i int) uint32 { return uint32(at[i]-from) / 4 })
	}
	load := func(from int64) machine.Operand {
		return s.New(encode.VMOVDQU, machine.MemoryAt(base, int32(from)+disp))
	}
	switch {
	case bytes <= 32 && m.Size == 4:
		return s.New(encode.VPERMD, words(first), load(first))
	case bytes <= 64 && m.Size == 4:
		// What the first vector does not have is in the second.
		second := 0
		for l := range at {
			if at[l]-first >= 32 {
				second |= 1 << l
			}
		}
		low := s.New(encode.VPERMD, words(first), load(first))
		high := s.New(encode.VPERMD, words(first+32), load(first+32))
		return s.New(encode.VPBLENDD, low, high, machine.Immediate(second))
	case m.Size < 4:
		half := len(at) / 2
		first0, bytes0 := extent(at[:half], m.Size)
		first1, bytes1 := extent(at[half:], m.Size)
		if bytes0 > 16 || bytes1 > 16 {
			break
		}
		both := s.New(encode.VINSERTI128, s.New(encode.VMOVDQU|encode.L128, machine.MemoryAt(base, int32(first0)+disp)), machine.MemoryAt(base, int32(first1)+disp), machine.Immediate(1))
		return s.New(encode.VPSHUFB, both, m.ConstBytes(func(i int) byte {
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
	return m.gathered(s, warp.GatherDD, base, at, disp)
}

// gathered gathers elements at constants after a base.
func (m *memoryAccess) gathered(s *warp.Group, op warp.Gathering, base machine.Operand, at []int64, disp int32) machine.Operand {
	index := m.loose(s, m.ConstDwords(func(i int) uint32 { return uint32(at[i%len(at)]) }))
	return s.Gather(op, machine.Indexed(base, index, 1, disp), s.EveryLane())
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
	return m.Target.Move
}

// widenTo sets a value to words that are extended already.
func (m *memoryAccess) widenTo(s *warp.Group, id simt.ID, x machine.Operand) {
	switch {
	case m.Values[id].Type != simt.B64:
		s.Vectors[id].Parts[0] = x
	case m.Signed:
		s.Vectors[id].Parts = s.WidenSigned(x)
	default:
		s.Vectors[id].Parts = s.Widen(x)
	}
}

// loadWides loads elements of 64 bits of half a group.
func (m *memoryAccess) loadWides(s *warp.Group, base machine.Operand, at []int64, disp int32) machine.Operand {
	by, same := step(at)
	first, bytes := extent(at, 8)
	from := machine.MemoryAt(base, int32(first)+disp)
	switch {
	case same && by == 0:
		return s.New(encode.VPBROADCASTQ, from)
	case same && by == 8:
		return s.New(m.Target.Move, from)
	case bytes <= 64 && s.Target.Level == amd64.AVX512:
		index := m.ConstBytes(func(i int) byte { return byte(at[i/8] - first + int64(i%8)) })
		return s.New(encode.VPERMB, index, s.New(encode.VMOVDQU32, from))
	}
	return m.gathered(s, warp.GatherDQ, base, at, disp)
}

// loose copies a constant to a register that can be an index.
func (m *memoryAccess) loose(s *warp.Group, c machine.Operand) machine.Operand {
	return s.Put(machine.Vector, machine.Instr{Op: m.Target.Move, Move: true}, []machine.Operand{c})
}

// storeRegular stores the elements of a group in the lanes at work; full says that these are all.
func (m *memoryAccess) storeRegular(s *warp.Group, base machine.Operand, at []int64, full bool) {
	by, same := step(at)
	for e, id := range m.inst.Args[1:] {
		disp := int32(e * m.Size)
		x := m.element(s, id)
		if same && by == int64(m.Size) && m.storeBeside(s, base, x, at, disp, full) {
			continue
		}
		index := m.loose(s, m.ConstDwords(func(i int) uint32 { return uint32(at[i]) }))
		m.store32(s, machine.Indexed(base, index, 1, disp), x, m.lanes(s.Number))
	}
}

// storeBeside stores elements side by side. It reports whether there is a way.
func (m *memoryAccess) storeBeside(s *warp.Group, base machine.Operand, x [2]machine.Operand, at []int64, disp int32, full bool) bool {
	parts, each := x[:1], len(at)
	if m.Size == 8 {
		parts, each = x[:], len(at)/2
	}
	for p := range parts {
		to := machine.MemoryAt(base, int32(at[p*each])+disp)
		store := func(op encode.Op, x ...machine.Operand) *machine.Instr {
			i := machine.Instr{Op: s.Sized(op), Args: [4]machine.Operand{to}}
			i.N = uint8(1 + copy(i.Args[1:], x))
			m.Code = append(m.Code, i)
			return &m.Code[len(m.Code)-1]
		}
		if s.HasMasks() {
			lanes := m.lanes(s.Number)
			if m.Size == 8 {
				lanes = s.LanesOfHalf(lanes, p)
			}
			store([9]encode.Op{1: encode.VPMOVDB, 2: encode.VPMOVDW, 4: encode.VMOVDQU32, 8: encode.VMOVDQU64}[m.Size], parts[p]).Mask = lanes
			continue
		}
		switch {
		case m.Size >= 4 && full:
			store(encode.VMOVDQU, parts[p])
		case m.Size == 4:
			store(encode.VPMASKMOVD, m.lanes(s.Number), parts[p])
		case m.Size == 8:
			store(encode.VPMASKMOVQ, s.LanesOfHalf(m.lanes(s.Number), p), parts[p])
		case !full:
			return false
		case m.Size == 2:
			store(encode.VMOVDQU|encode.L128, s.Packed(parts[p], 2))
		default:
			store(encode.VMOVQS, s.Packed(parts[p], 1))
		}
	}
	return true
}
