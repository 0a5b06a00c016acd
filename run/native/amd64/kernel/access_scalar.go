package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// loadScalar selects a load from one address.
func (m *memoryAccess) loadScalar() {
	for _, id := range m.Scalars {
		m.General(id)
	}
	m.defineLoaded(m.inst, m.loadGenerals())
}

// defineLoaded defines the elements of a load that are in general registers.
func (k *compiler) defineLoaded(inst *simt.Inst, loaded [8]machine.Operand) {
	for e, d := range inst.Defs {
		x := loaded[e]
		switch {
		case d == 0:
		case k.Scalar[d]:
			k.Define(d, x)
		case k.Values[d].Type == simt.B64:
			for _, s := range k.Groups {
				s.Vectors[d].Parts = [2]machine.Operand{s.Broadcast(x, true), s.Broadcast(x, true)}
			}
		default:
			for _, s := range k.Groups {
				s.Vectors[d].Parts[0] = s.Broadcast(x, false)
			}
		}
	}
}

// loadGenerals loads the elements to general registers.
func (m *memoryAccess) loadGenerals() (loaded [8]machine.Operand) {
	load := func(from func(e int) machine.Operand, to func(e int, op encode.Op, from machine.Operand)) {
		for e, d := range m.inst.Defs {
			if d != 0 {
				to(e, scalarLoad(m.Access, m.Values[d].Type), from(e))
			}
		}
	}
	define := func(e int, op encode.Op, from machine.Operand) { loaded[e] = m.Compute(op, from) }
	byRAX := func(e int) machine.Operand { return machine.MemoryAt(rax, int32(e*m.Size)) }
	if m.together == nil {
		m.hostScalar()
		load(byRAX, define)
		return loaded
	}
	alone, done := m.Asm.NewLabel(), m.Asm.NewLabel()
	m.lookTogether(0, alone)
	at := m.fromScalar()
	load(func(e int) machine.Operand {
		return machine.MemoryAt(m.together.host, int32(at-m.together.Low)+int32(e*m.Size))
	}, define)
	m.InCold(func() {
		m.Do(func() { m.Bind(alone) })
		m.forgetHost()
		m.hostScalar()
		load(byRAX, func(e int, op encode.Op, from machine.Operand) {
			m.Code = append(m.Code, machine.Instr{Op: op, Args: [4]machine.Operand{loaded[e], from}, N: 2, Defines: true})
		})
		m.Do(func() { m.Jump(done) })
	})
	m.Do(func() { m.Bind(done) })
	return loaded
}

// hostScalar leaves in RAX where a scalar address is in memory.
func (m *memoryAccess) hostScalar() {
	m.sum()
	m.toHost(m.window, false, m.miss)
}

// scalarLoad returns the instruction that loads an element to a general register.
func scalarLoad(m *simt.Access, t simt.Type) encode.Op {
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
