package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// at leaves in registers where an element is for offset 0, and where the home of its value is.
func (m *memoryAccess) at(element int, id simt.ID) {
	n := element * m.Size
	if isLocal(m.inst) {
		n = localAt(n)
	}
	m.addNumber(elementReg, baseReg, uint64(n), x0)
	m.addNumber(valuesReg, homesReg, uint64(m.homes.Offset[id]), x0)
}

// loadLanes loads the elements lane by lane. Lanes that do not access load what is at the beginning of the window.
func (m *memoryAccess) loadLanes() {
	for e, d := range m.inst.Defs {
		if d == 0 {
			continue
		}
		m.at(e, d)
		o := m.loading(d)
		if isLocal(m.inst) && m.Size == 8 {
			m.loadLocalWide(d)
			continue
		}
		for lane := 0; lane < simt.WarpSize; lane += 2 {
			m.compiler.Access(encode.LDRW, x0, offsetsReg, int32(4*lane))
			m.compiler.Access(encode.LDRW, x2, offsetsReg, int32(4*lane+4))
			m.Emit(o, x0, elementReg, x0)
			m.Emit(o, x2, elementReg, x2)
			m.give(d, lane)
		}
	}
}

// upperReg is where the upper words of local memory are.
var upperReg = encode.X(12)

// loadLocalWide loads doublewords from local memory, whose words stand apart.
func (m *memoryAccess) loadLocalWide(d simt.ID) {
	m.addNumber(upperReg, elementReg, localRow, x0)
	for lane := range simt.WarpSize {
		m.compiler.Access(encode.LDRW, x0, offsetsReg, int32(4*lane))
		m.Emit(encode.LDRWIndexed, x2, elementReg, x0)
		if m.Values[d].Type == simt.B32 {
			m.compiler.Access(encode.STRW, x2, valuesReg, int32(4*lane))
			continue
		}
		m.Emit(encode.LDRWIndexed, x0, upperReg, x0)
		m.Emit(encode.STPW, x2, x0, valuesReg, encode.Imm(int64(8*lane)))
	}
}

// give writes what two lanes have loaded, which is in X0 and X2, to its home.
func (m *memoryAccess) give(d simt.ID, lane int) {
	if m.Values[d].Type == simt.B64 {
		m.Emit(encode.STPX, x0, x2, valuesReg, encode.Imm(int64(8*lane)))
		return
	}
	m.Emit(encode.STPW, x0, x2, valuesReg, encode.Imm(int64(4*lane)))
}

// storeLanes stores the elements of the lanes in X1, in their order: of those that store to the same place, the last
// one's value stays.
func (m *memoryAccess) storeLanes() {
	o := [9]encode.Op{1: encode.STRBIndexed, 2: encode.STRHIndexed, 4: encode.STRWIndexed, 8: encode.STRXIndexed}[m.Size]
	for e, id := range m.inst.Args[1:] {
		scalar := m.scalar[id] || m.Values[id].Kind == simt.Const
		value := x2
		if scalar {
			value = m.general(id)
		}
		m.at(e, id)
		if isLocal(m.inst) && m.Size == 8 {
			m.addNumber(upperReg, elementReg, localRow, x0)
		}
		for lane := range simt.WarpSize {
			next := m.Asm.NewLabel()
			m.Emit(encode.TBZ, lanesReg, encode.Imm(int64(lane)), encode.At(next))
			m.compiler.Access(encode.LDRW, x0, offsetsReg, int32(4*lane))
			switch {
			case scalar:
			case m.Values[id].Type == simt.B64:
				m.compiler.Access(encode.LDRX, x2, valuesReg, int32(8*lane))
			default:
				m.compiler.Access(encode.LDRW, x2, valuesReg, int32(4*lane))
			}
			if isLocal(m.inst) && m.Size == 8 {
				m.Emit(encode.STRWIndexed, value, elementReg, x0)
				m.Emit(encode.UBFMX, encode.X(3), value, encode.Imm(32), encode.Imm(63))
				m.Emit(encode.STRWIndexed, encode.X(3), upperReg, x0)
			} else {
				m.Emit(o, value, elementReg, x0)
			}
			m.Bind(next)
		}
	}
}
