package amd64

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Accesses at affine addresses. Where the lanes are is known but for a scalar, so that one comparison of scalars tells
// whether all are in the window, and what is loaded is a vector, or a few that are permuted. If not all are there, be it
// that lanes are not at work, the addresses are made vectors, and each is looked at.

// accessAffine selects an access at an affine address, or at scalars plus an affine index.
func (m *memoryAccess) accessAffine() {
	k := m.kernelCompiler
	a := m.known()
	low, high := a.bounds()
	if !m.regular(a, low) || high-low > 1<<20 {
		m.accessEach()
		return
	}
	each, done := k.asm.NewLabel(), k.asm.NewLabel()
	bases := m.checkBases(a, low, high, each)
	for g, s := range m.groups {
		var at [16]int64
		for l := range at {
			at[l] = a.c[16*g+l] - low
		}
		if m.inst.Kind == simt.Store {
			m.storeRegular(s, bases[g], at, m.lanes[g])
		} else {
			m.loadRegular(s, bases[g], at)
		}
	}
	k.do(func() {
		k.jump(done)
		k.bind(each)
	})
	m.accessEach()
	k.do(func() { k.bind(done) })
}

// known is what is known of the address: that its scalars are those of the index is told apart.
func (m *memoryAccess) known() affine {
	if m.address.affine != 0 {
		return *m.affines[m.address.affine]
	}
	a := *m.affines[m.index]
	for l := range a.c {
		a.c[l] *= int64(m.scale)
	}
	return a
}

// accessEach is an access at vectors of the address.
func (m *memoryAccess) accessEach() {
	k, id := m.kernelCompiler, m.address.affine
	if id == 0 {
		id = m.index
	}
	var before [2]operandPair
	if m.inst.Kind == simt.Load {
		for g, s := range m.groups {
			for e, d := range m.inst.Defs {
				if d != 0 {
					before[g][e] = s.values[d].parts
				}
			}
		}
	}
	k.noKeep = true
	k.saveCaches(func() {
		switch {
		case id == m.index:
		case m.narrow:
			m.index, m.scale = id, 1
		default:
			m.wide = id
		}
		for g, s := range m.groups {
			v := s.value(id)
			m.parts[g] = v.parts
		}
		m.accessVectors()
		// What has been loaded is where the other way has it.
		if m.inst.Kind == simt.Load {
			for g, s := range m.groups {
				for e, d := range m.inst.Defs {
					if d == 0 || before[g][e][0].none() {
						continue
					}
					for p, to := range before[g][e] {
						if to.none() {
							continue
						}
						from := s.values[d].parts[p]
						k.code = append(k.code, instr{op: k.t.move, args: [4]operand{to, from}, n: 2, defines: true, move: true})
					}
					s.values[d].parts = before[g][e]
				}
			}
		}
	})
	k.noKeep = false
}

// operandPair has the parts of the elements of an access.
type operandPair [8][2]operand

// regular reports whether the lanes' addresses are as far apart as to be aligned if the lowest is.
func (m *memoryAccess) regular(a affine, low int64) bool {
	for _, c := range a.c {
		if (c-low)&int64(m.Span()-1) != 0 {
			return false
		}
	}
	return true
}

// checkBases leaves in registers where the lowest address is in memory, of each group, or goes to a label if not all
// lanes are in the window.
func (m *memoryAccess) checkBases(a affine, low, high int64, each encode.Label) (bases [2]operand) {
	k := m.kernelCompiler
	miss := func(c encode.Cond) { k.do(func() { k.jumpIf(c, each) }) }
	for g := range bases {
		if g == 1 && !a.split {
			bases[1] = bases[0]
			break
		}
		if m.address.affine != 0 {
			m.lowest(a, g, low)
		} else {
			m.lowestIndexed(g, low, miss)
		}
		if span := m.Span(); span > 1 {
			m.fixedly(encode.TEST|encode.S32, rax, fixed(encode.Imm(int64(span-1))))
			miss(encode.CondNE)
		}
		m.fixedly(encode.MOV|encode.S64, rcx, rax)
		m.fixedly(encode.SUB|encode.S64, rcx, m.inWindow(windowBase))
		if high > low { // where the highest is, which is past the largest number if the lowest is before the window
			m.fixedly(encode.ADD|encode.S64, rcx, fixed(encode.Imm(high-low)))
			miss(encode.CondB)
		}
		m.fixedly(encode.CMP|encode.S64, rcx, m.inWindow(windowLimit))
		miss(encode.CondAE)
		m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(windowDelta))
		bases[g] = k.compute(encode.MOV|encode.S64, rax)
	}
	return bases
}

