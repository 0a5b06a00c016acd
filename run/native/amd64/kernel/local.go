package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// Local memory is kept in rows: a word of all lanes, 128 bytes, then the next word. An address that is the same in
// all lanes is a row, or a part of each of its words.

const rowBytes = 4 * simt.WarpSize

// accessLocal selects an access to local memory.
func (m *memoryAccess) accessLocal() {
	if m.IsScalar() {
		m.sum()
		m.checkAligned()
		m.localLimit()
		m.Fixedly(encode.CMP|encode.S64, rax, rcx)
		m.miss(encode.CondAE)
		m.accessRow()
		return
	}
	m.localLimit()
	limit := m.Groups[0].Broadcast(rcx, false)
	var at warp.Grouped
	bad := machine.Operand{}
	for g, s := range m.Groups {
		x, lanes := m.parts[g], m.lanes(g)
		if !m.Narrow {
			for p := range x {
				if m.Disp != 0 {
					x[p] = s.New(encode.VPADDQ, x[p], m.Const64(m.Disp))
				}
				bad = s.AlsoSet(bad, s.HasBits(8, s.LanesOfHalf(lanes, p), x[p], m.Const64(0xffffffff00000000)))
			}
			x[0] = s.Pick(x, 0, false)
		} else if uint32(m.Disp) != 0 {
			x[0] = s.New(encode.VPADDD, x[0], m.Const32(uint32(m.Disp)))
		}
		at[g] = x[0]
		bad = s.AlsoSet(bad, s.NotLess(4, lanes, at[g], limit))
		if span := m.Span(); span > 1 {
			bad = s.AlsoSet(bad, s.HasBits(4, lanes, at[g], m.Const32(uint32(span-1))))
		}
	}
	m.missAny(bad)
	m.Fixedly(encode.MOV|encode.S64, rax, m.InFrame(FrameLocal))
	for g, s := range m.Groups {
		word := s.New(encode.VPSLLDI, s.And(at[g], m.Const32(^uint32(3))), machine.Immediate(5))
		word = s.New(encode.VPADDD, word, m.ConstDwords(func(i int) uint32 { return uint32(m.Target.Bytes*g + 4*i) }))
		shift := machine.Operand{}
		if m.Size < 4 {
			shift = s.New(encode.VPSLLDI, s.And(at[g], m.Const32(3)), machine.Immediate(3))
		}
		if m.inst.Kind == simt.Load {
			m.loadLocal(s, shift, m.gatheredWords(s, word))
		} else {
			m.storeLocal(s, shift, m.gatheredWords(s, word))
		}
	}
}

// localLimit leaves in RCX how many addresses an access may have.
func (m *memoryAccess) localLimit() {
	m.Fixedly(encode.MOV|encode.S64, rcx, m.InFrame(FrameLocalSize))
	m.Fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(int64(m.Span()-1))))
	m.miss(encode.CondBE)
}

// localWords are words of local memory of a group: a row of an access's address, and those behind it.
type localWords struct {
	load  func(row int) machine.Operand
	store func(row int, x machine.Operand)
}

// gatheredWords are words whose addresses differ from lane to lane.
func (m *memoryAccess) gatheredWords(s *warp.Group, word machine.Operand) localWords {
	at := func(row int) machine.Operand { return machine.Indexed(rax, word, 1, int32(row*rowBytes)) }
	return localWords{
		load: func(row int) machine.Operand { return s.Gather(warp.GatherDD, at(row), m.lanes(s.Number)) },
		store: func(row int, x machine.Operand) {
			if m.HasMasks() {
				m.scatter(encode.VPSCATTERDD, at(row), x, m.lanes(s.Number))
				return
			}
			m.storeSized(s, at(row), [2]machine.Operand{word}, [2]machine.Operand{x}, m.lanes(s.Number), 4)
		},
	}
}

