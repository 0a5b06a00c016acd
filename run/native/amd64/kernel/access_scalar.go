package kernel

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// loadScalar selects a load from one address.
func (m *memoryAccess) loadScalar() {
	for _, id := range m.scalars {
		m.general(id)
	}
	vectors, host := !m.scalar[m.firstDef()], rax
	if m.together != nil {
		all := m.Asm.NewLabel()
		host = m.hostTogether(0, m.hostScalar, all)
		m.do(func() { m.Bind(all) })
	} else {
		m.hostScalar()
	}
	for e, d := range m.inst.Defs {
		if d == 0 {
			continue
		}
		x := m.compute(m.scalarLoad(m.Values[d].Type), machine.MemoryAt(host, int32(e*m.Size)))
		if !vectors {
			m.generals[d] = x
			continue
		}
		for _, s := range m.groups {
			if m.Values[d].Type == simt.B64 {
				s.Vectors[d].Parts = [2]machine.Operand{s.broadcast(x, true), s.broadcast(x, true)}
			} else {
				s.Vectors[d].Parts[0] = s.broadcast(x, false)
			}
		}
	}
}

// hostScalar leaves in RAX where a scalar address is in memory.
func (m *memoryAccess) hostScalar() {
	m.sum()
	m.fixedly(encode.SUB|encode.S64, rax, m.inWindow(WindowBase))
	m.fixedly(encode.RORX|encode.S64, rcx, rax, machine.Immediate(bits.TrailingZeros64(m.Span())))
	m.fixedly(encode.CMP|encode.S64, rcx, m.inWindow(WindowSpans))
	m.miss(encode.CondAE)
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowHost))
}

// firstDef returns the first element that somebody wants, or 0.
func (m *memoryAccess) firstDef() simt.ID {
	for _, d := range m.inst.Defs {
		if d != 0 {
			return d
		}
	}
	return 0
}

// scalarLoad returns the instruction that loads an element to a general register.
func (m *memoryAccess) scalarLoad(t simt.Type) encode.Op {
	size := encode.Op(encode.S32)
	if m.Signed && t == simt.B64 {
		size = encode.S64
	}
	switch {
	case m.Size == 1 && m.Signed:
		return encode.MOVSX8 | size
	case m.Size == 1:
		return encode.MOVZX8 | encode.S32
	case m.Size == 2 && m.Signed:
		return encode.MOVSX16 | size
	case m.Size == 2:
		return encode.MOVZX16 | encode.S32
	case m.Size == 4 && size == encode.S64:
		return encode.MOVSXD | encode.S64
	case m.Size == 4:
		return encode.MOV | encode.S32
	}
	return encode.MOV | encode.S64
}
