package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// native reports whether there is code for an instruction as an access.
func native(i *simt.Inst) bool {
	switch i.Kind {
	case simt.Load, simt.Store:
		if i.Aux.(*simt.Access).AtOnce() {
			return false
		}
	case simt.Atomic:
		if !nativeAtomic(i) {
			return false
		}
	default:
		return false
	}
	switch i.Aux.(*simt.Access).Space {
	case check.Global, check.Const, check.Shared, check.Generic, check.Param, check.Local:
		return true
	}
	return false
}

// isLocal reports whether an access is to local memory.
func isLocal(i *simt.Inst) bool { return i.Aux.(*simt.Access).Space == check.Local }

// memoryAccess is the state of writing one access.
type memoryAccess struct {
	*compiler
	*simt.Access
	inst   *simt.Inst
	window int32 // the offset of its window
	site   int
	miss   encode.Label
	narrow bool // addresses are words
}

// access writes a load, a store or an atomic operation: the window that has been found last is tried, and if not all lanes
// are in it, a step executes the access and finds the window for the next time.
func (k *compiler) access(b simt.BlockID, n int) error {
	inst := &k.Blocks[b].Insts[n]
	m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), inst: inst, window: k.windows}
	k.windows += frame.WindowSize
	m.site = k.site(frame.Site{Kind: frame.AccessSite, Block: b, Inst: int32(n), Window: m.window})
	m.miss = k.outOfLine(m.site)
	m.narrow = k.Values[inst.Args[0]].Type == simt.B32
	if inst.Kind == simt.Store && m.Releases {
		k.fence()
	}
	if err := m.accessAny(); err != nil {
		return err
	}
	k.resume(m.site)
	if inst.Kind == simt.Load && m.Acquires {
		k.fence()
	}
	return nil
}

// fence orders what is accessed before it and behind it, as others see it: the processor orders neither loads nor stores. Atomic
// operations do so by themselves.
func (k *compiler) fence() { k.Emit(encode.DMBISH) }

// accessAny writes the access in the way that suits its addresses.
func (m *memoryAccess) accessAny() error {
	inst := m.inst
	if isLocal(inst) {
		return m.accessLocal()
	}
	if inst.Kind == simt.Load && inst.Guard == 0 && m.allScalar(inst.Args) && m.definesScalars(inst) {
		m.loadScalar()
		return nil
	}
	if a, sure, ok := m.isRegular(); ok {
		return m.accessRegular(a, sure)
	}
	return m.accessVectors()
}

// definesScalars reports whether all that an instruction defines is in general registers.
func (k *compiler) definesScalars(i *simt.Inst) bool {
	for _, d := range i.Defs {
		if d != 0 && !k.scalar[d] {
			return false
		}
	}
	return true
}

// inWindow is a number of the access's window, in all lanes.
func (m *memoryAccess) inWindow(offset int32) machine.Place {
	return machine.Place{Base: windowsReg, Offset: m.window + offset, Size: machine.Double}
}

// The registers of the sequences below.
var (
	baseReg    = encode.X(8)  // where offset 0 of the window is in memory
	elementReg = encode.X(9)  // likewise, of an element
	valuesReg  = encode.X(10) // where the home is of what is loaded or stored
	offsetsReg = encode.X(11) // where the lanes' offsets are
	lanesReg   = encode.X(1)  // the lanes that access
)

// scalarAddress leaves in X0 an address that is the same in all lanes, if it is a multiple of what is accessed.
func (m *memoryAccess) scalarAddress() {
	address := m.general(m.inst.Args[0])
	if m.narrow {
		m.number(x1, uint64(uint32(m.Offset)))
		m.Emit(encode.ADDW, x0, address, x1)
	} else {
		m.addNumber(x0, address, m.Offset, x1)
	}
	if span := m.Span(); span > 1 {
		m.number(x1, span-1)
		m.Emit(encode.TSTX, x0, x1)
		m.Branch(encode.BNE, m.miss)
	}
}

// loadScalar loads what is the same in all lanes.
func (m *memoryAccess) loadScalar() {
	m.scalarAddress()
	m.compiler.Access(encode.LDRX, x1, windowsReg, m.window+frame.WindowBase)
	m.Emit(encode.SUBX, x1, x0, x1)
	m.compiler.Access(encode.LDRX, x2, windowsReg, m.window+frame.WindowLimit)
	m.Emit(encode.CMPX, x1, x2)
	m.Branch(encode.BHS, m.miss)
	m.compiler.Access(encode.LDRX, x2, windowsReg, m.window+frame.WindowDelta)
	m.Emit(encode.ADDX, baseReg, x0, x2)
	for e, d := range m.inst.Defs {
		if d == 0 {
			continue
		}
		m.number(x1, uint64(e*m.Size))
		x := m.generals.take(d)
		m.Emit(m.loading(d), x, baseReg, x1)
		if m.Values[d].Type == simt.B32 && m.Size == 8 {
			m.Emit(encode.MOVW, x, x)
		}
		m.keep(d, x)
	}
}

// loading returns the instruction that loads an element of a value.
func (m *memoryAccess) loading(d simt.ID) encode.Op {
	wide := m.Values[d].Type == simt.B64
	switch {
	case m.Size == 8:
		return encode.LDRXIndexed
	case m.Size == 4 && m.Signed && wide:
		return encode.LDRSWXIndexed
	case m.Size == 4:
		return encode.LDRWIndexed
	case m.Size == 2 && m.Signed && wide:
		return encode.LDRSHXIndexed
	case m.Size == 2 && m.Signed:
		return encode.LDRSHWIndexed
	case m.Size == 2:
		return encode.LDRHIndexed
	case m.Signed && wide:
		return encode.LDRSBXIndexed
	case m.Signed:
		return encode.LDRSBWIndexed
	}
	return encode.LDRBIndexed
}

