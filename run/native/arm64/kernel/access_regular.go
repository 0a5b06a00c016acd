package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Accesses where the four lanes of each group stand side by side. Package affine tells which they may be: addresses are a
// scalar and a constant for each lane. The scalar is what the first lane has. Where sums of words may wrap around, it is looked at
// whether the lanes are where they should be. If so, and all are at work, one comparison of scalars tells whether they
// are in the window, and vectors are loaded and stored; else each lane is looked at.

// findAffine finds the affine values: those that are for certain, and those that are if no sum wraps around.
func (k *compiler) findAffine() {
	find := func(careful bool) []*affine.Value {
		known := affine.Known{
			Function: k.Function, Scalar: k.scalar, Careful: func(simt.ID) bool { return careful }, Computes: func(op.Op) bool { return true },
		}
		known.Find(k.Options.Block, k.uniform)
		return known.Values
	}
	k.certain = find(true)
	k.hoped = find(k.Options.Careful)
}

// isRegular reports whether an access may be one of vectors. sure says that no sum wraps around.
func (m *memoryAccess) isRegular() (a *affine.Value, sure, ok bool) {
	if m.inst.Kind == simt.Atomic || m.Strong { // others may see part of a vector, and part of a word of it if that is not aligned
		return nil, false, false
	}
	id, value := m.inst.Args[0], m.value()
	if k := m.Options.NoRegular; k || m.Elements != 1 || m.inst.Guard != 0 || value == 0 || (m.Values[value].Type == simt.B64) != (m.Size == 8) {
		return nil, false, false
	}
	if a = m.certain[id]; a == nil {
		a = m.hoped[id]
	}
	if a == nil || m.scalar[id] {
		return nil, false, false
	}
	low, high := a.Bounds()
	for lane, c := range a.C {
		if c-a.C[lane/arm64.Lanes*arm64.Lanes] != int64(lane%arm64.Lanes*m.Size) || (c-low)%int64(m.Size) != 0 {
			return nil, false, false
		}
	}
	return a, m.certain[id] != nil, high-low < 1<<20
}

// value is what is loaded or stored.
func (m *memoryAccess) value() simt.ID {
	if m.inst.Kind == simt.Store {
		return m.inst.Args[1]
	}
	return m.inst.Defs[0]
}

// accessRegular is such an access.
func (m *memoryAccess) accessRegular(a *affine.Value, sure bool) error {
	each, done := m.Asm.NewLabel(), m.Asm.NewLabel()
	m.compiler.Access(encode.LDRW, x0, frameReg, frame.Lanes)
	m.Emit(encode.MVNW, x0, x0)
	m.Emit(encode.CBNZW, x0, encode.At(each))
	if !sure {
		if err := m.verify(a); err != nil {
			return err
		}
		m.Emit(encode.CBNZW, x0, encode.At(each))
	}
	low, high := a.Bounds()
	m.sites[m.site].Extent = high - low
	bases := [2]encode.Operand{encode.X(8), encode.X(8)}
	m.checkBase(a, 0, low, bases[0], each)
	if a.Split {
		bases[1] = encode.X(12)
		m.checkBase(a, simt.WarpSize/2, low, bases[1], each)
	}
	value := m.value()
	scalar := m.inst.Kind == simt.Store && m.scalar[value]
	if scalar {
		m.Emit(encode.MOVX, encode.X(13), m.general(value))
	}
	for g := range numGroups {
		at := a.C[arm64.Lanes*g] - low
		if m.inst.Kind == simt.Load {
			m.loadGroup(g, bases[g*2/numGroups], at)
		} else {
			m.storeGroup(g, bases[g*2/numGroups], at, scalar)
		}
	}
	m.Branch(encode.B, done)
	m.Bind(each)
	m.generals.forget()
	if err := m.accessVectors(); err != nil {
		return err
	}
	m.Bind(done)
	return nil
}

// verify leaves 0 in X0 if all lanes' addresses are what the first lane's and the constants say.
func (m *memoryAccess) verify(a *affine.Value) error {
	k, id, home := m.compiler, m.inst.Args[0], m.homes.Offset[m.inst.Args[0]]
	var first [2]machine.Register
	var wrong machine.Register
	return k.strips(func(s *strip) {
		h := 0
		if a.Split {
			h = s.number * 2 / numGroups
		}
		lane := h * simt.WarpSize / 2
		size, bytes := machine.Word, 4
		if !m.narrow {
			size, bytes = machine.Double, 8
		}
		if first[h] == 0 {
			first[h] = k.From(machine.Place{Base: homesReg, Offset: home + int32(lane*bytes), Size: size})
		}
		look := func(x, constants machine.Register, o encode.Op) {
			d := k.New(encode.EOR, x, k.New(o, first[h], constants))
			if wrong != 0 {
				d = k.New(encode.ORR, wrong, d)
			}
			wrong = d
		}
		x, c := s.Both(id), a.C[arm64.Lanes*s.number:]
		if m.narrow {
			look(x[0], k.lanes(func(i int) uint64 { return uint64(c[i] - a.C[lane]) }, 4), encode.ADD|encode.S4)
			return
		}
		for p := range x {
			look(x[p], k.lanes(func(i int) uint64 { return uint64(c[2*p+i] - a.C[lane]) }, 8), encode.ADD|encode.D2)
		}
	}, func() {
		k.extractAny(x0, wrong)
	})
}