// rowWords are words that stand side by side from RAX on; full says that all lanes access them.
func (m *memoryAccess) rowWords(s *warp.Group, full bool) localWords {
	at := func(row int) machine.Operand {
		return machine.MemoryAt(rax, int32(row*rowBytes+m.Target.Bytes*s.Number))
	}
	load := func(row int) machine.Operand { return s.New(m.Target.Move, at(row)) }
	return localWords{load: load, store: func(row int, x machine.Operand) {
		i := machine.Instr{Op: m.Target.Move, Args: [4]machine.Operand{at(row), x}, N: 2}
		switch {
		case m.HasMasks():
			i.Mask = m.lanes(s.Number)
		case !full: // nobody else accesses the words of the other lanes meanwhile
			i.Args[1] = s.New(encode.VPBLENDVB, load(row), x, m.lanes(s.Number))
		}
		m.Code = append(m.Code, i)
	}}
}

// accessRow selects an access to the row of the address in RAX.
func (m *memoryAccess) accessRow() {
	shift := machine.Operand{}
	if m.Size < 4 {
		m.Fixedly(encode.MOV|encode.S32, rcx, rax)
		m.Fixedly(encode.AND|encode.S32, rcx, machine.Immediate(3))
		m.Fixedly(encode.SHL|encode.S32, rcx, machine.Immediate(3))
		shift = m.Groups[0].Broadcast(rcx, false)
		m.Fixedly(encode.AND|encode.S32, rax, machine.Immediate(-4))
	}
	m.Fixedly(encode.SHL|encode.S64, rax, machine.Immediate(5))
	m.Fixedly(encode.ADD|encode.S64, rax, m.InFrame(FrameLocal))
	if m.inst.Kind == simt.Load {
		for _, s := range m.Groups {
			m.loadLocal(s, shift, m.rowWords(s, false))
		}
		return
	}
	m.fullOrNot(func(full bool) {
		for _, s := range m.Groups {
			m.storeLocal(s, shift, m.rowWords(s, full))
		}
	})
}

// fieldShift returns by how many bits element e stands higher in its word: shift is so for the first one.
func (m *memoryAccess) fieldShift(s *warp.Group, shift machine.Operand, e int) machine.Operand {
	if within := e * m.Size % 4; m.Size < 4 && within > 0 {
		return s.New(encode.VPADDD, shift, m.Const32(uint32(8*within)))
	}
	return shift
}

// loadLocal loads the elements of a group from words.
func (m *memoryAccess) loadLocal(s *warp.Group, shift machine.Operand, words localWords) {
	for e, id := range m.inst.Defs {
		row := e * m.Size / 4
		switch {
		case id == 0:
		case m.Size == 8 && m.Values[id].Type != simt.B64:
			s.Vectors[id].Parts[0] = words.load(row)
		case m.Size == 8:
			s.Vectors[id].Parts = s.Zip(words.load(row), words.load(row+1))
		case m.Size == 4:
			m.extend(s, id, words.load(row))
		default:
			m.extend(s, id, s.New(encode.VPSRLVD, words.load(row), m.fieldShift(s, shift, e)))
		}
	}
}

// storeLocal stores the elements of a group in words.
func (m *memoryAccess) storeLocal(s *warp.Group, shift machine.Operand, words localWords) {
	for e, id := range m.inst.Args[1:] {
		row, x := e*m.Size/4, m.element(s, id)
		switch m.Size {
		case 8:
			words.store(row, s.Pick(x, 0, false))
			words.store(row+1, s.Pick(x, 1, false))
		case 4:
			words.store(row, x[0])
		default:
			up := m.fieldShift(s, shift, e)
			field := s.New(encode.VPSLLVD, m.Const32(1<<(8*m.Size)-1), up)
			words.store(row, s.Logic(emit.TableX&^emit.TableZ|emit.TableY&emit.TableZ, words.load(row), s.New(encode.VPSLLVD, x[0], up), field))
		}
	}
}
