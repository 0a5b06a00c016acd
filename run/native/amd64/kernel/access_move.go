package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// Gathers and scatters, and the extension of what has been loaded.

// move32 gathers or scatters the elements at RAX plus an index of 32 bits times a scale.
func (m *memoryAccess) move32(index func(g int) (machine.Operand, uint8)) {
	for e, id := range m.elements() {
		if id == 0 {
			continue
		}
		for g, s := range m.Groups {
			x, scale := index(g)
			at := machine.Indexed(rax, x, scale, int32(e*m.Size))
			if m.inst.Kind == simt.Store {
				m.store32(s, at, m.element(s, id), m.lanes(g))
			} else {
				m.load32(s, id, at, m.lanes(g))
			}
		}
	}
}

// elements returns the values that are loaded or stored; 0 of those that nobody wants.
func (m *memoryAccess) elements() []simt.ID {
	if m.inst.Kind == simt.Store {
		return m.inst.Args[1:]
	}
	return m.inst.Defs
}

// load32 gathers an element of a group at indexes of 32 bits.
func (m *memoryAccess) load32(s *warp.Group, id simt.ID, at, lanes machine.Operand) {
	if m.Size < 8 {
		m.extend(s, id, s.Gather(warp.GatherDD, at, lanes))
		return
	}
	var parts [2]machine.Operand
	for p := range parts {
		parts[p] = s.Gather(warp.GatherDQ, s.AtHalf(at, p), s.LanesOfHalf(lanes, p))
	}
	m.giveWide(s, id, parts)
}

// store32 scatters an element of a group at indexes of 32 bits.
func (m *memoryAccess) store32(s *warp.Group, at machine.Operand, data [2]machine.Operand, lanes machine.Operand) {
	switch {
	case m.Size < 4 || !m.HasMasks():
		m.storeEach(s, at, [2]machine.Operand{machine.Virtual(at.Index)}, data, lanes)
	case m.Size == 4:
		m.scatter(encode.VPSCATTERDD, at, data[0], lanes)
	default:
		for p := range data {
			m.scatter(encode.VPSCATTERDQ, s.AtHalf(at, p), data[p], s.LanesOfHalf(lanes, p))
		}
	}
}

// move64 gathers or scatters the elements at RAX plus an offset of 64 bits.
func (m *memoryAccess) move64(offsets, lanes [warp.MaxGroups][2]machine.Operand) {
	for e, id := range m.elements() {
		if id == 0 {
			continue
		}
		for g, s := range m.Groups {
			disp := int32(e * m.Size)
			if m.inst.Kind == simt.Store {
				m.store64(s, offsets[g], disp, m.element(s, id), m.lanes(g), lanes[g])
				continue
			}
			var loaded [2]machine.Operand
			for p := range loaded {
				at := machine.Indexed(rax, offsets[g][p], 1, disp)
				if m.Size == 8 {
					loaded[p] = s.Gather(warp.GatherQQ, at, lanes[g][p])
				} else {
					loaded[p] = s.Gather(warp.GatherQD, at, s.WordsOfHalf(m.lanes(g), p))
				}
			}
			if m.Size == 8 {
				m.giveWide(s, id, loaded)
			} else {
				m.extend(s, id, s.JoinHalves(loaded))
			}
		}
	}
}

// store64 scatters an element of a group at offsets of 64 bits.
func (m *memoryAccess) store64(s *warp.Group, offsets [2]machine.Operand, disp int32, data [2]machine.Operand, all machine.Operand, lanes [2]machine.Operand) {
	if m.Size < 4 || !m.HasMasks() {
		m.storeEach(s, machine.Indexed(rax, offsets[0], 1, disp), offsets, data, all)
		return
	}
	for p := range offsets {
		at := machine.Indexed(rax, offsets[p], 1, disp)
		switch {
		case m.Size == 8:
			m.scatter(encode.VPSCATTERQQ, at, data[p], lanes[p])
		case p == 1:
			m.scatter(encode.VPSCATTERQD, at, s.Upper(data[0]), lanes[p])
		default:
			m.scatter(encode.VPSCATTERQD, at, data[0], lanes[p])
		}
	}
}

