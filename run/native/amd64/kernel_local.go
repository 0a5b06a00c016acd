package amd64

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Local memory is kept in rows: a word of all lanes, 128 bytes, then the next word. An address that is the same in
// all lanes is a row, or a part of each of its words.

// nativeLocal takes the address of an access to local memory apart.
func (k *kernelCompiler) nativeLocal(i *simt.Inst) address {
	id, a := i.Args[0], address{disp: i.Aux.(*simt.Access).Offset}
	a.narrow = k.Values[id].Type == simt.B32
	switch {
	case k.isScalarOrConst(id):
		k.addScalar(&a, id)
	case a.narrow:
		a.index, a.scale = id, 1
	default:
		a.wide = id
	}
	return a
}

const rowBytes = 4 * simt.WarpSize

// accessLocal selects an access to local memory.
func (m *memoryAccess) accessLocal() {
	if m.isScalar() {
		m.sum()
		m.checkAligned()
		m.localLimit()
		m.fixedly(encode.CMP|encode.S64, rax, rcx)
		m.miss(encode.CondAE)
		m.accessRow()
		return
	}
	m.localLimit()
	limit := m.groups[0].broadcast(rcx, false)
	var at grouped
	bad := operand{}
	for g, s := range m.groups {
		x, lanes := m.parts[g], m.lanes(g)
		if !m.narrow {
			for p := range x {
				if m.disp != 0 {
					x[p] = s.new(encode.VPADDQ, x[p], m.const64(m.disp))
				}
				bad = s.alsoSet(bad, s.hasBits(8, s.lanesOfHalf(lanes, p), x[p], m.const64(0xffffffff00000000)))
			}
			x[0] = s.pick(x, 0, false)
		} else if uint32(m.disp) != 0 {
			x[0] = s.new(encode.VPADDD, x[0], m.const32(uint32(m.disp)))
		}
		at[g] = x[0]
		bad = s.alsoSet(bad, s.notLess(4, lanes, at[g], limit))
		if span := m.Span(); span > 1 {
			bad = s.alsoSet(bad, s.hasBits(4, lanes, at[g], m.const32(uint32(span-1))))
		}
	}
	m.missAny(bad)
	m.fixedly(encode.MOV|encode.S64, rax, m.inFrame(FrameLocal))
	for g, s := range m.groups {
		word := s.new(encode.VPSLLDI, s.and(at[g], m.const32(^uint32(3))), immediate(5))
		word = s.new(encode.VPADDD, word, m.constDwords(func(i int) uint32 { return uint32(m.t.bytes*g + 4*i) }))
		shift := operand{}
		if m.Size < 4 {
			shift = s.new(encode.VPSLLDI, s.and(at[g], m.const32(3)), immediate(3))
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
	m.fixedly(encode.MOV|encode.S64, rcx, m.inFrame(FrameLocalSize))
	m.fixedly(encode.SUB|encode.S64, rcx, fixed(encode.Imm(int64(m.Span()-1))))
	m.miss(encode.CondBE)
}

// localWords are words of local memory of a group: a row of an access's address, and those behind it.
type localWords struct {
	load  func(row int) operand
	store func(row int, x operand)
}

// gatheredWords are words whose addresses differ from lane to lane.
func (m *memoryAccess) gatheredWords(s *group, word operand) localWords {
	at := func(row int) operand { return indexed(rax, word, 1, int32(row*rowBytes)) }
	return localWords{
		load: func(row int) operand { return s.gather(gatherDD, at(row), m.lanes(s.number)) },
		store: func(row int, x operand) {
			if m.hasMasks() {
				m.scatter(encode.VPSCATTERDD, at(row), x, m.lanes(s.number))
				return
			}
			m.storeSized(s, at(row), [2]operand{word}, [2]operand{x}, m.lanes(s.number), 4)
		},
	}
}

// rowWords are words that stand side by side from RAX on; full says that all lanes access them.
func (m *memoryAccess) rowWords(s *group, full bool) localWords {
	at := func(row int) operand { return memoryAt(rax, int32(row*rowBytes+m.t.bytes*s.number)) }
	load := func(row int) operand { return s.new(m.t.move, at(row)) }
	return localWords{load: load, store: func(row int, x operand) {
		i := instr{op: m.t.move, args: [4]operand{at(row), x}, n: 2}
		switch {
		case m.hasMasks():
			i.mask = m.lanes(s.number)
		case !full: // nobody else accesses the words of the other lanes meanwhile
			i.args[1] = s.new(encode.VPBLENDVB, load(row), x, m.lanes(s.number))
		}
		m.code = append(m.code, i)
	}}
}

// accessRow selects an access to the row of the address in RAX.
func (m *memoryAccess) accessRow() {
	shift := operand{}
	if m.Size < 4 {
		m.fixedly(encode.MOV|encode.S32, rcx, rax)
		m.fixedly(encode.AND|encode.S32, rcx, immediate(3))
		m.fixedly(encode.SHL|encode.S32, rcx, immediate(3))
		shift = m.groups[0].broadcast(rcx, false)
		m.fixedly(encode.AND|encode.S32, rax, immediate(-4))
	}
	m.fixedly(encode.SHL|encode.S64, rax, immediate(5))
	m.fixedly(encode.ADD|encode.S64, rax, m.inFrame(FrameLocal))
	if m.inst.Kind == simt.Load {
		for _, s := range m.groups {
			m.loadLocal(s, shift, m.rowWords(s, false))
		}
		return
	}
	m.fullOrNot(func(full bool) {
		for _, s := range m.groups {
			m.storeLocal(s, shift, m.rowWords(s, full))
		}
	})
}

// fieldShift returns by how many bits element e stands higher in its word: shift is so for the first one.
func (m *memoryAccess) fieldShift(s *group, shift operand, e int) operand {
	if within := e * m.Size % 4; m.Size < 4 && within > 0 {
		return s.new(encode.VPADDD, shift, m.const32(uint32(8*within)))
	}
	return shift
}

// loadLocal loads the elements of a group from words.
func (m *memoryAccess) loadLocal(s *group, shift operand, words localWords) {
	for e, id := range m.inst.Defs {
		row := e * m.Size / 4
		switch {
		case id == 0:
		case m.Size == 8 && m.Values[id].Type != simt.B64:
			s.values[id].parts[0] = words.load(row)
		case m.Size == 8:
			s.values[id].parts = s.zip(words.load(row), words.load(row+1))
		case m.Size == 4:
			m.extend(s, id, words.load(row))
		default:
			m.extend(s, id, s.new(encode.VPSRLVD, words.load(row), m.fieldShift(s, shift, e)))
		}
	}
}

// storeLocal stores the elements of a group in words.
func (m *memoryAccess) storeLocal(s *group, shift operand, words localWords) {
	for e, id := range m.inst.Args[1:] {
		row, x := e*m.Size/4, m.element(s, id)
		switch m.Size {
		case 8:
			words.store(row, s.pick(x, 0, false))
			words.store(row+1, s.pick(x, 1, false))
		case 4:
			words.store(row, x[0])
		default:
			up := m.fieldShift(s, shift, e)
			field := s.new(encode.VPSLLVD, m.const32(1<<(8*m.Size)-1), up)
			words.store(row, s.logic(tableX&^tableZ|tableY&tableZ, words.load(row), s.new(encode.VPSLLVD, x[0], up), field))
		}
	}
}

// zip makes elements of 64 bits of their lower and upper words.
func (s *group) zip(low, high operand) (x [2]operand) {
	if s.t.level == AVX2 {
		// Inside lanes of 128 bits, of which the lower ones come first.
		even, odd := s.new(encode.VPUNPCKLDQ, low, high), s.new(encode.VPUNPCKHDQ, low, high)
		return [2]operand{s.new(encode.VPERM2I128, even, odd, immediate(0x20)), s.new(encode.VPERM2I128, even, odd, immediate(0x31))}
	}
	for h := range x {
		index := s.constDwords(func(i int) uint32 { return uint32(8*h + i/2 + i%2*16) })
		x[h] = s.change(encode.VPERMI2D, index, low, high)
	}
	return x
}