// lanes is a vector of numbers of so many bytes each.
func (k *compiler) lanes(f func(i int) uint64, size int) machine.Register {
	var bytes [16]byte
	for n := range bytes {
		bytes[n] = byte(f(n/size) >> (n % size * 8))
	}
	return k.ConstBytes(bytes)
}

// checkBase leaves in a register where the lowest address is in memory, given a lane that has the scalar, or goes to a
// label if not all lanes are in the window.
func (m *memoryAccess) checkBase(a *affine.Value, lane int, low int64, base encode.Operand, each encode.Label) {
	home, disp := m.homes.Offset[m.inst.Args[0]], m.Offset+uint64(low-a.C[lane])
	if m.narrow {
		m.compiler.Access(encode.LDRW, x0, homesReg, home+int32(4*lane))
		m.number(x1, uint64(uint32(disp)))
		m.Emit(encode.ADDW, x0, x0, x1)
	} else {
		m.compiler.Access(encode.LDRX, x0, homesReg, home+int32(8*lane))
		m.addNumber(x0, x0, disp, x1)
	}
	if m.Size > 1 {
		m.number(x1, uint64(m.Size-1))
		m.Emit(encode.TSTX, x0, x1)
		m.Branch(encode.BNE, each)
	}
	// An address before the window is past the largest number.
	m.compiler.Access(encode.LDRX, x1, windowsReg, m.window+frame.WindowBase)
	m.Emit(encode.SUBX, x1, x0, x1)
	m.compiler.Access(encode.LDRX, x2, windowsReg, m.window+frame.WindowRange)
	m.Emit(encode.CMPX, x1, x2)
	m.Branch(encode.BHS, each)
	m.compiler.Access(encode.LDRX, x2, windowsReg, m.window+frame.WindowDelta)
	m.Emit(encode.ADDX, base, x0, x2)
}

// vectorAccess writes a load or store at any offset.
func (m *memoryAccess) vectorAccess(o encode.Op, v, base encode.Operand, at int64) {
	if at&int64(arm64.Lanes*min(m.Size, 4)-1) != 0 {
		m.addNumber(elementReg, base, uint64(at), x0)
		base, at = elementReg, 0
	}
	m.compiler.Access(o, v, base, int32(at))
}

// loadGroup loads what a group has side by side.
func (m *memoryAccess) loadGroup(g int, base encode.Operand, at int64) {
	v, home := encode.V(g), m.homes.Offset[m.value()]
	wider := encode.Op(encode.USHLL)
	if m.Signed {
		wider = encode.SSHLL
	}
	switch m.Size {
	case 8:
		m.vectorAccess(encode.LDRQ, v, base, at)
		m.compiler.Access(encode.STRQ, v, homesReg, home+int32(2*g*arm64.Bytes))
		m.vectorAccess(encode.LDRQ, v, base, at+arm64.Bytes)
		m.compiler.Access(encode.STRQ, v, homesReg, home+int32((2*g+1)*arm64.Bytes))
		return
	case 4:
		m.vectorAccess(encode.LDRQ, v, base, at)
	case 2:
		m.vectorAccess(encode.LDRD, v, base, at)
		m.Emit(wider|encode.H8, v, v, encode.Imm(0))
	default:
		m.vectorAccess(encode.LDRS, v, base, at)
		m.Emit(wider|encode.B16, v, v, encode.Imm(0))
		m.Emit(wider|encode.H8, v, v, encode.Imm(0))
	}
	m.compiler.Access(encode.STRQ, v, homesReg, home+int32(g*arm64.Bytes))
}

// storeGroup stores what a group has side by side; a scalar is in X13.
func (m *memoryAccess) storeGroup(g int, base encode.Operand, at int64, scalar bool) {
	v, home := encode.V(g), m.homes.Offset[m.value()]
	bring := func(offset int) {
		switch {
		case scalar && m.Size == 8:
			m.Emit(encode.DUPW|encode.D2, v, encode.X(13))
		case scalar:
			m.Emit(encode.DUPW|encode.S4, v, encode.X(13))
		default:
			m.compiler.Access(encode.LDRQ, v, homesReg, home+int32(offset))
		}
	}
	if m.Size == 8 {
		for p := range 2 {
			bring((2*g + p) * arm64.Bytes)
			m.vectorAccess(encode.STRQ, v, base, at+int64(p*arm64.Bytes))
		}
		return
	}
	bring(g * arm64.Bytes)
	switch m.Size {
	case 4:
		m.vectorAccess(encode.STRQ, v, base, at)
	case 2:
		m.Emit(encode.XTN|encode.H8, v, v)
		m.vectorAccess(encode.STRD, v, base, at)
	default:
		m.Emit(encode.XTN|encode.H8, v, v)
		m.Emit(encode.XTN|encode.B16, v, v)
		m.vectorAccess(encode.STRS, v, base, at)
	}
}
