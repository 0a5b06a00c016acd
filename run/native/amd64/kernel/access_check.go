package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Accesses at addresses in vectors: whether all lanes are in the window.

// checkNarrow selects an access to memory with addresses of 32 bits.
func (m *memoryAccess) checkNarrow() {
	var offsets grouped
	m.fixedly(encode.MOV|encode.S32, rcx, m.inWindow(WindowLimit))
	limit := m.groups[0].broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.groups {
		offsets[g] = m.parts[g][0]
		if uint32(m.Disp) != 0 {
			offsets[g] = s.New(encode.VPADDD, offsets[g], m.Const32(uint32(m.Disp)))
		}
		lanes := m.lanes(g)
		bad = s.alsoSet(bad, s.notLess(4, lanes, offsets[g], limit))
		if span := m.Span(); span > 1 {
			bad = s.alsoSet(bad, s.hasBits(4, lanes, offsets[g], m.Const32(uint32(span-1))))
		}
	}
	m.missAny(bad)
	m.fixedly(encode.MOV|encode.S64, rax, m.inWindow(WindowDelta))
	m.move32(func(g int) (machine.Operand, uint8) { return offsets[g], 1 })
}

// missAny leaves if a set has a lane.
func (m *memoryAccess) missAny(bad machine.Operand) {
	m.testSet(bad)
	m.miss(encode.CondNE)
}

// checkIndexed selects an access at scalars plus an index of 32 bits times a scale. The indexes that lie in the window
// are from RDX to RCX.
func (m *memoryAccess) checkIndexed() {
	log := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[m.Scale]
	m.sum()
	m.checkAligned()
	m.fixedly(encode.MOV|encode.S64, rdx, rax)
	m.fixedly(encode.SUB|encode.S64, rdx, m.inWindow(WindowBase)) // where an index of 0 would be
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowLimit))
	m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(1)))
	m.miss(encode.CondB)
	m.fixedly(encode.SUB|encode.S64, rcx, rdx)
	if log > 0 {
		m.fixedly(encode.SAR|encode.S64, rcx, machine.Immediate(log))
		m.fixedly(encode.SAR|encode.S64, rdx, machine.Immediate(log))
	}
	m.fixedly(encode.NEG|encode.S64, rdx)
	// Gathers extend indexes by their sign, so that the largest is 2^31-1.
	highest, lowest := uint64(1<<31-1), uint64(0)
	if m.BySign {
		lowest = 1<<64 - 1<<31
	}
	m.fixedly(encode.CMP|encode.S64, rcx, machine.Fixed(encode.Imm(int64(highest))))
	m.fixedly(encode.CMOV.If(encode.CondG)|encode.S64, rcx, machine.Fixed(m.Asm.Const64(highest)))
	m.fixedly(encode.CMP|encode.S64, rdx, machine.Fixed(encode.Imm(int64(lowest))))
	m.fixedly(encode.CMOV.If(encode.CondL)|encode.S64, rdx, machine.Fixed(m.Asm.Const64(lowest)))
	m.fixedly(encode.SUB|encode.S64, rcx, rdx)
	m.miss(encode.CondL)
	s := m.groups[0]
	first, span := s.broadcast(rdx, false), s.broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.groups {
		bad = s.alsoSet(bad, s.more(m.lanes(g), s.New(encode.VPSUBD, m.parts[g][0], first), span))
	}
	m.missAny(bad)
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
	m.move32(func(g int) (machine.Operand, uint8) { return m.parts[g][0], uint8(m.Scale) })
}

// checkWide selects an access at addresses that differ in 64 bits.
func (m *memoryAccess) checkWide() {
	s := m.groups[0]
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowBase))
	for _, id := range m.Scalars {
		m.fixedly(encode.SUB|encode.S64, rcx, m.general(id))
	}
	if d := m.Disp; d != 0 {
		if int64(d) == int64(int32(d)) {
			m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(int64(d))))
		} else {
			m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(m.Asm.Const64(d)))
		}
	}
	base := s.broadcast(rcx, true)
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowLimit))
	limit := s.broadcast(rcx, true)
	bad := machine.Operand{}
	var offsets, lanes [maxGroups][2]machine.Operand
	for g, s := range m.groups {
		all := m.lanes(g)
		for p := range 2 {
			lanes[g][p] = s.lanesOfHalf(all, p)
			offsets[g][p] = s.New(encode.VPSUBQ, m.parts[g][p], base)
			bad = s.alsoSet(bad, s.notLess(8, lanes[g][p], offsets[g][p], limit))
			if span := m.Span(); span > 1 {
				bad = s.alsoSet(bad, s.hasBits(8, lanes[g][p], offsets[g][p], m.Const64(span-1)))
			}
		}
	}
	m.missAny(bad)
	m.fixedly(encode.MOV|encode.S64, rax, m.inWindow(WindowBase))
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
	m.move64(offsets, lanes)
}
