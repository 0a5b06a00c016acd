package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// loadScalar selects a load from one address.
func (m *memoryAccess) loadScalar() {
	for _, id := range m.scalars {
		m.k.general(id)
	}
	vectors := !m.k.scalar[m.firstDef()]
	m.sum()
	m.checkAligned()
	m.k.fixedly(encode.MOV|encode.S64, rcx, rax)
	m.k.fixedly(encode.SUB|encode.S64, rcx, m.inWindow(WindowBase))
	m.k.fixedly(encode.CMP|encode.S64, rcx, m.inWindow(WindowLimit))
	m.miss(encode.CondAE)
	m.k.fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
	for e, d := range m.inst.Defs {
		if d == 0 {
			continue
		}
		x := m.k.compute(m.scalarLoad(m.k.Values[d].Type), machine.MemoryAt(rax, int32(e*m.Size)))
		if !vectors {
			m.k.generals[d] = x
			continue
		}
		for _, s := range m.k.groups {
			if m.k.Values[d].Type == simt.B64 {
				s.Vectors[d].Parts = [2]machine.Operand{s.broadcast(x, true), s.broadcast(x, true)}
			} else {
				s.Vectors[d].Parts[0] = s.broadcast(x, false)
			}
		}
	}
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