// storeEach stores elements one lane after the other, at an address whose indexes are given: there are no instructions
// that scatter all sizes, and with AVX2 there are none at all. Two vectors of indexes are such of 64 bits.
func (m *memoryAccess) storeEach(s *warp.Group, at machine.Operand, indexes, data [2]machine.Operand, lanes machine.Operand) {
	m.storeSized(s, at, indexes, data, lanes, m.Size)
}

// storeSized is storeEach for elements of a size.
func (m *memoryAccess) storeSized(s *warp.Group, at machine.Operand, indexes, data [2]machine.Operand, lanes machine.Operand, size int) {
	k, wide := m.compiler, !indexes[1].None()
	save := func(x [2]machine.Operand, to int32) {
		for p := range x {
			if !x[p].None() {
				k.Fixedly(k.Target.Move, k.InFrame(to+int32(p*k.Target.Bytes)), x[p])
			}
		}
	}
	if at.Reg != 0 {
		k.Fixedly(encode.MOV|encode.S64, rax, machine.Virtual(at.Reg))
	}
	save(indexes, warp.FrameOffsets)
	save(data, warp.FrameData)
	k.WordOfGroup(lanes)
	k.Do(func() {
		// RBX is the homes otherwise.
		next, done := k.Asm.NewLabel(), k.Asm.NewLabel()
		k.Emit(encode.TEST|encode.S32, encode.RCX, encode.RCX)
		k.JumpIf(encode.CondE, done)
		k.Bind(next)
		k.Emit(encode.TZCNT|encode.S32, encode.RDX, encode.RCX)
		if size == 8 {
			k.Emit(encode.MOV|encode.S64, encode.RBX, encode.AtIndex(frameReg, encode.RDX, 8, warp.FrameData))
		} else {
			k.Emit(encode.MOV|encode.S32, encode.RBX, encode.AtIndex(frameReg, encode.RDX, 4, warp.FrameData))
		}
		if wide {
			k.Emit(encode.MOV|encode.S64, encode.RDX, encode.AtIndex(frameReg, encode.RDX, 8, warp.FrameOffsets))
		} else {
			k.Emit(encode.MOVSXD|encode.S64, encode.RDX, encode.AtIndex(frameReg, encode.RDX, 4, warp.FrameOffsets))
		}
		to := encode.AtIndex(encode.RAX, encode.RDX, at.Scale(), at.Disp())
		k.Emit(encode.MOV|[9]encode.Op{1: encode.S8, 2: encode.S16, 4: encode.S32, 8: encode.S64}[size], to, encode.RBX)
		k.Emit(encode.BLSR|encode.S32, encode.RCX, encode.RCX)
		k.JumpIf(encode.CondNE, next)
		k.Bind(done)
		k.Emit(encode.MOV|encode.S64, homesReg, encode.At(frameReg, FrameHomes))
	})
}

func (m *memoryAccess) scatter(op encode.Op, at, x, lanes machine.Operand) {
	s := m.Groups[0]
	own := s.Test(encode.KMOVW, lanes)
	m.Code = append(m.Code, machine.Instr{Op: s.Sized(op), Args: [4]machine.Operand{at, x}, N: 2, Mask: own})
}

// giveWide sets a value of 64 bits, or the lower halves.
func (m *memoryAccess) giveWide(s *warp.Group, id simt.ID, x [2]machine.Operand) {
	if m.Values[id].Type != simt.B64 {
		s.Vectors[id].Parts[0] = s.Pick(x, 0, true)
		return
	}
	s.Vectors[id].Parts = x
}

// extend sets a value to elements that have been read as words.
func (m *memoryAccess) extend(s *warp.Group, id simt.ID, x machine.Operand) {
	if shift := 32 - 8*m.Size; shift > 0 {
		if m.Signed {
			x = s.New(encode.VPSRADI, s.New(encode.VPSLLDI, x, machine.Immediate(shift)), machine.Immediate(shift))
		} else {
			x = s.And(x, m.Const32(1<<(8*m.Size)-1))
		}
	}
	switch {
	case m.Values[id].Type != simt.B64:
		s.Vectors[id].Parts[0] = x
	case m.Signed:
		s.Vectors[id].Parts = s.WidenSigned(x)
	default:
		s.Vectors[id].Parts = s.Widen(x)
	}
}
