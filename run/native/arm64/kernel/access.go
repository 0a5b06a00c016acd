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
	if i.Kind != simt.Load && i.Kind != simt.Store {
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
	// Where the beginning of the memory is, and how many addresses there are from there. Local memory begins at 0, and
	// has no place for that.
	baseAt, limitAt machine.Place
}

// access writes a load or a store: the window that has been found last is tried, and if not all lanes are in it, a
// step executes the access and finds the window for the next time.
func (k *compiler) access(b simt.BlockID, n int) error {
	inst := &k.Blocks[b].Insts[n]
	m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), inst: inst, window: k.windows}
	k.windows += frame.WindowSize
	m.site = k.site(frame.Site{Kind: frame.AccessSite, Block: b, Inst: int32(n), Window: m.window})
	m.miss = k.outOfLine(m.site)
	m.narrow = k.Values[inst.Args[0]].Type == simt.B32
	m.baseAt, m.limitAt = m.inWindow(frame.WindowBase), m.inWindow(frame.WindowLimit)
	if isLocal(inst) {
		if err := m.accessLocal(); err != nil {
			return err
		}
	} else if inst.Kind == simt.Load && inst.Guard == 0 && k.allScalar(inst.Args) && k.definesScalars(inst) {
		m.loadScalar()
	} else if a, sure, ok := m.isRegular(); ok {
		if err := m.accessRegular(a, sure); err != nil {
			return err
		}
	} else if err := m.accessVectors(); err != nil {
		return err
	}
	k.resume(m.site)
	return nil
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
	if m.inst.Kind == simt.Load {
		m.loadLanes()
	} else {
		m.storeLanes()
	}
	m.Bind(skip)
	return nil
}

// findOffsets leaves in the frame where each lane accesses memory, from the beginning of the window: 0 of lanes that do not. In
// X0 it leaves 0 if all lanes that access may, and the lanes in X1, if there is a guard.
func (m *memoryAccess) findOffsets() error {
	var bad machine.Register
	var lanes word
	k := m.compiler
	var base, limit machine.Register
	return k.strips(func(s *strip) {
		if limit == 0 {
			limit = k.From(m.limitAt)
			if !isLocal(m.inst) {
				base = k.From(m.baseAt)
			}
		}
		set := s.guarded(m.inst)
		if m.inst.Guard != 0 {
			lanes.add(s, set)
		}
		active, address := s.wide(set), m.address(s)
		for h := range address {
			offset := address[h]
			if base != 0 {
				offset = k.New(encode.SUB|encode.D2, offset, base)
			}
			wrong := k.New(encode.CMHS|encode.D2, offset, limit)
			if span := m.Span(); span > 1 {
				wrong = k.New(encode.ORR, wrong, k.New(encode.CMTST|encode.D2, address[h], k.Const64(span-1)))
			}
			wrong = k.New(encode.AND, wrong, active[h])
			if bad != 0 {
				wrong = k.New(encode.ORR, bad, wrong)
			}
			bad = wrong
			to := machine.Place{Base: frameReg, Offset: frameOffsets + int32(2*s.number+h)*arm64.Bytes}
			if isLocal(m.inst) {
				offset = m.localOffset(s, h, k.New(encode.AND, offset, active[h]))
			} else {
				offset = k.New(encode.AND, offset, active[h])
			}
			k.Save(to, offset, false)
		}
	}, func() {
		x := k.New(encode.ADDP|encode.S4, bad, bad)
		k.Extract(x0, k.New(encode.ADDP|encode.S4, x, x))
		if m.inst.Guard != 0 {
			lanes.extract(k, lanesReg)
		}
	})
}

// address returns the addresses of a group.
func (m *memoryAccess) address(s *strip) vector.Value {
	id, k := m.inst.Args[0], m.compiler
	if !m.narrow {
		x := s.Both(id)
		if m.Offset == 0 {
			return x
		}
		disp := k.Const64(m.Offset)
		return vector.Value{k.New(encode.ADD|encode.D2, x[0], disp), k.New(encode.ADD|encode.D2, x[1], disp)}
	}
	x := s.V(id)
	if uint32(m.Offset) != 0 {
		x = k.New(encode.ADD|encode.S4, x, k.Const32(uint32(m.Offset)))
	}
	return vector.Value{k.NewImm(encode.USHLL|encode.S4, 0, x), k.NewImm(encode.USHLL2|encode.S4, 0, x)}
}
