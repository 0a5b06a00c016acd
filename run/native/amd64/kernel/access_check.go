package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
)

// Accesses at addresses in vectors: whether all lanes are in the window.

// checkNarrow selects an access to memory with addresses of 32 bits.
func (m *memoryAccess) checkNarrow() {
	var offsets warp.Grouped
	m.Fixedly(encode.MOV|encode.S32, rcx, m.inWindow(WindowLimit))
	limit := m.Groups[0].Broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.Groups {
		offsets[g] = m.parts[g][0]
		if uint32(m.Disp) != 0 {
			offsets[g] = s.New(encode.VPADDD, offsets[g], m.Const32(uint32(m.Disp)))
		}
		lanes := m.lanes(g)
		bad = s.AlsoSet(bad, s.NotLess(4, lanes, offsets[g], limit))
		if span := m.Span(); span > 1 {
			bad = s.AlsoSet(bad, s.HasBits(4, lanes, offsets[g], m.Const32(uint32(span-1))))
		}
	}
	m.missAny(bad)
	m.Fixedly(encode.MOV|encode.S64, rax, m.inWindow(WindowDelta))
	if m.update != nil {
		var at [warp.MaxGroups][2]machine.Operand
		for g, x := range offsets {
			at[g][0] = x
		}
		m.updateEach(at)
		return
	}
	m.move32(func(g int) (machine.Operand, uint8) { return offsets[g], 1 })
}

// missAny leaves if a set has a lane.
func (m *memoryAccess) missAny(bad machine.Operand) {
	m.TestSet(bad)
	m.miss(encode.CondNE)
}

// checkIndexed selects an access at scalars plus an index of 32 bits times a scale. The indexes that lie in the window
// are from RDX to RCX.
func (m *memoryAccess) checkIndexed() {
	log := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[m.Scale]
	m.sum()
	m.checkAligned()
	m.Fixedly(encode.MOV|encode.S64, rdx, rax)
	m.Fixedly(encode.SUB|encode.S64, rdx, m.inWindow(WindowBase)) // where an index of 0 would be
	m.Fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowLimit))
	m.Fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(1)))
	m.miss(encode.CondB)
	m.Fixedly(encode.SUB|encode.S64, rcx, rdx)
	if log > 0 {
		m.Fixedly(encode.SAR|encode.S64, rcx, machine.Immediate(log))
		m.Fixedly(encode.SAR|encode.S64, rdx, machine.Immediate(log))
	}
	m.Fixedly(encode.NEG|encode.S64, rdx)
	// Gathers extend indexes by their sign, so that the largest is 2^31-1.
	highest, lowest := uint64(1<<31-1), uint64(0)
	if m.BySign {
		lowest = 1<<64 - 1<<31
	}
	m.Fixedly(encode.CMP|encode.S64, rcx, machine.Fixed(encode.Imm(int64(highest))))
	m.Fixedly(encode.CMOV.If(encode.CondG)|encode.S64, rcx, machine.Fixed(m.Asm.Const64(highest)))
	m.Fixedly(encode.CMP|encode.S64, rdx, machine.Fixed(encode.Imm(int64(lowest))))
	m.Fixedly(encode.CMOV.If(encode.CondL)|encode.S64, rdx, machine.Fixed(m.Asm.Const64(lowest)))
	m.Fixedly(encode.SUB|encode.S64, rcx, rdx)
	m.miss(encode.CondL)
	s := m.Groups[0]
	first, span := s.Broadcast(rdx, false), s.Broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.Groups {
		bad = s.AlsoSet(bad, s.More(m.lanes(g), s.New(encode.VPSUBD, m.parts[g][0], first), span))
	}
	m.missAny(bad)
	m.Fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
	m.move32(func(g int) (machine.Operand, uint8) { return m.parts[g][0], uint8(m.Scale) })
}

// checkWide selects an access at addresses that differ in 64 bits.
func (m *memoryAccess) checkWide() {
	s := m.Groups[0]
	m.Fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowBase))
	for _, id := range m.Scalars {
		m.Fixedly(encode.SUB|encode.S64, rcx, m.General(id))
	}
	if d := m.Disp; d != 0 {
		if int64(d) == int64(int32(d)) {
			m.Fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(int64(d))))
		} else {
			m.Fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(m.Asm.Const64(d)))
		}
	}
	base := s.Broadcast(rcx, true)
	m.Fixedly(encode.MOV|encode.S64, rcx, m.inWindow(WindowLimit))
	limit := s.Broadcast(rcx, true)
	bad := machine.Operand{}
	var offsets, lanes [warp.MaxGroups][2]machine.Operand
	for g, s := range m.Groups {
		all := m.lanes(g)
		for p := range 2 {
			lanes[g][p] = s.LanesOfHalf(all, p)
			offsets[g][p] = s.New(encode.VPSUBQ, m.parts[g][p], base)
			bad = s.AlsoSet(bad, s.NotLess(8, lanes[g][p], offsets[g][p], limit))
			if span := m.Span(); span > 1 {
				bad = s.AlsoSet(bad, s.HasBits(8, lanes[g][p], offsets[g][p], m.Const64(span-1)))
			}
		}
	}
	m.missAny(bad)
	m.Fixedly(encode.MOV|encode.S64, rax, m.inWindow(WindowBase))
	m.Fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
	if m.update != nil {
		m.updateEach(offsets)
		return
	}
	m.move64(offsets, lanes)
}