// accessVectors accesses what may be elsewhere for each lane.
func (m *memoryAccess) accessVectors() error {
	if err := m.findOffsets(); err != nil {
		return err
	}
	skip := m.Asm.NewLabel()
	m.Emit(encode.CBNZW, x0, encode.At(m.miss))
	if m.inst.Guard != 0 {
		m.Emit(encode.CBZW, lanesReg, encode.At(skip))
	} else {
		m.compiler.Access(encode.LDRW, lanesReg, frameReg, frame.Lanes)
	}
	if isLocal(m.inst) {
		m.compiler.Access(encode.LDRX, baseReg, frameReg, frame.Local)
	} else {
		m.compiler.Access(encode.LDRX, x0, windowsReg, m.window+frame.WindowBase)
		m.compiler.Access(encode.LDRX, x2, windowsReg, m.window+frame.WindowDelta)
		m.Emit(encode.ADDX, baseReg, x0, x2)
	}
	m.addNumber(offsetsReg, frameReg, frameOffsets, x0)
	switch m.inst.Kind {
	case simt.Load:
		m.loadLanes()
	case simt.Store:
		m.storeLanes()
	default:
		m.updateLanes()
	}
	m.Bind(skip)
	return nil
}

// findOffsets leaves in the frame where each lane accesses memory, from the beginning of the window: 0 of lanes that do not. In
// X0 it leaves 0 if all lanes that access may, and the lanes in X1, if there is a guard.
func (m *memoryAccess) findOffsets() error {
	k, limitAt := m.compiler, m.placeLimit()
	var base, limit, bad machine.Register
	var lanes word
	return k.strips(func(s *strip) {
		if limit == 0 {
			limit = s.From(limitAt)
			if !m.fromZero() {
				base = s.From(m.inWindow(frame.WindowBase))
			}
		}
		active := s.guarded(m.inst)
		if m.inst.Guard != 0 {
			lanes.add(s, active)
		}
		offset, beyond := m.offset(s, base)
		wrong := s.New(encode.CMHS|encode.S4, offset, limit)
		if beyond != 0 {
			wrong = s.New(encode.ORR, wrong, beyond)
		}
		if span := m.Span(); span > 1 {
			wrong = s.New(encode.ORR, wrong, s.New(encode.CMTST|encode.S4, offset, s.Const32(uint32(span-1))))
		}
		wrong = s.New(encode.AND, wrong, active)
		if bad != 0 {
			wrong = s.New(encode.ORR, bad, wrong)
		}
		bad = wrong
		offset = s.New(encode.AND, offset, active)
		if isLocal(m.inst) {
			offset = m.localOffset(s, offset)
		}
		s.Save(machine.Place{Base: frameReg, Offset: frameOffsets + int32(s.number)*arm64.Bytes}, offset, false)
	}, func() {
		k.extractAny(x0, bad)
		if m.inst.Guard != 0 {
			lanes.extract(k, lanesReg)
		}
	})
}

// extractAny moves to a general register what is 0 if a vector is.
func (k *compiler) extractAny(to encode.Operand, x machine.Register) {
	x = k.New(encode.ORR, x, k.NewImm(encode.EXT, 8, x, x))
	k.Extract(to, k.New(encode.ORR, x, k.NewImm(encode.EXT, 4, x, x)))
}

// fromZero reports whether the memory begins at address 0, and is smaller than 4 GiB.
func (m *memoryAccess) fromZero() bool {
	return m.Space == check.Shared || m.Space == check.Param || m.Space == check.Local
}

// placeLimit returns where, in 32 bits, the number of addresses is that an access may have.
func (m *memoryAccess) placeLimit() machine.Place {
	switch {
	case isLocal(m.inst):
		m.limit(x0)
	case m.fromZero():
		return machine.Place{Base: windowsReg, Offset: m.window + frame.WindowLimit, Size: machine.Word}
	default: // what is further from the beginning is left to steps
		m.compiler.Access(encode.LDRX, x0, windowsReg, m.window+frame.WindowLimit)
		m.number(x1, 1<<32-1)
		m.Emit(encode.CMPX, x0, x1)
		m.Emit(encode.CSELX, x0, x0, x1, encode.Imm(encode.LO))
	}
	m.compiler.Access(encode.STRX, x0, frameReg, frameLimit)
	return machine.Place{Base: frameReg, Offset: frameLimit, Size: machine.Word}
}

// offset returns the offsets of a group from the beginning of the memory, and their upper words, or 0 if there are none.
func (m *memoryAccess) offset(s *strip, base machine.Register) (low, beyond machine.Register) {
	x := s.Both(m.inst.Args[0])
	if m.narrow {
		if uint32(m.Offset) != 0 {
			x[0] = s.New(encode.ADD|encode.S4, x[0], s.Const32(uint32(m.Offset)))
		}
		if m.fromZero() {
			return x[0], 0
		}
		x = vector.Value{s.NewImm(encode.USHLL|encode.S4, 0, x[0]), s.NewImm(encode.USHLL2|encode.S4, 0, x[0])}
	}
	for h := range x {
		if m.Offset != 0 && !m.narrow {
			x[h] = s.New(encode.ADD|encode.D2, x[h], s.Const64(m.Offset))
		}
		if base != 0 {
			x[h] = s.New(encode.SUB|encode.D2, x[h], base)
		}
	}
	return s.New(encode.UZP1|encode.S4, x[0], x[1]), s.New(encode.UZP2|encode.S4, x[0], x[1])
}