// lowest leaves in RAX the lowest address of an affine address.
func (m *memoryAccess) lowest(a affine, g int, low int64) {
	size, disp := encode.Op(encode.S64), low+int64(m.disp)
	if m.narrow {
		size, disp = encode.S32, int64(int32(disp))
	}
	if a.none {
		m.putConstant(rax, uint64(disp))
		return
	}
	x := m.scalarParts(m.address.affine)[g]
	if disp == int64(int32(disp)) {
		m.fixedly(encode.LEA|size, rax, memoryAt(x, int32(disp)))
		return
	}
	m.fixedly(encode.MOV|encode.S64, rax, fixed(m.asm.Const64(uint64(disp))))
	m.fixedly(encode.ADD|encode.S64, rax, x)
}

// lowestIndexed leaves in RAX the lowest address of scalars plus an affine index, unless its sums wrap around.
func (m *memoryAccess) lowestIndexed(g int, low int64, miss func(encode.Cond)) {
	index := m.affines[m.index]
	first, last := index.bounds()
	x := m.scalarParts(m.index)[g]
	inRange := index.limit >= 0 && first >= 0 && index.limit+last <= math.MaxInt32
	if m.signed && !inRange {
		m.fixedly(encode.MOVSXD|encode.S64, rdx, x)
	} else {
		m.fixedly(encode.MOV|encode.S32, rdx, x)
	}
	if !inRange {
		m.ifWraps(rdx, first, last, m.signed, miss)
	}
	m.sum()
	m.fixedly(encode.LEA|encode.S64, rax, operand{fixed: encode.RAX, indexFixed: encode.RDX, scale: uint8(m.scale), disp: int32(low)})
}

// step returns by how much the addresses of neighbouring lanes differ, if that is the same for all.
func step(at []int64) (by int64, same bool) {
	by = at[1] - at[0]
	for l := 1; l < len(at); l++ {
		if at[l]-at[l-1] != by {
			return 0, false
		}
	}
	return by, true
}

// extent returns the lowest address and how many bytes there are up to the end of the highest element.
func extent(at []int64, size int) (first, bytes int64) {
	first = at[0]
	last := at[0]
	for _, x := range at {
		first, last = min(first, x), max(last, x)
	}
	return first, last - first + int64(size)
}

// loadRegular loads the elements of a group.
func (m *memoryAccess) loadRegular(s *selection, base operand, at [16]int64) {
	for e, id := range m.inst.Defs {
		if id == 0 {
			continue
		}
		disp := int32(e * m.Size)
		if m.Size == 8 {
			low, high := m.loadWides(s, base, at[:8], disp), m.loadWides(s, base, at[8:], disp)
			m.giveWide(s, id, [2]operand{low, high})
			continue
		}
		m.extended(s, id, base, at, disp)
	}
}

// extended loads the elements of a group that are no longer than words, and extends them.
func (m *memoryAccess) extended(s *selection, id simt.ID, base operand, at [16]int64, disp int32) {
	by, same := step(at[:])
	first, bytes := extent(at[:], m.Size)
	from := memoryAt(base, int32(first)+disp)
	var x operand
	switch {
	case same && by == 0 && m.Size == 4:
		x = s.new(encode.VPBROADCASTD, from)
	case same && by == 0:
		x = s.new(encode.VPBROADCASTDR, m.compute(m.scalarLoad(simt.B32), from))
	case same && by == int64(m.Size):
		x = s.new(m.widening(), from)
	case bytes <= 64 && m.Size == 4:
		x = s.new(encode.VPERMD, m.constDwords(func(i int) uint32 { return uint32(at[i]-first) / 4 }), s.new(encode.VMOVDQU32, from))
	case bytes <= 128 && m.Size == 4:
		index := m.constDwords(func(i int) uint32 { return uint32(at[i]-first) / 4 })
		next := memoryAt(base, int32(first)+disp+64)
		x = s.change(encode.VPERMI2D, index, s.new(encode.VMOVDQU32, from), s.new(encode.VMOVDQU32, next))
	case bytes <= 64:
		index := m.constDwords(func(i int) uint32 { return uint32(at[i]-first) + uint32(at[i]-first+1)<<8 })
		m.extend(s, id, s.new(encode.VPERMB, index, s.new(encode.VMOVDQU32, from)))
		return
	default:
		index := m.loose(s, m.constDwords(func(i int) uint32 { return uint32(at[i]) }))
		m.extend(s, id, m.gather(s, encode.VPGATHERDD, indexed(base, index, 1, disp), m.everyLane(s)))
		return
	}
	m.widenTo(s, id, x)
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
	return encode.VMOVDQU32
}

