package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// Accesses to local memory: word n of lane l is element 32*n+l. At an address that is the same in all lanes the lanes stand
// side by side.

// localRow is how many bytes a word of all lanes takes.
const localRow = 4 * simt.WarpSize

// localAt is where an element's byte n is, from where the access begins.
func localAt(n int) int { return n/4*localRow + n%4 }

// limit leaves in a register how many addresses an access may have, from 0 on.
func (m *memoryAccess) limit(to encode.Operand) {
	m.compiler.Access(encode.LDRX, to, frameReg, frame.LocalSize)
	m.number(x2, m.Span()-1)
	m.Emit(encode.SUBSX, to, to, x2)
	m.number(x2, 0)
	m.Emit(encode.CSELX, to, to, x2, encode.Imm(encode.HS))
}

// accessLocal writes an access to local memory.
func (m *memoryAccess) accessLocal() error {
	if m.allScalar(m.inst.Args[:1]) && m.inst.Guard == 0 && m.Size == 4 && m.localWords() {
		m.accessRows()
		return nil
	}
	return m.accessVectors()
}

// localWords reports whether all that is accessed is of 32 bits.
func (m *memoryAccess) localWords() bool {
	for _, id := range m.elements() {
		if id != 0 && m.Values[id].Type != simt.B32 {
			return false
		}
	}
	return true
}

// elements returns the values that are loaded or stored; 0 of those that nobody wants.
func (m *memoryAccess) elements() []simt.ID {
	if m.inst.Kind == simt.Store {
		return m.inst.Args[1:]
	}
	return m.inst.Defs
}

// accessRows accesses words at an address that is the same in all lanes. Lanes that are not at work keep what they have.
func (m *memoryAccess) accessRows() {
	m.scalarAddress()
	m.limit(x1)
	m.Emit(encode.CMPX, x0, x1)
	m.Branch(encode.BHS, m.miss)
	m.compiler.Access(encode.LDRX, x1, frameReg, frame.Local)
	m.Emit(encode.UBFMX, x0, x0, encode.Imm(64-5), encode.Imm(63-5)) // times 32
	m.Emit(encode.ADDX, baseReg, x0, x1)
	for e, id := range m.elements() {
		if id == 0 {
			continue
		}
		scalar := m.scalar[id]
		if scalar {
			m.Emit(encode.DUPW|encode.S4, encode.V(0), m.general(id))
		}
		for g := range int32(numGroups) {
			at, home := int32(localAt(4*e))+g*arm64.Bytes, m.homes.Offset[id]+g*arm64.Bytes
			v, lanes, old := encode.V(1), encode.V(2), encode.V(3)
			if m.inst.Kind == simt.Load {
				m.compiler.Access(encode.LDRQ, v, baseReg, at)
				m.compiler.Access(encode.STRQ, v, homesReg, home)
				continue
			}
			if v = encode.V(0); !scalar {
				m.compiler.Access(encode.LDRQ, v, homesReg, home)
			}
			m.compiler.Access(encode.LDRQ, old, baseReg, at)
			m.compiler.Access(encode.LDRQ, lanes, frameReg, frameAtWork+g*arm64.Bytes)
			m.Emit(encode.BIT, old, v, lanes)
			m.compiler.Access(encode.STRQ, old, baseReg, at)
		}
	}
}

// localOffset returns where a group's lanes have offsets of local memory.
func (m *memoryAccess) localOffset(s *strip, offset machine.Register) machine.Register {
	lane := m.lanes(func(i int) uint64 { return uint64(4 * (arm64.Lanes*s.number + i)) }, 4)
	words := offset
	if m.Span() < 4 {
		words = s.New(encode.BIC, offset, s.Const32(3))
		lane = s.New(encode.ADD|encode.S4, lane, s.New(encode.AND, offset, s.Const32(3)))
	}
	return s.New(encode.ADD|encode.S4, lane, s.NewImm(encode.SHL|encode.S4, 5, words))
}