// widenTo sets a value to words that are extended already.
func (m *memoryAccess) widenTo(s *selection, id simt.ID, x operand) {
	switch {
	case m.Values[id].Type != simt.B64:
		s.values[id].parts[0] = x
	case m.Signed:
		s.values[id].parts = s.widenSigned(x)
	default:
		s.values[id].parts = s.widen(x)
	}
}

// loadWides loads eight elements of 64 bits.
func (m *memoryAccess) loadWides(s *selection, base operand, at []int64, disp int32) operand {
	by, same := step(at)
	first, bytes := extent(at, 8)
	from := memoryAt(base, int32(first)+disp)
	switch {
	case same && by == 0:
		return s.new(encode.VPBROADCASTQ, from)
	case same && by == 8:
		return s.new(encode.VMOVDQU64, from)
	case bytes <= 64:
		index := m.constBytes(func(i int) byte { return byte(at[i/8] - first + int64(i%8)) })
		return s.new(encode.VPERMB, index, s.new(encode.VMOVDQU32, from))
	}
	index := m.loose(s, m.constDwords(func(i int) uint32 { return uint32(at[i%8]) }))
	return m.gather(s, encode.VPGATHERDQ, indexed(base, index, 1, disp), m.everyLane(s))
}

// loose copies a constant to a register that can be an index.
func (m *memoryAccess) loose(s *selection, c operand) operand {
	return s.put(vector, instr{op: m.t.move, move: true}, []operand{c})
}

func (m *memoryAccess) everyLane(s *selection) operand {
	return s.test(encode.KXNORW, fixed(encode.K0), fixed(encode.K0))
}

// storeRegular stores the elements of a group in the lanes at work.
func (m *memoryAccess) storeRegular(s *selection, base operand, at [16]int64, lanes operand) {
	by, same := step(at[:])
	for e, id := range m.inst.Args[1:] {
		disp := int32(e * m.Size)
		x := m.element(s, id)
		to := memoryAt(base, int32(at[0])+disp)
		store := func(op encode.Op, to, x, lanes operand) {
			m.code = append(m.code, instr{op: s.sized(op), args: [4]operand{to, x}, n: 2, mask: lanes})
		}
		switch {
		case same && by == int64(m.Size) && m.Size == 8:
			store(encode.VMOVDQU64, to, x[0], lanes)
			store(encode.VMOVDQU64, memoryAt(base, int32(at[8])+disp), x[1], s.test(encode.KSHIFTRW, lanes, immediate(8)))
		case same && by == int64(m.Size):
			store([5]encode.Op{1: encode.VPMOVDB, 2: encode.VPMOVDW, 4: encode.VMOVDQU32}[m.Size], to, x[0], lanes)
		default:
			index := m.loose(s, m.constDwords(func(i int) uint32 { return uint32(at[i]) }))
			to := indexed(base, index, 1, disp)
			switch m.Size {
			case 8:
				m.scatter(encode.VPSCATTERDQ, to, x[0], lanes)
				to.index = s.upper(index).v
				m.scatter(encode.VPSCATTERDQ, to, x[1], s.test(encode.KSHIFTRW, lanes, immediate(8)))
			case 4:
				m.scatter(encode.VPSCATTERDD, to, x[0], lanes)
			default:
				m.fixedly(encode.MOV|encode.S64, rax, base)
				m.storeEach(s, e, [2]operand{index}, 1, x[0], lanes)
			}
		}
	}
}
